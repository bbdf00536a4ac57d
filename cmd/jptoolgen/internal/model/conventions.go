package model

import (
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
)

// RFC010 names the conventions of RFC-010, MCP tool surface. Required arguments that identify the
// subject come first, optional arguments are nullable, and choices are strings. Results and errors
// have an envelope, and tools that change something return the new state.
const RFC010 = "rfc010"

// conventions checks that a server follows the conventions that it declares. The analyzer checks how handlers
// use arguments.
func (b *builder) conventions(s *Server) {
	if s.Conventions != RFC010 {
		return
	}
	if !s.Envelope {
		b.list.Add(b.conventionsAt, diag.NoEnvelope, "%s requires an envelope for results and errors", RFC010).
			Suggest("add envelope=true to //jp:server")
	}
	for _, t := range s.Tools {
		if t.Kind != Callable {
			continue // the conventions are about tools
		}
		if !t.Mutates && !isTrue(t.Annotations.ReadOnly) {
			b.list.Add(t.Method.Pos(), diag.UntoldChange, "%s must declare readonly=true or mutates=true (%s)", t.Method.Name(), RFC010).
				Suggest("add readonly=true or mutates=true to //jp:tool")
		}
		if t.Input != nil {
			b.parameters(t, t.Input.Fields())
		}
	}
}

func (b *builder) parameters(t *Tool, fields []*schema.Field) {
	found := false
	for i, f := range fields {
		pos, name := b.nearestPos(f.Var, t.Method.Pos()), f.Var.Name()
		if isID(f) && !found {
			found = true
			if i > 0 {
				b.list.Add(pos, diag.LateSubject, "%s requires field %s to come first, because it identifies the object that %s acts on", RFC010, name, t.Method.Name()).
					Suggest("move it before %s", fields[0].Var.Name())
			}
		}
		switch {
		case isLabel(f.Name) && f.Required:
			b.list.Add(pos, diag.RequiredLabel, "%s requires field %s to be nullable, because it is a label", RFC010, name).Suggest("make it a pointer, with omitempty")
		case !f.Required && f.Constraints.Default == "" && !nullable(f.Shape):
			b.list.Add(pos, diag.SilentOptional, "%s requires optional field %s to distinguish null from its zero value", RFC010, name).
				Suggest("make it a pointer, or give it a default")
		}
		base := f.Shape
		for base.Elem != nil {
			base = base.Elem
		}
		if base.Kind == schema.IntEnum {
			b.list.Add(pos, diag.NumberedChoice, "%s requires the values of field %s to be strings, not numbers", RFC010, name).
				Suggest("use a type whose underlying type is string")
		}
	}
}

// isID reports whether a field is required and identifies the subject of a tool.
func isID(f *schema.Field) bool {
	return f.Required && f.Shape.Scalar() && (f.Name == "id" || strings.HasSuffix(f.Name, "_id"))
}

func isLabel(name string) bool { return name == "label" || strings.HasSuffix(name, "_label") }

// nullable reports whether the decoder can distinguish null from every value of a shape.
func nullable(s *schema.Shape) bool {
	switch s.Kind {
	case schema.Pointer, schema.Nullable, schema.List, schema.Map, schema.Raw, schema.Any, schema.Bytes, schema.JSON, schema.Std:
		return true
	}
	return false
}
