package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A checker is a command that can detect outdated generated code.
type checker int

const (
	compiler checker = iota // go build
	vet                     // jptoolgen vet
	vettool                 // go vet -vettool=jptoolgen
	kit                     // jptest.New in a test
	check                   // jptoolgen --check
)

func (c checker) String() string {
	return [...]string{"go build", "jptoolgen vet", "go vet -vettool", "go test", "jptoolgen --check"}[c]
}

// A change replaces text in a file. An empty old text means the whole file; replacing it with "" removes the
// file.
type change struct{ file, old, replacement string }

// A drift is a set of changes to make after the files are generated, and the checkers that must report them.
type drift struct {
	name    string
	changes []change
	says    string
	by      []checker
}

// oneChange returns a single change to the server's source.
func oneChange(old, replacement string) []change { return []change{{"server.go", old, replacement}} }

const since = " since jp_gen.go was generated"

// compiling returns changes after which the source still compiles.
func compiling() []drift {
	all := []checker{vet, vettool, kit, check}
	return []drift{
		{"enum", oneChange("// Mint is fresh.\n", "// Mint is fresh.\n\tPlum Flavor = \"plum\" // Plum is blue.\n"), `server.go:25(:2)?: .*constant Plum has been added to the contract` + since, all},
		{"order", oneChange("\tLemon Flavor = \"lemon\"       // Lemon is sour.\n\tMint  Flavor = prefix + \"nt\" // Mint is fresh.\n",
			"\tMint  Flavor = prefix + \"nt\" // Mint is fresh.\n\tLemon Flavor = \"lemon\" // Lemon is sour.\n"), "type Flavor has changed" + since, all},
		{"code", oneChange("// ID identifies", "// Empty says that there is nothing.\nconst Empty = fault.Code(\"empty\")\n\n// ID identifies"), "constant Empty has been added to the contract" + since, all},
		{"destructive", oneChange("destructive=false", "destructive=true"), "method S.Do has changed" + since, all},
		{"tool", oneChange("// Spare is not a tool.", "// Spare is a tool.\n//\n//jp:tool"), "method S.Spare has been added to the contract" + since, all},
		{"directive", oneChange("//\n//jp:tool readonly=true\n", ""), "method S.Peek is no longer part of the contract", all},
		{"fails", oneChange("full conflict", "full conflict state"), "method S.Do has changed" + since, all},
		{"comment", oneChange("Peek changes nothing.", "Peek does nothing."), "method S.Peek has changed" + since, all},
		{"field", oneChange("Flavor is a flavor\n", "Flavor is the flavor\n"), "type In has changed" + since, all},
		{"answer", oneChange("whether to go on", "whether to stop"), "type Ask has changed" + since, all},
		{"value", oneChange("Mint is fresh", "Mint is green"), "constant Mint has changed" + since, all},
		{"server", oneChange("S is a server.", "S is the server."), "server S has changed" + since, all},
		{"schema", oneChange("// ID identifies something.", "// ID identifies something.\n//\n//jp:schema type=string format=uuid"), "type ID has changed" + since, all},
		{"encoder", oneChange("// Word is a word.\ntype", "// IsZero reports whether it is empty.\nfunc (w Word) IsZero() bool { return w.text == \"\" }\n\n// Word is a word.\ntype"),
			"method Word.IsZero has been added to the contract" + since, all},
		{"bounds", []change{{"units/units.go", "\"limit,omitempty\" jsonschema:\"maximum=100\"", "\"limit,omitempty\" jsonschema:\"maximum=200\""}},
			"units.Page has changed" + since, all},
		{"elsewhere", []change{{"units/units.go", "Offset is an offset.", "Offset is a number."}}, "units.Open has changed" + since, all},
		{"lock", []change{{"jp.lock.json", `"destructive": false`, `"destructive": true`}}, "jp.lock.json was changed after it was generated", all},
		{"generated", []change{{"jp_gen.go", "decode.Required", "decode.Required, decode.Minimum(1)"}}, "jp_gen.go was changed after it was generated", all},
		{"unrelated", []change{
			{"server.go", "in.Limit > 3", "in.Limit > 4"},
			{"server.go", "// help returns the error of Do.", "// unused is new.\nfunc unused() {}\n\n// help is a function."},
			{"server.go", "unrelated is private.\ntype unrelated struct{ a int }", "unrelated is not used.\ntype unrelated struct{ a, b int }"},
			{"server.go", "\t// Flavor is a flavor\n\t// of two.\n", "\t// Flavor is a\n\t// flavor of two.\n"},
			{"server.go", "\tused int", "\tused, unused int // for later"},
			{"new.go", "", "//go:build ignore\n\npackage main\n\n// Flavor is another.\ntype Flavor string\n\n// Grape is blue.\nconst Grape Flavor = \"grape\"\n"},
		}, "", nil},
	}
}

