// Package gotypes declares Go types for the schemas of tools.
package gotypes

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/gofile"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// Base64 is the format of strings that a server decodes as bytes.
const Base64 = "base64"

// A Set declares Go types for JSON Schemas: a struct for each object, one type for each definition, and constants for
// enumerations.
type Set struct {
	// Names are the names that the file declares.
	Names Names
	// Served is set if the types are for a server, that is, if jptoolgen derives schemas from them.
	Served bool
	// Exact is set if the types are for a tool whose schema is published unchanged. Such types are not shared
	// with other tools, even if the definitions are equal.
	Exact bool
	// Nulls is set if a property that may be null becomes a tool.Nullable, so that the derived schema allows
	// null again. Results have interfaces for alternatives only in this case, because encoding/json cannot
	// decode into them.
	Nulls bool
	// Unset is set if an optional property that may be null becomes a tool.Nullable, unless null is its default.
	Unset bool
	// Defaults is set if properties with a default are never missing.
	Defaults bool
	// Field describes the properties of structs. place is the name of the type and of the field. If Field is nil, the
	// description of the property becomes the comment on the field.
	Field func(place string, p shape.Property) Field

	later   []*jen.Statement // types that are declared after the code that refers to them
	defined []definedType    // the types for definitions
}

// A Field is the struct field for a property, without its type.
type Field struct {
	// Name is the name of the property in JSON.
	Name    string
	Comment []string
	// Allow is a directive after the comment, or "" for a comment without one.
	Allow string
	// Tags holds additional struct tags, keyed by tag key.
	Tags map[string]string
	// Opaque is set if the field has the type any.
	Opaque bool
	// Defaulted is set if the tags declare a default, so the field is never omitted.
	Defaulted bool
}

// Flush writes the collected types to a file.
func (g *Set) Flush(file *jen.File) {
	for _, s := range g.later {
		file.Add(s)
		file.Line()
	}
	g.later = nil
}

// Value declares the type for the arguments or the result of a tool and returns it. It returns nil for a tool without
// arguments or a result without a schema. The comment on the type is its name followed by the parameter what.
func (g *Set) Value(name, what string, schema manifest.Schema) (*jen.Statement, error) {
	s, err := shape.Parse(jsontext.Value(schema))
	switch {
	case err != nil || len(schema) == 0:
		return nil, err
	case slices.ContainsFunc(s.Properties, Taggable):
		return jen.Id(g.structure(name, name+" "+what, &s)), nil
	case len(s.Properties) == 0 && s.Others == nil:
		return nil, nil
	}
	typ, _ := g.typeOf(name, &s)
	return typ, nil
}

// structure declares a struct for the properties of a schema and returns its name. It leaves out a property whose
// name cannot be written in a struct tag.
func (g *Set) structure(name, doc string, schema *shape.Schema) string {
	name = g.Names.Fresh(name)
	if schema.Definition != "" {
		g.defined = append(g.defined, definedType{schema: schema, name: name, exact: g.Exact, open: true})
		defer func(i int) { g.defined[i].open = false }(len(g.defined) - 1)
	}
	s := gofile.Comment(Wrapped(doc)...).Line()
	taken := Names{}
	var fields []jen.Code
	for _, p := range schema.Properties {
		if !Taggable(p) {
			left := fmt.Sprintf("The property %q is omitted, because a struct tag cannot contain its name.", p.Name)
			fields = append(fields, gofile.Comment(Wrapped(left)...))
			continue
		}
		field := taken.Fresh(GoName(p.Name))
		described := Field{Name: p.Name, Comment: Wrapped(p.Description)}
		if g.Field != nil {
			described = g.Field(name+"."+field, p)
		}
		typ, nilable, null := jen.Any(), true, false
		switch {
		case described.Opaque:
		case g.null(&p.Schema), g.distinguishesNull(p):
			null = true
			typ, _ = g.present(name+GoName(p.Name), &p.Schema)
			typ = nullable(typ)
		default:
			typ, nilable = g.typeOf(name+GoName(p.Name), &p.Schema)
		}
		if !p.Required && !nilable && !(g.Defaults && len(p.Default) > 0 && p.Default.Kind() != 'n') {
			typ = jen.Op("*").Add(typ)
		}
		fields = append(fields, gofile.Comment(described.Comment...))
		if described.Allow != "" {
			fields = append(fields, jen.Comment(described.Allow))
		}
		tag := described.Name
		switch {
		case !p.Required && null:
			tag += ",omitzero"
		case !p.Required && !described.Defaulted:
			tag += ",omitempty"
		case tag == "-":
			tag += "," // a tag of "-" without a comma excludes the field
		}
		tags := map[string]string{"json": tag}
		maps.Copy(tags, described.Tags)
		fields = append(fields, jen.Id(field).Add(typ).Tag(tags))
	}
	g.later = append(g.later, s.Type().Id(name).Struct(fields...))
	return name
}

