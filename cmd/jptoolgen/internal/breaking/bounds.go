package breaking

import (
	"math/big"
	"slices"
)

// boundKeywords are the keywords that limit lengths, counts and numbers.
var boundKeywords = []string{
	"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf",
	"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "uniqueItems",
}

// bounds reports the bounds that became tighter or looser.
func (w *walk) bounds(path string, o, n node) {
	if !slices.ContainsFunc(boundKeywords, func(k string) bool { return canonical(o[k]) != canonical(n[k]) }) {
		return
	}
	for _, k := range []string{"minLength", "minItems", "minProperties"} {
		w.bound(path, k, count(o[k]), count(n[k]), o, n)
	}
	for _, k := range []string{"maxLength", "maxItems", "maxProperties"} {
		w.bound(path, k, negative(number(o[k])), negative(number(n[k])), o, n)
	}
	w.bound(path, lower(o, n), least(o), least(n), o, n)
	w.bound(path, upper(o, n), greatest(o), greatest(n), o, n)
	w.multiple(path, o, n)
	switch before, after := o["uniqueItems"] == true, n["uniqueItems"] == true; {
	case before && !after:
		w.moved(loosened, o, n, path, "uniqueItems "+became(true, nil))
	case !before && after:
		w.moved(tightened, o, n, path, "uniqueItems "+became(nil, true))
	}
}

// moved reports that a bound changed. It reports nothing if the values in question are a closed set within the
// bound, because enum reports the values that were added and removed.
func (w *walk) moved(f fact, o, n node, path, detail string) {
	if f == tightened && within(o, n) || f == loosened && within(n, o) {
		return
	}
	w.report(f, path, detail)
}

// A limit is a lower bound, or a negated upper bound. A nil value means no limit.
type limit struct {
	value *big.Float
	open  bool // the bound itself is not allowed
}

// bound reports a change to a lower bound.
func (w *walk) bound(path, keyword string, before, after limit, o, n node) {
	detail := keyword + " " + became(o[keyword], n[keyword])
	switch compareLimits(before, after) {
	case -1:
		w.moved(tightened, o, n, path, detail)
	case 1:
		w.moved(loosened, o, n, path, detail)
	}
}

// compareLimits returns -1 if after excludes more values than before, and 1 if it excludes fewer.
func compareLimits(before, after limit) int {
	switch {
	case before.value == nil && after.value == nil:
		return 0
	case before.value == nil:
		return -1
	case after.value == nil:
		return 1
	}
	if c := before.value.Cmp(after.value); c != 0 {
		return c
	}
	switch {
	case !before.open && after.open:
		return -1
	case before.open && !after.open:
		return 1
	}
	return 0
}

// precision is the number of bits with which bounds are compared. It exceeds the precision of every number that
// the protocol uses.
const precision = 256

// number returns v as a bound, or no limit if v is not a number.
func number(v any) limit {
	n, ok := v.(interface{ String() string }) // json.Number
	if !ok {
		return limit{}
	}
	f, _, err := big.ParseFloat(n.String(), 10, precision, big.ToNearestEven)
	if err != nil {
		return limit{}
	}
	return limit{value: f}
}

// count returns the lower bound for a length. A missing bound means zero.
func count(v any) limit {
	l := number(v)
	if l.value == nil {
		l.value = new(big.Float)
	}
	return l
}

func negative(l limit) limit {
	if l.value != nil {
		l.value = new(big.Float).Neg(l.value)
	}
	return l
}

// least returns the lower bound of the numbers that a schema allows.
func least(s node) limit {
	l, open := number(s["minimum"]), number(s["exclusiveMinimum"])
	open.open = true
	if open.value != nil && compareLimits(l, open) < 0 {
		l = open
	}
	return whole(s, l)
}

// greatest returns the negated upper bound of the numbers that a schema allows.
func greatest(s node) limit {
	l, open := negative(number(s["maximum"])), negative(number(s["exclusiveMaximum"]))
	open.open = true
	if open.value != nil && compareLimits(l, open) < 0 {
		l = open
	}
	return whole(s, l)
}

// whole rounds a bound of integers up to the first allowed integer, so that equivalent bounds compare as equal.
func whole(s node, l limit) limit {
	if s["type"] != "integer" || l.value == nil || l.value.IsInf() || l.value.MantExp(nil) > precision/2 {
		return l
	}
	floor, _ := l.value.Int(nil) // toward zero
	rounded := new(big.Float).SetPrec(precision).SetInt(floor)
	if c := rounded.Cmp(l.value); c < 0 || c == 0 && l.open {
		rounded.Add(rounded, big.NewFloat(1))
	}
	return limit{value: rounded}
}

func lower(o, n node) string { return either(o, n, "minimum", "exclusiveMinimum") }
func upper(o, n node) string { return either(o, n, "maximum", "exclusiveMaximum") }

// either returns whichever of the keywords a and b changed.
func either(o, n node, a, b string) string {
	if canonical(o[a]) == canonical(n[a]) {
		return b
	}
	return a
}

// multiple reports a change to multipleOf.
func (w *walk) multiple(path string, o, n node) {
	before, after := step(o), step(n)
	detail := "multipleOf " + became(o["multipleOf"], n["multipleOf"])
	known := before != nil && after != nil
	switch {
	case canonical(o["multipleOf"]) == canonical(n["multipleOf"]) || known && before.Cmp(after) == 0:
	case n["multipleOf"] == nil || known && new(big.Rat).Quo(before, after).IsInt():
		w.moved(loosened, o, n, path, detail)
	case o["multipleOf"] == nil || known && new(big.Rat).Quo(after, before).IsInt():
		w.moved(tightened, o, n, path, detail)
	default:
		w.moved(tightened, o, n, path, detail)
		w.moved(loosened, o, n, path, detail)
	}
}

// step returns multipleOf as an exact fraction. It returns nil if the number's text is too long or has an exponent:
// the fraction of 1e9999999 would exhaust the memory. Integers that are multiples of 3/2 are multiples of 3.
func step(s node) *big.Rat {
	integer := s["type"] == "integer"
	if integer && s["multipleOf"] == nil {
		return big.NewRat(1, 1)
	}
	n, ok := s["multipleOf"].(interface{ String() string })
	if !ok || len(n.String()) > 32 {
		return nil
	}
	for _, r := range n.String() {
		if r == 'e' || r == 'E' {
			return nil
		}
	}
	rat, ok := new(big.Rat).SetString(n.String())
	if !ok || rat.Sign() <= 0 {
		return nil
	}
	if integer {
		rat.SetInt(rat.Num())
	}
	return rat
}
