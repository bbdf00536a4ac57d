package clientgen

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// object declares a struct for the schema of an object and returns its name, or "" if the object has no
// properties.
func (g *generator) object(name, what string, schema manifest.Schema) (string, error) {
	s, err := shape.Parse(jsontext.Value(schema))
	if err != nil || len(s.Properties) == 0 {
		return "", err
	}
	return g.structure(name, name+" "+what, s.Properties), nil
}

// structure declares a struct for properties and returns its name. If a name cannot be written in a struct tag,
// the type is a map.
func (g *generator) structure(name, doc string, members []shape.Property) string {
	if !taggable(members) {
		return "map[string]any"
	}
	name = g.names.fresh(name)
	s := jen.Null()
	for _, line := range wrapped(doc) {
		s.Comment("// " + line).Line()
	}
	taken := names{}
	var fields []jen.Code
	for _, p := range members {
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

// taggable reports whether struct tags can express the names of properties, by the rules of [encoding/json].
func taggable(members []shape.Property) bool {
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
	}
	return !slices.ContainsFunc(members, func(p shape.Property) bool { return p.Name == "" || strings.ContainsFunc(p.Name, odd) })
}

// typeOf returns the Go type of a value. The result nilable reports whether the zero value of the type can stand
// for an omitted property.
func (g *generator) typeOf(name string, s *shape.Schema) (typ *jen.Statement, nilable bool) {
	kinds := s.Kinds()
	if len(kinds) != 1 || s.Nullable {
		return jen.Any(), true
	}
	switch kinds[0] {
	case "string":
		if values := s.Values(); len(values) > 0 {
			return jen.Id(g.constants(name, values, nil)), true
		}
		return jen.String(), false
	case "integer":
		return jen.Int64(), false
	case "number":
		return jen.Float64(), false
	case "boolean":
		return jen.Bool(), false
	case "object":
		if len(s.Properties) > 0 {
			return jen.Id(g.structure(name, name+" is a nested value.", s.Properties)), !taggable(s.Properties)
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
	case "confirm":
		return jen.Bool()
	case "number":
		return jen.Float64()
	case "choice":
		values, meanings := make([]string, len(a.question.Answers)), make([]string, len(a.question.Answers))
		for i, v := range a.question.Answers {
			text, err := json.Marshal(v.Value)
			if err != nil {
				return jen.String()
			}
			values[i], meanings[i] = string(text), v.Description
		}
		return jen.Id(g.constants(a.method+"Answer", values, meanings))
	case "form":
		name, err := g.object(a.method+"Answer", fmt.Sprintf("is the answer to the form %s.", a.question.ID), a.question.Schema)
		if err != nil || name == "" {
			return jen.Map(jen.String()).Any()
		}
		return jen.Id(name)
	}
	return jen.String()
}
