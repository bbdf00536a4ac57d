package schema

import (
	"fmt"
	"go/constant"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/internal/rawjson"
)

// A Set says which values a type with constants has.
type Set string

// The sets of values. The zero Set is that of a type without constants.
const (
	ClosedSet Set = "closed" // only the constants
	OpenSet   Set = "open"   // the constants and others
	FlagSet   Set = "flags"  // sums of the constants
)

// Sets returns the sets that a //jp:enum directive can name.
func Sets() []string { return []string{string(ClosedSet), string(OpenSet), string(FlagSet)} }

// An EnumLine is a //jp:enum directive. Names is set if flags are a list of names in JSON.
type EnumLine struct {
	Set   Set
	Names bool
}

// A ConstForm is how the source declares a constant.
type ConstForm struct {
	// Literal is set if the value is a literal, Shift if it contains a shift, and Listed if a parenthesized
	// declaration declares the constant alone.
	Literal, Shift, Listed bool
}

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
	shape := &Shape{Kind: Enum, Type: t, Values: values, Set: a.SetOf(named, at)}
	switch line := a.source.Enum(named.Obj()); {
	case line != nil && line.Names && shape.Set == FlagSet:
		return a.flagNames(shape, at), true
	case shape.Set != ClosedSet:
		plain, ok := basic(t, b, at)
		plain.Values, plain.Set = shape.Values, shape.Set
		return plain, ok
	case b.Info()&types.IsInteger != 0:
		shape.Kind = IntEnum
	}
	return shape, true
}

// flagNames completes the shape of flags whose JSON is a list of names. A flag has one bit.
func (a *Analyzer) flagNames(s *Shape, at Site) *Shape {
	s.Kind, s.Elem = Flags, &Shape{Kind: Enum, Type: types.Typ[types.String]}
	s.Values = slices.DeleteFunc(s.Values, func(v Value) bool { return !isBit(v.Value) })
	for i, v := range s.Values {
		name := flagName(v.Label, s.Type)
		s.Values[i].Name = name
		v.Const, v.Name, v.Text = nil, name, string(rawjson.Quote(name))
		s.Elem.Values = append(s.Elem.Values, v)
	}
	if len(s.Values) == 0 {
		return a.refuse(at, s.Type, "none of whose constants is a single bit", "write //jp:enum flags without as=names")
	}
	return s
}

// flagName returns the name of a flag in JSON: the name of the constant without that of the type, in snake_case.
func flagName(constant string, t types.Type) string {
	name := Snake(constant)
	if named, ok := types.Unalias(t).(*types.Named); ok {
		typ := Snake(named.Obj().Name())
		for _, word := range []string{typ, strings.TrimSuffix(typ, "s")} {
			if short := strings.TrimSuffix(strings.TrimPrefix(name, word+"_"), "_"+word); short != name {
				return short
			}
		}
	}
	return name
}

func isBit(v constant.Value) bool {
	n, ok := constant.Uint64Val(v)
	return ok && n != 0 && n&(n-1) == 0
}

// Values returns the constants of a type in source order. If several constants have the same value, it returns
// the first. It reports constants without a comment, and literals that repeat the value of another constant.
func (a *Analyzer) Values(t *types.Named) []Value {
	var values []Value
	// A constant that other platforms do not have cannot be named in generated code for all of them.
	nameable := a.source.Unbuilt(t.Obj()) == ""
	for _, c := range a.published(t) {
		v := Value{Const: c, Label: c.Name(), Value: c.Val(), Name: c.Val().ExactString(), Text: c.Val().ExactString()}
		if c.Val().Kind() == constant.String {
			v.Name = constant.StringVal(c.Val())
			v.Text = string(rawjson.Quote(v.Name))
		}
		if i := slices.IndexFunc(values, func(w Value) bool { return w.Text == v.Text }); i >= 0 {
			if first := values[i].Label; a.source.Form(c).Literal && a.source.Ours(c.Pkg()) {
				a.list.Add(c.Pos(), diag.RepeatedValue, "constant %s has the same value %s as %s", c.Name(), v.Text, first).
					Suggest("give the constant a different value, or write %s = %s", c.Name(), first)
			}
			continue
		}
		text, _ := a.source.Doc(c)
		if text == "" && a.source.Ours(c.Pkg()) {
			a.list.Add(c.Pos(), diag.MissingDoc, "constant %s has no comment", c.Name()).
				Suggest("add a comment that explains what %s means", v.Name)
		}
		v.Description = text
		if !nameable {
			v.Const = nil
		}
		values = append(values, v)
	}
	return values
}

// published returns the constants of a type that callers know: the exported ones, or all of them if none is.
func (a *Analyzer) published(t *types.Named) []*types.Const {
	all := a.constants(t)
	if !slices.ContainsFunc(all, (*types.Const).Exported) {
		return all
	}
	return slices.DeleteFunc(all, func(c *types.Const) bool { return !c.Exported() })
}

