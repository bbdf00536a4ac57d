package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/caller"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/cli"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/explain"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
)

// callExample calls a tool of an example and returns the output of the command.
func (r reference) callExample(server, tool string, flags ...string) (stdout, stderr []byte) {
	r.t.Helper()
	args := append([]string{"call"}, flags...)
	args = append(args, "-", tool, "--", r.program, server)
	var out, err bytes.Buffer
	cli.Run(r.t.Context(), cli.Env{Dir: r.t.TempDir(), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &err}, args)
	return out.Bytes(), err.Bytes()
}

// questions writes the kinds of questions. The example has a tool for each, named after it.
func (r reference) questions() string {
	rows := [][]string{{"type", "answer", "keys of the `jsonschema` tag"}}
	var kinds []question.Kind
	for _, t := range r.servers["questions"].Tools {
		q := t.Questions.List[0]
		if t.Method.Name() == "Offer" { // Offer also asks a question of another kind
			continue
		}
		kinds = append(kinds, q.Kind)
		name := "elicit." + t.Method.Name()
		answer := types.TypeString(q.Answer, func(*types.Package) string { return "" })
		if types.TypeString(q.Answer, nil) != answer {
			name += "[" + strings.TrimPrefix(answer, "[]") + "]"
		}
		keys := model.QuestionKeys(t.Method.Name())
		if t.Method.Name() == "Form" {
			keys = r.formKeys()
		}
		rows = append(rows, []string{code(name), code(answer), codes(keys)})
	}
	for _, k := range question.Kinds() {
		if !slices.Contains(kinds, k) {
			r.t.Errorf("the example questions has no tool for %s", k)
		}
	}
	return table(rows...) + `
| method | description |
|---|---|
` + r.methods("../../sdk/elicit", "base", "Pick", "Visit")
}

// wires writes the form of each kind of question in each wire format. Formats with equal forms share a column.
func (r reference) wires() string {
	var heads []string
	var columns [][]string
	for _, w := range caller.Wires() {
		var column []string
		for _, t := range r.servers["questions"].Tools {
			_, trace := r.callExample("questions", t.Name, "--trace", "--wire", w)
			column = append(column, r.formOf(trace))
		}
		if i := slices.IndexFunc(columns, func(c []string) bool { return slices.Equal(c, column) }); i >= 0 {
			heads[i] += ", " + code(w)
		} else {
			heads, columns = append(heads, code(w)), append(columns, column)
		}
	}
	rows := [][]string{append([]string{"kind"}, heads...)}
	for i, t := range r.servers["questions"].Tools {
		row := []string{t.Method.Name()}
		for _, c := range columns {
			row = append(row, c[i])
		}
		rows = append(rows, row)
	}
	return table(rows...)
}

// formOf extracts the form of a question in a wire format from the trace of a call.
func (r reference) formOf(trace []byte) string {
	r.t.Helper()
	lines := slices.Collect(bytes.Lines(trace))
	for _, line := range slices.Backward(lines) { // earlier lines contain the contract with all schemas
		text, ok := bytes.CutPrefix(line, []byte("← "))
		for _, name := range []string{"computer.jp/error", "trace", "requestedSchema", "answer_type", "schema", "url"} {
			found := member(text, name)
			switch {
			case !ok || found == nil:
			case name == "trace": // the trace of an Outcome, whose message begins with the code
				message, _, _ := bytes.Cut(member(text, "message"), []byte(":"))
				return "fails with " + code(strings.Trim(string(message), `"`))
			case name == "computer.jp/error":
				var f struct{ Code string }
				r.decode(found, &f)
				return "fails with " + code(f.Code)
			default:
				return code(name + ": " + removeDescriptions(found))
			}
		}
	}
	r.t.Errorf("no question in\n%s", trace)
	return ""
}

