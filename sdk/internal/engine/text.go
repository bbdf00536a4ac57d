package engine

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

func sprintf(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// mostShown is how many characters of a client's text a message repeats.
const mostShown = 60

// unquoted returns the text of a JSON string, and false for other values.
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

// isInteger reports whether a JSON number of any size and notation is an integer.
func isInteger(number jsontext.Value) bool {
	if !bytes.ContainsAny(number, ".eE") {
		return true
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(string(number)), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	fraction = strings.TrimRight(fraction, "0")
	if exponent == "" {
		return fraction == ""
	}
	shift, err := strconv.Atoi(exponent)
	digits := strings.TrimRight(whole+fraction, "0")
	if strings.Trim(digits, "-0") == "" {
		return true
	}
	if err != nil { // an exponent larger than any number of digits
		return exponent[0] != '-'
	}
	return shift >= len(digits)-len(whole)
}
