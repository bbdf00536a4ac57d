package clientgen

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// value returns the type for the arguments or the result of a tool, or nil for a tool without arguments or a result
// without a schema.
func (g *generator) value(name, what string, schema manifest.Schema) (*jen.Statement, error) {
	s, err := shape.Parse(jsontext.Value(schema))
	switch {
	case err != nil || len(schema) == 0:
		return nil, err
	case slices.ContainsFunc(s.Properties, taggable):
		return jen.Id(g.structure(name, name+" "+what, &s)), nil
	case len(s.Properties) == 0 && s.Others == nil:
		return nil, nil
	}
	typ, _ := g.typeOf(name, &s)
	return typ, nil
}

// structure declares a struct for the properties of a schema and returns its name. It leaves out a property whose
// name cannot be written in a struct tag.
func (g *generator) structure(name, doc string, schema *shape.Schema) string {
	name = g.names.fresh(name)
	if schema.Definition != "" {
		g.defined = append(g.defined, defined{schema: schema, name: name, open: true})
		defer func(i int) { g.defined[i].open = false }(len(g.defined) - 1)
	}
	s := jen.Null()
	for _, line := range wrapped(doc) {
		s.Comment("// " + line).Line()
	}
	taken := names{}
	var fields []jen.Code
	for _, p := range schema.Properties {
		if !taggable(p) {
			for _, line := range wrapped(fmt.Sprintf("The property %q is left out, because a struct tag cannot have its name.", p.Name)) {
				fields = append(fields, jen.Comment("// "+line))
			}
			continue
		}
		for _, line := range wrapped(p.Description) {
			fields = append(fields, jen.Comment("// "+line))
		}
		typ, nilable := g.typeOf(name+goName(p.Name), &p.Schema)
		tag := p.Name
		if tag == "-" {
			tag += "," // a tag of "-" without a comma excludes the field
		}
		if !p.Required {
			tag = p.Name
			tag += ",omitempty"
			if !nilable {
				typ = jen.Op("*").Add(typ)
			}
		}
		fields = append(fields, jen.Id(taken.fresh(goName(p.Name))).Add(typ).Tag(map[string]string{"json": tag}))
	}
	g.later = append(g.later, s.Type().Id(name).Struct(fields...))
	return name
}

// taggable reports whether a struct tag can express the name of a property, by the rules of [encoding/json].
func taggable(p shape.Property) bool {
	return p.Name != "" && !strings.ContainsFunc(p.Name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
	})
}

// typeOf returns the Go type of a value. The result nilable reports whether the zero value of the type can stand
// for an omitted property or for null.
func (g *generator) typeOf(name string, s *shape.Schema) (typ *jen.Statement, nilable bool) {
	typ, nilable = g.present(name, s)
	if s.Nullable && !nilable {
		return jen.Op("*").Add(typ), true
	}
	return typ, nilable
}

// present returns the Go type of a value that is not null.
func (g *generator) present(name string, s *shape.Schema) (typ *jen.Statement, nilable bool) {
	if d := g.definition(s); d != nil {
		if d.open { // a type that contains itself
			return jen.Op("*").Id(d.name), true
		}
		return jen.Id(d.name), omissible(s)
	}
	if s.Definition != "" && goName(s.Definition) != "X" {
		name = goName(s.Definition)
	}
	kinds := s.Kinds()
	if len(kinds) != 1 {
		return jen.Any(), true
	}
	switch kinds[0] {
	case "string":
		if values := s.Values(); len(values) > 0 {
			name = g.constants(name, values, labels(s))
			if s.Definition != "" {
				g.defined = append(g.defined, defined{schema: s, name: name})
			}
			return jen.Id(name), omissible(s)
		}
		return jen.String(), false
	case "integer":
		return jen.Int64(), false
	case "number":
		return jen.Float64(), false
	case "boolean":
		return jen.Bool(), false
	case "object":
		if slices.ContainsFunc(s.Properties, taggable) {
			return jen.Id(g.structure(name, name+" "+cmp.Or(s.Description, "is a nested value."), s)), false
		}
		if s.Others != nil {
			item, _ := g.typeOf(name, s.Others)
			return jen.Map(jen.String()).Add(item), true
		}
		return jen.Map(jen.String()).Any(), true
	case "array":
		if s.Items != nil {
			item, _ := g.typeOf(name, s.Items)
			return jen.Index().Add(item), true
		}
	}
	return jen.Any(), true
}

// omissible reports whether the empty string can stand for an omitted value of an enumeration.
func omissible(s *shape.Schema) bool {
	values := s.Values()
	return len(values) > 0 && !s.Nullable && !slices.Contains(values, `""`)
}

// A defined type stands for a definition of a schema. It is open while its fields are generated.
type defined struct {
	schema *shape.Schema
	name   string
	open   bool
}

// definition returns the type for the definition that a schema refers to, nil if absent. Definitions of the same
// name in other schemas have the same type if they are equal.
func (g *generator) definition(s *shape.Schema) *defined {
	if s.Definition == "" {
		return nil
	}
	for i := range slices.Backward(g.defined) {
		d := &g.defined[i]
		same := reflect.DeepEqual(d.schema.Properties, s.Properties) && reflect.DeepEqual(d.schema.Values(), s.Values())
		if d.schema.Definition == s.Definition && (same || d.open && len(s.Properties) == 0) {
			return d
		}
	}
	return nil
}

// labels returns the labels of the allowed values.
func labels(s *shape.Schema) []string {
	all := make([]string, len(s.Choices))
	for i, c := range s.Choices {
		all[i] = c.Label
	}
	return all
}

// constants declares a string type with constants for the values, which are JSON, and returns its name.
func (g *generator) constants(name string, values, meanings []string) string {
	name = g.names.fresh(name)
	s := jen.Comment("// " + name + " is an enumeration.").Line().Type().Id(name).String().Line().Line()
	var defs []jen.Code
	for i, v := range values {
		var text string
		if v == "null" || json.Unmarshal([]byte(v), &text) != nil {
			continue
		}
		if meanings != nil && meanings[i] != "" {
			for _, line := range wrapped(meanings[i]) {
				defs = append(defs, jen.Comment("// "+line))
			}
		}
		defs = append(defs, jen.Id(g.names.fresh(name+goName(text))).Id(name).Op("=").Lit(text))
	}
	g.later = append(g.later, s.Comment("// The values of "+name+".").Line().Const().Defs(defs...))
	return name
}

// answer returns the type of the answer to a question.
func (g *generator) answer(a ask) *jen.Statement {
	switch a.question.Kind {
	case "confirm", "visit":
		return jen.Bool()
	case "number":
		return jen.Float64()
	case "choice", "several":
		values, meanings := make([]string, len(a.question.Answers)), make([]string, len(a.question.Answers))
		for i, v := range a.question.Answers {
			text, err := json.Marshal(v.Value)
			if err != nil {
				return jen.String()
			}
			values[i], meanings[i] = string(text), v.Description
		}
		name := jen.Id(g.constants(a.method+"Answer", values, meanings))
		if a.question.Kind == "several" {
			return jen.Index().Add(name)
		}
		return name
	case "form":
		typ, err := g.value(a.method+"Answer", fmt.Sprintf("is the answer to the form %s.", a.question.ID), a.question.Schema)
		if err != nil || typ == nil {
			return jen.Map(jen.String()).Any()
		}
		return typ
	}
	return jen.String()
}
