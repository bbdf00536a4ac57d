package clientgen

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/outline"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// object declares a struct for an object's schema and returns its name, "" for an object
// without members.
func (g *generator) object(name, what string, schema manifest.Schema) (string, error) {
	rows, err := outline.Of(schema)
	if err != nil || len(rows) == 0 {
		return "", err
	}
	return g.structure(name, name+" "+what, rows), nil
}

// structure declares a struct of the members that stand first in rows, and of those
// that lie in them, and returns its name. Members of which one cannot be said in a
// struct's tag make a map.
func (g *generator) structure(name, doc string, rows []outline.Property) string {
	if !sayable(rows) {
		return "map[string]any"
	}
	name = g.names.fresh(name)
	s := jen.Null()
	for _, line := range wrapped(doc) {
		s.Comment("// " + line).Line()
	}
	taken := names{}
	var fields []jen.Code
	for i, p := range rows {
		if p.Depth != rows[0].Depth {
			continue
		}
		inner := rows[i+1 : i+1+within(rows[i+1:], p.Depth)]
		for _, line := range wrapped(p.Description) {
			fields = append(fields, jen.Comment("// "+line))
		}
		typ, nilable := g.typeOf(name+goName(p.Name), p, inner)
		tag := p.Name
		if tag == "-" {
			tag += "," // without it, the member is left out
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

// sayable reports whether a struct's tag can have the names of the members that stand
// first in rows, by the rules of [encoding/json].
func sayable(rows []outline.Property) bool {
	for _, p := range rows {
		if p.Depth != rows[0].Depth {
			continue
		}
		odd := func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
		}
		if p.Name == "" || strings.ContainsFunc(p.Name, odd) {
			return false
		}
	}
	return true
}

// within counts the rows that lie deeper than depth before one that does not.
func within(rows []outline.Property, depth int) int {
	for i, p := range rows {
		if p.Depth <= depth {
			return i
		}
	}
	return len(rows)
}

// typeOf returns the Go type of a member, and whether its zero value is nil or, for a
// constant, no value at all.
func (g *generator) typeOf(name string, p outline.Property, inner []outline.Property) (*jen.Statement, bool) {
	kind, isList := strings.CutPrefix(p.Type, "list of ")
	item := g.itemType(name, kind, p, inner)
	if isList {
		return jen.Index().Add(item), true
	}
	switch {
	case kind == "object" && (len(inner) == 0 || !sayable(inner)), !known(kind):
		return item, true
	case kind == "string" && len(p.Values) > 0:
		return item, true
	}
	return item, false
}

func known(kind string) bool {
	switch kind {
	case "string", "integer", "number", "boolean", "object":
		return true
	}
	return false
}

func (g *generator) itemType(name, kind string, p outline.Property, inner []outline.Property) *jen.Statement {
	switch kind {
	case "string":
		if len(p.Values) > 0 {
			return jen.Id(g.constants(name, p.Values, nil))
		}
		return jen.String()
	case "integer":
		return jen.Int64()
	case "number":
		return jen.Float64()
	case "boolean":
		return jen.Bool()
	case "object":
		if len(inner) > 0 {
			return jen.Id(g.structure(name, name+" is one of its parts.", inner))
		}
		return jen.Map(jen.String()).Any()
	}
	if rest, ok := strings.CutPrefix(kind, "list of "); ok {
		return jen.Index().Add(g.itemType(name, rest, p, inner))
	}
	return jen.Any()
}

// constants declares a string type and its values, as JSON, and returns its name.
func (g *generator) constants(name string, values, meanings []string) string {
	name = g.names.fresh(name)
	s := jen.Comment("// " + name + " is one of a few values.").Line().Type().Id(name).String().Line().Line()
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

// answer is the type of what answers a question.
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
		name, err := g.object(a.method+"Answer", fmt.Sprintf("fills in the form %s.", a.question.ID), a.question.Schema)
		if err != nil || name == "" {
			return jen.Map(jen.String()).Any()
		}
		return jen.Id(name)
	}
	return jen.String()
}
