package breaking

import (
	"cmp"
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
)

// boundKeywords are the keywords that limit lengths, counts and numbers.
var boundKeywords = []string{
	"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf",
	"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "uniqueItems",
}

// bounds reports the bounds that became tighter or looser.
func (w *walk) bounds(path string, o, n node) {
	changed := func(k string) bool { return canonical(o[k]) != canonical(n[k]) }
	if !slices.ContainsFunc(boundKeywords, changed) && !changed("format") {
		return
	}
	for _, k := range []string{"minLength", "minItems", "minProperties", "maxLength", "maxItems", "maxProperties"} {
		w.bound(path, k, limitOf(o, k), limitOf(n, k), o, n)
	}
	o, n = dropWidest(o, n), dropWidest(n, o)
	o, n = w.safeBounds(path, o, n)
	least := changedKeyword(o, n, "minimum", "exclusiveMinimum", "format")
	most := changedKeyword(o, n, "maximum", "exclusiveMaximum", "format")
	lower, upper := compareLimits(lowerBound(o), lowerBound(n)), compareLimits(greatest(o), greatest(n))
	w.bound(path, least, lowerBound(o), lowerBound(n), o, n)
	if least != most || lower != upper { // a format changes both bounds at once
		w.bound(path, most, greatest(o), greatest(n), o, n)
	}
	w.multiple(path, o, n)
	switch before, after := o["uniqueItems"] == true, n["uniqueItems"] == true; {
	case before && !after:
		w.reportBound(loosened, o, n, path, "uniqueItems "+describeChange(true, nil))
	case !before && after:
		w.reportBound(tightened, o, n, path, "uniqueItems "+describeChange(nil, true))
	}
}

// reportBound reports that a bound changed. It reports nothing if an enum within the bound lists the
// allowed values, because the method enum reports added and removed values.
func (w *walk) reportBound(f fact, o, n node, path, detail string) {
	if f == tightened && hasValuesWithin(o, n) || f == loosened && hasValuesWithin(n, o) {
		return
	}
	w.report(f, path, detail)
}

// A limit is a lower bound, or a negated upper bound. A nil value means no limit.
type limit struct {
	value *big.Float
	open  bool // the bound is exclusive
}

// bound reports a change to a lower bound.
func (w *walk) bound(path, keyword string, before, after limit, o, n node) {
	detail := keyword + " " + describeChange(o[keyword], n[keyword])
	switch compareLimits(before, after) {
	case -1:
		w.reportBound(tightened, o, n, path, detail)
	case 1:
		w.reportBound(loosened, o, n, path, detail)
	}
}

// compareLimits returns -1 if after excludes more values than before, and 1 if it excludes fewer.
func compareLimits(before, after limit) int {
	rank := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	if before.value == nil || after.value == nil {
		return rank(before.value != nil) - rank(after.value != nil)
	}
	return cmp.Or(before.value.Cmp(after.value), rank(before.open)-rank(after.open))
}

// precision is the number of bits with which bounds are compared. It exceeds the precision of every number that
// the protocol uses.
const precision = 256

// number returns v as a bound, or no limit if v is not a number.
func number(v any) limit {
	n, _ := v.(json.Number)
	f, _, err := big.ParseFloat(string(n), 10, precision, big.ToNearestEven)
	if err != nil {
		return limit{}
	}
	return limit{value: f}
}

// limitOf returns the bound that a keyword sets. A missing minimum length or count is zero.
func limitOf(s node, keyword string) limit {
	l := number(s[keyword])
	if strings.HasPrefix(keyword, "max") || keyword == "exclusiveMaximum" {
		return l.negate()
	}
	if l.value == nil && keyword != "minimum" && keyword != "exclusiveMinimum" {
		l.value = new(big.Float)
	}
	return l
}

func (l limit) negate() limit {
	if l.value != nil {
		l.value = new(big.Float).Neg(l.value)
	}
	return l
}

// lowerBound returns the lower bound of the numbers that a schema allows.
func lowerBound(s node) limit {
	return tighter(s, "minimum", "exclusiveMinimum", numberFormats[text(s["format"])][0])
}

// greatest returns the negated upper bound of the numbers that a schema allows.
func greatest(s node) limit {
	return tighter(s, "maximum", "exclusiveMaximum", numberFormats[text(s["format"])][1])
}

// dropWidest returns s without a format that numbers without a format have, too, unless the other schema has a format.
func dropWidest(s, other node) node {
	_, known := numberFormats[text(other["format"])]
	if f := s["format"]; known || f != "int64" && f != "double" {
		return s
	}
	s = maps.Clone(s)
	delete(s, "format")
	return s
}

