package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/internal/phrase"
)

// Constraints holds the constraints from a field's tags.
type Constraints struct {
	// Description replaces the comment.
	Description string
	Title       string
	Format      string
	phrase.Limits
	// Single is set if a single value is accepted for a list.
	Single bool
	// Number is set if the schema of an integer has the type number.
	Number bool
	// Default and Examples are written as JSON.
	Default  string
	Examples []string
}

// A Keyword is a key of a jsonschema tag.
type Keyword struct {
	Name string
	// On describes the shapes to which the key applies, and applies checks whether a shape is one of them.
	On      string
	applies func(*Shape) bool
	// set stores a value. If the value is invalid, set returns a description of valid
	// values.
	set func(c *Constraints, s *Shape, value string) (must string)
}

func isKind(kinds ...Kind) func(*Shape) bool {
	return func(s *Shape) bool { return slices.Contains(kinds, s.Kind) }
}

func always(*Shape) bool { return true }

// Keywords returns all keys of a jsonschema tag.
func Keywords() []Keyword {
	text, number := isKind(String, Text), isKind(Int, Uint, Float)
	items, names := isKind(List), isKind(Map)
	return []Keyword{
		{"description", "any value", always, func(c *Constraints, _ *Shape, v string) (must string) {
			c.Description = v
			if v == "" {
				return "the text that a model reads"
			}
			return ""
		}},
		{"title", "any value", always, func(c *Constraints, _ *Shape, v string) string { c.Title = v; return "" }},
		{"format", "strings", text, func(c *Constraints, _ *Shape, v string) string { c.Format = v; return "" }},
		{"pattern", "strings", text, func(c *Constraints, _ *Shape, v string) string { c.Pattern = v; return PortablePattern(v) }},
		{"minLength", "strings", text, length(func(c *Constraints) *string { return &c.MinLength })},
		{"maxLength", "strings", text, length(func(c *Constraints) *string { return &c.MaxLength })},
		{"minItems", "lists", items, length(func(c *Constraints) *string { return &c.MinItems })},
		{"maxItems", "lists", items, length(func(c *Constraints) *string { return &c.MaxItems })},
		{"single", "lists", items, flag(func(c *Constraints) *bool { return &c.Single })},
		{"uniqueItems", "lists", isKind(List, Array), flag(func(c *Constraints) *bool { return &c.UniqueItems })},
		{"minProperties", "maps", names, length(func(c *Constraints) *string { return &c.MinProperties })},
		{"maxProperties", "maps", names, length(func(c *Constraints) *string { return &c.MaxProperties })},
		{"minimum", "numbers", number, numeric(func(c *Constraints) *string { return &c.Minimum })},
		{"maximum", "numbers", number, numeric(func(c *Constraints) *string { return &c.Maximum })},
		{"exclusiveMinimum", "numbers", number, numeric(func(c *Constraints) *string { return &c.ExclusiveMinimum })},
		{"exclusiveMaximum", "numbers", number, numeric(func(c *Constraints) *string { return &c.ExclusiveMaximum })},
		{"multipleOf", "numbers", number, multiple},
		{"depth", "recursive types", always, levels},
		{"number", "integers", isKind(Int, Uint), flag(func(c *Constraints) *bool { return &c.Number })},
		{"default", "scalars and lists of scalars", (*Shape).Flat, nil},
		{"example", "scalars and lists of scalars", (*Shape).Flat, nil},
		{"examples", "scalars and lists of scalars", (*Shape).Flat, nil},
	}
}

// Elsewhere returns advice for the keys that other libraries use.
func Elsewhere() map[string]string {
	return map[string]string{
		"enum":     "declare a string type with a constant for each value",
		"required": "delete it, because a field without omitempty is required",
		"optional": "write omitempty in the json tag",
		"oneof":    "declare a string type with a constant for each value",
		"nullable": "use a pointer",
		"type":     "delete it, because the Go type sets the JSON type",
		"const":    "declare a string type with one constant and //jp:enum closed",
	}
}

// meant returns the key of a jsonschema tag that an author means with a word of another library, or "".
func meant(word string, s *Shape) string {
	least, most := "minimum", "maximum"
	switch s.Kind {
	case String, Text:
		least, most = "minLength", "maxLength"
	case List, Array:
		least, most = "minItems", "maxItems"
	case Map:
		least, most = "minProperties", "maxProperties"
	}
	switch strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return unicode.ToLower(r)
	}, word) {
	case "min", "gte", "ge", "least", "atleast", "low", "lower":
		return least
	case "max", "lte", "le", "most", "atmost", "high", "upper":
		return most
	case "gt", "greaterthan", "minexclusive":
		return "exclusiveMinimum"
	case "lt", "lessthan", "maxexclusive":
		return "exclusiveMaximum"
	case "minlen", "minsize":
		return strings.Replace(least, "minimum", "minLength", 1)
	case "maxlen", "maxsize", "len", "length", "size":
		return strings.Replace(most, "maximum", "maxLength", 1)
	case "desc", "doc", "help", "comment", "text", "usage":
		return "description"
	case "name", "label":
		return "title"
	case "regex", "regexp", "match", "matches", "re":
		return "pattern"
	case "unique", "set", "distinct":
		return "uniqueItems"
	case "step", "multiple", "divisibleby":
		return "multipleOf"
	case "eg", "sample", "ex":
		return "example"
	case "def", "initial":
		return "default"
	}
	return ""
}