// Taggable reports whether a struct tag can express the name of a property according to the rules of
// [encoding/json].
func Taggable(p shape.Property) bool {
	return p.Name != "" && !strings.ContainsFunc(p.Name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
	})
}

// typeOf returns the Go type of a value. nilable is true if the zero value of the type can represent an omitted
// property or null.
func (g *Set) typeOf(name string, s *shape.Schema) (typ *jen.Statement, nilable bool) {
	typ, nilable = g.present(name, s)
	if g.null(s) {
		return nullable(typ), false
	}
	if s.Nullable && (!nilable || g.Exact && collection(s)) {
		return jen.Op("*").Add(typ), true
	}
	return typ, nilable
}

// collection reports whether the Go type of a schema is a slice or a map. A server does not encode a nil value
// of these types as null.
func collection(s *shape.Schema) bool {
	kinds := s.Kinds()
	return len(kinds) == 1 && (kinds[0] == "array" || s.Format == Base64 || kinds[0] == "object" && !slices.ContainsFunc(s.Properties, Taggable))
}

func nullable(typ *jen.Statement) *jen.Statement {
	return jen.Qual(sdktypes.Tool, "Nullable").Types(typ)
}

// null reports whether a schema needs a type that distinguishes null from other values.
func (g *Set) null(s *shape.Schema) bool { return g.Nulls && s.Nullable && len(s.Kinds()) == 1 }

// distinguishesNull reports whether a null property and a missing property have different meanings.
func (g *Set) distinguishesNull(p shape.Property) bool {
	return g.Unset && !p.Required && p.Nullable && p.Default.Kind() != 'n' && len(p.Kinds()) == 1
}

// present returns the Go type of a value that is not null.
func (g *Set) present(name string, s *shape.Schema) (typ *jen.Statement, nilable bool) {
	if d := g.definition(s); d != nil {
		if d.open { // the type is recursive
			return jen.Op("*").Id(d.name), true
		}
		return jen.Id(d.name), omissible(s)
	}
	if s.Definition != "" && GoName(s.Definition) != "X" {
		name = GoName(s.Definition)
	}
	kinds := s.Kinds()
	if len(kinds) != 1 {
		return jen.Any(), true
	}
	switch kinds[0] {
	case "string":
		if values := s.Values(); len(values) > 0 {
			name = g.Constants(name, values, labels(s))
			if s.Definition != "" {
				g.defined = append(g.defined, definedType{schema: s, name: name, exact: g.Exact})
			}
			return jen.Id(name), omissible(s)
		}
		if g.Served && s.Format == Base64 {
			return jen.Index().Byte(), true
		}
		return jen.String(), false
	case "integer":
		if values := s.Values(); g.Served && len(values) > 0 {
			return jen.Id(g.Constants(name, values, labels(s))), false
		}
		if g.Served { // in results, a server publishes an int64 as a string
			return jen.Int(), false
		}
		return jen.Int64(), false
	case "number":
		return jen.Float64(), false
	case "boolean":
		return jen.Bool(), false
	case "object":
		if (g.Defaults || g.Nulls) && !g.Exact && len(s.Cases) > 0 {
			return jen.Id(g.sum(name, s)), true
		}
		if slices.ContainsFunc(s.Properties, Taggable) {
			return jen.Id(g.structure(name, name+" "+cmp.Or(s.Description, "is a nested value."), s)), false
		}
		if s.Others != nil {
			return jen.Map(jen.String()).Add(g.element(name, s.Others)), true
		}
		return jen.Map(jen.String()).Any(), true
	case "array":
		if s.Items != nil {
			return jen.Index().Add(g.element(name, s.Items)), true
		}
	}
	return jen.Any(), true
}