// unbuiltFiles returns changes to files that are not built. The go vet cache does not depend on such files, so go
// vet reports nothing for a package that it has analyzed before.
func unbuiltFiles() []drift {
	return []drift{
		{"system", []change{{"new_plan9.go", "", "package server\n\n// Grape is blue.\nconst Grape Flavor = \"grape\"\n"}},
			"new_plan9.go:4(:7)?: .*constant Grape has been added to the contract" + since, []checker{vet, kit, check}},
		{"tag", []change{{"new.go", "", "//go:build special\n\npackage server\n\nimport \"context\"\n\n// Extra is a tool.\n//\n//jp:tool\nfunc (s *S) Extra(ctx context.Context) error { return nil }\n"}},
			"new.go:10(:13)?: .*method S.Extra has been added to the contract" + since, []checker{vet, kit, check}},
	}
}

// brokenChanges returns changes after which the package does not compile or cannot be used.
func brokenChanges() []drift {
	by := []checker{compiler, vet, vettool, check}
	return []drift{
		{"tags", oneChange(`json:"flavor"`, `json:"flavour"`), "runGoGenerate", by},
		{"question", oneChange("\tSure elicit.Confirm", "\tSure elicit.Confirm\n\t// Really asks again.\n\tReally elicit.Confirm"), "runGoGenerate", by},
		{"constant", oneChange(`prefix = "mi"`, `prefix = "mou"`), "duplicate key false in map literal", by},
		{"signature", oneChange("Peek(ctx context.Context) error { return nil }", "Peek(ctx context.Context) (string, error) { return \"\", nil }"), "runGoGenerate|single-value", by},
		{"open", []change{{"units/units.go", "\"offset,omitempty\" jsonschema:\"maximum=100\"", "\"offset,omitempty\" jsonschema:\"maximum=200\""}}, "runGoGenerate", by},
		{"ungenerated", []change{{"jp_gen.go", "", ""}}, "JP002: jp_gen.go is missing", []checker{vet, vettool, check}},
	}
}

// contractRemoval returns a change that removes the contract. The go command then fails.
func contractRemoval() []drift {
	return []drift{{"contract", []change{{"jp.lock.json", "", ""}}, "pattern jp.lock.json: no matching files found", []checker{compiler, vet, vettool, check}}}
}

// Each row describes a difference between the source and the generated files. Exactly the checkers
// that the row names must report it. Changes that do not affect the contract are not reported.
func TestDrift(t *testing.T) {
	skipIfShort(t)
	t.Parallel()
	groups := map[string][]drift{"compiling": compiling(), "notbuilt": unbuiltFiles(), "broken": brokenChanges(), "missing": contractRemoval()}
	dir := sameDir(t)
	requireHere(t, dir, "example.com/m")
	for group, rows := range groups {
		for _, row := range rows {
			row.copy(t, group, dir)
		}
	}
	writeKits(t, filepath.Join(dir, "kits"), groups, "compiling", "notbuilt")
	c := checking{t, dir, append(append(os.Environ(), "GOPROXY=off", goFlags, "XDG_CACHE_HOME="+t.TempDir()), environment(t, "GOCACHE", "GOMODCACHE", "GOROOT")...)}
	if out := c.command("jptoolgen", "./..."); out != "" {
		t.Fatalf("generating: %s", out)
	}
	// The go command caches these results for packages that do not change.
	for _, by := range []checker{vettool, vet} {
		if out := c.run(by, "..."); out != "" {
			t.Fatalf("%s reports up-to-date files: %s", by, out)
		}
	}
	if out := c.run(kit, ""); !strings.Contains(out, "\nok ") {
		t.Fatalf("%s reports up-to-date files: %s", kit, out)
	}
	for group, rows := range groups {
		for _, row := range rows {
			row.edit(t, group, dir)
		}
	}
	tested := c.run(kit, "")
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		said := map[checker]string{kit: tested}
		for _, by := range []checker{compiler, vet, vettool, check} {
			said[by] = c.run(by, group+"/...")
		}
		for _, row := range groups[group] {
			for by, out := range said {
				row.check(t, by, group, out)
			}
		}
	}
}

