package decode

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Schema is a JSON Schema (draft 7 or 2020-12) that values are checked against. The keyword
// "format" does not restrict values.
type Schema struct {
	keywords
	never  bool     // the schema is false, which no value matches
	target *Schema  // the schema that the reference points to
	listed []string // the canonical forms of listed values
	rules  []Rule
}

// keywords holds the keywords of a schema that restrict values.
type keywords struct {
	Ref                  string              `json:"$ref"`
	Defs                 map[string]*Schema  `json:"$defs"`
	Definitions          map[string]*Schema  `json:"definitions"`
	Type                 stringOrList        `json:"type"`
	Enum                 []json.RawMessage   `json:"enum"`
	Const                json.RawMessage     `json:"const"`
	AllOf                []*Schema           `json:"allOf"`
	AnyOf                []*Schema           `json:"anyOf"`
	OneOf                []*Schema           `json:"oneOf"`
	Not                  *Schema             `json:"not"`
	If                   *Schema             `json:"if"`
	Then                 *Schema             `json:"then"`
	Else                 *Schema             `json:"else"`
	Properties           map[string]*Schema  `json:"properties"`
	PatternProperties    map[string]*Schema  `json:"patternProperties"`
	AdditionalProperties *Schema             `json:"additionalProperties"`
	PropertyNames        *Schema             `json:"propertyNames"`
	Required             []string            `json:"required"`
	DependentRequired    map[string][]string `json:"dependentRequired"`
	DependentSchemas     map[string]*Schema  `json:"dependentSchemas"`
	Items                *Schema             `json:"items"`
	PrefixItems          []*Schema           `json:"prefixItems"`
	Contains             *Schema             `json:"contains"`
	UniqueItems          bool                `json:"uniqueItems"`
	Pattern              string              `json:"pattern"`

	Others map[string]jsontext.Value `json:",embed"`
}

// unsupported are keywords that restrict values and that [Schema] does not support.
var unsupported = []string{
	"$dynamicRef", "$recursiveRef", "unevaluatedProperties", "unevaluatedItems", "additionalItems", "dependencies",
	"minContains", "maxContains",
}

// A stringOrList is a list of strings that may be a single string in JSON.
type stringOrList []string

// UnmarshalJSON implements [json.Unmarshaler].
func (l *stringOrList) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		text = slices.Concat([]byte{'['}, text, []byte{']'})
	}
	return json.Unmarshal(text, (*[]string)(l))
}

// UnmarshalJSON implements [json.Unmarshaler].
func (s *Schema) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case "true":
		return nil
	case "false":
		s.never = true
		return nil
	}
	return jsonv2.Unmarshal(text, &s.keywords, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// ParseSchema parses a schema. It rejects unsupported keywords, references and patterns.
func ParseSchema(text []byte) (*Schema, error) {
	if len(text) == 0 || text[0] != '{' {
		return nil, errors.New("the schema is not an object")
	}
	root := new(Schema)
	if err := json.Unmarshal(text, root); err != nil {
		return nil, fmt.Errorf("cannot parse the schema: %w", err)
	}
	places := map[string]*Schema{}
	root.walk("#", places)
	for _, at := range slices.Sorted(maps.Keys(places)) {
		if err := places[at].compile(places); err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
	}
	return root, nil
}

// walk records a schema and the schemas in it, keyed by their locations, which are JSON
// pointers.
func (s *Schema) walk(at jsontext.Pointer, places map[string]*Schema) {
	places[string(at)] = s
	if s == nil {
		return
	}
	for field, value := range reflect.ValueOf(s.keywords).Fields() {
		place := at.AppendToken(field.Tag.Get("json"))
		switch inner := value.Interface().(type) {
		case *Schema:
			if inner != nil {
				inner.walk(place, places)
			}
		case []*Schema:
			for i, inner := range inner {
				inner.walk(place.AppendToken(strconv.Itoa(i)), places)
			}
		case map[string]*Schema:
			for member, inner := range inner {
				inner.walk(place.AppendToken(member), places)
			}
		}
	}
}

// compile prepares a schema for checks. places are the schemas that references can point to.
func (s *Schema) compile(places map[string]*Schema) error {
	if s == nil {
		return errors.New("null is not a schema")
	}
	for _, name := range unsupported {
		if s.Others[name] != nil {
			return fmt.Errorf("the keyword %s is not supported", name)
		}
	}
	if s.Ref != "" {
		if s.target = places[s.Ref]; s.target == nil {
			return fmt.Errorf("the reference %q does not point to a part of the schema", s.Ref)
		}
	}
	for _, t := range s.Type {
		if kindsOf[t] == "" {
			return fmt.Errorf("unknown type %q", t)
		}
	}
	for _, value := range s.Enum {
		s.listed = append(s.listed, canonical(value))
	}
	if s.Const != nil {
		only := canonical(s.Const)
		s.never = s.Enum != nil && !slices.Contains(s.listed, only)
		s.Enum, s.listed = []json.RawMessage{s.Const}, []string{only}
	}
	for _, pattern := range append(slices.Sorted(maps.Keys(s.PatternProperties)), s.Pattern) {
		if _, err := regexp.Compile(pattern); err != nil {
			return err
		}
	}
	if s.Pattern != "" {
		s.rules = append(s.rules, Pattern(s.Pattern))
	}
	for o, l := range limits {
		text := s.Others[l.keyword]
		if text == nil || l.keyword == "" {
			continue
		}
		rule, ok := numeric(op(o), string(text))
		if !ok || l.kind != kindNumber && rule.form != formUint || op(o) == opMultipleOf && parseDecimal(nil, text).sign <= 0 {
			return fmt.Errorf("the limit %s is not supported", text)
		}
		s.rules = append(s.rules, rule)
	}
	if s.UniqueItems {
		s.rules = append(s.rules, UniqueItems)
	}
	return nil
}

// numeric returns the rule for a limit in JSON, or false if no Go type can hold the limit.
func numeric(o op, text string) (Rule, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return bound(o, n), true
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return bound(o, n), true
	}
	n, err := strconv.ParseFloat(text, 64)
	rule := bound(o, n)
	return rule, err == nil &&
		parseDecimal(nil, []byte(text)).compare(parseDecimal(nil, rule.appendNumber(nil))) == 0
}

// canonical returns the canonical form of a JSON value, or "" for a value that [Into] rejects,
// such as an object with a duplicate member name.
func canonical(text []byte) string {
	d := open(Options{})
	defer d.close()
	at, bad := d.scan(text, 0)
	if bad != nil {
		return ""
	}
	return string(d.canonical(nil, at))
}