// sum declares an interface for a value that is one of several objects, and a struct for each object. It returns
// the name of the interface.
func (g *Set) sum(name string, s *shape.Schema) string {
	name = g.Names.Fresh(name)
	if s.Definition != "" {
		g.defined = append(g.defined, definedType{schema: s, name: name, exact: g.Exact})
	}
	g.later = append(g.later, jen.Comment("// "+name+" is one of several structs.").Line().
		Type().Id(name).Interface(jen.Id("is"+name).Params()))
	for i, c := range s.Cases {
		of := name + strconv.Itoa(i+1)
		if c.Definition != "" {
			of = GoName(c.Definition)
		} else if i := slices.IndexFunc(c.Properties, func(p shape.Property) bool { return p.Required && len(p.Values()) == 1 }); i >= 0 {
			of = name + GoName(c.Properties[i].Values()[0]) // the value distinguishes this struct from the other structs
		}
		of = g.structure(of, c.Description, &c)
		g.later = append(g.later, jen.Func().Params(jen.Id(of)).Id("is"+name).Params().Block())
	}
	return name
}

// element returns the Go type of the elements of a list or a map.
func (g *Set) element(name string, s *shape.Schema) *jen.Statement {
	if g.Served && !s.Nullable && slices.Equal(s.Kinds(), []string{"integer"}) && len(s.Values()) == 0 && s.Limits.Minimum == "0" {
		return jen.Uint() // the tag of a field limits the field, not its elements
	}
	if g.Served && !g.Exact && !g.Nulls { // the lists and maps of a server have no null elements
		typ, _ := g.present(name, s)
		return typ
	}
	typ, _ := g.typeOf(name, s)
	return typ
}

// omissible reports whether the empty string can represent an omitted value of an enumeration.
func omissible(s *shape.Schema) bool {
	values := s.Values()
	return len(values) > 0 && !s.Nullable && !slices.Contains(values, `""`)
}

// A definedType is the type for a definition in a schema. It is open while its fields are generated.
type definedType struct {
	schema *shape.Schema
	name   string
	exact  bool
	open   bool
}

// definition returns the type for the definition that a schema refers to, or nil if no such type exists yet.
// Definitions with the same name in other schemas have the same type if they are equal.
func (g *Set) definition(s *shape.Schema) *definedType {
	if s.Definition == "" {
		return nil
	}
	for i := range slices.Backward(g.defined) {
		d := &g.defined[i]
		same := reflect.DeepEqual(d.schema.Properties, s.Properties) && reflect.DeepEqual(d.schema.Values(), s.Values())
		if d.schema.Definition == s.Definition && d.exact == g.Exact && (same || d.open && len(s.Properties) == 0) {
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

// Constants declares a type with constants for the given JSON values, and returns its name. It is a string type
// unless the values are integers.
func (g *Set) Constants(name string, values, meanings []string) string {
	name = g.Names.Fresh(name)
	var number int
	integers := len(values) > 0 && json.Unmarshal([]byte(values[0]), &number) == nil
	base := jen.String()
	if integers {
		base = jen.Int()
	}
	s := jen.Comment("// " + name + " is an enumeration.").Line()
	if g.Served && (len(values) == 1 || integers) { // jptoolgen asks about such types
		s.Comment("//").Line().Comment("//jp:enum closed").Line()
	}
	s.Type().Id(name).Add(base).Line().Line()
	var defs []jen.Code
	for i, v := range values {
		var text string
		var literal any = &text
		if integers {
			text, literal = v, &number
		}
		if v == "null" || json.Unmarshal([]byte(v), literal) != nil || slices.Contains(values[:i], v) {
			continue
		}
		meaning := ""
		if meanings != nil {
			meaning = meanings[i]
		}
		if g.Served && meaning == "" { // in a server, a constant needs a comment; this one adds nothing to the description
			meaning = "The value " + v + "."
		}
		def := jen.Id(g.Names.Fresh(name + GoName(text))).Id(name).Op("=").Lit(reflect.ValueOf(literal).Elem().Interface())
		lines := Wrapped(meaning)
		if g.Served && len(lines) == 1 {
			def, lines = def.Comment("// "+lines[0]), nil
		}
		defs = append(defs, gofile.Comment(lines...), def)
	}
	g.later = append(g.later, s.Comment("// The values of "+name+".").Line().Const().Defs(defs...))
	return name
}
