package declared

import (
	"fmt"
	"go/ast"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// A text holds the parts of a declaration that affect the contract, in a form that does not depend on the layout of
// the source, and the names to follow.
type text struct {
	strings.Builder
	of   *decl
	refs []ref
}

func (t *text) add(parts ...any) { fmt.Fprintf(t, "%#v\n", parts) }

func (t *text) declaration() {
	d := t.of
	if d.kind == Type || d.kind == Constant || has(d.docs, "server") || isServed(d.docs) {
		t.add(words(d.docs...))
		t.directives(d.docs...)
	}
	switch d.kind {
	case Server: // the contract depends only on the fields with included tools
		t.constraint()
		if st, ok := d.spec.Type.(*ast.StructType); ok {
			for _, f := range st.Fields.List {
				if has([]*ast.CommentGroup{f.Doc}, "include") {
					t.expr(f.Type)
					t.field(f)
				}
			}
		}
	case Method:
		_, pointer := d.fn.Recv.List[0].Type.(*ast.StarExpr)
		t.add(pointer)
		for _, list := range []*ast.FieldList{d.fn.Type.Params, d.fn.Type.Results} {
			t.add(list.NumFields())
			if list != nil {
				for _, f := range list.List { // the names of parameters do not matter
					t.expr(f.Type)
					t.add(len(f.Names))
				}
			}
		}
		t.schemas()
	case Type:
		t.add(d.spec.Assign.IsValid())
		if d.spec.TypeParams != nil {
			for _, f := range d.spec.TypeParams.List {
				t.field(f)
			}
		}
		t.expr(d.spec.Type)
		t.add(d.constantsOf(ref{d.path, d.name})) // the order of constants is part of the contract
	case Constant:
		t.expr(d.typ)
		t.expr(d.value)
	}
}

// constraint adds the build constraint of the file, which is also the constraint of the generated code.
func (t *text) constraint() {
	for _, group := range t.of.file.Comments {
		for _, c := range group.List {
			if c.Pos() < t.of.file.Package && strings.HasPrefix(c.Text, "//go:build ") {
				t.add(c.Text)
			}
		}
	}
}

func (t *text) directives(docs ...*ast.CommentGroup) {
	for _, d := range directives(docs...) {
		t.add(d.Name, strings.TrimSpace(d.Args))
	}
}

// expr adds a type or an expression.
func (t *text) expr(e ast.Expr) {
	if e == nil {
		return
	}
	t.add(types.ExprString(e))
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			t.field(n)
			return false
		case *ast.CompositeLit:
			t.add(len(n.Elts)) // ExprString leaves the elements out
		case *ast.Ident:
			t.name(n)
		case *ast.SelectorExpr:
			t.name(n)
			return false
		}
		return true
	})
}

func (t *text) name(e ast.Expr) {
	r, _ := t.of.resolve(e)
	if r.name == "iota" {
		t.add(t.of.iota)
	}
	t.add(r.path)
	t.refs = append(t.refs, r)
}

// field adds a field. If the field is not part of the JSON, its comment does not matter, and its type is not followed.
func (t *text) field(f *ast.Field) {
	tag := ""
	if f.Tag != nil {
		tag, _ = strconv.Unquote(f.Tag.Value)
	}
	shown := len(f.Names) == 0 // a field without a name is embedded
	for _, name := range f.Names {
		shown = shown || name.IsExported()
		t.add(name.Name)
	}
	followed := len(t.refs)
	t.expr(f.Type)
	t.add(tag)
	t.directives(f.Doc, f.Comment)
	if shown && reflect.StructTag(tag).Get("json") != "-" {
		t.add(words(f.Doc, f.Comment))
	} else {
		t.refs = t.refs[:followed]
	}
}

// schemas adds the file with the exact schemas of a tool. The file is named after the tool, whose name is either an
// argument of the directive or the method's name with underscores.
func (t *text) schemas() {
	const suffix = ".schema.json"
	dir := filepath.Dir(t.of.position().Filename)
	files, _ := fs.Glob(os.DirFS(dir), "*"+suffix) // cannot fail: the pattern is valid
	for _, d := range directives(t.of.docs...) {
		for _, file := range files {
			tool := strings.TrimSuffix(file, suffix)
			named := strings.Contains(d.Args, tool) || strings.EqualFold(strings.ReplaceAll(tool, "_", ""), t.of.ident.Name)
			if data, err := os.ReadFile(filepath.Join(dir, file)); err == nil && named && strings.Contains(d.Args, "exact") {
				t.add(sum(string(data)))
			}
		}
	}
}
