package bear

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
)

// fullText opens SQLite's full-text search. It is the reference for words and relevance.
func fullText(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	for _, statement := range []string{
		`CREATE VIRTUAL TABLE words USING fts5(title, body, tokenize='unicode61 remove_diacritics 2')`,
		`CREATE VIRTUAL TABLE terms USING fts5vocab(words, 'instance')`,
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// Every rune has the same class (letter, accent or gap) and the same base letter as in SQLite. SQLite uses an older
// version of Unicode: it counts all later runes as letters, and vowels of two scripts as marks.
func TestSpelling(t *testing.T) {
	db := fullText(t)
	const last = 0x2fff // later scripts have neither case nor accents
	vowels := &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0x19b0, Hi: 0x19c9, Stride: 1}, {Lo: 0x1cf2, Hi: 0x1cf3, Stride: 1}}}
	if _, err := db.Exec(`INSERT INTO words (rowid, body) WITH RECURSIVE runes(r) AS (SELECT 1 UNION ALL SELECT r + 1 FROM runes WHERE r < ?)
		SELECT r, 'q' || char(r) || 'z' FROM runes`, last); err != nil {
		t.Fatal(err)
	}
	rows, err := db.Query(`SELECT doc, group_concat(term, ' ') FROM (SELECT doc, term FROM terms ORDER BY doc, "offset") GROUP BY doc`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	s := newSpeller()
	for rows.Next() {
		var r rune
		var theirs string
		if err := rows.Scan(&r, &theirs); err != nil {
			t.Fatal(err)
		}
		got := string(s.append(nil, "q"+string(r)+"z"))
		want := " " + strings.Map(fold, theirs) + " "
		if got != want && !unicode.Is(vowels, r) && (unicode.IsLetter(r) || unicode.IsNumber(r) || !strings.ContainsRune(theirs, r)) {
			t.Errorf("%U %c: got %q, want %q", r, r, got, want)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

// With any filter, Search finds, counts and orders notes as the reference does.
func TestRelevance(t *testing.T) {
	path := filepath.Join(t.TempDir(), "database.sqlite")
	l, err := beartest.New(path, beartest.Layout{})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 4))
	vocabulary := strings.Fields(`the the the soup Soup leek café CAFE naïve Ångström straße STRASSE groß 日本 日本語 λόγος ΛΌΓΟΣ a a b
		x1 42 ½ e-mail don't snake_case İstanbul cafe` + "\u0301 \xff K\u212a")
	text := func(words int) string {
		all := make([]string, words)
		for i := range all {
			all[i] = vocabulary[random.IntN(len(vocabulary))]
		}
		return strings.Join(all, []string{" ", " ", " ", "\n", ", "}[random.IntN(5)])
	}
	db := fullText(t)
	for i := range 150 {
		n := beartest.Note{ID: fmt.Sprintf("N%03d", i), Title: text(random.IntN(3)), Text: text(random.IntN(30)), Modified: beartest.Day(i / 2)}
		if i%2 == 0 {
			n.Tags = []string{"even"}
		}
		if err := l.Add(n); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(`INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)`, i, n.Title, n.Text); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	library, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for range 150 {
		q := Query{Limit: 1000}
		for range 1 + random.IntN(3) {
			q.Queries = append(q.Queries, strings.Join(strings.Fields(text(1+random.IntN(2))), " "))
		}
		p := q.plan()
		if !p.isWords() {
			continue
		}
		even := random.IntN(3) == 0
		if even {
			q.Tags = []string{"even"}
		}
		want := reference(t, db, p, even)
		if len(want) == 0 {
			continue
		}
		r, err := library.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range r.Matches {
			got = append(got, m.ID)
		}
		if compared++; !slices.Equal(got, want) || r.Total != len(want) {
			t.Errorf("%q: got %d %q\nwant %q", q.Queries, r.Total, got, want)
		}
	}
	if compared < 50 {
		t.Errorf("only %d queries have matches", compared)
	}
}

// reference returns the ids that the full-text search finds, in order.
func reference(t *testing.T, db *sql.DB, p plan, even bool) []string {
	t.Helper()
	var phrases []string
	for _, n := range p.needles {
		phrases = append(phrases, quote(n.text))
	}
	rows, err := db.Query(`SELECT rowid, title, bm25(words) FROM words WHERE words MATCH ?`, strings.Join(phrases, " AND "))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var all []candidate
	for rows.Next() {
		var c candidate
		var title string
		if err := rows.Scan(&c.pk, &title, &c.score); err != nil {
			t.Fatal(err)
		}
		c.score = -c.score
		if slices.ContainsFunc(p.needles, func(n needle) bool { return titleKey(n.text) == titleKey(title) }) {
			c.score = 1e9
		}
		c.id, c.modified = fmt.Sprintf("N%03d", c.pk), float64(c.pk/2)
		if !even || c.pk%2 == 0 {
			all = append(all, c)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(all, candidate.order)
	var ids []string
	for _, c := range all {
		ids = append(ids, c.id)
	}
	return ids
}
