package skill

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

const good = "---\nname: review\ndescription: Reviews notes.\n---\n\n# Review\n"

// write writes files below a new directory and returns it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// read reads skills and returns them with the findings as text.
func read(dir string) (*Set, []string) {
	fset := token.NewFileSet()
	fset.AddFile("notes.go", 1, 100)
	list := diag.NewList(fset, dir)
	set := Read(dir, 1, list)
	return set, lines(dir, list)
}

func lines(dir string, list *diag.List) (all []string) {
	for _, f := range list.Sorted() {
		all = append(all, fmt.Sprintf("%s:%d:%d: %s: %s", diag.Rel(dir, f.Pos.Filename), f.Pos.Line, f.Pos.Column, f.Code, f.Text()))
	}
	return all
}

func TestRead(t *testing.T) {
	inner := "---\nname: deep\ndescription: \"Looks: deeper.\"\nmetadata:\n  version: \"1.0\"\n  level: 3\n---\n"
	dir := write(t, map[string]string{
		"review/SKILL.md": good, "review/references/style.md": "Style.\n", "review/deep/SKILL.md": inner,
		"review/.DS_Store": "x", ".git/x": "x", "team/billing/refunds/SKILL.md": strings.Replace(good, "review", "refunds", 1),
	})
	set, findings := read(dir)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	var got []string
	for _, s := range set.Skills {
		for _, f := range s.Files {
			got = append(got, s.URI(f.Path))
		}
	}
	want := []string{
		"skill://review/SKILL.md", "skill://review/deep/SKILL.md", "skill://review/references/style.md",
		"skill://review/deep/SKILL.md", "skill://team/billing/refunds/SKILL.md",
	}
	if !slices.Equal(got, want) {
		t.Errorf("files %q", got)
	}
	sum := sha256.Sum256([]byte(inner))
	deep := set.Skills[1]
	if f := deep.Files[0]; f.Digest != "sha256:"+hex.EncodeToString(sum[:]) || f.Size != len(inner) {
		t.Errorf("file %+v", f)
	}
	if got, want := string(deep.Frontmatter), `{"name":"deep","description":"Looks: deeper.","metadata":{"version":"1.0","level":3}}`; got != want {
		t.Errorf("front matter %s, want %s", got, want)
	}
}