// constants returns those constants of a type that generated code can refer to: constants of its own package, and
// of this one and the packages of the module that this one imports.
func (a *Analyzer) constants(t *types.Named) []*types.Const {
	if t.Obj().Pkg() == nil {
		return nil
	}
	packages := []*types.Package{t.Obj().Pkg()}
	for _, p := range append([]*types.Package{a.home}, a.home.Imports()...) {
		if a.source.Ours(p) && !slices.Contains(packages, p) {
			packages = append(packages, p)
		}
	}
	var all []*types.Const
	for _, pkg := range packages {
		if _, known := a.consts[pkg]; !known {
			a.consts[pkg] = DeclarationsOf[*types.Const](a.list, pkg)
		}
		for _, c := range a.consts[pkg] {
			if types.Identical(c.Type(), t) && (pkg == a.home || c.Exported()) {
				all = append(all, c)
			}
		}
	}
	return all
}

// HasConstants reports whether a type has constants.
func (a *Analyzer) HasConstants(t *types.Named) bool { return len(a.constants(t)) > 0 }

// SetOf returns the set of values of a type with constants. It reports a type whose declarations leave open which
// set it is. A result may have values that another module adds to its type later.
func (a *Analyzer) SetOf(t *types.Named, at Site) Set {
	if line := a.source.Enum(t.Obj()); line != nil {
		return line.Set
	}
	isShift := func(c *types.Const) bool { return a.source.Form(c).Shift }
	b, ok := t.Underlying().(*types.Basic)
	isInteger := ok && b.Info()&types.IsInteger != 0
	all := a.constants(t)
	if isInteger && slices.ContainsFunc(all, isShift) {
		return FlagSet
	}
	why := a.doubt(t)
	switch {
	case why != "" && !a.source.Ours(t.Obj().Pkg()):
		a.foreign.use(t.Obj(), at.Pos, a.owner)
		a.foreign.add(t.Obj(), "", diag.Finding{
			Code: diag.UnclearEnum, Message: "it " + why, Hint: setHint(isInteger, "the server", " "+nameOfForeign(t.Obj())),
		}, false)
		return OpenSet
	case why != "":
		a.list.Add(a.source.Pos(t.Obj()), diag.UnclearEnum, "type %s %s", a.spell(t), why).Suggest("%s", setHint(isInteger, "it", ""))
	case a.direction == Out && a.isForeign(t.Obj().Pkg()) && (len(all) > 1 || !a.distinguishes(t)):
		return OpenSet
	}
	return ClosedSet
}

// setHint returns a hint to say in a line above the type, or above the server with the name of the type, which set it is.
func setHint(isInteger bool, where, name string) string {
	others := ", or "
	if isInteger {
		others = ", "
	}
	hint := fmt.Sprintf("write //jp:enum closed%[1]s above %[2]s if only the constants are valid%[3]s//jp:enum open%[1]s if others are", name, where, others)
	if isInteger {
		hint += fmt.Sprintf(", or //jp:enum flags%s if they can be added", name)
	}
	return hint
}

// doubt returns why a type may have other values than its constants, as the rest of a sentence, or "".
func (a *Analyzer) doubt(t *types.Named) string {
	all := a.constants(t)
	distinct := slices.Clone(all)
	slices.SortFunc(distinct, func(x, y *types.Const) int { return strings.Compare(x.Val().ExactString(), y.Val().ExactString()) })
	distinct = slices.CompactFunc(distinct, func(x, y *types.Const) bool { return x.Val().ExactString() == y.Val().ExactString() })
	if unbuilt := a.source.Unbuilt(t.Obj()); unbuilt != "" {
		return "has the constant " + unbuilt + " in a file for another platform or other build tags"
	}
	if i := slices.IndexFunc(all, func(c *types.Const) bool { return c.Pkg() != t.Obj().Pkg() }); i >= 0 {
		return "has the constant " + all[i].Name() + " in package " + all[i].Pkg().Name()
	}
	hidden := func(c *types.Const) bool { return !c.Exported() }
	if i := slices.IndexFunc(all, hidden); i >= 0 && slices.ContainsFunc(all, (*types.Const).Exported) {
		return "has the unexported constant " + all[i].Name() + " beside exported ones"
	}
	if last := all[len(all)-1]; len(all) > 1 && isCount(last) {
		return "has the constant " + last.Name() + ", which seems to count the others"
	}
	if len(distinct) == 1 && !a.isList(t, all[0]) && !a.distinguishes(t) {
		return "has the single constant " + all[0].Name()
	}
	if arePowers(distinct) {
		return "has constants that can be added like flags"
	}
	return ""
}