func length(field func(*Constraints) *string) func(*Constraints, *Shape, string) string {
	return func(c *Constraints, _ *Shape, v string) string {
		n, err := strconv.ParseUint(v, 10, 31)
		if err != nil {
			return "a count from 0 to 2147483647"
		}
		*field(c) = strconv.FormatUint(n, 10)
		return ""
	}
}

func numeric(field func(*Constraints) *string) func(*Constraints, *Shape, string) string {
	return func(c *Constraints, _ *Shape, v string) string {
		if _, ok := parseNumber(v); !ok {
			return "a number such as 10 or 0.5"
		}
		*field(c) = v
		return ""
	}
}

func multiple(c *Constraints, _ *Shape, v string) string {
	if n, ok := parseNumber(v); !ok || n.Sign() <= 0 {
		return "a number above 0"
	}
	c.MultipleOf = v
	return ""
}

// maxLevels is the maximum depth of a recursive type. The schema contains every level.
const maxLevels = 8

// levels checks the value of the depth key, which [Analyzer.analyzeRecursive] uses.
func levels(_ *Constraints, _ *Shape, v string) string {
	if n, err := strconv.Atoi(v); err != nil || n < 2 || n > maxLevels {
		return fmt.Sprintf("a number of levels from 2 to %d", maxLevels)
	}
	return ""
}

func flag(field func(*Constraints) *bool) func(*Constraints, *Shape, string) string {
	return func(c *Constraints, _ *Shape, v string) string {
		if v != "" && v != "true" {
			return "true"
		}
		*field(c) = true
		return ""
	}
}

// constraints reads the tag of a field with shape s. It checks that the keys apply to the shape, and that their
// values are valid and do not contradict each other.
func (a *Analyzer) constraints(t tag, s *Shape) Constraints {
	var c Constraints
	before := a.list.Len()
	seen := map[string]bool{}
	var literals []entry
	for _, e := range t.entries {
		k, ok := a.keyword(e, s.Base())
		switch {
		case !ok:
		case seen[e.key] && !strings.HasPrefix(e.key, "example"):
			a.list.Add(e.pos, diag.Repeated, "%s is set more than once", e.key).Suggest("delete one")
		case !k.applies(s.Base()):
			a.list.Add(e.pos, diag.IdleConstraint, "%s applies to %s, not to %s", e.key, k.On, a.spell(s.Type)).Suggest("delete it")
		case k.set == nil:
			literals = append(literals, e)
		default:
			if must := k.set(&c, s.Base(), e.value); must != "" {
				a.list.Add(e.pos, diag.BadConstraint, "invalid %s %q", e.key, e.value).Suggest("write %s", must)
			}
		}
		seen[e.key] = true
	}
	if t.shadow != nil {
		switch {
		case seen["default"]:
			a.list.Add(t.shadow.pos, diag.Repeated, "default is set twice, here and in the jsonschema tag").Suggest("delete one")
		case !s.Base().Flat():
			a.list.Add(t.shadow.pos, diag.IdleConstraint, "default applies to scalars and lists of scalars, not to %s", a.spell(s.Type)).Suggest("delete it")
		default:
			literals = append(literals, *t.shadow)
		}
	}
	if a.list.Len() == before {
		a.checkSatisfiable(t, s, c)
	}
	if a.list.Len() == before {
		a.literals(t, literals, s, &c)
	}
	return c
}

// keyword returns the keyword of an entry for a value of shape s.
func (a *Analyzer) keyword(e entry, s *Shape) (Keyword, bool) {
	var names []string
	for _, k := range Keywords() {
		if k.Name == e.key {
			return k, true
		}
		names = append(names, k.Name)
	}
	f := a.list.Add(e.pos, diag.UnknownConstraint, "unknown key %q in the jsonschema tag", e.key)
	if e.key == "" {
		f.Suggest("delete the comma, or write key=value after it")
	} else if hint, ok := Elsewhere()[strings.ToLower(e.key)]; ok {
		f.Suggest("%s", hint)
	} else if other := meant(e.key, s); other != "" {
		f.Suggest("did you mean %s?", other)
	} else if near, ok := phrase.Nearest(e.key, names); ok {
		f.Suggest("did you mean %s?", near)
	} else {
		f.Suggest("write one of %s; write a comma in a value as \\\\,", strings.Join(names, ", "))
	}
	return Keyword{}, false
}

// literals reads the values of default and examples.
func (a *Analyzer) literals(t tag, entries []entry, s *Shape, c *Constraints) {
	for _, e := range entries {
		value, must := literal(s, *c, e.value)
		switch {
		case must != "" && e.key == "default" && t.answer:
			a.list.Add(e.pos, diag.BadAnswer, "default %q is not a valid answer to the question", e.value).Suggest("write %s", must)
		case must != "" && e.key == "default":
			a.list.Add(e.pos, diag.BadDefault, "invalid default %q", e.value).Suggest("write %s", must)
		case must != "":
			a.list.Add(e.pos, diag.BadConstraint, "invalid example %q", e.value).Suggest("write %s", must)
		case e.key == "default":
			c.Default = value
		default:
			c.Examples = append(c.Examples, value)
		}
	}
}
