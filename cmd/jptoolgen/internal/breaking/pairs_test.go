package breaking_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/breaking"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A pair holds two contracts and the expected changes, which were determined by hand: one line with the level,
// rule and location of each change.
type pair struct {
	name          string
	before, after *manifest.Server
	want          []string
}

func pairs(t *testing.T) []pair {
	t.Helper()
	files, err := filepath.Glob("testdata/pairs/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var all []pair
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Comment) == 0 || len(a.Files) != 3 || a.Files[0].Name != "old" || a.Files[1].Name != "new" || a.Files[2].Name != "want" {
			t.Fatalf("%s: a pair must have a reason and the files old, new and want", file)
		}
		all = append(all, pair{
			name:   strings.TrimSuffix(filepath.Base(file), ".txtar"),
			before: contract(t, file, a.Files[0].Data), after: contract(t, file, a.Files[1].Data),
			want: strings.FieldsFunc(string(a.Files[2].Data), func(r rune) bool { return r == '\n' }),
		})
	}
	return all
}

// contract reads a contract. Everything except the tools may be missing.
func contract(t *testing.T, file string, data []byte) *manifest.Server {
	t.Helper()
	s := &manifest.Server{Format: manifest.Format, Name: "notes", Description: "Notes.", Clients: manifest.JP, Unknown: manifest.Ignore}
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return s
}

func compare(t *testing.T, p pair) []string {
	t.Helper()
	r, err := breaking.Compare(p.before, p.after)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, c := range r.Changes {
		got = append(got, c.Level.String()+" "+c.Rule+" "+c.Where)
	}
	slices.Sort(got)
	return got
}

func TestPairs(t *testing.T) {
	all := pairs(t)
	if len(all) < 60 {
		t.Fatalf("%d pairs, want at least 60", len(all))
	}
	for _, p := range all {
		t.Run(p.name, func(t *testing.T) {
			slices.Sort(p.want)
			if got := compare(t, p); !slices.Equal(got, p.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(p.want, "\n"))
			}
		})
	}
}

// Every rule has a pair that triggers it, and pairs only name existing rules.
func TestEveryRuleHasAPair(t *testing.T) {
	fired := map[string]bool{}
	for _, p := range pairs(t) {
		for _, line := range p.want {
			fired[strings.Fields(line)[1]] = true
		}
	}
	for _, r := range breaking.Rules() {
		if !fired[r.ID] {
			t.Errorf("no pair shows %s", r.ID)
		}
		delete(fired, r.ID)
	}
	for id := range fired {
		t.Errorf("unknown rule %s", id)
	}
}

// The table of rules has no duplicates and no empty descriptions.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range breaking.Rules() {
		if seen[r.ID] || r.ID == "" {
			t.Errorf("duplicate rule %q", r.ID)
		}
		seen[r.ID] = true
		if (r.Level == breaking.Breaking) != (r.Hurts != "") {
			t.Errorf("%s has level %s and hurts %q", r.ID, r.Level, r.Hurts)
		}
		if !strings.HasSuffix(r.Says, ".") || r.Part == "" {
			t.Errorf("%s has the description %q for %q", r.ID, r.Says, r.Part)
		}
	}
	if len(seen) < 45 {
		t.Errorf("%d rules, want at least 45", len(seen))
	}
}

// Comparing a contract with itself finds no change, and the changes of each pair agree with its digests. The contract
// digest differs if anything except wording changed, and at least one digest differs if anything changed.
func TestDigestsAgree(t *testing.T) {
	for _, p := range pairs(t) {
		r, err := breaking.Compare(p.before, p.after)
		if err != nil {
			t.Fatal(err)
		}
		if same, err := breaking.Compare(p.before, p.before); err != nil || same.Level() != breaking.None {
			t.Errorf("%s: a contract differs from itself: %v, %v", p.name, same, err)
		}
		before, err := lock.Sum(p.before)
		if err != nil {
			t.Fatal(err)
		}
		after, err := lock.Sum(p.after)
		if err != nil {
			t.Fatal(err)
		}
		if (r.Level() == breaking.None) != (before == after) {
			t.Errorf("%s: level %s, but the digests are %v and %v", p.name, r.Level(), before, after)
		}
		if r.Level() >= breaking.Compatible && before.Contract == after.Contract {
			t.Errorf("%s: level %s, but the contract digest is unchanged", p.name, r.Level())
		}
	}
}

func TestCompareRefuses(t *testing.T) {
	good := &manifest.Server{Tools: []manifest.Tool{{Name: "t", Input: manifest.Schema(`{}`)}}}
	bad := &manifest.Server{Tools: []manifest.Tool{{Name: "t", Input: manifest.Schema(`{"type":`)}}}
	if _, err := breaking.Compare(good, bad); err == nil || !strings.Contains(err.Error(), "t.input") {
		t.Errorf("got %v, want an error that names t.input", err)
	}
}

// Changes to keywords with the same rule have the same order in every comparison.
func TestOrderOfChanges(t *testing.T) {
	server := func(value string) *manifest.Server {
		schema := `{"type":"object","properties":{"p":{"type":"string","x-a":V,"x-b":V,"x-c":V,"x-d":V,"x-e":V}}}`
		return &manifest.Server{Tools: []manifest.Tool{{Name: "t", Input: manifest.Schema(strings.ReplaceAll(schema, "V", value))}}}
	}
	first, err := breaking.Compare(server("1"), server("2"))
	if err != nil || len(first.Changes) != 5 {
		t.Fatalf("%+v, %v, want 5 changes", first, err)
	}
	for range 20 {
		again, err := breaking.Compare(server("1"), server("2"))
		if err != nil || !slices.Equal(again.Changes, first.Changes) {
			t.Fatalf("got %+v, then %+v (%v)", first.Changes, again.Changes, err)
		}
	}
}
