package access

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/fault"
)

// lines calls judge with the JSON value in each row of a file. The test fails if the file has fewer than
// minRows rows.
func lines[T any](t *testing.T, file string, minRows int, judge func(*testing.T, T)) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range bytes.Lines(data) {
		var row T
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		judge(t, row)
		n++
	}
	if n < minRows {
		t.Fatalf("%s has %d rows, want %d", file, n, minRows)
	}
}

func TestLexicalVectors(t *testing.T) {
	type row struct {
		Path    string
		Lexical *string
	}
	lines(t, "lexical.jsonl", 17, func(t *testing.T, r row) {
		got, why := normalize(r.Path)
		if (why == nil) != (r.Lexical != nil) || r.Lexical != nil && got != *r.Lexical {
			t.Errorf("%q: %q, %v", r.Path, got, why)
		}
	})
}

// rules is a policy in JP's encoding.
type rules struct {
	FS []struct {
		Path           string `json:"lexical_path"`
		External       bool
		ApprovedTarget string `json:"approved_target"`
		Read, Write    bool
		Execute        bool
		Create         *bool
		Update         *bool
		Delete         *bool
	} `json:"fs"`
}

func (r *rules) policy(in func(string) string) *Policy {
	if r == nil {
		return nil
	}
	p := new(Policy)
	for _, s := range r.FS {
		p.FS = append(p.FS, FSRule{
			Path: s.Path, External: s.External, Target: in(s.ApprovedTarget), Read: s.Read, Execute: s.Execute,
			Write: s.Write, Create: s.Create, Update: s.Update, Delete: s.Delete,
		})
	}
	return p
}

func TestPermitsVectors(t *testing.T) {
	// JP does not check "..", and does not check whether a path is absolute; see docs/access.md.
	stricter := []string{"absolute-path-not-checked", "dotdot-not-checked", "absolute-matches-as-relative", "dotdot-segments-ignored"}
	type row struct {
		Name       string
		Access     *rules
		Cap        Capability
		Path       string
		Restricted bool
		Permits    bool
		Rule       *int
		Granting   []string `json:"granting_paths"`
	}
	lines(t, "access_permits.jsonl", 10, func(t *testing.T, r row) {
		p := r.Access.policy(func(s string) string { return s })
		if want := r.Permits && !slices.Contains(stricter, r.Name); p.Permits(r.Cap, r.Path) != want {
			t.Errorf("%s: Permits is not %t", r.Name, want)
		}
		if rule := p.rule(r.Path, false); r.Rule == nil && rule >= 0 || r.Rule != nil && rule != *r.Rule {
			t.Errorf("%s: rule %d", r.Name, rule)
		}
		if (len(p.FS) > 0) != r.Restricted {
			t.Errorf("%s: restricted is not %t", r.Name, r.Restricted)
		}
		if got := p.GrantingPaths(r.Cap); !slices.Equal(got, r.Granting) {
			t.Errorf("%s: GrantingPaths %q, want %q", r.Name, got, r.Granting)
		}
	})
}

type decision struct {
	Name   string
	Access *rules
	Cap    Capability
	Path   string
	Root   *string
	Tree   struct {
		Dirs, Files []string
		Symlinks    [][2]string
	}
	OK       bool
	Error    string
	Resolved string
	Target   string
}

// stricter lists the vectors that JP allows and this package denies, with the reason. docs/access.md has a line
// for each.
var stricter = map[string]string{
	"unrestricted/none/file-as-dir":  notDirectory.name,
	"symlink/dangling-outside":       escape.name,
	"symlink/dangling-outside-child": escape.name,
	"symlink/dangling-inside":        dangling.name,
	"symlink/loop":                   loop.name,
	"root/is-file":                   "root",
}

// reasons maps JP's error names to the names of reasons.
var reasons = map[string]string{"absolute": absolute.name, "input_escape": above.name, "escape": escape.name, "denied": denied, "io": "root"}

func TestDecisionVectors(t *testing.T) {
	seen := map[string]bool{}
	lines(t, "access_decisions.jsonl", 89, func(t *testing.T, d decision) {
		t.Run(d.Name, func(t *testing.T) { d.check(t) })
		seen[d.Name] = true
	})
	for name := range stricter {
		if !seen[name] {
			t.Errorf("no vector is called %s", name)
		}
	}
}

func (d decision) check(t *testing.T) {
	in, root := d.createFiles(t)
	want := reasons[d.Error]
	if why, ok := stricter[d.Name]; ok {
		if !d.OK {
			t.Fatalf("JP refuses this too")
		}
		want, d.OK = why, false
	}
	files, err := Open(root, d.Access.policy(in))
	if want == "root" {
		if err == nil || fault.CodeOf(err) != fault.Unavailable {
			t.Errorf("Open = %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()

	got, err := files.Check(d.Cap, in(d.Path))
	if d.OK {
		if want := filepath.FromSlash(in(d.Resolved)); err != nil || got != want {
			t.Errorf("Check = %q, %v, want %q", got, err, want)
		}
		return
	}
	var coded *fault.Error
	if !errors.As(err, &coded) || got != "" || coded.Details["reason"] != want {
		t.Fatalf("Check = %q, %v, want reason %q", got, err, want)
	}
	if want == denied && coded.Details["path"] != d.Target {
		t.Errorf("path %q, want %q", coded.Details["path"], d.Target)
	}
	for _, secret := range []string{in("{ext}"), in("{evil}")} {
		if strings.Contains(coded.Error(), secret) {
			t.Errorf("%v names what lies outside", coded)
		}
	}
}

// createFiles creates the files of a test vector and returns a function that translates their names to
// paths on disk.
func (d decision) createFiles(t *testing.T) (in func(string) string, root string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	names := strings.NewReplacer("{root}", filepath.Join(dir, "ws"), "{ext}", filepath.Join(dir, "ext"), "{evil}", filepath.Join(dir, "evil"), "{base}", dir)
	in = names.Replace
	for _, name := range d.Tree.Dirs {
		must(t, os.MkdirAll(in(name), 0o755))
	}
	for _, name := range d.Tree.Files {
		must(t, os.MkdirAll(filepath.Dir(in(name)), 0o755))
		must(t, os.WriteFile(in(name), []byte(name), 0o644))
	}
	for _, pair := range d.Tree.Symlinks {
		must(t, os.Symlink(in(pair[1]), in(pair[0])))
	}
	root = in("{root}")
	if d.Root != nil {
		root = in(*d.Root)
	}
	return in, root
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
