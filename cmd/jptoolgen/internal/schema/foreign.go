package schema

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// A Look is what a //jp:foreign line says about a type of another module.
type Look struct {
	// Custom describes the JSON of the type. It is nil for any JSON.
	Custom *Custom
	// As is a type whose schema the type has, or nil.
	As types.Type
	// Accepted is set if the line only accepts the findings inside the type.
	Accepted bool
}

// Foreign collects the findings about types of other modules. The author cannot change these types, so there is one
// finding for each kind of problem in a type. It is at the first use of the type, and names the other uses.
type Foreign struct {
	findings []*foreignFinding
	// uses holds the positions where the author's module uses a type, and parents holds the types that contain it.
	uses    map[*types.TypeName][]token.Pos
	parents map[*types.TypeName]map[*types.TypeName]bool
}

// NewForeign returns an empty collection.
func NewForeign() *Foreign {
	return &Foreign{uses: map[*types.TypeName][]token.Pos{}, parents: map[*types.TypeName]map[*types.TypeName]bool{}}
}

// A foreignFinding is a finding about a type of another module.
type foreignFinding struct {
	in    *types.TypeName
	found diag.Finding
	// fields are the fields that have the finding.
	fields []string
	// firm is set if a //jp:foreign line that accepts findings cannot accept this one.
	firm bool
}

// use records that a type is used at pos or, if pos is not valid, in another foreign type.
func (f *Foreign) use(t *types.TypeName, pos token.Pos, in *types.TypeName) {
	switch {
	case pos.IsValid():
		if !slices.Contains(f.uses[t], pos) {
			f.uses[t] = append(f.uses[t], pos)
		}
	case in != nil && in != t:
		if f.parents[t] == nil {
			f.parents[t] = map[*types.TypeName]bool{}
		}
		f.parents[t][in] = true
	}
}

// add records a finding about a field of a type, or about the type itself if field is "".
func (f *Foreign) add(in *types.TypeName, field string, found diag.Finding, firm bool) {
	for _, other := range f.findings {
		same := other.in == in && other.found.Code == found.Code && other.firm == firm &&
			(found.Code != diag.BadFieldName || other.found.Hint == found.Hint)
		if same && (slices.Contains(perField, found.Code) || other.fields[0] == field && other.found.Message == found.Message) {
			if !slices.Contains(other.fields, field) {
				other.fields = append(other.fields, field)
			}
			return
		}
	}
	f.findings = append(f.findings, &foreignFinding{in: in, found: found, fields: []string{field}, firm: firm})
}

// perField are the codes for which one finding covers all fields of a type.
var perField = []diag.Code{diag.BadFieldName, diag.MissingDoc, diag.LongDoc, diag.UnreadableDocs}

// reach calls visit for a type and the types that contain it, except through types that accepts returns true for.
func (f *Foreign) reach(t *types.TypeName, accepts func(*types.TypeName) bool, seen map[*types.TypeName]bool, visit func(token.Pos)) {
	if seen[t] || accepts(t) {
		return
	}
	seen[t] = true
	for _, pos := range f.uses[t] {
		visit(pos)
	}
	for parent := range f.parents[t] {
		f.reach(parent, accepts, seen, visit)
	}
}

// Report adds the findings to a list, except findings in types that accepts returns true for. It returns the types whose
// findings were accepted.
func (f *Foreign) Report(list *diag.List, accepts func(*types.TypeName) bool) map[*types.TypeName]bool {
	accepted := map[*types.TypeName]bool{}
	for _, found := range f.findings {
		var uses []token.Pos
		f.reach(found.in, func(t *types.TypeName) bool {
			yes := !found.firm && accepts(t)
			accepted[t] = accepted[t] || yes
			return yes
		}, map[*types.TypeName]bool{}, func(pos token.Pos) { uses = append(uses, pos) })
		slices.SortFunc(uses, list.Compare)
		if uses = slices.Compact(uses); len(uses) > 0 {
			added := list.AddUses(uses, found.found.Code, "type %s: %s", nameOfForeign(found.in), found.message())
			added.Hint, added.Firm = found.hint(), !slices.Contains(perField, found.found.Code)
		}
	}
	maps.DeleteFunc(accepted, func(_ *types.TypeName, yes bool) bool { return !yes })
	return accepted
}

// message returns the message of a finding with the fields that it is about.
func (f *foreignFinding) message() string {
	text := f.found.Message
	if more := f.fields[1:]; len(more) > 0 {
		text += fmt.Sprintf(" (also %s)", strings.Join(more, ", "))
	}
	return text
}

