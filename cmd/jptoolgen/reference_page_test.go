package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/explain"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/load"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/output"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

const referencePage = "../../docs/reference.md"

// The reference matches the tables of jptoolgen. UPDATE_DOCS=1, which make docs sets, rewrites it.
func TestReference(t *testing.T) {
	data, err := os.ReadFile(referencePage)
	if err != nil {
		t.Fatal(err)
	}
	r := newReference(t)
	part := regexp.MustCompile("(?s)<!-- generated: ([a-z ]+) -->\n(.*?)<!-- end -->")
	seen := map[string]bool{}
	page := part.ReplaceAllStringFunc(string(data), func(old string) string {
		name := part.FindStringSubmatch(old)[1]
		write, ok := r.parts()[name]
		if !ok {
			t.Errorf("%s has the unknown part %q", referencePage, name)
			return old
		}
		seen[name] = true
		return "<!-- generated: " + name + " -->\n" + write() + "<!-- end -->"
	})
	for name := range r.parts() {
		if !seen[name] {
			t.Errorf("%s lacks the part %q", referencePage, name)
		}
	}
	if page == string(data) {
		return
	}
	if os.Getenv("UPDATE_DOCS") == "" {
		t.Fatalf("%s differs from the tables of jptoolgen; run make docs", referencePage)
	}
	if err := os.WriteFile(referencePage, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A reference generates the page from the examples in testdata/reference, keyed by package name, and from the
// program that serves them.
type reference struct {
	t       *testing.T
	servers map[string]*model.Server
	program string
}

func newReference(t *testing.T) reference {
	t.Helper()
	m := wrongModule{dir: sameDir(t)}
	if err := os.CopyFS(filepath.Join(m.dir, "reference"), os.DirFS("testdata/reference")); err != nil {
		t.Fatal(err)
	}
	m.require(t)
	fset := token.NewFileSet()
	list := diag.NewList(fset, m.dir)
	loaded, err := load.Packages(t.Context(), m.dir, []string{"./..."}, fset, list)
	if err != nil {
		t.Fatal(err)
	}
	r := reference{t: t, servers: map[string]*model.Server{}, program: filepath.Join(m.dir, "served")}
	for _, p := range loaded {
		r.servers[p.Types.Name()] = model.Build(p, list)
	}
	if list.Len() > 0 {
		t.Fatal(list.Sorted())
	}
	files, err := output.Files(slices.Collect(maps.Values(r.servers))...)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.WriteFile(f.Path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := buildProgram(m.dir, "./reference", r.program, append(os.Environ(), goFlags)); err != nil {
		t.Fatal(err)
	}
	return r
}

// parts returns the functions that write the parts of the page.
func (r reference) parts() map[string]func() string {
	source := func(name string) func() string { return func() string { return codeBlock(r.source(name)) } }
	return map[string]func() string{
		"directives": r.directives, "keywords": r.keywords, "elsewhere": alternatives, "struct tags": r.structTags, "tags": source("tags"),
		"types": r.types, "types source": source("types"),
		"formats": r.formats, "questions": r.questions, "wires": r.wires, "questions source": source("questions"),
		"results": r.results, "results source": source("results"),
		"call": r.call, "call source": source("calls"),
		"options": r.options, "options source": source("options"),
		"faults": r.faults, "codes": r.codes,
		"shared": func() string { return codeBlock(explain.Shared("(Notes) NoteInput, NoteQuestions,")) },
	}
}

// source returns an example without its package clause or imports.
func (r reference) source(name string) string {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata/reference", name, name+".go"))
	if err != nil {
		r.t.Fatal(err)
	}
	_, text, ok := bytes.Cut(data, []byte("\n// Notes keeps notes.\n"))
	if !ok {
		r.t.Fatalf("the example %s does not begin with type Notes", name)
	}
	return "// Notes keeps notes.\n" + string(text)
}

func (r reference) contract(name string) *manifest.Server {
	r.t.Helper()
	c, err := r.servers[name].Contract()
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

func codeBlock(code string) string { return "```go\n" + strings.TrimSpace(code) + "\n```\n" }

// table formats rows; the first row is the header.
func table(rows ...[]string) string {
	var b strings.Builder
	for i, row := range rows {
		for j, cell := range row {
			row[j] = strings.ReplaceAll(cell, "|", `\|`)
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	return b.String()
}

func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

func codes(words []string) string {
	var all []string
	for _, w := range words {
		all = append(all, code(w))
	}
	return strings.Join(all, ", ")
}

// directives writes the table of directives. The example uses each directive with each of its arguments.
func (r reference) directives() string {
	var b strings.Builder
	source := r.source("directives")
	for _, s := range directive.Table() {
		fmt.Fprintf(&b, "### `//jp:%s`\n\n%s. Write it %s.\n\n", s.Name, capitalize(s.Help), s.Place)
		line := regexp.MustCompile(`(?m)//jp:`+s.Name+`( .*)?$`).FindAllString(source, -1)
		if len(line) == 0 {
			r.t.Errorf("the example directives lacks //jp:%s", s.Name)
		}
		rows := [][]string{{"argument", "values", "meaning"}}
		if s.Words != "" {
			words := "a word without `=`"
			if s.Count > 1 {
				words = strconv.Itoa(s.Count) + " words without `=`"
			}
			rows = append(rows, []string{words, "text", capitalize(s.Words) + ". Required"})
		}
		for _, a := range s.Args {
			if !s.Any && !strings.Contains(strings.Join(line, "\n"), " "+a.Name+"=") {
				r.t.Errorf("the example directives lacks %s= of //jp:%s", a.Name, s.Name)
			}
			values := "text"
			if len(a.Values) > 0 {
				values = codes(a.Values)
			}
			help := capitalize(a.Help)
			if a.Required {
				help += ". Required"
			}
			rows = append(rows, []string{code(a.Name), values, help})
		}
		if s.Name == "meta" {
			rows = append(rows, r.metaKeys(line[0])...)
		}
		if len(rows) > 1 {
			b.WriteString(table(rows...) + "\n")
		}
	}
	return b.String() + "Example:\n\n" + codeBlock(source)
}

// metaKeys returns a row for each key that clients are known to read. The line has each of them.
func (r reference) metaKeys(line string) (rows [][]string) {
	all := model.MetaKeys()
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if !strings.Contains(line, " "+key+"=") {
			r.t.Errorf("the example directives lacks %s= of //jp:meta", key)
		}
		rows = append(rows, []string{code(key), all[key], "Read by some clients"})
	}
	return rows
}

func capitalize(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// types writes the JSON form of each kind of field. The example has each kind.
func (r reference) types() string {
	in, out := r.tool("types", "take"), r.tool("types", "give")
	var result struct {
		StructuredContent map[string]json.RawMessage
	}
	given, _ := r.callExample("types", "give", "--format", "json")
	r.decode(given, &result)
	kinds, known := map[schema.Kind]bool{}, schema.KnownTypes()
	rows := [][]string{{"Go type", "arguments and options", "results", "for example", "note"}}
	for _, f := range in.Input.Fields() {
		for s := f.Shape; s != nil; s = s.Elem {
			kinds[s.Kind] = true
			delete(known, types.TypeString(s.Type, nil))
		}
		name := types.TypeString(f.Var.Type(), func(p *types.Package) string { return strings.TrimPrefix(p.Name(), "types") })
		if f.Shape.Kind == schema.Struct {
			name = "struct{ … }"
		}
		rows = append(rows, []string{
			code(name), r.property("types", in.Name, f.Name, true), r.property("types", out.Name, f.Name, false),
			code(r.compact(result.StructuredContent[f.Name])), firstLine(f.Description),
		})
	}
	for name := range known {
		r.t.Errorf("the example types lacks a field of type %s", name)
	}
	for i, name := range constants(r.t, "internal/schema/shape.go", "Kind") {
		if !kinds[schema.Kind(i+1)] {
			r.t.Errorf("the example types lacks a field of kind %s", name)
		}
	}
	return table(rows...)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// property returns the schema, without descriptions, of an argument or of a member of a result.
func (r reference) property(server, tool, name string, input bool) string {
	var s struct{ Properties map[string]json.RawMessage }
	for _, t := range r.contract(server).Tools {
		if t.Name == tool && input {
			r.decode(t.Input, &s)
		} else if t.Name == tool {
			r.decode(t.Output, &s)
		}
	}
	return code(removeDescriptions(s.Properties[name]))
}

var (
	description = regexp.MustCompile(`"description":"(?:[^"\\]|\\.)*",?`)
	lastComma   = regexp.MustCompile(`,}`)
)

// removeDescriptions removes descriptions from a schema.
func removeDescriptions(text []byte) string {
	return string(lastComma.ReplaceAll(description.ReplaceAll(text, nil), []byte("}")))
}

// compact removes white space from JSON. It returns "" for empty text.
func (r reference) compact(text []byte) string {
	r.t.Helper()
	var b bytes.Buffer
	if len(text) == 0 {
		return ""
	}
	if err := json.Compact(&b, text); err != nil {
		r.t.Fatal(err)
	}
	return b.String()
}

func (r reference) decode(data []byte, to any) {
	r.t.Helper()
	if err := json.Unmarshal(data, to); err != nil {
		r.t.Fatalf("%v in %s", err, data)
	}
}

func (r reference) tool(server, name string) *model.Tool {
	r.t.Helper()
	for _, t := range r.servers[server].Tools {
		if t.Name == name {
			return t
		}
	}
	r.t.Fatalf("the example %s has no tool %s", server, name)
	return nil
}

// constants returns the names of a type's constants that a file declares.
func constants(t *testing.T, path, typ string) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range file.Decls {
		block, ok := decl.(*ast.GenDecl)
		if !ok || block.Tok != token.CONST {
			continue
		}
		if first, ok := block.Specs[0].(*ast.ValueSpec).Type.(*ast.Ident); !ok || first.Name != typ {
			continue
		}
		for _, s := range block.Specs {
			names = append(names, s.(*ast.ValueSpec).Names[0].Name)
		}
	}
	if len(names) == 0 {
		t.Fatalf("%s has no constants of type %s", path, typ)
	}
	return names
}