func TestRefusals(t *testing.T) {
	matter := func(fields string) map[string]string {
		return map[string]string{"review/SKILL.md": "---\n" + fields + "\n---\nText.\n"}
	}
	const fields = "name: review\ndescription: D\n"
	many := map[string]string{"review/SKILL.md": good}
	for i := range maxFiles {
		many[fmt.Sprintf("review/f%03d.md", i)] = ""
	}
	for name, tc := range map[string]struct {
		files map[string]string
		want  string
	}{
		"none":          {map[string]string{}, "JP420: . has no skills"},
		"at the top":    {map[string]string{"SKILL.md": good}, "SKILL.md:1:1: JP420: the file belongs to no skill"},
		"stray":         {map[string]string{"review/SKILL.md": good, "notes.md": ""}, "notes.md:1:1: JP420: the file belongs to no skill; move it"},
		"lower case":    {map[string]string{"review/skill.md": good}, "review/skill.md:1:1: JP420: skill.md is not called SKILL.md"},
		"space":         {map[string]string{"review/SKILL.md": good, "review/a b.md": ""}, "review/a b.md:1:1: JP420: a b.md has a name with characters other than"},
		"underscore":    {map[string]string{"review/SKILL.md": good, "review/_x.md": ""}, "_x.md begins with _"},
		"reserved":      {map[string]string{"review/SKILL.md": good, "review/com1.md": ""}, "com1.md has a name that Windows reserves"},
		"module":        {map[string]string{"review/SKILL.md": good, "review/go.mod": ""}, "go.mod makes go:embed leave the directory out"},
		"many files":    {many, "skill review has more than 512 files; divide it"},
		"large":         {map[string]string{"review/SKILL.md": good, "review/x.bin": strings.Repeat("x", maxSize)}, "skill review has more than 16 MiB"},
		"no matter":     {map[string]string{"review/SKILL.md": "# Review\n"}, "review/SKILL.md:1:1: JP420: the file does not begin with front matter"},
		"mark":          {map[string]string{"review/SKILL.md": "\ufeff" + good}, "the file does not begin with front matter"},
		"empty file":    {map[string]string{"review/SKILL.md": ""}, "the file does not begin with front matter"},
		"one line":      {map[string]string{"review/SKILL.md": "---"}, "the front matter does not end"},
		"no end":        {map[string]string{"review/SKILL.md": "---\nname: review\n"}, "the front matter does not end"},
		"not UTF-8":     {map[string]string{"review/SKILL.md": "---\nname: \xff\n---\n"}, "the file is not UTF-8"},
		"empty matter":  {matter(""), "the front matter is not a list of fields"},
		"a list":        {matter("- a"), "the front matter is not a list of fields"},
		"syntax":        {matter("name: review\ndescription: a: b"), "review/SKILL.md:3:1: JP420: the front matter is not valid YAML: "},
		"no name":       {matter("description: D"), "the front matter has no name; add name: review"},
		"number":        {matter("name: 7\ndescription: D"), "review/SKILL.md:2:7: JP420: the name is not text"},
		"upper case":    {matter("name: Review\ndescription: D"), `invalid name "Review" of a skill`},
		"hyphens":       {matter("name: re--view\ndescription: D"), `invalid name "re--view" of a skill`},
		"long":          {matter("name: " + strings.Repeat("a", 65) + "\ndescription: D"), "at most 64 characters"},
		"other name":    {matter("name: revue\ndescription: D"), "review/SKILL.md:2:7: JP420: the name revue is not the name of the directory, review"},
		"no text":       {matter("name: review"), "the front matter has no description"},
		"blank":         {matter("name: review\ndescription: '  '"), "the front matter has no description"},
		"a list of it":  {matter("name: review\ndescription: [a]"), "review/SKILL.md:3:14: JP420: the description is not text"},
		"long text":     {matter("name: review\ndescription: " + strings.Repeat("é", 1025)), "the description has 1025 characters, more than 1024"},
		"twice":         {matter(fields + "name: x"), "review/SKILL.md:4:1: JP420: the front matter has name twice"},
		"anchor":        {matter(fields + "a: &x 1\nb: *x"), "anchors and aliases are not supported"},
		"merge":         {matter(fields + "a:\n  <<: {b: c}"), "the name of the field is not plain text"},
		"tag":           {matter(fields + "a: !!str 1"), "tags such as !!str are not supported"},
		"date":          {matter(fields + "since: 2026-07-28"), "review/SKILL.md:4:8: JP420: readers of YAML understand 2026-07-28 in different ways; put it in quotes"},
		"yes":           {matter(fields + "a: yes"), "readers of YAML understand yes in different ways"},
		"octal":         {matter(fields + "a: 010"), "readers of YAML understand 010 in different ways"},
		"infinity":      {matter(fields + "a: .inf"), "readers of YAML understand .inf in different ways"},
		"large number":  {matter(fields + "a: 12345678901234567"), "in different ways"},
		"key":           {matter(fields + "on: 1"), "the name of the field is not plain text"},
		"two documents": {matter(fields + "...\na: b"), "not valid YAML"},
		"deep":          {matter(fields + "a: " + strings.Repeat("[", 40) + strings.Repeat("]", 40)), "the front matter has more than 32 levels"},
	} {
		t.Run(name, func(t *testing.T) {
			_, findings := read(write(t, tc.files))
			if len(findings) == 0 || !strings.Contains(findings[0], tc.want) {
				t.Errorf("got %q, want %s", findings, tc.want)
			}
		})
	}
}