// safeBounds reports that an argument got or lost the bounds of the integers that are exact as a float64, and
// returns the schemas without these bounds. A server accepts a string for an integer beyond them, and clients that
// use floats could not send the number.
func (w *walk) safeBounds(path string, o, n node) (before, after node) {
	safe := limit{value: new(big.Float).SetPrec(precision).SetInt64(-(1<<53 - 1))}
	f, detail := fact(0), ""
	for _, k := range []struct {
		of                 func(node) limit
		keyword, exclusive string
	}{{lowerBound, "minimum", "exclusiveMinimum"}, {greatest, "maximum", "exclusiveMaximum"}} {
		was, is, change := k.of(o), k.of(n), safeAdded
		switch {
		case is.value != nil && compareLimits(is, safe) == 0 && compareLimits(was, is) < 0:
		case was.value != nil && compareLimits(was, safe) == 0 && compareLimits(was, is) > 0:
			change = safeDropped
		default:
			continue
		}
		if f == 0 {
			f, detail = change, k.keyword+" "+describeChange(o[k.keyword], n[k.keyword])
		}
		o, n = maps.Clone(o), maps.Clone(n)
		for _, s := range []node{o, n} {
			delete(s, k.keyword)
			delete(s, k.exclusive)
			delete(s, "format")
		}
	}
	if f != 0 {
		w.reportBound(f, o, n, path, detail)
	}
	return o, n
}

// numberFormats maps the formats of numbers (OpenAPI Format Registry) to the least number and the negated greatest
// number that they allow.
var numberFormats = map[string][2]json.Number{
	"int8": {"-128", "-127"}, "int16": {"-32768", "-32767"}, "int32": {"-2147483648", "-2147483647"},
	"int64": {"-9223372036854775808", "-9223372036854775807"},
	"uint8": {"0", "-255"}, "uint16": {"0", "-65535"}, "uint32": {"0", "-4294967295"},
	"uint64": {"0", "-18446744073709551615"},
	"float":  {"-340282346638528859811704183484516925440", "-340282346638528859811704183484516925440"},
	"double": {"-1.7976931348623157e308", "-1.7976931348623157e308"},
}

// tighter returns the tighter of the bounds that two keywords set, such as minimum and exclusiveMinimum.
func tighter(s node, keyword, exclusive string, ofFormat json.Number) limit {
	l, open := limitOf(s, keyword), limitOf(s, exclusive)
	if implied := number(ofFormat); implied.value != nil && compareLimits(l, implied) < 0 {
		l = implied
	}
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
	floor, _ := l.value.Int(nil) // Int rounds toward zero
	rounded := new(big.Float).SetPrec(precision).SetInt(floor)
	if c := rounded.Cmp(l.value); c < 0 || c == 0 && l.open {
		rounded.Add(rounded, big.NewFloat(1))
	}
	return limit{value: rounded}
}

// changedKeyword returns the first of the keywords that changed, or else the last.
func changedKeyword(o, n node, keywords ...string) string {
	for _, k := range keywords {
		if canonical(o[k]) != canonical(n[k]) {
			return k
		}
	}
	return keywords[len(keywords)-1]
}

// multiple reports a change to multipleOf. Whether each multiple of one number is a multiple of another is not judged.
func (w *walk) multiple(path string, o, n node) {
	const k = "multipleOf"
	if canonical(o[k]) == canonical(n[k]) {
		return
	}
	f := unjudged
	switch {
	case n[k] == nil:
		f = loosened
	case o[k] == nil:
		f = tightened
	}
	w.reportBound(f, o, n, path, k+" "+describeChange(o[k], n[k]))
}

// enum reports the values that were added to or removed from an enum.
func (w *walk) enum(path string, o, n node) {
	before, isClosed := shape.Listed(o)
	after, isNowClosed := shape.Listed(n)
	switch {
	case !isClosed && !isNowClosed:
	case !isClosed:
		w.report(valuesRemoved, path, "was not limited and is now one of "+show(after))
	case !isNowClosed:
		w.report(valuesAdded, path, "was one of "+show(before)+" and is no longer limited")
	default:
		if gone := subtract(before, after); len(gone) > 0 {
			w.report(valuesRemoved, path, "no longer "+show(gone))
		}
		if more := subtract(after, before); len(more) > 0 {
			w.report(valuesAdded, path, "also "+show(more))
		}
	}
}

func subtract(all, these []any) []any {
	known := map[string]bool{}
	for _, v := range these {
		known[canonical(v)] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(v any) bool { return known[canonical(v)] })
}

// canonical encodes a JSON value. The text is the same for equal values.
func canonical(v any) string {
	data, _ := json.Marshal(v) // cannot fail: v was decoded from JSON
	return string(data)
}

// hasValuesWithin reports whether a node has an enum whose values are all within the bounds of another node.
// Those bounds then have no effect.
func hasValuesWithin(s, bounds node) bool {
	all, closed := shape.Listed(s)
	return closed && !slices.ContainsFunc(all, func(v any) bool { return !isInside(v, bounds) })
}

// isInside reports whether a value is known to be within the bounds of a node.
func isInside(v any, s node) bool {
	switch v.(type) {
	case node, []any:
		return false
	}
	return s["multipleOf"] == nil && !shape.Excludes(s, v)
}