func (f *foreignFinding) hint() string {
	accept := fmt.Sprintf("//jp:foreign %s reason=\"...\"", nameOfForeign(f.in))
	switch {
	case f.firm:
		return f.found.Hint
	case f.found.Hint == "":
		return "write " + accept + " above the server"
	case slices.Contains(perField, f.found.Code):
		return f.found.Hint + ", or accept the findings with " + accept
	case f.found.Code == diag.UnclearEnum:
		return f.found.Hint + ", or accept any value with " + accept
	}
	return f.found.Hint + ", or accept any JSON there with " + accept
}

// nameOfForeign returns the name of a type as a //jp:foreign line writes it.
func nameOfForeign(t *types.TypeName) string { return t.Pkg().Name() + "." + t.Name() }

// foreignName returns the declaration of a named type of another module, or nil for other types.
func (a *Analyzer) foreignName(t types.Type) *types.TypeName {
	if named := sdktypes.Named(t); named != nil && a.isForeign(named.Obj().Pkg()) {
		return named.Obj()
	}
	return nil
}

// isForeign reports whether a package belongs to another module, but not to the SDK.
func (a *Analyzer) isForeign(pkg *types.Package) bool {
	return pkg != nil && !a.source.Ours(pkg) && pkg.Path() != sdktypes.SDK && !strings.HasPrefix(pkg.Path(), sdktypes.SDK+"/")
}

// declare returns a hint for a type of another module that the generator does not support.
func declare(t *types.TypeName) string {
	return fmt.Sprintf("write //jp:foreign %s type=any above the server, or another type, or as= with a type of yours", nameOfForeign(t))
}

// look returns the shape that a //jp:foreign line declares for a type.
func look(a *Analyzer, t types.Type, at Site) (*Shape, bool) {
	name := a.foreignName(t)
	if name == nil {
		return nil, false
	}
	declared := a.source.Look(name)
	if declared == nil || declared.Accepted {
		return nil, false
	}
	s := &Shape{Kind: Std, Type: t, Custom: declared.Custom}
	if declared.As == nil {
		return s, true
	}
	if types.Identical(declared.As, t) { // its fields describe it, but its methods encode it
		s.As = a.structShape(t, at)
	} else {
		s.As = a.Shape(declared.As, at)
	}
	return s, s.As != nil
}

// opaque adds a finding about a type of another module whose JSON encoding is unknown. The type is then any JSON.
func (a *Analyzer) opaque(t types.Type, name *types.TypeName, at Site) *Shape {
	a.foreign.use(name, at.Pos, a.owner)
	a.foreign.add(name, "", diag.Finding{
		Code: diag.OpaqueType, Message: "its methods encode or decode its JSON, whose form is unknown", Hint: declare(name),
	}, false)
	return &Shape{Kind: Std, Type: t}
}

// foreignField analyzes a field of a struct in another module, in the type owner. If the field cannot be analyzed,
// package encoding/json encodes it as any JSON, provided that the author accepts the finding.
func (a *Analyzer) foreignField(c candidate, owner *types.TypeName, at Site, analyze func() *Field) *Field {
	v := c.variable()
	outer, outerOwner, outerLeft := a.list, a.owner, a.left
	if a.owner == nil { // the author's struct embeds the struct that has the field
		a.left = a.depthOf(v.Type()) + 1
	}
	a.list, a.owner = outer.Scratch(), owner
	f := analyze()
	found := a.list.All()
	a.list, a.owner, a.left = outer, outerOwner, outerLeft
	firm := f == nil && !a.omissible(v.Type()) && (!encodable(v.Type()) || c.has("string") && a.inString(v.Type()))
	for _, finding := range found {
		switch {
		case finding.Pos.IsValid(): // it is about a type of the author's module
			outer.Append(finding)
			continue
		case owner == nil:
			finding.Pos = outer.Position(at.Pos)
			outer.Append(finding)
			continue
		case finding.Code == diag.LongDoc:
			finding.Hint = ""
		case !slices.Contains(perField, finding.Code) && !strings.Contains(finding.Hint, "//jp:foreign"):
			finding.Hint = a.declareField(v, owner)
		}
		a.foreign.add(owner, v.Name(), finding, firm)
	}
	if f != nil || firm || owner == nil || a.omissible(v.Type()) {
		return f
	}
	f = &Field{Name: c.name, Var: v, Shape: &Shape{Kind: Std, Type: v.Type()}}
	f.Description, _ = a.source.Doc(v)
	f.Omit = a.omit(c, f)
	_, pointer := v.Type().Underlying().(*types.Pointer)
	f.Required = f.Omit == Never && (a.direction == Out || !pointer && !types.IsInterface(v.Type()))
	return f
}

