package scaffold

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/gofile"
)

var toolName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// ErrNoServer is what [Tool] returns for a package without a server.
var ErrNoServer = errors.New("no struct of the package has a //jp:server line")

// Tool returns the files of a new tool for the server in dir: the source and its test.
// A name that cannot be a tool's or is that of a tool already, a directory without
// exactly one server, and source that cannot be read are errors.
func Tool(dir, name string) ([]File, error) {
	if !toolName.MatchString(name) || len(name) > MaxName {
		return nil, fmt.Errorf("%q is no name of a tool, which is [a-z][a-z0-9_]* of at most %d characters", name, MaxName)
	}
	s, err := read(dir)
	if err != nil {
		return nil, err
	}
	method := exported(name)
	switch {
	case s.tools[name]:
		return nil, fmt.Errorf("the server has a tool %s already", name)
	case s.taken[method], s.taken[method+"Input"]:
		return nil, fmt.Errorf("the package declares %s or %sInput already; another name would do", method, method)
	}
	source, err := toolSource(s, name, method)
	if err != nil {
		return nil, fmt.Errorf("writing the tool: %w", err)
	}
	test, err := toolTest(s, name, method)
	if err != nil {
		return nil, fmt.Errorf("writing its test: %w", err)
	}
	file := fileName(name)
	return []File{{file + ".go", source}, {file + "_test.go", test}}, nil
}

// fileName returns the name of a tool's source, without its ending. The go command takes x_test.go for a
// test, and builds x_linux.go for Linux alone.
func fileName(tool string) string {
	nowhere := build.Context{OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package p")), nil
	}}
	if everywhere, err := nowhere.MatchFile("", tool+".go"); err == nil && everywhere && !strings.HasSuffix(tool, "_test") {
		return tool
	}
	return tool + "_tool"
}

// A server is what the source of a package says of the one that it declares.
type server struct {
	pkg, name string
	tools     map[string]bool // by name
	taken     map[string]bool // names that are declared, and those of the server's methods
}

func read(dir string) (*server, error) {
	paths, err := fs.Glob(os.DirFS(dir), "*.go")
	if err != nil {
		return nil, err
	}
	s := &server{tools: map[string]bool{}, taken: map[string]bool{}}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, path), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if err := s.declared(f.Name.Name, d); err != nil {
				return nil, err
			}
		}
	}
	if s.name == "" {
		return nil, ErrNoServer
	}
	return s, nil
}

func (s *server) declared(pkg string, d ast.Decl) error {
	switch d := d.(type) {
	case *ast.FuncDecl:
		s.taken[d.Name.Name] = true
		for _, words := range directives(d.Doc, "//jp:tool") {
			for _, w := range words {
				if name, ok := strings.CutPrefix(w, "name="); ok {
					s.tools[name] = true
				}
			}
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			t, ok := spec.(*ast.TypeSpec)
			if !ok {
				continue
			}
			s.taken[t.Name.Name] = true
			if len(directives(d.Doc, "//jp:server"))+len(directives(t.Doc, "//jp:server")) == 0 {
				continue
			}
			if s.name != "" {
				return fmt.Errorf("the package has two servers, %s and %s", s.name, t.Name.Name)
			}
			s.pkg, s.name = pkg, t.Name.Name
		}
	}
	return nil
}

// directives returns the words after each line of a comment that begins with word.
func directives(doc *ast.CommentGroup, word string) (all [][]string) {
	if doc == nil {
		return nil
	}
	for _, c := range doc.List {
		if fields := strings.Fields(c.Text); len(fields) > 0 && fields[0] == word {
			all = append(all, fields[1:])
		}
	}
	return all
}

func toolSource(s *server, name, method string) ([]byte, error) {
	f := newFile(s.pkg)
	doc(f, method+"Input is what the model sends.")
	f.Type().Id(method + "Input").Struct(
		field("Text to work on.", jen.Id("Text").String(), `json:"text" jsonschema:"minLength=1,maxLength=10000"`),
	)
	f.Line()
	doc(f, method+" returns the text as it came.", "", "//jp:tool name="+name+" readonly=true openworld=false")
	f.Func().Params(jen.Id("*"+s.name)).Id(method).Params(
		jen.Id("ctx").Qual("context", "Context"), jen.Id("in").Id(method+"Input"),
	).Params(jen.String(), jen.Error()).Block(jen.Return(jen.Id("in").Dot("Text"), jen.Nil()))
	return gofile.Text(f)
}

func toolTest(s *server, name, method string) ([]byte, error) {
	f := newFile(s.pkg)
	f.Func().Id("Test"+method).Params(jen.Id("t").Op("*").Qual("testing", "T")).Block(
		jen.Id("kit").Op(":=").Qual(jptestPath, "New").Call(jen.Id("t"), jen.Id("NewServer").Call(jen.Op("&").Id(s.name).Values())),
		jen.Id("got").Op(":=").Id("kit").Dot("Call").Call(jen.Lit(name), jen.Map(jen.String()).Any().Values(
			jen.Lit("text").Op(":").Lit("hello"))).Dot("OK").Call(jen.Id("t")),
		jen.If(jen.Id("got").Op("!=").Lit("hello")).Block(jen.Id("t").Dot("Errorf").Call(jen.Lit("got %q"), jen.Id("got"))),
	)
	return gofile.Text(f)
}
