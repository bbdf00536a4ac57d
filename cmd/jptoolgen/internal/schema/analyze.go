package schema

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// A Source provides the comments, tags and directives of declarations, which Go types do not contain.
type Source interface {
	// Doc returns the description of a declaration or field. It returns false if the source cannot be read.
	Doc(obj types.Object) (text string, ok bool)
	// Pos returns the position of a declaration or field. The object's own position has no column if its package
	// was not loaded from source.
	Pos(obj types.Object) token.Pos
	// Tag returns the position of a field's tag literal, or NoPos, and the literal itself.
	Tag(field *types.Var) (token.Pos, string)
	// Custom returns the //jp:schema directive of a type, or nil.
	Custom(t *types.TypeName) *Custom
	// Form returns how the source declares a constant.
	Form(c *types.Const) ConstForm
	// Enum returns the //jp:enum directive about a type, or nil.
	Enum(t *types.TypeName) *EnumLine
	// Unbuilt returns the name of a constant that a file of the type's package declares for other build tags or
	// another platform, or "".
	Unbuilt(t *types.TypeName) string
	// Look returns what a //jp:foreign line says about a type, or nil.
	Look(t *types.TypeName) *Look
	// Ours reports whether the author can edit the package.
	Ours(pkg *types.Package) bool
}

// An Analyzer creates the shapes of one package's types for one direction. It adds findings to a list.
type Analyzer struct {
	home      *types.Package
	source    Source
	list      *diag.List
	direction Direction
	// Names is the style of parameter names. Names in results may have any style, because a model does not write them.
	Names Names
	// Exact is set if the author wrote the schema, which then determines the meaning and the values of the
	// fields.
	Exact   bool
	objects typeutil.Map // keyed by type; the values are *Object
	consts  map[*types.Package][]*types.Const
	// marks holds the types whose constants distinguish the structs of the sealed interfaces of a package.
	marks map[*types.Package][]types.Type
	// open holds the types being analyzed, outermost first, with nil for a field that may lead back to one of them.
	open []types.Type
	// levels holds the objects of recursive types, keyed by the enclosing types.
	levels map[string]*Object
	// cut is set if a required field of the current struct was left out.
	cut bool
	// broken is set if generated code cannot refer to a field of the current struct.
	broken bool
	// again is set if an open type was entered again, and deep is set if a field has the depth key.
	again, deep bool
	growth      *growth
	foreign     *Foreign
	// owner is the type of another module whose fields are being analyzed, or nil.
	owner *types.TypeName
	// left is the number of levels of structs that may follow inside a type of another module.
	left  int
	sizes map[sizeKey]int
}

// NewAnalyzer returns an analyzer for types that are used in the package home. It adds findings about types of other
// modules to foreign.
func NewAnalyzer(home *types.Package, source Source, list *diag.List, foreign *Foreign, direction Direction) *Analyzer {
	return &Analyzer{
		home: home, source: source, list: list, direction: direction, Names: SnakeNames,
		consts: map[*types.Package][]*types.Const{}, marks: map[*types.Package][]types.Type{}, levels: map[string]*Object{},
		growth: newGrowth(), foreign: foreign, sizes: map[sizeKey]int{},
	}
}

// A Site is a location where a type is used.
type Site struct {
	Pos token.Pos
	// What describes the site, for use at the start of a sentence.
	What string
	// Name is the name for a struct literal at the site.
	Name string
	// low and high are set if the tag limits a number to the range in which floats are exact.
	low, high bool
}

