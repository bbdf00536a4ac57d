package engine

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

func sprintf(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// mostShown is the maximum number of characters of a client's text that a message quotes.
const mostShown = 60

// unquoted returns the text of a JSON string, or false for other values.
func unquoted(value jsontext.Value) ([]byte, bool) {
	if value.Kind() != '"' {
		return nil, false
	}
	inner := value[1 : len(value)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner, true
	}
	text, err := jsontext.AppendUnquote(nil, value)
	return text, err == nil
}

// idKey returns the text of an id in a normal form, which is the same for all notations of the id.
// Strings have no escapes, and integers that a float64 can hold have no exponent or fraction.
func idKey(id jsontext.Value) []byte {
	switch id.Kind() {
	case '"':
		if text, ok := unquoted(id); ok && len(text) != len(id)-2 {
			return slices.Concat([]byte{'"'}, text, []byte{'"'})
		}
	case '0':
		if !bytes.ContainsAny(id, ".eE") && string(id) != "-0" {
			break
		}
		const exact = 1 << 53
		if number, err := strconv.ParseFloat(string(id), 64); err == nil && -exact < number && number < exact && number == math.Trunc(number) {
			return strconv.AppendInt(nil, int64(number), 10)
		}
	}
	return id
}