// member returns the first member with a name in a JSON value, including strings that contain JSON.
func member(data json.RawMessage, name string) json.RawMessage {
	var object map[string]json.RawMessage
	var list []json.RawMessage
	var text string
	switch {
	case json.Unmarshal(data, &object) == nil:
		if found, ok := object[name]; ok {
			return found
		}
		for _, inner := range object {
			list = append(list, inner)
		}
	case json.Unmarshal(data, &list) == nil:
	case json.Unmarshal(data, &text) == nil && strings.HasPrefix(text, "{"):
		list = append(list, json.RawMessage(text))
	}
	for _, inner := range list {
		if found := member(inner, name); found != nil {
			return found
		}
	}
	return nil
}

// results writes the forms of results. The example has each form, and each type of block.
func (r reference) results() string {
	forms := map[model.Form]bool{}
	rows := [][]string{{"result", "content", "structured content", "output schema"}}
	for _, t := range r.servers["results"].Tools {
		forms[t.Result.Form] = true
		data, _ := r.callExample("results", t.Name, "--format", "json")
		var result struct {
			Content           []struct{ Type, Text string }
			StructuredContent json.RawMessage
		}
		r.decode(data, &result)
		var blocks []string
		for _, b := range result.Content {
			if len(result.Content) > 1 {
				b.Text = b.Type
			}
			blocks = append(blocks, code(b.Text))
		}
		typ := "error"
		if t.Result.Type != nil {
			typ = types.TypeString(t.Result.Type, func(p *types.Package) string { return strings.TrimPrefix(p.Name(), "results") })
		}
		rows = append(rows, []string{code(typ), strings.Join(blocks, ", "), code(r.compact(result.StructuredContent)), r.outputSchema(t.Name)})
	}
	for i, name := range constants(r.t, "internal/model/model.go", "Form") {
		if form := model.Form(i); form <= model.Wrapped && !forms[form] { // only resources and prompts have the others
			r.t.Errorf("the example results has no tool for %s", name)
		}
	}
	r.checkBlockTypes()
	return table(rows...)
}

func (r reference) outputSchema(tool string) string {
	for _, t := range r.contract("results").Tools {
		if t.Name == tool {
			return code(removeDescriptions(t.Output))
		}
	}
	return ""
}

// checkBlockTypes checks that the example has all types of blocks.
func (r reference) checkBlockTypes() {
	r.t.Helper()
	for _, p := range r.packageDoc("../../sdk/content").Types {
		for _, m := range p.Methods {
			if m.Name == "kind" && !strings.Contains(r.source("results"), "content."+p.Name) {
				r.t.Errorf("the example results has no content.%s", p.Name)
			}
		}
	}
}

// packageDoc returns the documentation of a package, including names that are not exported.
func (r reference) packageDoc(dir string) *doc.Package {
	r.t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		r.t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			r.t.Fatal(err)
		}
		files = append(files, file)
	}
	p, err := doc.NewFromFiles(fset, files, dir, doc.AllDecls)
	if err != nil {
		r.t.Fatal(err)
	}
	return p
}

// methods writes the exported methods of types as rows of a table.
func (r reference) methods(dir string, names ...string) string {
	p := r.packageDoc(dir)
	var b strings.Builder
	for _, t := range p.Types {
		if !slices.Contains(names, t.Name) {
			continue
		}
		for _, m := range t.Methods {
			if ast.IsExported(m.Name) && m.Level == 0 {
				signature := m.Name + strings.TrimPrefix(types.ExprString(m.Decl.Type), "func")
				fmt.Fprintf(&b, "| %s | %s |\n", code(signature), sentence(p, m.Doc))
			}
		}
	}
	return b.String()
}

// sentence returns the first sentence of a comment, without the name at its beginning.
func sentence(p *doc.Package, comment string) string {
	_, rest, _ := strings.Cut(p.Synopsis(comment), " ")
	return capitalize(rest)
}

// call writes the methods of a call. The example uses each of them.
func (r reference) call() string {
	methods := r.methods("../../sdk/tool", "Call")
	for _, m := range regexp.MustCompile("(?m)^. `([A-Za-z]+)").FindAllStringSubmatch(methods, -1) {
		if !strings.Contains(r.source("calls"), "call."+m[1]+"(") {
			r.t.Errorf("the example calls lacks call.%s", m[1])
		}
	}
	return "| method | description |\n|---|---|\n" + methods
}