// checking runs the checkers on a module.
type checking struct {
	t   *testing.T
	dir string
	env []string
}

func (c checking) command(argv ...string) string {
	cmd := exec.CommandContext(c.t.Context(), argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = c.dir, c.env
	out, _ := cmd.CombinedOutput() // only the output matters
	return string(out)
}

func (c checking) run(by checker, packages string) string {
	packages = "./" + packages
	switch by {
	case compiler:
		return c.command("go", "build", packages)
	case vet:
		return c.command("jptoolgen", "vet", packages)
	case vettool:
		tool, err := exec.LookPath("jptoolgen")
		if err != nil {
			c.t.Fatal(err)
		}
		return c.command("go", "vet", "-vettool="+tool, packages)
	case kit:
		return c.command("go", "test", "-v", "./kits")
	}
	return c.command("jptoolgen", "--check", packages)
}

// copy creates the server for a row. Generation is faster if a generated file exists.
func (d drift) copy(t *testing.T, group, dir string) {
	t.Helper()
	to := filepath.Join(dir, group, d.name)
	if err := os.CopyFS(to, os.DirFS("testdata/drift")); err != nil {
		t.Fatal(err)
	}
	server := change{"server.go", "example.com/m/units", "example.com/m/" + group + "/" + d.name + "/units"}
	server.make(t, to)
	server = change{"server.go", "name=NAME", "name=" + group + "-" + d.name}
	server.make(t, to)
	generated := change{"jp_gen.go", "", "package server\n"}
	generated.make(t, to)
}

// edit applies the changes in a row.
func (d drift) edit(t *testing.T, group, dir string) {
	t.Helper()
	for _, c := range d.changes {
		c.make(t, filepath.Join(dir, group, d.name))
	}
}

func (c change) make(t *testing.T, dir string) {
	t.Helper()
	path := filepath.Join(dir, c.file)
	text := c.replacement
	if c.old != "" {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(data), c.old); n == 0 {
			t.Fatalf("%s has no %q", path, c.old)
		}
		text = strings.Replace(string(data), c.old, c.replacement, 1)
	}
	err := os.WriteFile(path, []byte(text), 0o666)
	if text == "" {
		err = os.Remove(path)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// writeKits writes a package with one test that creates a kit for every server in the given groups.
func writeKits(t *testing.T, dir string, groups map[string][]drift, names ...string) {
	t.Helper()
	var imports, calls strings.Builder
	for _, group := range names {
		for i, row := range groups[group] {
			fmt.Fprintf(&imports, "\t%s%d \"example.com/m/%s/%s\"\n", group, i, group, row.name)
			fmt.Fprintf(&calls, "\tt.Run(%q, func(t *testing.T) { jptest.New(t, %s%d.NewServer(&%[2]s%[3]d.S{})) })\n", group+"-"+row.name, group, i)
		}
	}
	text := "package kits\n\nimport (\n\t\"testing\"\n\n" + imports.String() + "\t\"github.com/jptool/jptool/sdk/jptest\"\n)\n\n" +
		"func TestKits(t *testing.T) {\n" + calls.String() + "}\n"
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "kits_test.go"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// check compares a checker's output for a group with the output that a row expects.
func (d drift) check(t *testing.T, by checker, group, out string) {
	t.Helper()
	about := regexp.MustCompile(`(?m)^.*\b` + group + `[/\\]` + d.name + `[/\\].*$`)
	if by == kit {
		about = regexp.MustCompile(`(?s)generated code of server ` + group + "-" + d.name + ` .*?run "go generate"`)
	}
	said, want := strings.Join(about.FindAllString(out, -1), "\n"), d.says
	switch {
	case !slices.Contains(d.by, by):
		want = "^$"
	case by == check:
		want = "JP002: |JP216: |JP412: "
	case by == vet && slices.Contains(d.by, compiler):
		want = "JP002: "
	}
	if !regexp.MustCompile(want).MatchString(said) || want == "" && said != "" {
		t.Errorf("%s, %s: got %q, want %q", d.name, by, said, want)
	}
}
