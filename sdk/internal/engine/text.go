package engine

import (
	"bytes"
	"fmt"

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
