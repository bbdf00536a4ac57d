package schema

import (
	"go/types"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// wellKnown handles standard library types that have a custom JSON encoding, and question types, which have none.
func wellKnown(a *Analyzer, t types.Type, at Site) (*Shape, bool) {
	named := sdktypes.Named(t)
	if named == nil || named.Obj().Pkg() == nil {
		return nil, false
	}
	if named.Obj().Pkg().Path() == sdktypes.Elicit {
		return a.refuse(at, t, "which is a question", "make it a named field of a struct that contains only questions"), true
	}
	if slices.Contains([]string{"Audio", "Block", "Blocks", "Image", "Link", "Resource", "Text", "With"}, sdktypes.Name(t, sdktypes.Content)) {
		return a.refuse(at, t, "which is content and cannot be encoded as JSON", "return a content.With, with the content in its Blocks"), true
	}
	name := named.Obj().Pkg().Path() + "." + named.Obj().Name()
	switch name {
	case sdktypes.Tool + ".Page":
		if a.direction == In || len(a.open) > 0 {
			return a.refuse(at, t, "which is a page and cannot be part of another type", "return the page itself"), true
		}
	case sdktypes.Tool + ".Cursor":
		if a.direction == Out && !a.inPage() {
			return a.refuse(at, t, "which is an argument and cannot be part of a result", "make it a field of the arguments of a tool that returns a tool.Page"), true
		}
	case sdktypes.Tool + ".Nullable":
		return a.completeContainer(Shape{Kind: Nullable, Type: t}, named.TypeArgs().At(0), at)
	case sdktypes.Tool + ".Secret":
		if a.direction == Out {
			return a.refuse(at, t, "which is a secret and cannot be part of a result", "exclude the field with `json:\"-\"`"), true
		}
		return &Shape{Kind: Text, Type: t, Custom: &Custom{Type: "string", Secret: true}}, true
	case "encoding/json.Number":
		return a.refuse(at, t, "whose values can be integers or fractions", "use int64 or float64"), true
	}
	kind, ok := KnownTypes()[name]
	return &Shape{Kind: kind, Type: t}, ok
}

// KnownTypes returns the kinds of types in other packages that are not encoded like their underlying types. The
// keys are the type names. The values of big.Int are strings, because clients that use floats would round them.
func KnownTypes() map[string]Kind {
	return map[string]Kind{
		"time.Time": Time, "time.Duration": Duration, "math/big.Int": Text, "log/slog.Level": Text,
		"encoding/json.RawMessage": Raw, "github.com/go-json-experiment/json/jsontext.Value": Raw,
	}
}

// inPage reports whether the innermost type that is analyzed is a page.
func (a *Analyzer) inPage() bool {
	return len(a.open) > 0 && sdktypes.Is(a.open[len(a.open)-1], sdktypes.Tool, "Page")
}

// withMethods handles types that encode themselves. As in encoding/json, JSON methods take precedence over text methods.
func withMethods(a *Analyzer, t types.Type, at Site) (*Shape, bool) {
	foreign := a.foreignName(t)
	if hasEmbeddedJSON(t, a.direction) && foreign == nil {
		return a.refuse(at, t, "whose JSON encoding is that of an embedded field and omits the other fields", "give the embedded field a name"), true
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil, false
	}
	custom := a.source.Custom(named.Obj())
	if custom == nil && timeJSON(t) {
		custom = &Custom{Type: "string", Format: "date-time"}
	}
	switch json, text := hasJSON(t, a.direction), hasText(t, a.direction); {
	case custom != nil && json:
		return &Shape{Kind: JSON, Type: t, Custom: custom}, true
	case custom != nil && text:
		return &Shape{Kind: Text, Type: t, Custom: custom}, true
	case custom != nil && foreign == nil:
		a.list.Add(at.Pos, diag.OpaqueType, "%s has type %s, which has a //jp:schema line but no method %s", at.What, a.spell(t), method("JSON", a.direction)).
			Suggest("write the method, or delete the directive")
		return nil, true
	case json && foreign != nil:
		return a.opaque(t, foreign, at), true
	case json:
		a.list.Add(at.Pos, diag.OpaqueType, "%s has type %s, which has a custom %s; its JSON encoding is unknown", at.What, a.spell(t), method("JSON", a.direction)).
			Suggest("describe the encoding with //jp:schema type=string, or another type, above the type")
		return nil, true
	case text:
		return &Shape{Kind: Text, Type: t}, true
	}
	return nil, false
}

// byKind creates the shape of a type from its Go kind.
func byKind(a *Analyzer, t types.Type, at Site) (*Shape, bool) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return basic(t, u, at)
	case *types.Pointer:
		if _, named := types.Unalias(t).(*types.Named); named {
			return a.refuse(at, t, "which is a named pointer type", "write the pointer where it is used"), true
		}
		return a.completeContainer(Shape{Kind: Pointer, Type: t}, u.Elem(), at)
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Uint8 && !hasJSON(u.Elem(), a.direction) && !hasText(u.Elem(), a.direction) {
			if _, plain := types.Unalias(u.Elem()).(*types.Basic); !plain {
				return a.refuse(at, t, "a slice of a named byte type", "use []byte"), true
			}
			return &Shape{Kind: Bytes, Type: t}, true
		}
		return a.completeContainer(Shape{Kind: List, Type: t}, u.Elem(), at)
	case *types.Array:
		return a.completeContainer(Shape{Kind: Array, Type: t, Len: u.Len()}, u.Elem(), at)
	case *types.Map:
		key := a.keyOf(u.Key())
		if key == 0 {
			return a.refuse(at, t, "a map whose keys cannot be JSON object keys", "use keys of a string or integer type"), true
		}
		return a.completeContainer(Shape{Kind: Map, Type: t, Key: key}, u.Elem(), at)
	case *types.Struct:
		return a.structShape(t, at), true
	case *types.Interface:
		return a.sum(t, u, at), true
	}
	return nil, false
}