func TestLinksAreRefused(t *testing.T) {
	dir := write(t, map[string]string{"review/SKILL.md": good, "outside.txt": "secret"})
	if err := os.Rename(filepath.Join(dir, "outside.txt"), filepath.Join(t.TempDir(), "outside.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "review", "link.md")); err != nil {
		t.Skip(err)
	}
	if _, findings := read(dir); len(findings) != 1 || !strings.Contains(findings[0], "link.md is a symbolic link") {
		t.Errorf("findings %q", findings)
	}
	link := filepath.Join(t.TempDir(), "skills")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	if _, findings := read(link); len(findings) != 1 || !strings.Contains(findings[0], "is not a directory") {
		t.Errorf("findings %q", findings)
	}
}

// What a skill mentions exists in the contract.
func TestCheck(t *testing.T) {
	contract := &manifest.Server{
		Tools: []manifest.Tool{
			{Name: "note_create", Input: manifest.Schema(`{"type":"object","properties":{"note_title":{"type":"string"},"body":{"type":"string","enum":["note_body"]}}}`),
				Aliases: []manifest.Alias{{Name: "note_add"}}, Fails: []string{"note_gone"}},
			{Name: "search", Input: manifest.Schema(`{"type":"object","properties":{"query":{"type":"string"}}}`)},
		},
		Resources: []manifest.Resource{{URI: "notes://about", Name: "about"}, {URI: "https://example.com/a", Name: "web"}},
		Templates: []manifest.Resource{{URITemplate: "note://{id}", Name: "note"}},
		Prompts:   []manifest.Prompt{{Name: "note_sum", Input: manifest.Schema(`{"type":"object","properties":{"id":{}}}`)}},
	}
	for text, want := range map[string]string{
		"Call `note_create(note_title, body)`, then note_add.":                            "",
		"Call note_create(note_title=\"x, y\", body: \"…\", true, 7, 'a', [body]) and ()": "",
		"note_title is note_body or note_gone; note_sum(id), search().":                   "",
		"other_thing, page_size, __init__, NOTE_CREATE, note, a/note_x/b, $note_x":        "",
		"See note://7, <note://{id}>, [a](note://{note_id}) and notes://about.":           "",
		"See https://example.com/b, file:///etc, urn:x, other://x, note:// and notes://…": "",
		"See skill://review/SKILL.md, skill://review and skill://review/.":                "",
		"Call note_creat.":                                          "6: there is no tool note_creat; did you mean note_create?",
		"Call note_delete now":                                      "6: there is no tool note_delete; correct it, or accept the line with <!-- jp:allow JP421 -->",
		"`note_create(titel)`":                                      "14: note_create has no argument titel; ",
		"`note_create(body, note_titel = \"x\")`":                   "20: note_create has no argument note_titel; did you mean note_title?",
		"search(query, limit)":                                      "15: search has no argument limit; ",
		"é note_creat":                                              "4: there is no tool note_creat",
		"See notes://abuot.":                                        "5: there is no resource notes://abuot; did you mean notes://about?",
		"See note://a/b":                                            "5: there is no resource note://a/b; ",
		"See skill://revue/SKILL.md":                                "5: there is no resource skill://revue/SKILL.md; did you mean skill://review/SKILL.md?",
		"note_creat <!-- jp:allow JP421 -->":                        "",
		"note_creat <!-- jp:allow JP420 -->":                        "1: there is no tool",
		"note_creat <!-- jp:allow JP421 reason=\"an old name\" -->": "",
		"<!-- jp:allow JP420 JP421 -->\nnote_creat":                 "",
		"<!-- jp:allow JP421 -->\n\nnote_creat":                     "1: there is no tool",
		"x <!-- jp:allow JP421 -->\nnote_creat":                     "1: there is no tool",
	} {
		dir := write(t, map[string]string{"review/SKILL.md": good + text + "\n", "review/x.py": "note_creat()"})
		set, findings := read(dir)
		list := diag.NewList(token.NewFileSet(), dir)
		set.Check(contract, list)
		findings = append(findings, lines(dir, list)...)
		if want == "" && len(findings) == 0 {
			continue
		}
		if len(findings) != 1 || want == "" || !strings.Contains(findings[0], ":"+strings.Replace(want, ": ", ": JP421: ", 1)) {
			t.Errorf("%s\ngot  %q\nwant %s", text, findings, want)
		}
	}
}
