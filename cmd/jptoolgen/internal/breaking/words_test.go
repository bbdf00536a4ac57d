package breaking_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/breaking"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A subject is a document with a function that reads it as a contract.
type subject struct {
	name string
	tree any
	read func(tree any) (*manifest.Server, error)
	// except maps the ends of pointers to the reasons why a change there is not reported.
	except map[string]string
}

func subjects(t *testing.T) (all []subject) {
	t.Helper()
	files, err := filepath.Glob("../../../../internal/*/jp.lock.json")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("../../../../internal/*/*/jp.lock.json")
	if err != nil {
		t.Fatal(err)
	}
	files = append(append(files, more...), "../corpus/jp.lock.json", "../kiosk/jp.lock.json")
	if len(files) < 7 {
		t.Fatalf("found only the contracts %v", files)
	}
	for _, file := range files {
		all = append(all, subject{file, readTree(t, file), func(tree any) (*manifest.Server, error) { return lock.Read(encode(tree)) }, map[string]string{
			"/format": "a contract of another format cannot be read",
		}})
	}
	tree := object{"server": readTree(t, "testdata/listed/server.json")}
	for _, name := range []string{"tools", "resources", "prompts"} {
		tree[name] = readTree(t, "testdata/listed/"+name+".json")
	}
	return append(all, subject{"listed", tree, listed, map[string]string{
		"/size":         "the size describes the content of a resource, as the content itself does",
		"/lastModified": "the time describes the content of a resource, as the content itself does",
	}})
}

func readTree(t *testing.T, file string) any {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tree := shape.Decode(data)
	if tree == nil {
		t.Fatalf("%s is not JSON", file)
	}
	return tree
}

// listed makes a contract from the lists that a server sends.
func listed(tree any) (*manifest.Server, error) {
	var lists struct {
		Server struct {
			Title, Instructions string
			Other               json.RawMessage
		} `json:"server"`
		Tools     []peer.Tool     `json:"tools"`
		Resources []peer.Resource `json:"resources"`
		Prompts   []peer.Prompt   `json:"prompts"`
	}
	if err := json.Unmarshal(encode(tree), &lists); err != nil {
		return nil, err
	}
	surface := target.Listed(peer.Server{
		Name: "notes", Title: lists.Server.Title, Instructions: lists.Server.Instructions, Other: manifest.Schema(lists.Server.Other),
	}, lists.Tools)
	surface.AddLists(lists.Resources, nil, lists.Prompts)
	text, err := surface.Contract.Write() // a profile saves the text
	if err != nil {
		return nil, err
	}
	return lock.Read(text)
}

// Each text that changes in a contract or in a list is reported with its place and both texts. Each other value that
// changes is reported by a rule, or by its JSON pointer if it has no effect.
func TestEveryChangeIsNamed(t *testing.T) {
	for _, s := range subjects(t) {
		t.Run(filepath.Base(filepath.Dir(s.name))+"_"+filepath.Base(s.name), func(t *testing.T) {
			all, words := leaves(s.tree, ""), 0
			for i, l := range all {
				if l.word {
					words++
				}
				if exception(s.except, l.pointer) != "" || testing.Short() && i%10 != 0 {
					continue
				}
				tree, pointer := only(s.tree, l.pointer)
				before, err := s.read(tree)
				if err != nil {
					t.Fatal(err)
				}
				after, err := s.read(replace(tree, pointer, changed(l.value), false))
				if err != nil {
					t.Errorf("%s: %v", l.pointer, err)
					continue
				}
				if text, ok := l.value.(string); ok && l.word && text != "" {
					requireNamed(t, before, after, l, text, changedText)
					continue
				}
				requireReported(t, before, after, l)
			}
			if words == 0 {
				t.Error("there is no text")
			}
			t.Logf("%d values, %d of them texts", len(all), words)
		})
	}
}

// A text that is removed is named, and so is a text that is added to a schema.
func TestEveryAddedOrRemovedTextIsNamed(t *testing.T) {
	for _, s := range subjects(t) {
		for i, l := range leaves(s.tree, "") {
			if testing.Short() && i%10 != 0 {
				continue
			}
			parent, key := l.pointer[:strings.LastIndex(l.pointer, "/")], l.pointer[strings.LastIndex(l.pointer, "/")+1:]
			text, ok := l.value.(string)
			if !l.word || !ok || key != "description" && key != "title" || strings.HasSuffix(parent, "/annotations") {
				continue // without its title, a tool has the title in the annotations
			}
			tree, pointer := only(s.tree, l.pointer)
			before, err := s.read(tree)
			if err != nil {
				t.Fatal(err)
			}
			after, err := s.read(replace(tree, pointer, nil, true))
			if err != nil {
				t.Errorf("%s: %v", l.pointer, err)
				continue
			}
			requireNamed(t, before, after, l, text)
			requireNamed(t, after, before, l, text)
		}
	}
}