func basic(t types.Type, b *types.Basic, at Site) (*Shape, bool) {
	shape := &Shape{Type: t}
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		shape.Kind = Bool
	case info&types.IsString != 0:
		shape.Kind = String
	case info&types.IsFloat != 0:
		shape.Kind = Float
	case info&types.IsUnsigned != 0:
		shape.Kind, shape.Exact = Uint, b.Kind() == types.Uint64 && !at.high
	case info&types.IsInteger != 0:
		shape.Kind, shape.Exact = Int, b.Kind() == types.Int64 && !(at.low && at.high)
	default:
		return nil, false
	}
	return shape, true
}

// completeContainer completes the shape of a container with the shape of its elements.
func (a *Analyzer) completeContainer(s Shape, elem types.Type, at Site) (*Shape, bool) {
	if s.Kind != Pointer {
		at.low, at.high = false, false // limits apply to the field, not to its elements
	}
	if _, named := types.Unalias(s.Type).(*types.Named); named {
		if !a.enter(s.Type, at) {
			return nil, true
		}
		defer a.leave()
	}
	if s.Elem = a.Shape(elem, at); s.Elem == nil {
		return nil, true
	}
	if s.Kind == Nullable && (slices.Contains([]Kind{Pointer, Nullable, JSON}, s.Elem.Kind) || s.Elem.Open()) || s.Kind == Pointer && s.Elem.Kind == Nullable {
		return a.refuse(at, s.Type, "whose value may already be null", "use either tool.Nullable or a pointer, with a type that is never null"), true
	}
	if s.Elem.Kind == Pointer && s.Kind == Pointer {
		return a.refuse(at, s.Type, "a pointer to a pointer", "use one pointer"), true
	}
	s.Elem.Present = s.Elem.Kind == Pointer && a.direction == In && !a.Exact
	return &s, true
}

// keyOf returns the kind of a map's keys, or 0 if JSON has no such keys. As in encoding/json, keys of string
// kinds are encoded unchanged, even if they have a MarshalText method.
func (a *Analyzer) keyOf(t types.Type) Key {
	b, isBasic := t.Underlying().(*types.Basic)
	switch {
	case isBasic && b.Info()&types.IsString != 0 && (a.direction == Out || !hasText(t, In)):
		return StringKey
	case hasText(t, a.direction):
		return TextKey
	case !isBasic:
		return 0
	case b.Info()&types.IsUnsigned != 0:
		return UintKey
	case b.Info()&types.IsInteger != 0:
		return IntKey
	}
	return 0
}
