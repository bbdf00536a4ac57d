package schema

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/internal/rawjson"
)

// enum creates the shape of a string or integer type with declared constants.
func enum(a *Analyzer, t types.Type, at Site) (*Shape, bool) {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil, false
	}
	b, ok := named.Underlying().(*types.Basic)
	if !ok || b.Info()&(types.IsString|types.IsInteger) == 0 {
		return nil, false
	}
	values := a.Values(named)
	if len(values) == 0 {
		return nil, false
	}
	shape := &Shape{Kind: Enum, Type: t, Values: values}
	if b.Info()&types.IsInteger != 0 {
		shape.Kind = IntEnum
	}
	return shape, true
}

// Values returns the constants of a type in source order. If several constants have the same value, it returns
// the first. It reports constants without a comment, and literals that repeat the value of another constant.
func (a *Analyzer) Values(t *types.Named) []Value {
	var values []Value
	for _, c := range a.constants(t) {
		v := Value{Const: c, Name: c.Val().ExactString(), Text: c.Val().ExactString()}
		if c.Val().Kind() == constant.String {
			v.Name = constant.StringVal(c.Val())
			v.Text = string(rawjson.Quote(v.Name))
		}
		if i := slices.IndexFunc(values, func(w Value) bool { return w.Text == v.Text }); i >= 0 {
			if first := values[i].Const; a.source.Literal(c) && a.source.Ours(c.Pkg()) {
				a.list.Add(c.Pos(), diag.RepeatedValue, "constant %s has the same value %s as %s", c.Name(), v.Text, first.Name()).
					Suggest("give the constant a different value, or write %s = %s", c.Name(), first.Name())
			}
			continue
		}
		text, _ := a.source.Doc(c)
		if text == "" && a.source.Ours(c.Pkg()) {
			a.list.Add(c.Pos(), diag.MissingDoc, "constant %s has no comment", c.Name()).
				Suggest("add a comment that explains what %s means", v.Name)
		}
		v.Description = text
		values = append(values, v)
	}
	return values
}

// constants returns those constants of a type that its users can refer to.
func (a *Analyzer) constants(t *types.Named) []*types.Const {
	pkg := t.Obj().Pkg()
	if pkg == nil {
		return nil
	}
	if _, known := a.consts[pkg]; !known {
		a.consts[pkg] = DeclarationsOf[*types.Const](a.list, pkg)
	}
	return slices.DeleteFunc(slices.Clone(a.consts[pkg]), func(c *types.Const) bool {
		return !types.Identical(c.Type(), t) || pkg != a.home && !c.Exported()
	})
}

// DeclarationsOf returns the declarations of one kind in a package, in source order.
func DeclarationsOf[T types.Object](list *diag.List, pkg *types.Package) []T {
	var all []T
	for _, name := range pkg.Scope().Names() {
		if obj, ok := pkg.Scope().Lookup(name).(T); ok {
			all = append(all, obj)
		}
	}
	slices.SortStableFunc(all, func(x, y T) int { return list.Compare(x.Pos(), y.Pos()) })
	return all
}

// legend returns lines that describe the values of an enum. It leaves out descriptions that only repeat the value.
func legend(values []Value) string {
	var b strings.Builder
	for _, v := range values {
		if addsWord(v) {
			b.WriteString("\n- " + v.Name + ": " + strings.Join(strings.Fields(v.Description), " "))
		}
	}
	return b.String()
}

// fillers are words that add nothing to the description of a value.
var fillers = []string{
	"a", "above", "an", "and", "as", "at", "be", "by", "for", "in", "is", "it", "its", "means", "of", "on", "or", "said", "stands", "that",
	"the", "this", "to", "value", "when", "with",
}

// addsWord reports whether the description of a value has a word that is neither in the value nor a filler.
func addsWord(v Value) bool {
	words := func(text string) []string {
		return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	known := append(words(v.Name), fillers...)
	return slices.ContainsFunc(words(v.Description), func(word string) bool { return !slices.Contains(known, word) })
}
