package breaking

import (
	"encoding/json"
	"math/big"
	"slices"
	"unicode/utf8"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
)

// enum reports the values that were added to or removed from a closed set.
func (w *walk) enum(path string, o, n node) {
	before, isClosed := shape.Listed(o)
	after, isNowClosed := shape.Listed(n)
	switch {
	case !isClosed && !isNowClosed:
	case !isClosed:
		w.report(valuesRemoved, path, "was any value and is now one of "+show(after))
	case !isNowClosed:
		w.report(valuesAdded, path, "was one of "+show(before)+" and is now any value")
	default:
		if gone := without(before, after); len(gone) > 0 {
			w.report(valuesRemoved, path, "no longer "+show(gone))
		}
		if more := without(after, before); len(more) > 0 {
			w.report(valuesAdded, path, "also "+show(more))
		}
	}
}

func without(all, these []any) []any {
	known := map[string]bool{}
	for _, v := range these {
		known[canonical(v)] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(v any) bool { return known[canonical(v)] })
}

// canonical returns a JSON value as text, which is the same for equal values.
func canonical(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return "?" // cannot happen: values decoded from JSON can be encoded
	}
	return string(data)
}

// within reports whether a node has a closed set of values that are all within the bounds of another node. Those
// bounds then have no effect.
func within(s, bounds node) bool {
	all, closed := shape.Listed(s)
	return closed && !slices.ContainsFunc(all, func(v any) bool { return !inside(v, bounds) })
}

// inside reports whether a value is known to be within the bounds of a node.
func inside(v any, s node) bool {
	switch v := v.(type) {
	case string:
		size := limit{value: big.NewFloat(float64(utf8.RuneCountInString(v)))}
		return !beyond(size, count(s["minLength"])) && !beyond(negative(size), negative(number(s["maxLength"])))
	case json.Number:
		n := number(v)
		return n.value != nil && s["multipleOf"] == nil && !beyond(n, least(s)) && !beyond(negative(n), greatest(s))
	case bool, nil:
		return true
	}
	return false
}

// beyond reports whether a value is below a lower bound.
func beyond(value, bound limit) bool {
	if bound.value == nil {
		return false
	}
	c := value.value.Cmp(bound.value)
	return c < 0 || c == 0 && bound.open
}
