package registered

import (
	"cmp"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// texts holds the standard library types whose schema is a string.
var texts = []string{"time.Time", "log/slog.Level", "math/big.Int", "math/big.Rat", "math/big.Float"}

// infer returns the schema that jsonschema-go, which both SDKs use, infers from a type.
func (r *reader) infer(t types.Type) (object, error) {
	null := false
	for p, ok := t.Underlying().(*types.Pointer); ok; p, ok = t.Underlying().(*types.Pointer) {
		t, null = p.Elem(), true
	}
	if slices.ContainsFunc(r.seen, func(s types.Type) bool { return types.Identical(s, t) }) {
		return nil, fmt.Errorf("type %s is recursive", t)
	}
	if _, named := t.(*types.Named); named {
		r.seen = append(r.seen, t)
		defer func() { r.seen = r.seen[:len(r.seen)-1] }()
	}
	s, err := r.inferNonNull(t)
	if kind, ok := s.get("type").(string); err == nil && null && ok {
		s.set("type", []any{"null", kind})
	}
	return s, err
}

// inferNonNull returns the schema of values that are not null.
func (r *reader) inferNonNull(t types.Type) (object, error) {
	if slices.Contains(texts, t.String()) {
		return object{{"type", "string"}}, nil
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return basic(u)
	case *types.Interface:
		return object{}, nil
	case *types.Map:
		if key, ok := u.Key().Underlying().(*types.Basic); !ok || key.Info()&types.IsString == 0 {
			return nil, fmt.Errorf("type %s has keys that are not strings", t)
		}
		values, err := r.infer(u.Elem())
		return object{{"type", "object"}, {"additionalProperties", orBool(values)}}, err
	case *types.Slice:
		items, err := r.infer(u.Elem())
		return object{{"type", []any{"null", "array"}}, {"items", orBool(items)}}, err
	case *types.Array:
		items, err := r.infer(u.Elem())
		return object{{"type", "array"}, {"items", orBool(items)}, {"minItems", u.Len()}, {"maxItems", u.Len()}}, err
	case *types.Struct:
		s := object{{"type", "object"}}
		properties, required := object{}, []any{}
		if err := r.fields(u, nil, &properties, &required); err != nil {
			return nil, err
		}
		if u.NumFields() > 0 {
			s.set("properties", properties)
		}
		if len(required) > 0 {
			s.set("required", required)
		}
		s.set("additionalProperties", false)
		return s, nil
	}
	return nil, fmt.Errorf("type %s cannot be encoded as JSON", t)
}

func basic(t *types.Basic) (object, error) {
	switch {
	case t.Info()&types.IsBoolean != 0:
		return object{{"type", "boolean"}}, nil
	case t.Info()&types.IsString != 0:
		return object{{"type", "string"}}, nil
	case t.Info()&types.IsFloat != 0:
		return object{{"type", "number"}}, nil
	case t.Info()&types.IsInteger == 0:
		return nil, fmt.Errorf("type %s cannot be encoded as JSON", t)
	}
	s := object{{"type", "integer"}}
	bits := map[types.BasicKind]int{types.Int8: 8, types.Int16: 16, types.Int32: 32, types.Uint8: 8, types.Uint16: 16, types.Uint32: 32}[t.Kind()]
	switch {
	case t.Info()&types.IsUnsigned == 0 && bits > 0:
		s.set("minimum", -1<<(bits-1))
		s.set("maximum", 1<<(bits-1)-1)
	case t.Info()&types.IsUnsigned != 0:
		s.set("minimum", 0)
		if bits > 0 {
			s.set("maximum", 1<<bits-1)
		}
	}
	return s, nil
}

// fields adds the properties of a struct. The fields of an embedded struct are fields of the
// struct, regardless of their tags, unless one of the outer structs has a field with the same name.
func (r *reader) fields(t *types.Struct, outer []string, properties *object, required *[]any) error {
	declared := slices.Clone(outer)
	for f := range t.Fields() {
		declared = append(declared, f.Name())
	}
	for i := range t.NumFields() {
		f := t.Field(i)
		tag := reflect.StructTag(t.Tag(i))
		name, options, _ := strings.Cut(tag.Get("json"), ",")
		if inner, ok := sdktypes.Deref(f.Type()).Underlying().(*types.Struct); ok && f.Embedded() {
			if err := r.fields(inner, declared, properties, required); err != nil {
				return err
			}
			continue
		}
		if !f.Exported() || f.Embedded() || tag.Get("json") == "-" || slices.Contains(outer, f.Name()) {
			continue
		}
		name = cmp.Or(name, f.Name())
		s, err := r.infer(f.Type())
		if err != nil {
			return err
		}
		if text := tag.Get("jsonschema"); text != "" {
			if key, _, is := strings.Cut(text, "="); is && !strings.ContainsAny(key, " \t\n") {
				r.note(f.Pos(), "jsonschema tag %q of field %s was not adopted", text, f.Name())
			} else {
				s.set("description", text)
			}
		}
		properties.set(name, orBool(s))
		if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") && !slices.Contains(*required, any(name)) {
			*required = append(*required, name)
		}
	}
	return nil
}
