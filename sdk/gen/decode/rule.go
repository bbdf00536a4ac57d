package decode

import (
	"math"
	"strings"

	"github.com/jptool/jptool/internal/phrase"
)

// A Rule is a constraint on a field, as in its schema. It is checked against a JSON value that the
// field's [Func] has accepted. A rule for another kind of value always passes.
type Rule struct {
	op   op
	form form
	bits uint64
	text string
}

type op uint8

const (
	opRequired op = iota + 1
	opDefault
	opPattern
	opMinLength
	opMaxLength
	opMinimum
	opMaximum
	opExclusiveMinimum
	opExclusiveMaximum
	opMultipleOf
	opMinItems
	opMaxItems
	opUniqueItems
	opSingle
	opMinProperties
	opMaxProperties
	opExample
)

// A limit describes the rules with one op.
type limit struct {
	keyword string // schema keyword of rules with a number; "" for other rules
	kind    kind   // kind of the restricted values; 0 for rules that are not checked
	least   bool   // the count is a minimum
	words   func(*phrase.Limits) *string
}

var limits = [...]limit{
	opPattern:          {kind: kindString},
	opMinLength:        {"minLength", kindString, true, func(l *phrase.Limits) *string { return &l.MinLength }},
	opMaxLength:        {"maxLength", kindString, false, func(l *phrase.Limits) *string { return &l.MaxLength }},
	opMinimum:          {"minimum", kindNumber, false, func(l *phrase.Limits) *string { return &l.Minimum }},
	opMaximum:          {"maximum", kindNumber, false, func(l *phrase.Limits) *string { return &l.Maximum }},
	opExclusiveMinimum: {"exclusiveMinimum", kindNumber, false, func(l *phrase.Limits) *string { return &l.ExclusiveMinimum }},
	opExclusiveMaximum: {"exclusiveMaximum", kindNumber, false, func(l *phrase.Limits) *string { return &l.ExclusiveMaximum }},
	opMultipleOf:       {"multipleOf", kindNumber, false, func(l *phrase.Limits) *string { return &l.MultipleOf }},
	opMinItems:         {"minItems", kindList, true, func(l *phrase.Limits) *string { return &l.MinItems }},
	opMaxItems:         {"maxItems", kindList, false, func(l *phrase.Limits) *string { return &l.MaxItems }},
	opUniqueItems:      {kind: kindList},
	opMinProperties:    {"minProperties", kindObject, true, func(l *phrase.Limits) *string { return &l.MinProperties }},
	opMaxProperties:    {"maxProperties", kindObject, false, func(l *phrase.Limits) *string { return &l.MaxProperties }},
	opExample:          {},
}

// A form is the type of the number that the bits of a rule represent.
type form uint8

const (
	formUint form = iota
	formInt
	formFloat
)

var (
	// Required reports an absent or null field.
	Required = Rule{op: opRequired}
	// UniqueItems requires the items of a list to be distinct JSON values.
	UniqueItems = Rule{op: opUniqueItems}
	// Single also accepts a single value, as a list with one item. See [List].
	Single = Rule{op: opSingle}
)

// Default is the JSON text that the field's Func decodes if the field is absent or null.
func Default(json string) Rule { return Rule{op: opDefault, text: json} }

// Pattern requires a string that contains a match of the regular expression, in the syntax of
// package regexp.
func Pattern(re string) Rule { return Rule{op: opPattern, text: re} }

// Example is the JSON text of an example value, which messages about the field show.
func Example(json string) Rule { return Rule{op: opExample, text: json} }

// MinLength requires a string of at least n code points.
func MinLength(n int) Rule { return bound(opMinLength, max(n, 0)) }

// MaxLength requires a string of at most n code points.
func MaxLength(n int) Rule { return bound(opMaxLength, max(n, 0)) }

// MinItems requires a list of at least n items.
func MinItems(n int) Rule { return bound(opMinItems, max(n, 0)) }

// MaxItems requires a list of at most n items.
func MaxItems(n int) Rule { return bound(opMaxItems, max(n, 0)) }

// MinProperties requires an object of at least n members.
func MinProperties(n int) Rule { return bound(opMinProperties, max(n, 0)) }

// MaxProperties requires an object of at most n members.
func MaxProperties(n int) Rule { return bound(opMaxProperties, max(n, 0)) }

// Number constrains the type of a limit. Comparisons are exact: a float means the shortest
// decimal that denotes it. NaN and infinities do not limit anything.
type Number interface{ signed | unsigned | float }

// Minimum requires a number of at least limit.
func Minimum[N Number](limit N) Rule { return bound(opMinimum, limit) }

// Maximum requires a number of at most limit.
func Maximum[N Number](limit N) Rule { return bound(opMaximum, limit) }

// ExclusiveMinimum requires a number greater than limit.
func ExclusiveMinimum[N Number](limit N) Rule { return bound(opExclusiveMinimum, limit) }

// ExclusiveMaximum requires a number less than limit.
func ExclusiveMaximum[N Number](limit N) Rule { return bound(opExclusiveMaximum, limit) }

// MultipleOf requires an integer multiple of step, which must be positive.
func MultipleOf[N Number](step N) Rule { return bound(opMultipleOf, step) }

func bound[N Number](o op, n N) Rule {
	switch one := N(1); {
	case one/2 != 0:
		return Rule{op: o, form: formFloat, bits: math.Float64bits(float64(n))}
	case n < 0:
		return Rule{op: o, form: formInt, bits: uint64(int64(n))}
	}
	return Rule{op: o, bits: uint64(n)}
}

const (
	suchAs    = " such as "            // before an example
	rightForm = " in the right format" // for types that decode themselves
)

// describe returns a noun with the requirements of the rules, such as "an integer from 1 to 10".
// Without bounds in the rules, it adds the extent of the type.
func describe(noun, extent string, rules []Rule) string {
	var l phrase.Limits
	for _, r := range rules {
		switch words := limits[r.op].words; {
		case words != nil:
			*words(&l) = string(r.appendNumber(nil))
		case r.op == opUniqueItems:
			l.UniqueItems = true
		case r.op == opPattern:
			l.Pattern = r.text
		}
	}
	noun, shown, has := strings.Cut(noun, suchAs)
	if e := find(rules, opExample); e != nil {
		noun, shown, has = strings.TrimSuffix(noun, rightForm), e.text, true
	}
	if !l.BoundNumbers() {
		noun += extent
	}
	noun = l.Of(noun)
	if has {
		noun += suchAs + shown
	}
	return noun
}