// options returns a table of the ways to set each option of the example.
func (r reference) options() string {
	c := r.contract("options")
	rows := [][]string{{"option", "environment", "flag", "JP's configuration of the tool", "pinned"}}
	for _, f := range r.servers["options"].Tools[0].Options.Fields() {
		name := c.Tools[0].Flag(f.Name)
		row := []string{
			code(f.Name), code(c.Tools[0].Variable(c.Name, f.Name) + "=…"), code("--option " + name + "=…"),
			code("options." + f.Name + " = …"), code("--pin " + name + "=…"),
		}
		if f.Shape.Secret() {
			row[2], row[3], row[4] = "", "", ""
		}
		rows = append(rows, row)
	}
	return table(rows...)
}

// faults writes the base codes.
func (r reference) faults() string {
	comments := map[string]string{}
	p := r.packageDoc("../../sdk/fault")
	for _, t := range p.Types {
		for _, group := range t.Consts {
			for _, spec := range group.Decl.Specs {
				if s, ok := spec.(*ast.ValueSpec); ok {
					comments[s.Names[0].Name] = capitalize(strings.TrimSpace(s.Comment.Text())) + "."
				}
			}
		}
	}
	rows := [][]string{{"code", "constant", "meaning"}}
	for _, c := range fault.Base() {
		name := strings.ReplaceAll(capitalizeWords(string(c)), "_", "")
		comment, ok := comments[name]
		if !ok {
			r.t.Errorf("package fault has no constant %s", name)
		}
		rows = append(rows, []string{code(string(c)), code("fault." + name), comment})
	}
	return table(rows...)
}

// capitalizeWords converts snake_case to Snake_Case.
func capitalizeWords(text string) string {
	return regexp.MustCompile(`(^|_)[a-z]`).ReplaceAllStringFunc(text, strings.ToUpper)
}

// codes writes the page of each code. If few lines of the correct program differ, the page has a diff.
func (r reference) codes() string {
	var b strings.Builder
	for _, k := range diag.Kinds() {
		page, err := explain.Of(k.Code)
		if err != nil {
			r.t.Fatal(err)
		}
		fmt.Fprintf(&b, "### %s: %s\n\n%s\n", k.Code, k.Title, page.Meaning)
		wrong := map[string]string{}
		for _, f := range page.Files {
			heading, text, language := f.Heading(), f.Excerpt(), strings.TrimPrefix(filepath.Ext(f.Name), ".")
			if name, ok := strings.CutPrefix(f.Name, "wrong"); ok {
				wrong[name] = text
			} else if name, ok := strings.CutPrefix(f.Name, "right"); ok && wrong[name] != "" {
				change := diffLines(wrong[name], text)
				if change == "" {
					continue
				}
				if !onlyMovesLines(change) && 3*strings.Count(change, "\n") <= strings.Count(text, "\n") {
					heading, text, language = strings.Replace(heading, "Right", "Fix", 1), change, "diff"
				}
			}
			fmt.Fprintf(&b, "%s:\n\n```%s\n%s\n```\n\n", heading, cmp.Or(language, "go"), strings.TrimSpace(text))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// onlyMovesLines reports whether a change only moves lines. Without the unchanged lines, a reader cannot see where the
// moved lines go.
func onlyMovesLines(change string) bool {
	var removed, added []string
	for line := range strings.Lines(change) {
		if text, ok := strings.CutPrefix(line, "-"); ok {
			removed = append(removed, text)
		} else if text, ok := strings.CutPrefix(line, "+"); ok {
			added = append(added, text)
		}
	}
	return slices.Equal(removed, added)
}

// diffLines returns the lines that differ between two texts, as in a unified diff. An empty line separates changes
// that are not adjacent.
func diffLines(old, new string) string {
	var b strings.Builder
	_, hunks, _ := strings.Cut(string(diff.Diff("", []byte(old), "", []byte(new))), "\n@@")
	apart := false
	for line := range strings.Lines(hunks) {
		if line[0] != '-' && line[0] != '+' {
			apart = b.Len() > 0
			continue
		}
		if apart {
			b.WriteByte('\n')
		}
		b.WriteString(line)
		apart = false
	}
	return b.String()
}
