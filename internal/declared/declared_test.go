package declared_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/declared"
)

// files is a module with a server.
var files = map[string]string{
	"go.mod": "module \"m\" // no dot\n",
	"m.go": `package m

import (
	"context"

	"m/page"
	other "m/go-kinds/v2"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
)

// S is a server with one tool.
//
//jp:server
type S struct{ store page.Store }

// Do returns no items.
//
//jp:tool
//jp:allow JP704 reason="why"
func (s *S) Do(ctx context.Context, in In, ask Ask, _ struct{ A Inline }) (page.List[Item], error) { return page.List[Item]{}, nil }

func (s *S) Spare(in Spare) error { return nil }

// In holds the arguments of Do.
type In struct {
	page.Page
	Sizes [count]Size ${TAG}json:"sizes"${TAG} // Sizes of the items.
	Skipped Skipped ${TAG}json:"-"${TAG} // Skipped is not shown.
	private Private
}

// Ask holds the questions of Do.
type Ask struct {
	// Kind asks for a kind of item.
	Kind elicit.Choice[other.Kind]
}

type (
	// Size is the size of an item.
	Size int
	Inline int
	// Item is an alias.
	Item = page.Item
	Private int
	Skipped int
	Spare int
)

const count = 2 + one

const one = 1

const (
	Small Size = iota // Small is small.
	_
	Large // Large is large.
	medium = Size(1)
	Again, Plain = Large, 7
)

// Full means that no more items fit.
const Full = fault.Code("full")

type code = fault.Code

// Empty is empty.
const Empty code = "empty"
`,
	"page/page.go": `package page

type Page struct {
	// Limit is a limit.
	Limit int
}

type Store struct{ A int }

type List[T any] struct{ Items []T }

type Item struct{ Name Name }

type Name string

const first, Second Name = "first", "second"
`,
	"page/gen.go":            "//go:build ignore\n\npackage main\n\ntype Page struct{}\n",
	"go-kinds/v2/kinds.go":   "package kinds\n\ntype Kind string\n\nconst Odd Kind = \"odd\"\n",
	"go-kinds/v2/windows.go": "package kinds\n",
	"nested/go.mod":          "module m/nested\n",
	"nested/nested.go":       "package nested\n\ntype Nested struct{}\n",
}

// write creates the files of a module, and generates its files.
func write(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "${TAG}", "`")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	all, err := declared.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	contract := []byte("{\n}\n")
	put(t, filepath.Join(dir, declared.Contract), string(contract))
	put(t, filepath.Join(dir, declared.Code), string(declared.Seal([]byte("package m\n"), contract, all)))
	return dir
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestRead(t *testing.T) {
	all, err := declared.Read(write(t))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range all {
		names = append(names, d.String())
	}
	want := []string{
		"server S", "constant Full", "constant Empty", "type code", "method S.Do", "type In", "type m/page.Page", "constant count", "constant one",
		"type Size", "constant Small", "constant Large", "constant medium", "constant Again", "type Ask", "type m/go-kinds/v2.Kind",
		"constant m/go-kinds/v2.Odd", "type Inline", "type m/page.List", "type Item", "type m/page.Item", "type m/page.Name", "constant m/page.Second",
	}
	if !slices.Equal(names, want) {
		t.Errorf("got %q\nwant %q", names, want)
	}
}

func TestReadNoServer(t *testing.T) {
	dir := write(t)
	for _, sub := range []string{"page", "nested"} {
		all, err := declared.Read(filepath.Join(dir, sub))
		if all != nil || err != nil {
			t.Errorf("%s: got %v, %v", sub, all, err)
		}
		found, err := declared.Check(filepath.Join(dir, sub))
		if found != nil || err != nil {
			t.Errorf("%s: found %v, %v", sub, found, err)
		}
	}
	if _, err := declared.Read(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("a directory that is not there was read")
	}
}

