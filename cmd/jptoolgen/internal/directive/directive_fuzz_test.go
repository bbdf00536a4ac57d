package directive_test

import (
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
)

// FuzzParse checks that the canonical form of a directive has the same meaning, and that every finding has a position
// within the line.
func FuzzParse(f *testing.F) {
	for _, line := range []string{
		`//jp:tool name=note_create title="Create a \"note\"" destructive=false`,
		"//jp:server  clients=`jp`\tname=a",
		"//jp:fails conflict unavailable conflict",
		"//jp:schema type=array items=string pattern==x",
		"//jp:options x=1", "// jp:tool", "//jp:tool title=\"a", "//jp:tol", "//jp:", "/*jp:tool*/",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsAny(line, "\r\n") {
			return // a line comment has no line breaks
		}
		d, ok, findings := parse(line)
		for _, finding := range findings {
			if finding.Pos.Line != 1 || finding.Pos.Column < 1 || finding.Pos.Column > len(line)+1 || finding.Message == "" {
				t.Errorf("%q: %+v", line, finding)
			}
		}
		if !ok || len(findings) > 0 {
			return
		}
		plain := "//jp:" + d.Name
		for _, a := range d.Args {
			plain += " " + a.Name + "=" + strconv.Quote(a.Value)
		}
		for _, w := range d.Words {
			plain += " " + strconv.Quote(w.Value)
		}
		again, ok, findings := parse(plain)
		if !ok || len(findings) > 0 || !same(d.Args, again.Args) || !same(d.Words, again.Words) {
			t.Errorf("%q is %+v, but %q is %+v %v", line, d, plain, again, findings)
		}
	})
}

func same(a, b []directive.Arg) bool {
	for i := range a {
		if i >= len(b) || a[i].Name != b[i].Name || a[i].Value != b[i].Value {
			return false
		}
	}
	return len(a) == len(b)
}

// FuzzRead checks that findings in any file that Go parses have a position within the file.
func FuzzRead(f *testing.F) {
	f.Add("package p\n\n//jp:server name=a\n//jp:server\ntype T struct{}\n\n//jp:tool\nfunc (T) M() {}\n")
	f.Add("package p\n\n//jp:options\ntype (\n\t//jp:schema type=string\n\tA int\n\tB struct{}\n)\n\n//jp:fails a\nvar x int\n")
	f.Add("//jp:tool\npackage p //jp:x\n\nfunc f() {\n\t//jp:tool\n}\n")
	f.Fuzz(func(t *testing.T, source string) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "a.go", source, parser.ParseComments)
		if err != nil {
			return
		}
		list := diag.NewList(fset, "")
		sites := directive.Read(file, list)
		for pos, directives := range sites {
			if pos < file.FileStart || pos >= file.FileEnd || len(directives) == 0 {
				t.Errorf("directives at %v: %+v", pos, directives)
			}
		}
		for _, finding := range list.Sorted() {
			if !finding.Pos.IsValid() || finding.Message == "" {
				t.Errorf("%+v", finding)
			}
		}
	})
}
