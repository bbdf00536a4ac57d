package shape

import (
	"cmp"
	"errors"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
)

// These limits bound the work for schemas from untrusted servers.
const (
	// MaxDepth is the maximum nesting depth of a schema.
	MaxDepth = 64
	// maxBytes is the maximum size of a schema in bytes.
	maxBytes = 1 << 20
	// maxRead is the maximum number of bytes read for one schema. Referenced parts count each time they are
	// read.
	maxRead = 16 * maxBytes
	// maxSchemas is the maximum number of schemas nested in one schema.
	maxSchemas = 100_000
)

// Parse reads a schema. It returns an error if the schema is not JSON or is larger than 1 MiB.
func Parse(schema jsontext.Value) (Schema, error) {
	switch {
	case len(schema) == 0:
		return Schema{}, nil
	case len(schema) > maxBytes:
		return Schema{}, errors.New("the schema is larger than 1 MiB")
	case !schema.IsValid(jsontext.AllowDuplicateNames(true)):
		return Schema{}, errors.New("the schema is not valid JSON")
	}
	r := reader{root: schema, bytes: maxRead, schemas: maxSchemas, within: []string{"#"}}
	return r.schema(schema, 0), nil
}

// Read reads a schema like [Parse]. An invalid schema allows every value.
func Read(schema jsontext.Value) Schema {
	s, _ := Parse(schema)
	return s
}

type reader struct {
	root    jsontext.Value
	bytes   int      // the remaining number of bytes to read
	schemas int      // the remaining number of schemas to read
	within  []string // the references that are being followed
}

// keywords are the supported keywords of a schema.
type keywords struct {
	Type                 jsontext.Value   `json:"type"`
	Title                string           `json:"title"`
	Description          string           `json:"description"`
	Format               string           `json:"format"`
	ContentEncoding      string           `json:"contentEncoding"`
	Enum                 []jsontext.Value `json:"enum"`
	EnumNames            []string         `json:"enumNames"`
	Const                jsontext.Value   `json:"const"`
	OneOf                []jsontext.Value `json:"oneOf"`
	AnyOf                []jsontext.Value `json:"anyOf"`
	AllOf                []jsontext.Value `json:"allOf"`
	Default              jsontext.Value   `json:"default"`
	Items                jsontext.Value   `json:"items"`
	Properties           jsontext.Value   `json:"properties"`
	PatternProperties    jsontext.Value   `json:"patternProperties"`
	Required             []string         `json:"required"`
	AdditionalProperties jsontext.Value   `json:"additionalProperties"`
	Minimum              jsontext.Value   `json:"minimum"`
	Maximum              jsontext.Value   `json:"maximum"`
	ExclusiveMinimum     jsontext.Value   `json:"exclusiveMinimum"`
	ExclusiveMaximum     jsontext.Value   `json:"exclusiveMaximum"`
	MultipleOf           jsontext.Value   `json:"multipleOf"`
	MinLength            jsontext.Value   `json:"minLength"`
	MaxLength            jsontext.Value   `json:"maxLength"`
	MinItems             jsontext.Value   `json:"minItems"`
	MaxItems             jsontext.Value   `json:"maxItems"`
	MinProperties        jsontext.Value   `json:"minProperties"`
	MaxProperties        jsontext.Value   `json:"maxProperties"`
	UniqueItems          bool             `json:"uniqueItems"`
	Pattern              string           `json:"pattern"`
	WriteOnly            bool             `json:"writeOnly"`
}

func (k *keywords) limits() phrase.Limits {
	number := func(v jsontext.Value) string {
		if v.Kind() != '0' {
			return ""
		}
		return string(v)
	}
	least := func(v jsontext.Value) string {
		if string(v) == "0" {
			return "" // a minimum of 0 has no effect
		}
		return number(v)
	}
	return phrase.Limits{
		Minimum: number(k.Minimum), ExclusiveMinimum: number(k.ExclusiveMinimum),
		Maximum: number(k.Maximum), ExclusiveMaximum: number(k.ExclusiveMaximum), MultipleOf: number(k.MultipleOf),
		MinLength: least(k.MinLength), MaxLength: number(k.MaxLength), MinItems: least(k.MinItems), MaxItems: number(k.MaxItems),
		MinProperties: least(k.MinProperties), MaxProperties: number(k.MaxProperties), UniqueItems: k.UniqueItems, Pattern: k.Pattern,
	}
}