// Shape returns the shape of t, or nil after adding a finding.
func (a *Analyzer) Shape(t types.Type, at Site) *Shape {
	if t == types.Typ[types.Invalid] { // the type is in another package, whose errors are not reported
		a.list.Add(at.Pos, diag.GoError, "%s has a type that does not compile", at.What).Suggest("run go vet on that package and fix the errors that it reports")
		return nil
	}
	if grown := a.growth.of(t); grown != nil {
		a.list.Add(at.Pos, diag.RecursiveType, "%s has type %s, which contains ever larger instances of %s", at.What, a.spell(t), a.spell(grown.Origin())).
			Suggest("refer to the inner value by its id, or use the same type arguments inside the type")
		return nil
	}
	if IsHidden(t, a.home) {
		return a.refuse(at, t, "which this package cannot refer to", "use a type that is exported, in a package that this one may import")
	}
	// As in encoding/json, methods take precedence over kinds. A strategy returns a nil shape and true for a type
	// that it handles but rejects.
	for _, strategy := range []func(*Analyzer, types.Type, Site) (*Shape, bool){look, wellKnown, withMethods, enum, byKind} {
		if shape, ok := strategy(a, t, at); ok {
			return shape
		}
	}
	return a.refuse(at, t, "which cannot be represented in JSON", "use a type that can be encoded as JSON, or exclude the field with `json:\"-\"`")
}

// Object returns the fields of a struct type, or nil after adding a finding.
func (a *Analyzer) Object(t types.Type, at Site) *Object { return a.fields(t, at, "parameter") }

// fields is like [Analyzer.Object]. each is what a field stands for, such as a parameter.
func (a *Analyzer) fields(t types.Type, at Site, each string) *Object {
	shape := a.Shape(t, at)
	if shape != nil && shape.Kind == Std {
		shape = a.refuse(at, t, "whose fields generated code cannot set", "use a struct of your own with a field for each "+each)
	}
	if shape != nil && shape.Kind != Struct {
		shape = a.refuse(at, t, "which is not a plain struct", "use a struct with a field for each "+each)
	}
	if shape == nil {
		return nil
	}
	return shape.Object
}

// refuse adds a finding about a type and returns nil.
func (a *Analyzer) refuse(at Site, t types.Type, why, hint string) *Shape {
	f := a.list.Add(at.Pos, diag.UnsupportedType, "%s has type %s, %s", at.What, a.spell(t), why)
	if hint != "" {
		f.Suggest("%s", hint)
	}
	return nil
}

// spell returns the name of t as the author would write it.
func (a *Analyzer) spell(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == a.home {
			return ""
		}
		return p.Name()
	})
}

// structShape analyzes a struct type once, or once for each occurrence in a recursive type.
func (a *Analyzer) structShape(t types.Type, at Site) *Shape {
	name := a.foreignName(t)
	if name != nil {
		a.foreign.use(name, at.Pos, a.owner)
		if v := a.unreachable(t.Underlying().(*types.Struct), map[*types.Var]bool{}); v != nil {
			message := fmt.Sprintf("it embeds %s, which this package cannot refer to", v.Name())
			a.foreign.add(name, "", diag.Finding{Code: diag.UnsupportedType, Message: message, Hint: declare(name)}, false)
			return &Shape{Kind: Std, Type: t}
		}
	}
	if !a.enter(t, at) {
		return nil
	}
	defer a.leave()
	outerOwner, outerLeft := a.owner, a.left
	defer func() { a.owner, a.left = outerOwner, outerLeft }()
	place := ""
	if name != nil {
		if a.left--; a.owner == nil {
			a.left = a.depthOf(t)
		} else if a.left < 1 {
			return a.refuse(at, t, fmt.Sprintf("at which the schema would have more than %d fields or %d levels of structs", maxForeignFields, maxForeignLevels), "")
		}
		a.owner, place = name, a.foreignPlace(t)
	} else if sdktypes.Named(t) != nil {
		a.owner = nil
	}
	object := a.objectOnce(t, place, at)
	if name != nil && object.broken {
		a.foreign.add(name, "", diag.Finding{Code: diag.UnsupportedType, Message: "it has a field that this package cannot refer to", Hint: declare(name)}, false)
		return &Shape{Kind: Std, Type: t}
	}
	return &Shape{Kind: Struct, Type: t, Object: object}
}