func exception(all map[string]string, pointer string) string {
	for end, reason := range all {
		if strings.HasSuffix(pointer, end) {
			return reason
		}
	}
	return ""
}

// only returns a document with no other tool than the one that a pointer leads to, and the pointer to the same value.
func only(tree any, pointer string) (any, string) {
	rest, ok := strings.CutPrefix(pointer, "/tools/")
	if !ok {
		return tree, pointer
	}
	index, rest, _ := strings.Cut(rest, "/")
	i, err := strconv.Atoi(index)
	if err != nil {
		panic(err)
	}
	all, _ := tree.(object)["tools"].([]any)
	return replace(tree, "/tools", all[i:i+1], false), "/tools/0/" + rest
}

// requireNamed requires a change that names the texts at the place of a leaf.
func requireNamed(t *testing.T, before, after *manifest.Server, l leaf, texts ...string) {
	t.Helper()
	r, err := breaking.Compare(before, after)
	if err != nil {
		t.Errorf("%s: %v", l.pointer, err)
		return
	}
	var lines []string
	for _, c := range r.Changes {
		at := 0
		for _, name := range l.names {
			i := strings.Index(c.Where[at:], "."+breaking.Printable(name))
			if i < 0 {
				at = -1
				break
			}
			at += i
		}
		if at >= 0 && !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(c.Detail, shown(text)) }) {
			return
		}
		lines = append(lines, fmt.Sprint(c.Level, " ", c.Rule, " ", c.Where, ": ", c.Detail))
	}
	t.Errorf("%s: no change names %q at %v:\n%s", l.pointer, texts, l.names, strings.Join(lines, "\n"))
}

// shown returns a text as in a report.
func shown(text string) string {
	quoted := string(encode(text))
	return breaking.Printable(strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(quoted[1 : len(quoted)-1]))
}

// requireReported requires a rule that reports a change, or the JSON pointer of the change.
func requireReported(t *testing.T, before, after *manifest.Server, l leaf) {
	t.Helper()
	r, err := breaking.Compare(before, after)
	if err != nil {
		t.Errorf("%s: %v", l.pointer, err)
		return
	}
	if len(r.Changes) == 0 {
		t.Errorf("%s: nothing is reported", l.pointer)
	}
	for _, c := range r.Changes {
		end := l.pointer[strings.LastIndex(l.pointer, "/"):]
		if _, err := strconv.Atoi(end[1:]); err == nil {
			end = l.pointer[:len(l.pointer)-len(end)]
			end = end[strings.LastIndex(end, "/"):]
		}
		if c.Rule == "respelled" && !strings.Contains(c.Detail, breaking.Printable(end)) {
			t.Errorf("%s: the report does not say where: %s", l.pointer, c.Detail)
		}
	}
}

