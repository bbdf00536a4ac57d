package smell_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/smell"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// least is the minimum precision and recall for the planted smells.
const least = 0.9

// The smells in testdata are found, with few false positives.
func TestPlantedSmells(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	planted, found, both := 0, 0, 0
	rules := map[string]bool{}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c := new(manifest.Server)
		if err := json.Unmarshal(archive.Files[0].Data, &c.Tools); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		want := strings.Split(strings.TrimSpace(string(archive.Files[1].Data)), "\n")
		var got []string
		for _, f := range smell.Find(c) {
			got = append(got, f.Place()+" "+f.Rule)
			if !slices.Contains(want, got[len(got)-1]) {
				t.Logf("%s: not planted: %s", file, f)
			}
		}
		for _, line := range want {
			_, rule, _ := strings.Cut(line, " ")
			rules[rule] = true
			if slices.Contains(got, line) {
				both++
			} else {
				t.Logf("%s: not found: %s", file, line)
			}
		}
		planted, found = planted+len(want), found+len(got)
	}
	precision, recall := float64(both)/float64(found), float64(both)/float64(planted)
	t.Logf("%d smells planted, %d found: precision %.2f, recall %.2f", planted, found, precision, recall)
	if precision < least || recall < least {
		t.Errorf("precision %.2f, recall %.2f, want %.2f", precision, recall, least)
	}
	for _, r := range smell.Rules() {
		if !rules[r.ID] && r.ID != smell.NotFoundFor && r.ID != smell.NoStep {
			t.Errorf("testdata has no smell for rule %s", r.ID)
		}
	}
}

// The marked error messages in testdata are found, with few false positives.
func TestPlantedErrors(t *testing.T) {
	data, err := os.ReadFile("testdata/errors.txt")
	if err != nil {
		t.Fatal(err)
	}
	planted, found, both := 0, 0, 0
	for line := range strings.Lines(string(data)) {
		mark, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		if mark == "#" {
			continue
		}
		got := len(smell.Errors([]smell.Text{{At: "m.go:1", Text: text}}))
		found += got
		if mark == "+" {
			planted++
			both += got
		}
		if (mark == "+") != (got == 1) {
			t.Logf("wrong: %s", line)
		}
	}
	precision, recall := float64(both)/float64(found), float64(both)/float64(planted)
	t.Logf("%d messages planted, %d found: precision %.2f, recall %.2f", planted, found, precision, recall)
	if precision < least || recall < least {
		t.Errorf("precision %.2f, recall %.2f, want %.2f", precision, recall, least)
	}
}

// A search for a task finds its tool through the words of the name, the description and the parameters.
func TestRecall(t *testing.T) {
	c := new(manifest.Server)
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		c.Tools = append(c.Tools, manifest.Tool{Name: name, Description: "Sends mail.", Input: manifest.Schema(`{"type":"object"}`)})
	}
	c.Tools = append(c.Tools, manifest.Tool{
		Name: "weather", Description: "Forecasts of a city.",
		Input: manifest.Schema(`{"type":"object","properties":{"days":{"type":"integer","description":"How far ahead."}}}`),
	})
	tasks, err := smell.ReadTasks("# Tasks.\n\nweather: is it raining ahead of the weekend\nweather: umbrella\nb: send a mail\n", c)
	if err != nil {
		t.Fatal(err)
	}
	share, missed := smell.Recall(c, tasks)
	if share < 0.3 || share > 0.4 || len(missed) != 2 || missed[0].Tool != "weather" || missed[1].Tool != "b" {
		t.Errorf("recall %v, missed %v", share, missed)
	}
}

func TestReadTasksRefuses(t *testing.T) {
	c := &manifest.Server{Tools: []manifest.Tool{{Name: "a"}}}
	for text, want := range map[string]string{
		"":           "there are no tasks",
		"# a: b":     "there are no tasks",
		"a":          "line 1 must have the form TOOL: TASK",
		"a: x\na: ":  "line 2 must have the form TOOL: TASK",
		"b: do this": `line 1 refers to the tool "b"`,
	} {
		if _, err := smell.ReadTasks(text, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", text, err, want)
		}
	}
}

// docs/vet.md has a table of all rules. UPDATE_DOCS=1 rewrites it.
func TestDocumentedRules(t *testing.T) {
	const path, begin, end = "../../../../docs/vet.md", "<!-- generated: smells -->\n", "<!-- end -->"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(data), begin)
	table, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no lines %q and %q", path, begin, end)
	}
	want := "| rule | finds | evidence |\n|---|---|---|\n"
	for _, r := range smell.Rules() {
		want += "| `" + r.ID + "` | " + r.Finds + " | " + r.Evidence + " |\n"
	}
	if table == want {
		return
	}
	if os.Getenv("UPDATE_DOCS") == "" {
		t.Fatalf("the table in %s is out of date; run this test with UPDATE_DOCS=1", path)
	}
	if err := os.WriteFile(path, []byte(head+begin+want+end+tail), 0o666); err != nil {
		t.Fatal(err)
	}
}
