package load

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/internal/declared"
)

const (
	sdkPath    = "github.com/jptool/jptool/sdk"
	elicitPath = sdkPath + "/elicit"
)

// surface makes the stand-in of a server: what its generated file declares for
// others to use, as far as syntax tells. Types that only a load could find leave
// out what needs them.
type surface struct {
	home    *syntaxOf
	server  string
	aliases map[string]string // of imports, by path
}

// code returns the stand-in as a file. Its functions have bodies that need no name of
// Go's own, which the package may have given away.
func (s *surface) code(name, constraint string) []byte {
	body := fmt.Sprintf("func %s(*%s) *%s.Server { for {} }\n", constructor, s.server, s.alias(sdkPath))
	taken := s.home.names(name, constraint)
	for _, t := range toolsOf(s.home) {
		if receiver(t.method) == s.server {
			body += s.inProcess(t.file, t.method, taken)
		}
	}
	var imports strings.Builder
	for _, path := range slices.Sorted(maps.Keys(s.aliases)) {
		if strings.Contains(body, s.aliases[path]+".") {
			fmt.Fprintf(&imports, "import %s %q\n", s.aliases[path], path)
		}
	}
	return fmt.Appendf(nil, "%s\n\npackage %s\n\n%s\n%s", constraint, name, imports.String(), body)
}

// inProcess returns the interface and the function for a tool with questions. A
// name that is taken is left to the model, whose finding says more.
func (s *surface) inProcess(f *file, method *ast.FuncDecl, taken map[string]bool) string {
	elicitor, caller := model.ElicitorName(method.Name.Name), model.CallerName(method.Name.Name)
	var asks []question
	var others []ast.Expr
	for i, param := range parameters(method) {
		if fields := questionsIn(param, f); i > 0 && fields != nil {
			asks = fields
		} else if i > 0 {
			others = append(others, param)
		}
	}
	if asks == nil {
		return ""
	}
	var in, opt string
	for _, param := range others {
		text, ok := s.spell(param, f)
		switch _, pointer := param.(*ast.StarExpr); {
		case pointer:
		case !ok:
			return ""
		case isOptions(param, f):
			opt = ", " + text
		default:
			in = ", " + text
		}
	}
	results, ok := s.results(f, method)
	if !ok {
		return ""
	}
	context := s.alias("context") + ".Context"
	var code strings.Builder
	if !taken[elicitor] {
		taken[elicitor] = true
		fmt.Fprintf(&code, "\ntype %s interface {\n", elicitor)
		for _, q := range asks {
			if answer, ok := s.answer(q); ok {
				elicit := s.alias(elicitPath)
				fmt.Fprintf(&code, "\t%s(%s, %s.Request) (%s.Response[%s], error)\n", q.field, context, elicit, elicit, answer)
			}
		}
		code.WriteString("}\n")
	}
	if !taken[caller] {
		taken[caller] = true
		fmt.Fprintf(&code, "\nfunc %s(%s, *%s%s%s, %s) %s { for {} }\n", caller, context, s.server, in, opt, elicitor, results)
	}
	return code.String()
}

// results spells what a method returns.
func (s *surface) results(f *file, method *ast.FuncDecl) (string, bool) {
	if method.Type.Results == nil {
		return "", false
	}
	var all []string
	for _, result := range method.Type.Results.List {
		text, ok := s.spell(result.Type, f)
		if !ok {
			return "", false
		}
		for range max(len(result.Names), 1) {
			all = append(all, text)
		}
	}
	return "(" + strings.Join(all, ", ") + ")", true
}

// answer spells the type that answers a question.
func (s *surface) answer(q question) (string, bool) {
	switch q.kind {
	case "Confirm":
		return "bool", true
	case "Number":
		return "float64", true
	case "Choice", "Form":
		if q.arg == nil {
			return "", false
		}
		return s.spell(q.arg, q.in)
	}
	return "string", true
}

// alias returns the name under which the stand-in imports a package.
func (s *surface) alias(path string) string {
	if s.aliases[path] == "" {
		s.aliases[path] = fmt.Sprintf("jpImport%d", len(s.aliases))
	}
	return s.aliases[path]
}

// spell returns a type of file f as it is written in the stand-in.
func (s *surface) spell(expr ast.Expr, f *file) (string, bool) {
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), expr); err != nil {
		return "", false
	}
	expr, err := parser.ParseExpr(b.String()) // a copy to write into
	if err != nil {
		return "", false
	}
	known := true
	var visit func(ast.Node) bool
	visit = func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.Field: // its name is no type
			ast.Inspect(node.Type, visit)
			return false
		case *ast.SelectorExpr:
			id, ok := node.X.(*ast.Ident)
			path, found := "", false
			if ok {
				path, found = declared.Imported(f.syntax, id.Name)
			}
			if known = known && found; found {
				id.Name = s.alias(path)
			}
			return false
		case *ast.Ident:
			if f.pkg != s.home && types.Universe.Lookup(node.Name) == nil {
				known = known && node.IsExported()
				node.Name = s.alias(f.pkg.path) + "." + node.Name
			}
		}
		return true
	}
	ast.Inspect(expr, visit)
	b.Reset()
	if err := printer.Fprint(&b, token.NewFileSet(), expr); err != nil {
		return "", false
	}
	return b.String(), known
}
