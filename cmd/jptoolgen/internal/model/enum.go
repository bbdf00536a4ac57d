package model

import (
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/internal/declared"
)

// An enumLine is a //jp:enum line that names a type.
type enumLine struct {
	name directive.Arg
	schema.EnumLine
	used bool
}

// enums reads the //jp:enum lines above the server, which are about types of other packages.
func (b *builder) enums(server *types.TypeName) {
	n, _ := b.docs.find(server)
	scopes := b.scopes()
	for _, line := range n.directives {
		if line.Name != "enum" || len(line.Words) == 0 {
			continue
		}
		set := b.enumSet(line)
		if len(line.Words) == 1 {
			b.list.Add(line.Pos, diag.MissingArgument, "//jp:enum above a struct names no type").
				Suggest("add the types, such as package.Type, or write the line above the type itself")
		}
		for _, name := range line.Words[1:] {
			prefix, typ := "", name.Value
			if i := strings.LastIndexByte(name.Value, '.'); i >= 0 {
				prefix, typ = name.Value[:i], name.Value[i+1:]
			}
			var found *types.TypeName
			if p := scopes[prefix]; p != nil {
				found, _ = p.Scope().Lookup(typ).(*types.TypeName)
			}
			if found == nil {
				b.list.Add(name.Pos, diag.BadArgument, "%q is not a type that this package can refer to", name.Value).
					Suggest("write package.Type, with the package's name or import path")
				continue
			}
			if b.docs.enums[found] != nil {
				b.list.Add(name.Pos, diag.Repeated, "//jp:enum names %s twice", name.Value).Suggest("delete one")
			}
			b.docs.enums[found] = &enumLine{name: name, EnumLine: set}
			b.checkEnum(line, found, set)
		}
	}
}

// enumSet returns the set that a //jp:enum line names.
func (b *builder) enumSet(line directive.Directive) schema.EnumLine {
	kind := line.Words[0]
	if !slices.Contains(schema.Sets(), kind.Value) {
		b.list.Add(kind.Pos, diag.BadArgument, "invalid kind of set %q", kind.Value).Suggest("write one of %s", strings.Join(schema.Sets(), ", "))
	}
	as, _ := line.Get("as")
	if as.Name != "" && kind.Value != string(schema.FlagSet) {
		b.list.Add(as.Pos, diag.BadArgument, "as requires flags, not %s", kind.Value).Suggest("delete it")
	}
	return schema.EnumLine{Set: schema.Set(kind.Value), Names: as.Value == "names"}
}

// checkEnums checks the //jp:enum lines above a type that is not a server.
func (b *builder) checkEnums(t *types.TypeName) {
	n, _ := b.docs.find(t)
	seen := false
	for _, line := range n.directives {
		if line.Name != "enum" || len(line.Words) == 0 {
			continue
		}
		set := b.enumSet(line)
		if len(line.Words) > 1 {
			b.list.Add(line.Words[1].Pos, diag.BadArgument, "//jp:enum above %s names another type", t.Name()).
				Suggest("write the line above the server")
		}
		if seen {
			b.list.Add(line.Pos, diag.Repeated, "duplicate //jp:enum on %s", t.Name()).Suggest("delete one")
		}
		seen = true
		b.checkEnum(line, t, set)
	}
}

// checkEnum checks that a //jp:enum line fits its type.
func (b *builder) checkEnum(line directive.Directive, t *types.TypeName, set schema.EnumLine) {
	basic, _ := t.Type().Underlying().(*types.Basic)
	named, isNamed := t.Type().(*types.Named)
	switch {
	case !isNamed || basic == nil || basic.Info()&(types.IsInteger|types.IsString) == 0:
		b.list.Add(line.Pos, diag.MisplacedLine, "//jp:enum has no effect on %s", t.Name()).
			Suggest("it belongs to a string or integer type with constants")
	case set.Set == schema.FlagSet && basic.Info()&types.IsInteger == 0:
		b.list.Add(line.Words[0].Pos, diag.BadArgument, "%s is a string type, so its values cannot be added like flags", t.Name()).
			Suggest("write closed or open")
	case !b.in.HasConstants(named):
		b.list.Add(line.Pos, diag.MisplacedLine, "//jp:enum has no effect on %s, which has no constants", t.Name()).
			Suggest("declare constants of the type, or delete the line")
	}
}

// idleEnums reports the names of types in //jp:enum lines that are not part of a tool.
func (b *builder) idleEnums() {
	for _, line := range b.docs.enums {
		if !line.used {
			b.list.Add(line.name.Pos, diag.BadArgument, "no tool uses %s", line.name.Value).Suggest("delete it")
		}
	}
}

// Enum implements [schema.Source].
func (d *docs) Enum(t *types.TypeName) *schema.EnumLine {
	if line := d.enums[t]; line != nil {
		line.used = true
		return &line.EnumLine
	}
	line, ok := d.directive(t, "enum")
	if !ok || len(line.Words) != 1 {
		return nil
	}
	as, _ := line.Get("as")
	return &schema.EnumLine{Set: schema.Set(line.Words[0].Value), Names: as.Value == "names"}
}

// Unbuilt implements [schema.Source]. It does not look into the standard library, whose constants differ between
// platforms only where its documentation says so.
func (d *docs) Unbuilt(t *types.TypeName) string {
	names, known := d.unbuilt[t]
	if !known {
		names = d.findUnbuilt(t)
		d.unbuilt[t] = names
	}
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

func (d *docs) findUnbuilt(t *types.TypeName) (names []string) {
	file := d.pkg.Fset.PositionFor(t.Pos(), false).Filename
	if t.Pkg() == nil || !filepath.IsAbs(file) {
		return nil // "$GOROOT/..." for the standard library
	}
	entries, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		path := filepath.Join(filepath.Dir(file), e.Name())
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			continue
		}
		syntax, err := d.pkg.Parse(path)
		if err != nil || syntax.Name.Name != t.Pkg().Name() || !together(d.constraint, constraintOf(syntax, path)) {
			continue
		}
		for _, name := range constantsOf(syntax, t.Name()) {
			if name != "_" && t.Pkg().Scope().Lookup(name) == nil && (t.Pkg() == d.pkg.Types || token.IsExported(name)) {
				names = append(names, name)
			}
		}
	}
	return names
}

// isUnbuilt reports whether [docs.Unbuilt] found a constant. A finding or a directive about its type covers it.
func (d *docs) isUnbuilt(c declared.Declaration) bool {
	for t, names := range d.unbuilt {
		if (t.Pkg().Path() == c.Package || t.Pkg() == d.pkg.Types && c.Package == "") && slices.Contains(names, c.Name) {
			return true
		}
	}
	return false
}

// constantsOf returns the names of the constants in a file that are declared with a type.
func constantsOf(file *ast.File, typ string) (names []string) {
	isType := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && id.Name == typ
	}
	for _, decl := range file.Decls {
		list, ok := decl.(*ast.GenDecl)
		if !ok || list.Tok != token.CONST {
			continue
		}
		typed := false
		for _, spec := range list.Specs {
			spec := spec.(*ast.ValueSpec)
			if spec.Type != nil || len(spec.Values) > 0 {
				typed = isType(spec.Type)
				for _, value := range spec.Values {
					call, isCall := value.(*ast.CallExpr)
					typed = typed || isCall && isType(call.Fun)
				}
			}
			if typed {
				for _, id := range spec.Names {
					names = append(names, id.Name)
				}
			}
		}
	}
	return names
}