func TestCheck(t *testing.T) {
	const since = " since jp_gen.go was generated"
	for _, tt := range []struct {
		file, old, replacement string
		want                   string // the differences in order
	}{
		{"m.go", "type S struct{ store page.Store }", "type S struct{ store, more page.Store }", ""},
		{"page/page.go", "type Store struct{ A int }", "// Store is.\ntype Store struct{ B int }", ""},
		{"page/page.go", "const first,", "const other,", ""},
		{"m.go", "reason=\"why\"", "reason=\"because\"", ""},
		{"m.go", "Inline int", "Inline int // Inline is inline.", "type Inline has changed" + since},
		{"m.go", "Private int", "Private string // Private is private.", ""},
		{"m.go", "Skipped int", "Skipped string", ""},
		{"m.go", "Spare int", "Spare string", ""},
		{"m.go", "// Skipped is not shown.", "// Skipped is hidden.", ""},
		{"m.go", "ctx context.Context, in In", "c context.Context, i In", ""},
		{"m.go", "(s *S) Do", "(v *S) Do", ""},
		{"m.go", "(s *S) Do", "(S) Do", "method S.Do has changed" + since},
		{"m.go", "ask Ask, _", "_", "method S.Do has changed" + since + ", constant m/go-kinds/v2.Odd is no longer part of the contract, type Ask is no longer part of the contract, type m/go-kinds/v2.Kind is no longer part of the contract"},
		{"m.go", "one = 1", "one = 3", "constant one has changed" + since},
		{"m.go", "\t_\n", "", "constant Large has changed" + since},
		{"m.go", "Large // Large is large.\n", "Large // Large is large.\n\tHuge // Huge is huge.\n", "type Size has changed" + since + ", constant Huge has been added to the contract" + since},
		{"m.go", "\tmedium = Size(1)\n", "", "type Size has changed" + since + ", constant medium is no longer part of the contract"},
		{"m.go", "Small is small", "Small is little", "constant Small has changed" + since},
		{"m.go", "\"full\"", "\"stuffed\"", "constant Full has changed" + since},
		{"m.go", "//jp:server", "//jp:server name=x", "server S has changed" + since},
		{"m.go", "package m\n", "//go:build linux\n\npackage m\n", "server S has changed" + since},
		{"m.go", "\"m/page\"", "page \"m/nested\"", "method S.Do has changed" + since + ", type In has changed" + since + ", type Item has changed" + since +
			", constant m/page.Second is no longer part of the contract, type m/page.Item is no longer part of the contract, type m/page.List is no longer part of the contract" +
			", type m/page.Name is no longer part of the contract, type m/page.Page is no longer part of the contract"},
		{"page/page.go", "Items []T", "Items []T ${TAG}json:\"items\"${TAG}", "type m/page.List has changed" + since},
		{"page/page.go", "Limit is a limit", "Limit is a\n\t// limit", ""},
		{"page/page.go", "Limit int", "Limit    int // trailing", ""},
		{"go-kinds/v2/windows.go", "package kinds", "package kinds\n\nconst Even Kind = \"even\"", "type m/go-kinds/v2.Kind has changed" + since + ", constant m/go-kinds/v2.Even has been added to the contract" + since},
		{"jp.lock.json", "{", "{ ", "jp.lock.json was changed after it was generated"},
		{"jp.lock.json", "\n", "\r\n", ""},
		{"jp_gen.go", "package m", "package  m", "jp_gen.go was changed after it was generated"},
		{"jp_gen.go", "server S\n", "server T\n", "server S has been added to the contract" + since + ", server T is no longer part of the contract"},
		{"jp_gen.go", "version 3", "version 2", "jp_gen.go was generated by another version of jptoolgen"},
		{"jp_gen.go", "", "", "jp_gen.go is missing"},
		{"jp.lock.json", "", "", "jp.lock.json is missing"},
	} {
		dir := write(t)
		path := filepath.Join(dir, filepath.FromSlash(tt.file))
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case tt.old == "":
			err = os.Remove(path)
		case !strings.Contains(string(data), tt.old):
			t.Fatalf("%s has no %q", tt.file, tt.old)
		default:
			put(t, path, strings.Replace(string(data), tt.old, strings.ReplaceAll(tt.replacement, "${TAG}", "`"), -1))
		}
		if err != nil {
			t.Fatal(err)
		}
		found, err := declared.Check(dir)
		if err != nil {
			t.Fatal(err)
		}
		var says []string
		for _, d := range found {
			says = append(says, d.Says)
			if d.Pos.Line == 0 {
				t.Errorf("%s: %s has no position", tt.file, d.Says)
			}
		}
		if got := strings.Join(says, ", "); got != tt.want {
			t.Errorf("%s: %q to %q: got %q\nwant %q", tt.file, tt.old, tt.replacement, got, tt.want)
		}
	}
}