// read reads the keywords of a schema. They override keywords that were read earlier. If a keyword has a value
// of the wrong type, the keywords are read one by one.
func (k *keywords) read(schema jsontext.Value) {
	if json.Unmarshal(schema, k, jsontext.AllowDuplicateNames(true)) == nil {
		return
	}
	var members map[string]jsontext.Value
	if json.Unmarshal(schema, &members, jsontext.AllowDuplicateNames(true)) != nil {
		return
	}
	for name, value := range members {
		one, err := json.Marshal(map[string]jsontext.Value{name: value})
		if err == nil {
			_ = json.Unmarshal(one, k) // a keyword with an invalid value is ignored
		}
	}
}

// schema reads a schema. For a recursive reference, it does not read nested schemas.
func (r *reader) schema(written jsontext.Value, depth int) Schema {
	r.schemas--
	if !r.reserve(written) || depth > MaxDepth || r.schemas < 0 {
		return Schema{}
	}
	defer func(n int) { r.within = r.within[:n] }(len(r.within))
	definitions, again := r.definitions(written)
	var k keywords
	for _, d := range slices.Backward(definitions) {
		k.read(d)
	}
	if again {
		k.Items, k.Properties, k.AdditionalProperties, k.OneOf, k.AnyOf, k.AllOf = nil, nil, nil, nil, nil, nil
	}
	s := Schema{
		Title: k.Title, Description: k.Description, Format: cmp.Or(k.Format, k.ContentEncoding), Default: k.Default,
		Secret: k.WriteOnly, Limits: k.limits(), Written: written, Definition: definition(definitions[0]),
	}
	s.types(k.Type)
	for i, value := range k.Enum {
		c := Choice{Value: value}
		if i < len(k.EnumNames) {
			c.Label = k.EnumNames[i]
		}
		s.Choices = append(s.Choices, c)
	}
	if k.Const != nil {
		s.Choices = []Choice{{Value: k.Const}}
	}
	if k.Items.Kind() == '{' {
		items := r.schema(k.Items, depth+1)
		s.Items = &items
	}
	known := map[string]bool{} // the names of the properties
	r.properties(&s, known, k, depth)
	r.variants(&s, known, slices.Concat(k.OneOf, k.AnyOf), depth)
	for _, part := range k.AllOf {
		r.variants(&s, known, []jsontext.Value{part}, depth)
	}
	s.Open = s.Open || len(s.Properties) == 0 && k.AdditionalProperties.Kind() != 'f'
	return s
}

// reserve subtracts the size of a value from the remaining bytes. It reports whether the value may be read.
func (r *reader) reserve(v jsontext.Value) bool {
	r.bytes -= len(v)
	return r.bytes >= 0
}

// definitions returns a schema and the chain of definitions that it refers to. again is true if the last
// definition is already being read.
func (r *reader) definitions(schema jsontext.Value) (all []jsontext.Value, again bool) {
	for {
		all = append(all, schema)
		ref := reference(schema)
		if ref == "" || again {
			return all, again
		}
		definition, ok := r.lookup(ref)
		if !ok {
			return all, false
		}
		again = slices.Contains(r.within, ref)
		r.within = append(r.within, ref)
		schema = definition
	}
}

// reference returns the "$ref" of a schema, or "" if the schema has none that is a string.
func reference(schema jsontext.Value) string {
	var k struct {
		Ref string `json:"$ref"`
	}
	if json.Unmarshal(schema, &k, jsontext.AllowDuplicateNames(true)) != nil {
		return ""
	}
	return k.Ref
}

// definition returns the name of the definition that a schema refers to, or "" if it refers to none.
func definition(schema jsontext.Value) string {
	steps, ok := pointer(reference(schema))
	if !ok || len(steps) == 0 {
		return ""
	}
	return steps[len(steps)-1]
}

