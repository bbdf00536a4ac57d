package encode

import (
	"encoding"
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

// Text writes a string by the type's own MarshalText.
func Text[T any, P interface {
	*T
	encoding.TextMarshaler
}](w *Writer, v *T) {
	text, err := P(v).MarshalText()
	if err != nil {
		w.refuse("its MarshalText failed", err)
		return
	}
	w.string(string(text))
}

// TextKey makes the name of a key by its own MarshalText.
func TextKey[K encoding.TextMarshaler](k K) (string, error) {
	text, err := k.MarshalText()
	return string(text), err
}

// JSON writes what the type's own MarshalJSON returns, compact, if that is one
// JSON value.
func JSON[T any, P interface {
	*T
	json.Marshaler
}](w *Writer, v *T) {
	data, err := P(v).MarshalJSON()
	if err != nil {
		w.refuse("its MarshalJSON failed", err)
		return
	}
	w.json(data, "its MarshalJSON did not return valid JSON")
}

// Raw writes JSON that is there already, compact; none is null. What is not one
// JSON value is an error.
func Raw[T ~[]byte](w *Writer, v *T) {
	if len(*v) == 0 {
		w.buf = append(w.buf, "null"...)
		return
	}
	w.json(*v, "it is not valid JSON")
}

// Any writes a value of a type that only running it shows, as encoding/json does
// without the escapes for HTML.
func Any(w *Writer, v *any) {
	data, err := json.Marshal(*v)
	if err != nil {
		w.refuse("it cannot be written", err)
		return
	}
	w.json(data, "it is not valid JSON")
}

// json appends a value that comes from elsewhere.
func (w *Writer) json(data []byte, reason string) {
	n := len(w.buf)
	out, err := jsontext.AppendFormat(w.buf, data, jsontext.AllowInvalidUTF8(true))
	w.buf = out
	switch {
	case err != nil:
		w.refuse(reason, err)
	case levels(out[n:])+w.depth > maxDepth:
		w.refuseDepth()
	}
}

// levels returns how deep valid JSON nests.
func levels(data []byte) (deepest int) {
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}
