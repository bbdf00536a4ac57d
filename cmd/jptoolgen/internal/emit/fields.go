package emit

import (
	"go/types"
	"math"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
)

// rules returns the constraints of a field. Their names are the same as in its schema.
func rules(f *schema.Field) []jen.Code {
	c := f.Constraints
	var all []jen.Code
	rule := func(name string, args ...jen.Code) { all = append(all, jen.Qual(decodePath, name).Call(args...)) }
	if f.Required {
		all = append(all, jen.Qual(decodePath, "Required"))
	}
	if c.Default != "" {
		rule("Default", text(c.Default))
	}
	if c.Pattern != "" {
		rule("Pattern", text(c.Pattern))
	}
	if f.Shape.Base().Custom != nil && f.Shape.Base().Custom.Pattern != "" {
		rule("Pattern", text(f.Shape.Base().Custom.Pattern))
	}
	if kind := f.Shape.Base().Kind; len(c.Examples) > 0 && (c.Pattern != "" || kind == schema.Text || kind == schema.JSON || kind == schema.Std) {
		rule("Example", text(c.Examples[0]))
	}
	for _, n := range []struct{ name, value string }{
		{"MinLength", c.MinLength}, {"MaxLength", c.MaxLength},
		{"Minimum", c.Minimum}, {"ExclusiveMinimum", c.ExclusiveMinimum},
		{"Maximum", c.Maximum}, {"ExclusiveMaximum", c.ExclusiveMaximum}, {"MultipleOf", c.MultipleOf},
		{"MinItems", c.MinItems}, {"MaxItems", c.MaxItems},
		{"MinProperties", c.MinProperties}, {"MaxProperties", c.MaxProperties},
	} {
		if n.value != "" {
			rule(n.name, number(n.value))
		}
	}
	if c.Single {
		all = append(all, jen.Qual(decodePath, "Single"))
	}
	if c.UniqueItems {
		all = append(all, jen.Qual(decodePath, "UniqueItems"))
	}
	return all
}

// number returns a constant that is valid on every platform, even where int is 32 bits wide.
func number(value string) *jen.Statement {
	n, err := strconv.ParseInt(value, 10, 64)
	switch {
	case err == nil && (n > math.MaxInt32 || n < math.MinInt32):
		return jen.Int64().Call(verbatim(value))
	case err == nil:
		return verbatim(value)
	case !strings.ContainsAny(value, ".eE-"):
		if _, err := strconv.ParseUint(value, 10, 64); err == nil {
			return jen.Uint64().Call(verbatim(value))
		}
		return verbatim(value + ".0")
	}
	return verbatim(value)
}

// omitCondition returns the condition under which encoding/json omits a field, or nil if encoding/json
// never omits it.
func (e *emitter) omitCondition(f *schema.Field, field *jen.Statement) *jen.Statement {
	t, whenZero := f.Var.Type(), f.Omit == schema.WhenZero
	isNil := field.Clone().Op("==").Nil()
	switch {
	case f.Omit == schema.WhenNil:
		return isNil
	case f.Omit != schema.WhenEmpty && !whenZero:
		return nil
	case whenZero && schema.HasIsZero(t):
		condition := field.Clone().Dot("IsZero").Call()
		if _, pointer := t.Underlying().(*types.Pointer); pointer || types.IsInterface(t) {
			return isNil.Op("||").Add(condition)
		}
		return condition
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return basicZero(t, u, field)
	case *types.Pointer, *types.Interface:
		return isNil
	case *types.Slice, *types.Map:
		if whenZero {
			return isNil
		}
		return jen.Len(field.Clone()).Op("==").Lit(0)
	case *types.Array:
		if !whenZero && u.Len() == 0 {
			return jen.True()
		}
	}
	if whenZero && (!types.Comparable(t) || !e.canSpell(t)) {
		return jen.Qual(encodePath, "Zero").Call(jen.Op("&").Add(field))
	}
	if whenZero {
		return field.Clone().Op("==").Parens(e.typ(t).Values())
	}
	return nil
}

func basicZero(t types.Type, b *types.Basic, field *jen.Statement) *jen.Statement {
	switch _, named := types.Unalias(t).(*types.Named); {
	case b.Info()&types.IsBoolean != 0 && named: // the negation would have the type of the field
		return field.Clone().Op("==").False()
	case b.Info()&types.IsBoolean != 0:
		return jen.Op("!").Add(field.Clone())
	case b.Info()&types.IsString != 0:
		return field.Clone().Op("==").Lit("")
	}
	return field.Clone().Op("==").Lit(0)
}
