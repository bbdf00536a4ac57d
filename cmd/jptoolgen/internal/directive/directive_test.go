package directive_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
)

// parse parses a comment on a separate line.
func parse(line string) (directive.Directive, bool, []diag.Finding) {
	fset := token.NewFileSet()
	fset.AddFile("a.go", 1, len(line))
	list := diag.NewList(fset, "")
	d, ok := directive.Parse(&ast.Comment{Slash: 1, Text: line}, list)
	return d, ok, list.Sorted()
}

func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		line   string
		column int
		want   string
	}{
		{"//jp:", 6, "unknown directive //jp:; write one of //jp:server, //jp:tool, //jp:resource, //jp:prompt, //jp:list, //jp:watch, //jp:complete, //jp:toolset, //jp:scope, //jp:include, //jp:skills, //jp:meta, //jp:alias, //jp:fails, //jp:describe, //jp:foreign, //jp:allow, //jp:options, //jp:enum, //jp:schema"},
		{"//jp:Servers name=x", 6, "unknown directive //jp:Servers; did you mean //jp:server?"},
		{"//jp:servers", 6, "unknown directive //jp:servers; did you mean //jp:server?"},
		{"//jp:x", 6, "unknown directive //jp:x; write one of //jp:server, //jp:tool, //jp:resource, //jp:prompt, //jp:list, //jp:watch, //jp:complete, //jp:toolset, //jp:scope, //jp:include, //jp:skills, //jp:meta, //jp:alias, //jp:fails, //jp:describe, //jp:foreign, //jp:allow, //jp:options, //jp:enum, //jp:schema"},
		{"//jp:server nam=x", 13, "unknown argument nam in //jp:server; did you mean name?"},
		{"//jp:server  clients=JP", 22, `invalid clients "JP"; did you mean jp?`},
		{"//jp:server name=", 18, "name has no value; write name=value, or delete it"},
		{"//jp:server name=a\tname=b", 20, "//jp:server has name twice, first as a; delete one"},
		{`//jp:tool title="a`, 17, "this string has no closing quote, or no space after it; write it as a Go string, followed by a space"},
		{`//jp:tool title="a"name=b`, 17, "this string has no closing quote, or no space after it; write it as a Go string, followed by a space"},
		{"//jp:tool =x", 11, `unexpected word "=x" in //jp:tool; write NAME=VALUE with one of these names: name, title, description, readonly, destructive, idempotent, openworld, mutates, timeout, budget, rows, schema, toolset, scopes, version, icon, task, after, ttl, poll`},
		{"//jp:tool readonly", 11, `unexpected word "readonly" in //jp:tool; write readonly=true`},
		{"//jp:tool title=Save note", 22, `unexpected word "note" in //jp:tool; if it belongs to title, quote the whole value: title="…"`},
		{"//jp:fails a, b", 12, "//jp:fails has a comma after a; separate words with spaces only"},
		{"//jp:fails", 1, "//jp:fails is empty; add at least one error code"},
		{"//jp:fails a b a", 16, "//jp:fails lists a twice; delete one"},
		{"//jp:schema", 1, "//jp:schema requires type; add type=string|integer|number|boolean|array"},
		{"//jp:options x=1", 14, "unknown argument x in //jp:options; write one of scope"},
		{"// jp:tool", 1, "this line is a comment, not a directive, because of its spaces; write //jp:tool"},
		{"//\tjp: tool", 1, "this line is a comment, not a directive, because of its spaces; write //jp:tool"},
		{"//jp :tool", 1, "this line is a comment, not a directive, because of its spaces; write //jp:tool"},
		{"//jp:Tool name=x", 1, "this line is a comment, not a directive, because of its uppercase letters; write //jp:tool"},
		{"//JP:server", 1, "this line is a comment, not a directive, because of its uppercase letters; write //jp:server"},
		{"//jp tool name=x", 1, "this line is a comment, not a directive, because of a missing colon; write //jp:tool"},
		{"//jptool name=x", 1, "this line is a comment, not a directive, because of a missing colon; write //jp:tool"},
		{"/*jp:options*/", 1, "this line is a comment, not a directive, because of its /* and */; write //jp:options"},
		{"//jp: tool", 1, "this line is a comment, not a directive, because of its spaces; write //jp:tool"},
	} {
		_, _, findings := parse(tt.line)
		if len(findings) != 1 {
			t.Errorf("%s: got %d findings: %v", tt.line, len(findings), findings)
			continue
		}
		if f := findings[0]; f.Pos.Column != tt.column || f.Message+"; "+f.Hint != tt.want {
			t.Errorf("%s:\n got %d: %s; %s\nwant %d: %s", tt.line, f.Pos.Column, f.Message, f.Hint, tt.column, tt.want)
		}
	}
}

func TestOrdinaryComments(t *testing.T) {
	for _, line := range []string{"// A comment.", "//go:generate jp:tool", "//nolint:jp", "// See jp:thing.", "/* //jp:tool */", "//jptoolgen", "// JP tool hosts.", "// JP: tool hosts.", "// jp tool hosts.", "//j", "/**/"} {
		if d, ok, findings := parse(line); ok || len(findings) > 0 {
			t.Errorf("%s: %v %v", line, d, findings)
		}
	}
}

func ExampleParse() {
	d, _, _ := parse(`//jp:tool name=note_create title="Create a note" destructive=false`)
	for _, arg := range d.Args {
		fmt.Printf("%s: %s\n", arg.Name, arg.Value)
	}
	// Output:
	// name: note_create
	// title: Create a note
	// destructive: false
}

func TestTable(t *testing.T) {
	help := directive.Help()
	for _, s := range directive.Table() {
		if !strings.Contains(help, "//jp:"+s.Name) || !strings.Contains(help, s.Help) {
			t.Errorf("the help lacks //jp:%s", s.Name)
		}
		for _, a := range s.Args {
			if a.Help == "" || !strings.Contains(help, a.Help) {
				t.Errorf("the help lacks %s of //jp:%s", a.Name, s.Name)
			}
		}
	}
}
