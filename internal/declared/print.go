package declared

import (
	"fmt"
	"go/ast"
	"reflect"
	"strconv"
	"strings"
)

// printer writes a declaration in a form that does not depend on the layout of the source, and collects the
// types that it refers to.
type printer struct {
	place
	text  strings.Builder
	named []ref
}

// A place holds the data that the printer needs to resolve names: the file, the value of iota, and
// the depth of constants that depend on constants.
type place struct {
	in    *file
	iota  int
	depth int
}

func (p *printer) write(format string, args ...any) { fmt.Fprintf(&p.text, format+"\n", args...) }

// describe writes comments and directives.
func (p *printer) describe(docs []*ast.CommentGroup) {
	p.write("comment %q", words(docs...))
	for _, d := range directives(docs...) {
		p.write("directive %s %q", d.Name, strings.TrimSpace(d.Args))
	}
}

// expr writes a type or an expression as the kinds of its nodes, with names and literals.
func (p *printer) expr(n ast.Expr) {
	if n == nil {
		p.write("nothing")
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil:
			p.write("end")
			return false
		case *ast.StructType:
			p.structure(n)
			return false
		case *ast.FuncType:
			p.signature(n)
			return false
		case *ast.Ident:
			p.name(n)
			return false
		case *ast.SelectorExpr:
			p.name(n)
			return false
		case *ast.BasicLit:
			p.write("literal %s", n.Value)
			return false
		case *ast.BinaryExpr:
			p.write("operator %s", n.Op)
		case *ast.UnaryExpr:
			p.write("operator %s", n.Op)
		case *ast.ChanType:
			p.write("direction %d", n.Dir)
		case *ast.CommentGroup:
			return false
		}
		p.write("%T", n)
		return true
	})
}

// name writes a name with its package and, for a constant, its value.
func (p *printer) name(expr ast.Expr) {
	r, ok := p.in.name(expr)
	if !ok {
		p.write("unknown")
		return
	}
	if r.name == "iota" {
		p.write("iota %d", p.iota)
		return
	}
	p.write("name %s %s", r.path, r.name)
	p.named = append(p.named, r)
	if p.depth == maxFollowed {
		return
	}
	for _, c := range p.in.constantsOf(expr) {
		p.value(c)
	}
}

// value writes the type and the value of a constant.
func (p *printer) value(c *constant) {
	before := p.place
	p.place = place{in: c.in, iota: c.iota, depth: before.depth + 1}
	p.expr(c.typ)
	p.expr(c.value)
	p.place = before
}

// signature writes the types of parameters and results, without their names.
func (p *printer) signature(t *ast.FuncType) {
	for _, list := range []*ast.FieldList{t.Params, t.Results} {
		p.write("list")
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for range max(len(field.Names), 1) {
				p.expr(field.Type)
			}
		}
	}
}

// structure writes the fields of a struct. For fields that are not part of the JSON, it omits the comments and
// does not follow the types.
func (p *printer) structure(t *ast.StructType) {
	p.write("struct")
	for _, field := range t.Fields.List {
		tag := ""
		if field.Tag != nil {
			tag, _ = strconv.Unquote(field.Tag.Value)
		}
		shown := len(field.Names) == 0 // a field without a name is embedded
		for _, name := range field.Names {
			shown = shown || name.IsExported()
			p.write("field %s", name.Name)
		}
		named := len(p.named)
		p.expr(field.Type)
		p.write("tag %q", tag)
		if !shown || reflect.StructTag(tag).Get("json") == "-" {
			p.named = p.named[:named]
		} else {
			p.describe([]*ast.CommentGroup{field.Doc, field.Comment})
		}
	}
	p.write("end")
}