// objectOnce analyzes the fields of a struct, unless they have been analyzed before at the same place. Analyses of types
// that are not recursive have the place "".
func (a *Analyzer) objectOnce(t types.Type, place string, at Site) *Object {
	if object, done := a.objects.At(t).(*Object); done && place == "" {
		return object
	}
	if object := a.levels[place]; object != nil {
		return object
	}
	path := fmt.Sprint(a.open)
	if object := a.levels[path]; object != nil {
		a.deep = true
		return object
	}
	outer := a.deep
	a.deep = false
	object := a.object(t, at)
	switch {
	case a.deep:
		a.levels[path] = object
	case place != "":
		a.levels[place] = object
	default:
		a.objects.Set(t, object)
	}
	a.deep = a.deep || outer
	return object
}

// foreignPlace identifies a type of another module with the levels of structs that may follow in it. The analysis of the
// type gives the same result wherever it is.
func (a *Analyzer) foreignPlace(t types.Type) string {
	return fmt.Sprintf("%s, %d levels", types.TypeString(types.Unalias(t), nil), a.height(t, a.left))
}

// unreachable returns an embedded field that generated code cannot refer to although its JSON depends on it, or nil.
func (a *Analyzer) unreachable(s *types.Struct, seen map[*types.Var]bool) *types.Var {
	for i := range s.NumFields() {
		v := s.Field(i)
		name, _, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("json"), ",")
		inner, embeds := embeddedStruct(v)
		if !embeds || name == "-" || seen[v] {
			continue
		}
		seen[v] = true
		p, pointer := v.Type().Underlying().(*types.Pointer)
		if !v.Exported() && (pointer || name != "") || pointer && name == "" && IsHidden(p.Elem(), a.home) {
			return v
		}
		if name != "" {
			continue
		}
		if found := a.unreachable(inner, seen); found != nil {
			return found
		}
	}
	return nil
}

// enter begins the analysis of the parts of a type, and leave ends it. enter reports a recursive
// type instead of entering it again, unless a field on the path has the depth key.
func (a *Analyzer) enter(t types.Type, at Site) bool {
	for i, other := range slices.Backward(a.open) {
		if other == nil {
			break
		}
		if types.Identical(t, other) {
			a.recursive(t, at, a.open[i:])
			return false
		}
	}
	a.again = a.again || a.level(t) > 0
	a.open = append(a.open, t)
	return true
}

// level returns how many analyses of a type are in progress.
func (a *Analyzer) level(t types.Type) (n int) {
	for _, other := range a.open {
		if other != nil && types.Identical(t, other) {
			n++
		}
	}
	return n
}

// analyzeRecursive analyzes the type of a field that may lead back to the struct that contains the field. It
// returns nil at the maximum depth.
func (a *Analyzer) analyzeRecursive(t types.Type, e entry, at Site) *Shape {
	a.deep = true
	limit, _ := strconv.Atoi(e.value) // an invalid depth is reported elsewhere
	level := a.level(a.open[len(a.open)-1])
	if level >= min(max(limit, 2), maxLevels) {
		return nil
	}
	again := a.again
	a.again = false
	a.open = append(a.open, nil)
	shape := a.Shape(t, at)
	a.leave()
	if !a.again && level == 1 && shape != nil {
		a.list.Add(e.pos, diag.IdleConstraint, "depth applies to recursive types, not to %s", a.spell(t)).Suggest("delete it")
	}
	a.again = a.again || again
	return shape
}

func (a *Analyzer) leave() { a.open = a.open[:len(a.open)-1] }

func (a *Analyzer) recursive(t types.Type, at Site, cycle []types.Type) {
	var names []string
	for _, through := range append(slices.Clone(cycle), cycle[0]) {
		names = append(names, a.spell(through))
	}
	hint := "refer to the inner value by its id"
	if _, ok := t.Underlying().(*types.Struct); ok {
		hint += ", or tag the recursive field with `jsonschema:\"depth=3\"` to accept 3 levels"
	}
	a.list.Add(at.Pos, diag.RecursiveType, "%s has type %s, which is recursive: %s", at.What, a.spell(t), strings.Join(names, " -> ")).Suggest("%s", hint)
}