// isList reports whether a single constant of a type is meant as a list of its values: a parenthesized declaration
// has only this constant, whose value is not zero, or other instances of a generic type have constants too.
func (a *Analyzer) isList(t *types.Named, only *types.Const) bool {
	if a.source.Form(only).Listed && !isZero(only.Val()) {
		return true
	}
	return slices.ContainsFunc(a.consts[t.Obj().Pkg()], func(c *types.Const) bool {
		other, ok := types.Unalias(c.Type()).(*types.Named)
		return ok && other.Obj() == t.Obj() && !types.Identical(other, t)
	})
}

// isCount reports whether a constant is named like the number of constants before it, such as numLevels.
func isCount(c *types.Const) bool {
	words := strings.Split(Snake(c.Name()), "_")
	first, last := words[0], words[len(words)-1]
	return c.Val().Kind() == constant.Int && len(words) > 1 && (slices.Contains([]string{"num", "n", "number", "count"}, first) ||
		slices.Contains([]string{"count", "sentinel", "end"}, last))
}

func isZero(v constant.Value) bool {
	return v.Kind() == constant.String && constant.StringVal(v) == "" || v.Kind() == constant.Int && constant.Sign(v) == 0
}

// arePowers reports whether the values are 1, 2, 4 and perhaps more powers of two.
func arePowers(all []*types.Const) bool {
	low := 0
	for _, c := range all {
		n, _ := constant.Uint64Val(constant.ToInt(c.Val()))
		if c.Val().Kind() != constant.Int || !isBit(c.Val()) && !isZero(c.Val()) {
			return false
		}
		if n == 1 || n == 2 || n == 4 {
			low++
		}
	}
	return low == 3
}

// distinguishes reports whether constants of t distinguish the structs of a sealed interface.
func (a *Analyzer) distinguishes(t *types.Named) bool {
	for _, pkg := range []*types.Package{a.home, t.Obj().Pkg()} {
		if _, known := a.marks[pkg]; !known {
			a.marks[pkg] = a.marksOf(pkg)
		}
		if slices.ContainsFunc(a.marks[pkg], func(other types.Type) bool { return types.Identical(t, other) }) {
			return true
		}
	}
	return false
}

// marksOf returns the types with a single constant of the fields that distinguish the structs of the sealed
// interfaces of a package.
func (a *Analyzer) marksOf(pkg *types.Package) (marks []types.Type) {
	quiet := *a
	quiet.list = a.list.Scratch()
	for _, t := range DeclarationsOf[*types.TypeName](a.list, pkg) {
		i, ok := t.Type().Underlying().(*types.Interface)
		if !ok || !isSealed(i) {
			continue
		}
		byName := map[string][]types.Type{}
		implementers := a.implementers(pkg, i)
		for _, one := range implementers {
			st, ok := one.Type().Underlying().(*types.Struct)
			if !ok {
				continue
			}
			for _, c := range quiet.dominantFields(quiet.promote(st, nil, nil, Site{}), Site{}) {
				named, ok := types.Unalias(c.variable().Type()).(*types.Named)
				if ok && len(a.constants(named)) == 1 {
					byName[c.name] = append(byName[c.name], named)
				}
			}
		}
		for _, fields := range byName {
			if len(fields) == len(implementers) {
				marks = append(marks, fields...)
			}
		}
	}
	return marks
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

// legend returns lines that describe the values of a shape with constants. For a closed set, whose schema lists the
// values, it leaves out descriptions that only repeat the value.
func (s *Shape) legend() string {
	var b strings.Builder
	for _, v := range s.Values {
		line, name := v.Name, v.Name
		if s.Set == FlagSet && s.Kind != Flags {
			name = flagName(v.Label, s.Type)
			line += " (" + name + ")"
		}
		text := strings.Join(strings.Fields(v.Description), " ")
		if text == "" || !addsWord(text, name) {
			if s.Set != OpenSet && s.Set != FlagSet || s.Kind == Flags {
				continue
			}
		} else {
			line += ": " + text
		}
		if line == "" {
			line = `""`
		}
		b.WriteString("\n- " + line)
	}
	switch {
	case s.Set == OpenSet:
		return "\nKnown values, among others:" + b.String()
	case s.Set == FlagSet && s.Kind != Flags:
		return "\nSum of flags:" + b.String()
	}
	return b.String()
}

// fillers are words that add nothing to the description of a value.
var fillers = []string{
	"a", "above", "an", "and", "as", "at", "be", "by", "for", "in", "is", "it", "its", "means", "of", "on", "or", "said", "stands", "that",
	"the", "this", "to", "value", "when", "with",
}

// addsWord reports whether the description of a value has a word that is neither in the value nor a filler.
func addsWord(description, value string) bool {
	words := func(text string) []string {
		return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	known := append(words(value), fillers...)
	return slices.ContainsFunc(words(description), func(word string) bool { return !slices.Contains(known, word) })
}