// lookup is like [Lookup], but for a schema that is not decoded, so that its members keep their order.
func (r *reader) lookup(ref string) (jsontext.Value, bool) {
	steps, ok := pointer(ref)
	at := r.root
	for _, step := range steps {
		var members map[string]jsontext.Value
		if !r.reserve(at) || json.Unmarshal(at, &members, jsontext.AllowDuplicateNames(true)) != nil {
			return nil, false
		}
		at = members[step]
	}
	return at, ok && at.Kind() == '{' && r.reserve(at)
}

func (s *Schema) types(value jsontext.Value) {
	var one string
	var several []string
	if json.Unmarshal(value, &one) == nil && one != "" {
		several = []string{one}
	} else if json.Unmarshal(value, &several) != nil {
		several = nil // an invalid type allows every type
	}
	for _, t := range several {
		if t == "null" {
			s.Nullable = true
		} else {
			s.Types = append(s.Types, t)
		}
	}
}

// variants merges the alternatives of a schema into s: constants with titles, or types.
func (r *reader) variants(s *Schema, known map[string]bool, list []jsontext.Value, depth int) {
	var ones []Schema
	for _, v := range list {
		one := r.schema(v, depth+1)
		if one.Nullable && len(one.Types) == 0 {
			s.Nullable = true
			continue
		}
		ones = append(ones, one)
	}
	several := len(ones) > 1
	object := func(one Schema) bool { return slices.Equal(one.Types, []string{"object"}) && len(one.Properties) > 0 }
	if several && len(s.Properties) == 0 && !slices.ContainsFunc(ones, func(one Schema) bool { return !object(one) }) {
		s.Cases = ones
	}
	for _, one := range ones {
		if len(one.Choices) == 1 && one.Choices[0].Label == "" {
			one.Choices[0].Label = one.Title
		}
		s.Choices = append(s.Choices, one.Choices...)
		for _, t := range one.Types {
			if !slices.Contains(s.Types, t) {
				s.Types = append(s.Types, t)
			}
		}
		if s.Items == nil {
			s.Items = one.Items
		}
		if !several {
			s.Others, s.Definition, s.Cases = cmp.Or(s.Others, one.Others), cmp.Or(s.Definition, one.Definition), one.Cases
		}
		for _, p := range one.Properties {
			if !known[p.Name] {
				known[p.Name] = true
				p.Required = p.Required && !several
				s.Properties = append(s.Properties, p)
			} else if several {
				s.addValues(p)
			}
		}
		s.Open = s.Open || one.Open && len(one.Properties) > 0
		if !several && s.Limits == (phrase.Limits{}) {
			s.Limits = one.Limits
		}
	}
}

// addValues adds the values that the same property lists in another alternative.
func (s *Schema) addValues(p Property) {
	i := slices.IndexFunc(s.Properties, func(q Property) bool { return q.Name == p.Name })
	if i < 0 || len(s.Properties[i].Choices) == 0 {
		return
	}
	if len(p.Choices) == 0 {
		s.Properties[i].Choices = nil
		return
	}
	for _, c := range p.Choices {
		if !slices.ContainsFunc(s.Properties[i].Choices, func(d Choice) bool { return string(d.Value) == string(c.Value) }) {
			s.Properties[i].Choices = append(slices.Clone(s.Properties[i].Choices), c)
		}
	}
}

func (r *reader) properties(s *Schema, known map[string]bool, k keywords, depth int) {
	if len(s.Types) > 0 && !slices.Contains(s.Types, "object") {
		return
	}
	s.Open = k.AdditionalProperties.Kind() == 't' || k.AdditionalProperties.Kind() == '{' || k.PatternProperties.Kind() == '{'
	if kind := k.AdditionalProperties.Kind(); kind == 't' || kind == '{' {
		others := r.schema(k.AdditionalProperties, depth+1)
		s.Others = &others
	}
	required := map[string]bool{}
	for _, name := range k.Required {
		required[name] = true
	}
	members, _ := rawjson.Members(k.Properties) // cannot fail: Parse has checked that the schema is valid JSON
	for _, m := range members {
		if r.schemas <= 0 {
			return
		}
		p := Property{Schema: r.schema(m.Value, depth+1), Name: m.Name, Required: required[m.Name]}
		s.Properties, known[m.Name] = append(s.Properties, p), true
	}
}
