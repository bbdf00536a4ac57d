package shape

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
)

// maxFit is the maximum number of values that are compared with a schema.
const maxFit = 20_000

// Misfit compares a value with a schema and describes the first difference: "items[2].size must be an integer,
// not "big"". It returns "" if types, required and undeclared properties, listed values and bounds match. It
// ignores other keywords, and parts beyond the limits for schemas.
func Misfit(schema, value jsontext.Value) string {
	root, v := Decode(schema), Decode(value) // nil is accepted as a schema and as a value
	s, ok := root.(Node)
	if !ok || len(schema) > maxBytes {
		return ""
	}
	Document(s)
	f := fitter{root: s, steps: maxFit}
	return f.misfit("the result", s, v, 0)
}

// Decode returns a JSON value with exact numbers. It returns nil if text is not JSON.
func Decode(text []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

type fitter struct {
	root  Node
	steps int
}

func (f *fitter) misfit(path string, s Node, v any, depth int) string {
	s, known := Resolve(s, f.root)
	f.steps--
	if !known || depth > MaxDepth || f.steps < 0 {
		return ""
	}
	s = Normal(s, f.root, &f.steps)
	shown, _ := json.Marshal(v) // cannot fail: v was decoded from JSON
	if types := Types(s); types != nil && !slices.ContainsFunc(types, func(t string) bool { return isOf(v, t) }) {
		for i, t := range types {
			types[i] = phrase.A(t)
		}
		return fmt.Sprintf("%s must be %s, not %s", path, strings.Join(types, " or "), phrase.Clip(string(shown), 80))
	}
	if values, ok := Listed(s); ok && !contains(values, v) && !slices.ContainsFunc(values, func(w any) bool { return equalNumbers(v, w) }) {
		return fmt.Sprintf("%s is %s, which is not one of the allowed values", path, phrase.Clip(string(shown), 80))
	}
	if branches, ok := s["anyOf"].([]any); ok {
		fits := func(b any) bool { return f.misfit(path, AsNode(b), v, depth+1) == "" }
		if len(branches) > 0 && !slices.ContainsFunc(branches, fits) {
			return path + " does not match any of the alternatives"
		}
	}
	switch v := v.(type) {
	case Node:
		return f.object(path, s, v, depth)
	case []any:
		if out := describeLength(path, "item", len(v), s["minItems"], s["maxItems"]); out != "" {
			return out
		}
		items, ok := s["items"].(Node)
		for i := 0; ok && i < len(v); i++ {
			if out := f.misfit(fmt.Sprintf("%s[%d]", path, i), items, v[i], depth+1); out != "" {
				return out
			}
		}
	case string:
		return describeLength(path, "character", utf8.RuneCountInString(v), s["minLength"], s["maxLength"])
	case json.Number:
		if isExcluded(s, v) {
			return fmt.Sprintf("%s is %s, which is out of bounds", path, v)
		}
	}
	return ""
}

func (f *fitter) object(path string, s, v Node, depth int) string {
	required, _ := s["required"].([]any)
	for _, name := range required {
		if text, ok := name.(string); ok {
			if _, there := v[text]; !there {
				return fmt.Sprintf("%s has no %q, which is required", path, text)
			}
		}
	}
	properties, _ := s["properties"].(Node)
	for _, name := range slices.Sorted(maps.Keys(v)) {
		at := path + "." + name
		switch p, declared := properties[name]; {
		case declared:
			if out := f.misfit(at, AsNode(p), v[name], depth+1); out != "" {
				return out
			}
		case s["patternProperties"] != nil:
		case s["additionalProperties"] == false:
			return fmt.Sprintf("%s has %q, which is not declared", path, name)
		default:
			if out := f.misfit(at, AsNode(s["additionalProperties"]), v[name], depth+1); out != "" {
				return out
			}
		}
	}
	return ""
}

// isOf reports whether a JSON value has a type of JSON Schema.
func isOf(v any, t string) bool {
	kind := kindOf(v)
	if kind == "number" && t == "integer" {
		n := exactNumber(v)
		return n != nil && n.IsInt()
	}
	return kind == t || kind == "integer" && t == "number"
}

// equalNumbers reports whether two values are equal numbers.
func equalNumbers(v, w any) bool {
	a, b := exactNumber(v), exactNumber(w)
	return a != nil && b != nil && a.Cmp(b) == 0
}

// exactNumber returns a number, or nil for other values and for numbers with too many digits.
func exactNumber(v any) *big.Float {
	n, ok := v.(json.Number)
	if !ok || len(n) > 64 {
		return nil
	}
	f, _, err := big.ParseFloat(string(n), 10, 256, big.ToNearestEven)
	if err != nil {
		return nil
	}
	return f
}

// isExcluded reports whether the bounds of a schema are known to exclude a string or a number.
func isExcluded(s Node, v any) bool {
	if text, ok := v.(string); ok {
		limited := s["minLength"] != nil || s["maxLength"] != nil
		return limited && describeLength("", "", utf8.RuneCountInString(text), s["minLength"], s["maxLength"]) != ""
	}
	over := func(keyword string, out ...int) bool {
		bound := exactNumber(s[keyword])
		if bound == nil {
			return false
		}
		n := exactNumber(v)
		return n != nil && slices.Contains(out, n.Cmp(bound))
	}
	return over("minimum", -1) || over("exclusiveMinimum", -1, 0) || over("maximum", 1) || over("exclusiveMaximum", 0, 1) ||
		indivisible(v, s["multipleOf"])
}

// indivisible reports whether a number is known not to be a multiple of an integer.
func indivisible(v, by any) bool {
	step := exactNumber(by)
	if step == nil || !step.IsInt() || step.Sign() <= 0 {
		return false
	}
	n := exactNumber(v)
	if n == nil || n.IsInf() || max(n.MantExp(nil), step.MantExp(nil)) > 256 { // larger numbers take too much memory
		return false
	}
	whole, _ := n.Int(nil)
	of, _ := step.Int(nil)
	return !n.IsInt() || whole.Rem(whole, of).Sign() != 0
}

// describeLength describes a length that is out of bounds. It returns "" if the length is within them.
func describeLength(path, noun string, n int, lowest, highest any) string {
	size, lower, upper := big.NewFloat(float64(n)), exactNumber(lowest), exactNumber(highest)
	if lower != nil && size.Cmp(lower) < 0 || upper != nil && size.Cmp(upper) > 0 {
		return fmt.Sprintf("%s has %s, which is out of bounds", path, phrase.Plural(n, noun))
	}
	return ""
}