// declareField returns a hint for a field of a struct in another module.
func (a *Analyzer) declareField(v *types.Var, owner *types.TypeName) string {
	var culprit *types.TypeName
	walkParts(v.Type(), func(part types.Type) {
		if name := a.foreignName(part); name != nil && culprit == nil && !IsHiddenName(name, a.home) {
			culprit = name
		}
	})
	return declare(cmp.Or(culprit, owner))
}

// omissible reports whether a field of an argument is left out if it cannot be analyzed, because JSON cannot set it.
func (a *Analyzer) omissible(t types.Type) bool {
	return a.direction == In && !decodable(t)
}

// inString reports whether the option "string" of a json tag has an effect on a type.
func (a *Analyzer) inString(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	_, ok := t.Underlying().(*types.Basic)
	return ok && !hasJSON(t, a.direction) && !hasText(t, a.direction)
}

// encodable reports whether package encoding/json can encode the values of a type.
func encodable(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Signature, *types.Chan:
		return false
	case *types.Basic:
		return u.Info()&types.IsComplex == 0 && u.Kind() != types.UnsafePointer
	case *types.Pointer, *types.Slice, *types.Array, *types.Map:
		return encodable(t.Underlying().(interface{ Elem() types.Type }).Elem())
	}
	return true
}

// decodable reports whether package encoding/json can set the values of a type.
func decodable(t types.Type) bool {
	if i, ok := t.Underlying().(*types.Interface); ok {
		return i.Empty()
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return decodable(p.Elem())
	}
	return encodable(t)
}

// timeJSON reports whether the JSON of a type is that of an embedded [time.Time].
func timeJSON(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Struct); !ok {
		return false
	}
	obj, index, _ := types.LookupFieldOrMethod(t, true, nil, "MarshalJSON")
	f, ok := obj.(*types.Func)
	return ok && len(index) > 1 && f.FullName() == "(time.Time).MarshalJSON"
}

// Limits of what is published of a type of another module. A schema contains each field of each nested struct.
const (
	maxForeignFields = 500
	maxForeignLevels = 8
)

// depthOf returns the number of levels of nested structs at which a type has few enough fields.
func (a *Analyzer) depthOf(t types.Type) int {
	depth := maxForeignLevels
	for depth > 1 && a.sizeOf(t, depth) > maxForeignFields {
		depth--
	}
	return depth
}

// A sizeKey identifies a result of sizeOf.
type sizeKey struct {
	t     types.Type
	depth int
}

// sizeOf returns the number of fields of a type with so many levels of nested structs, at most one more than the limit.
func (a *Analyzer) sizeOf(t types.Type, depth int) int {
	t = types.Unalias(t)
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Array, *types.Map:
		return a.sizeOf(t.Underlying().(interface{ Elem() types.Type }).Elem(), depth)
	case *types.Struct:
		if depth == 0 || hasJSON(t, a.direction) || hasText(t, a.direction) {
			return 1
		}
		key := sizeKey{t, depth}
		if n, known := a.sizes[key]; known {
			return n
		}
		n := 1
		for i := 0; i < u.NumFields() && n <= maxForeignFields; i++ {
			inner := depth - 1
			if u.Field(i).Embedded() {
				inner = depth
			}
			switch f := u.Field(i); {
			case !f.Exported() && !f.Embedded(), strings.Contains(u.Tag(i), `json:"-"`):
			case f.Embedded() && types.Identical(sdktypes.Deref(f.Type()), t):
			default:
				n += a.sizeOf(f.Type(), inner)
			}
		}
		n = min(n, maxForeignFields+1)
		a.sizes[key] = n
		return n
	}
	return 1
}

// height returns the number of levels of nested structs in a type, at most left.
func (a *Analyzer) height(t types.Type, left int) int {
	whole := a.sizeOf(t, maxForeignLevels+1)
	for depth := 1; depth < left && whole <= maxForeignFields; depth++ {
		if a.sizeOf(t, depth) == whole {
			return depth
		}
	}
	return left
}