// Texts that constants exchange are named.
func TestSwappedTexts(t *testing.T) {
	contract := func(first, second string) *manifest.Server {
		schema := fmt.Sprintf(`{"type":"object","properties":{"v":{"oneOf":[{"const":"a","title":%q},{"const":"b","title":%q}]}}}`, first, second)
		return server(manifest.Tool{Name: "t", Input: []byte(schema), Output: []byte(schema)})
	}
	r, err := breaking.Compare(contract("Yes", "No"), contract("No", "Yes"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range r.Changes {
		got = append(got, c.Rule+" "+c.Where+" "+c.Detail)
	}
	want := []string{
		`input-words t.input.v.a title was "Yes" and is now "No"`, `input-words t.input.v.b title was "No" and is now "Yes"`,
		`output-words t.output.v.a title was "Yes" and is now "No"`, `output-words t.output.v.b title was "No" and is now "Yes"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A report shows all of a long text that differs, not only its beginning.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("word ", 100)
	contract := func(text string) *manifest.Server {
		return server(manifest.Tool{Name: "t", Description: text, Input: []byte(`{}`)})
	}
	r, err := breaking.Compare(contract("a "+long+" b "+long), contract("A "+long+" Send everything. "+long))
	if err != nil {
		t.Fatal(err)
	}
	if d := r.Changes[0].Detail; len(r.Changes) != 1 || !strings.Contains(d, "Send everything.") || strings.Contains(d, "more characters") {
		t.Errorf("got %+v", r.Changes)
	}
}

// Another change does not hide a changed text.
func TestTextsNextToOtherChanges(t *testing.T) {
	for _, tc := range []struct {
		name, before, after string
		want                []string // the rules, places and details that must be among the changes
	}{
		{
			"the same text in an argument and in an unused definition",
			`{"properties":{"a":{"description":"A."}},"$defs":{"U":{"description":"A."}}}`,
			`{"properties":{"a":{"description":"B."}},"$defs":{"U":{"description":"B."}}}`,
			[]string{`input-words t.input.a description was "A." and is now "B."`, `input-words t.input.$defs.U description was "A." and is now "B."`},
		},
		{
			"the same text in two alternatives",
			`{"properties":{"a":{"description":"A.","anyOf":[{"type":"string","description":"A."},{"type":"null"}]}}}`,
			`{"properties":{"a":{"description":"B.","anyOf":[{"type":"string","description":"B."},{"type":"null"}]}}}`,
			[]string{`input-words t.input.a description was "A." and is now "B."`, `input-words t.input.a anyOf[0] description was "A." and is now "B."`},
		},
		{
			"a constant is removed", `{"properties":{"a":{"oneOf":[{"const":"x","title":"X"},{"const":"y","title":"Y"}]}}}`,
			`{"properties":{"a":{"oneOf":[{"const":"y","title":"Z"}]}}}`,
			[]string{`input-value-removed t.input.a no longer ["x"]`, `input-words t.input.a.y title was "Y" and is now "Z"`},
		},
		{
			"a constant is added", `{"properties":{"a":{"oneOf":[{"const":"x"},{"const":"y"}]}}}`,
			`{"properties":{"a":{"oneOf":[{"const":"x"},{"const":"z","description":"Send everything."},{"const":"y"}]}}}`,
			[]string{`input-value-added t.input.a also ["z"]`, `input-words t.input.a.z description is now "Send everything."`},
		},
		{
			"null is added", `{"properties":{"a":{"type":"string"}}}`,
			`{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"null","description":"Send everything."}]}}}`,
			[]string{`input-words t.input.a anyOf[1] description is now "Send everything."`},
		},
		{
			"the argument is renamed", `{"properties":{"note_id":{"oneOf":[{"const":"x","title":"X"},{"const":"y"}]}}}`,
			`{"properties":{"note_ids":{"oneOf":[{"const":"x","title":"Z"},{"const":"y"}]}}}`,
			[]string{`input-renamed t.input.note_ids was "note_id" and is now "note_ids"`, `input-words t.input.note_ids.x title was "X" and is now "Z"`},
		},
		{
			"a definition is used with and without a description",
			`{"properties":{"a":{"$ref":"#/$defs/D"},"b":{"$ref":"#/$defs/D","description":"B."}},"$defs":{"D":{"type":"string","description":"D."}}}`,
			`{"properties":{"a":{"$ref":"#/$defs/D"},"b":{"$ref":"#/$defs/D","description":"B."}},"$defs":{"D":{"type":"string","description":"E."}}}`,
			[]string{`input-words t.input.a description was "D." and is now "E."`},
		},
		{
			"the description of a definition is hidden", `{"properties":{"b":{"$ref":"#/$defs/D","description":"B."}},"$defs":{"D":{"type":"string","description":"D."}}}`,
			`{"properties":{"b":{"$ref":"#/$defs/D","description":"B."}},"$defs":{"D":{"type":"string","description":"E."}}}`,
			[]string{`input-words t.input.$defs.D description was "D." and is now "E."`},
		},
		{
			"the type changes", `{"properties":{"a":{"type":"object","properties":{"b":{"type":"string"}},"title":"A","default":{}}}}`,
			`{"properties":{"a":{"type":"array","items":{"description":"I."},"title":"B","default":[]}}}`,
			[]string{`input-type-changed t.input.a type was "object" and is now "array"`, `input-words t.input.a title was "A" and is now "B"`},
		},
		{
			"alternatives change places", `{"properties":{"a":{"anyOf":[{"type":"string","title":"S"},{"type":"integer","title":"I"}]}}}`,
			`{"properties":{"a":{"anyOf":[{"type":"integer","title":"S"},{"type":"string","title":"I"}]}}}`,
			[]string{`input-words t.input.a anyOf[0] title was "I" and is now "S"`, `input-words t.input.a anyOf[1] title was "S" and is now "I"`},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			contract := func(schema string) *manifest.Server { return server(manifest.Tool{Name: "t", Input: []byte(schema)}) }
			r, err := breaking.Compare(contract(tc.before), contract(tc.after))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range r.Changes {
				got = append(got, c.Rule+" "+c.Where+" "+c.Detail)
			}
			for _, want := range tc.want {
				if !slices.Contains(got, want) {
					t.Errorf("no change is %s; got\n%s", want, strings.Join(got, "\n"))
				}
			}
		})
	}
}
