package decode

import "math"

// A Rule is a constraint on a field, as in its schema. It is checked against the
// JSON value after the field's [Func] has taken it; a rule for another kind of
// value holds.
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
	opMinProperties
	opMaxProperties
)

// A form says how bits hold a number.
type form uint8

const (
	formUint form = iota
	formInt
	formFloat
)

var (
	// Required makes it a problem that a field is absent or null.
	Required = Rule{op: opRequired}
	// UniqueItems wants a list in which no two items are equal as JSON values.
	UniqueItems = Rule{op: opUniqueItems}
)

// Default gives a field that is absent or null the value of a JSON text, by way
// of its Func.
func Default(json string) Rule { return Rule{op: opDefault, text: json} }

// Pattern wants a string in which the regular expression matches somewhere, in
// the syntax of package regexp.
func Pattern(re string) Rule { return Rule{op: opPattern, text: re} }

// MinLength wants a string of at least n characters, counted in code points.
func MinLength(n int) Rule { return count(opMinLength, n) }

// MaxLength wants a string of at most n characters, counted in code points.
func MaxLength(n int) Rule { return count(opMaxLength, n) }

// MinItems wants a list of at least n items.
func MinItems(n int) Rule { return count(opMinItems, n) }

// MaxItems wants a list of at most n items.
func MaxItems(n int) Rule { return count(opMaxItems, n) }

// MinProperties wants an object of at least n members.
func MinProperties(n int) Rule { return count(opMinProperties, n) }

// MaxProperties wants an object of at most n members.
func MaxProperties(n int) Rule { return count(opMaxProperties, n) }

// A Number is what a bound may be given as. Comparisons are exact for all of
// them: a float stands for the shortest decimal that denotes it. NaN and the
// infinities bound nothing.
type Number interface{ signed | unsigned | float }

// Minimum wants a number that is at least limit.
func Minimum[N Number](limit N) Rule { return bound(opMinimum, limit) }

// Maximum wants a number that is at most limit.
func Maximum[N Number](limit N) Rule { return bound(opMaximum, limit) }

// ExclusiveMinimum wants a number greater than limit.
func ExclusiveMinimum[N Number](limit N) Rule { return bound(opExclusiveMinimum, limit) }

// ExclusiveMaximum wants a number less than limit.
func ExclusiveMaximum[N Number](limit N) Rule { return bound(opExclusiveMaximum, limit) }

// MultipleOf wants a number that is a whole multiple of step, which is more than 0.
func MultipleOf[N Number](step N) Rule { return bound(opMultipleOf, step) }

func count(o op, n int) Rule { return Rule{op: o, bits: uint64(max(n, 0))} }

func bound[N Number](o op, n N) Rule {
	switch one := N(1); {
	case one/2 != 0:
		return Rule{op: o, form: formFloat, bits: math.Float64bits(float64(n))}
	case n < 0:
		return Rule{op: o, form: formInt, bits: uint64(int64(n))}
	}
	return Rule{op: o, form: formUint, bits: uint64(n)}
}
