package docgen_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/docgen"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// The test writes the reference for a server that uses every part of a contract. UPDATE_REFERENCE=1 rewrites it.
func TestMarkdown(t *testing.T) {
	for _, server := range []string{"fixture", "grizzly", "studio"} {
		name := filepath.Join("testdata", server+".md")
		data, err := os.ReadFile(filepath.Join("testdata", server+".json"))
		if err != nil {
			t.Fatal(err)
		}
		s, err := lock.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		got, err := docgen.Markdown(s)
		if err != nil {
			t.Fatal(err)
		}
		if os.Getenv("UPDATE_REFERENCE") != "" {
			if err := os.WriteFile(name, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%s is out of date; run UPDATE_REFERENCE=1 go test", name)
		}
	}
}

// The example for a list has as many items as the schema requires.
func TestExamplesOfLists(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"array","items":{"type":"integer"}}`:                                                   `{"ids": []}`,
		`{"type":"array","items":{"type":"integer"},"minItems":1}`:                                      `{"ids": [1]}`,
		`{"type":"array","items":{"type":"string"},"minItems":2}`:                                       `{"ids": ["…", "…"]}`,
		`{"type":"array","items":{"type":"string","enum":["a","b","c"]}}`:                               `{"ids": ["a"]}`,
		`{"type":"array","items":{"enum":["a","b","c"]},"minItems":2,"uniqueItems":true}`:               `{"ids": ["a", "b"]}`,
		`{"type":"array","items":{"type":"integer","minimum":3},"minItems":1000000,"maxItems":1000000}`: `{"ids": [3, 3, 3, 3, 3, 3, 3, 3, 3, 3]}`,
	} {
		s := &manifest.Server{Name: "s", Tools: []manifest.Tool{{
			Name: "t", Input: manifest.Schema(`{"type":"object","properties":{"ids":` + schema + `},"required":["ids"]}`),
		}}}
		if out, err := docgen.Markdown(s); err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, want %s in\n%s", schema, err, want, out)
		}
	}
}

func TestHostileMarkdownIsEscaped(t *testing.T) {
	hostile := "<script>`x` | # [a](b)\n# heading\x1b[31m\n- item"
	s := &manifest.Server{
		Name: hostile, Description: hostile,
		Tools: []manifest.Tool{{
			Name: "a|b`c", Description: hostile,
			Input:     manifest.Schema(`{"type":"object","properties":{"p|q":{"type":"string","description":"x | y\n| z","enum":["a|b"]}},"required":["p|q"]}`),
			Questions: []manifest.Question{{ID: "x>y", Kind: "?", Description: hostile}},
			Fails:     []string{"conflict"},
		}},
	}
	out, err := docgen.Markdown(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "\x1b", "\n- item", "\n# heading", "[a](b)"} {
		if strings.Contains(string(out), bad) {
			t.Errorf("%q is not escaped:\n%s", bad, out)
		}
	}
	columns := 0
	for line := range strings.Lines(string(out)) {
		bars := strings.Count(line, "|") - strings.Count(line, `\|`)
		switch {
		case bars == 0:
			columns = 0
		case columns == 0:
			columns = bars
		case bars != columns:
			t.Errorf("a row with a different number of columns: %q", line)
		}
	}
}

func TestAnchorsAreUniqueInEveryScript(t *testing.T) {
	out, err := docgen.Markdown(&manifest.Server{Name: "s", Tools: []manifest.Tool{{Name: "搜索"}, {Name: "检索"}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"](#tool-搜索)", `<a id="tool-搜索">`, "](#tool-检索)", `<a id="tool-检索">`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s is not in\n%s", want, out)
		}
	}
}

func TestEveryBaseCodeHasAMeaning(t *testing.T) {
	var fails []string
	for _, c := range fault.Base() {
		fails = append(fails, string(c))
	}
	out, err := docgen.Markdown(&manifest.Server{Name: "s", Tools: []manifest.Tool{{Name: "t", Fails: fails}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range fails {
		if !strings.Contains(string(out), "</a>`"+c+"` | ") || strings.Contains(string(out), "</a>`"+c+"` |  |") {
			t.Errorf("%s has no meaning", c)
		}
	}
}

// The line about tasks says for which clients a call becomes one.
func TestTasks(t *testing.T) {
	const times = " The server keeps a task for 1h; clients should ask for its state every 1s."
	for _, tt := range []struct {
		task manifest.Task
		want string
	}{
		{manifest.Task{}, ""},
		{manifest.Task{Mode: manifest.TaskAuto}, "Calls may become tasks, if the client supports tasks."},
		{manifest.Task{Mode: manifest.TaskAuto, After: 90_000}, "Calls may become tasks after 1m30s, if the client supports tasks."},
		{manifest.Task{Mode: manifest.TaskRequired}, "Calls become tasks, so only clients that support tasks can call it."},
	} {
		if tt.want != "" {
			tt.task.TTL, tt.task.Poll, tt.want = 3_600_000, 1000, tt.want+times
		}
		if got := docgen.Tasks(tt.task); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
