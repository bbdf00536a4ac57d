package schema

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/sdk/gen/question"
)

// Form returns the fields of a struct that is the answer to a form: strings, constants of string types, booleans
// and numbers, with the constraints that forms support (MCP 2025-11-25, Elicitation). It reports
// fields of other types, and returns nil if the type itself is invalid.
func (a *Analyzer) Form(t types.Type, at Site) *Object {
	o := a.fields(t, at, "value")
	if o == nil {
		return nil
	}
	st := t.Underlying().(*types.Struct)
	if st.NumFields() == 0 {
		a.refuse(at, t, "a form without fields", "add a field for each value")
		return nil
	}
	for i := range st.NumFields() {
		v := st.Field(i)
		here := a.siteOf(v, at)
		if _, embeds := embeddedStruct(v); embeds {
			a.list.Add(here.Pos, diag.NestedParameter, "%s is embedded, but a form must be flat", here.What).
				Suggest("declare its fields in the form instead")
			continue
		}
		for _, m := range o.Members {
			if m.Field != nil && m.Field.Var == v && m.Field.Shape != nil {
				a.formField(m.Field, st.Tag(i), here)
			}
		}
	}
	return o
}

// FormKeys returns the keys of the jsonschema tag that the fields of a form may have.
func FormKeys() []string {
	return []string{"description", "minLength", "maxLength", "pattern", "format", "minimum", "maximum", "default"}
}

func (a *Analyzer) formField(f *Field, tags string, here Site) {
	const scalars = "a string, a string type with constants, bool, an integer or a float"
	switch f.Shape.Kind {
	case String, Enum, Bool, Int, Uint, Float:
	default:
		a.refuse(here, f.Var.Type(), "which forms do not support", "use "+scalars)
		return
	}
	t := a.tagOf(candidate{path: []*types.Var{f.Var}, tag: reflect.StructTag(tags)}, here)
	if t.shadow != nil {
		t.entries = append(t.entries, *t.shadow)
	}
	a.formats(t)
	for _, e := range t.entries {
		if !slices.Contains(FormKeys(), e.key) {
			a.list.Add(e.pos, diag.IdleConstraint, "%s does not apply to forms", e.key).Suggest("delete it")
		}
	}
}

// Extent returns the constraints of f, which include the range of integer types in arguments.
func (f *Field) Extent() Constraints {
	if b := f.Shape.Base(); b.Kind == Int || b.Kind == Uint {
		return f.Constraints.withTypeRange(b, In)
	}
	return f.Constraints
}

// Answer reads the tags of a question's field as constraints for an answer of shape s. It reports keys of the
// jsonschema tag that are neither description nor among the given keys.
func (a *Analyzer) Answer(v *types.Var, tags string, s *Shape, keys ...string) Constraints {
	t := a.tagOf(candidate{path: []*types.Var{v}, tag: reflect.StructTag(tags)}, Site{Pos: a.source.Pos(v)})
	t.answer = true
	a.formats(t)
	t.entries = slices.DeleteFunc(t.entries, func(e entry) bool {
		k, ok := a.keyword(e, s)
		idle := ok && k.Name != "description" && !slices.Contains(keys, k.Name)
		if idle {
			a.list.Add(e.pos, diag.IdleConstraint, "%s does not apply to this kind of question", e.key).Suggest("delete it")
		}
		return idle || !ok
	})
	return a.constraints(t, s)
}

// formats reports formats that answers cannot have. An argument may have any format, because formats of
// arguments are not checked.
func (a *Analyzer) formats(t tag) {
	for _, e := range t.entries {
		if e.key == "format" && !slices.Contains(question.Formats(), e.value) {
			a.list.Add(e.pos, diag.BadConstraint, "invalid answer format %q", e.value).
				Suggest("write one of %s", strings.Join(question.Formats(), ", "))
		}
	}
}
