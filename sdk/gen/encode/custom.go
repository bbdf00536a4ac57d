package encode

import (
	"encoding"
	"encoding/json"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

// Text encodes v as the string that MarshalText returns.
func Text[T any, P interface {
	*T
	encoding.TextMarshaler
}](w *Writer, v *T) {
	text, err := P(v).MarshalText()
	if err != nil {
		w.refuse("its MarshalText method failed", err)
	} else {
		w.string(string(text))
	}
}

// TextKey encodes a map key with its MarshalText.
func TextKey[K encoding.TextMarshaler](k K) (string, error) {
	text, err := k.MarshalText()
	return string(text), err
}

// JSON encodes a value with the type's MarshalJSON, which must return one JSON value.
func JSON[T any, P interface {
	*T
	json.Marshaler
}](w *Writer, v *T) {
	data, err := P(v).MarshalJSON()
	if err != nil {
		w.refuse("its MarshalJSON method failed", err)
	} else {
		w.json(data, "its MarshalJSON method did not return valid JSON")
	}
}

// Raw encodes the text of one JSON value. Empty text is encoded as null.
func Raw[T ~[]byte](w *Writer, v *T) {
	if len(*v) == 0 {
		w.buf = append(w.buf, "null"...)
	} else {
		w.json(*v, "it is not valid JSON")
	}
}

// Any encodes a value of dynamic type as encoding/json does, without HTML escapes.
func Any(w *Writer, v *any) {
	Std(w, v)
}

// json appends data, which other code has encoded. It reports reason if data is not one JSON value.
func (w *Writer) json(data []byte, reason string) {
	n := len(w.buf)
	var err error
	w.buf, err = jsontext.AppendFormat(w.buf, data, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		w.refuse(reason, err)
	} else if rawjson.Depth(w.buf[n:])+w.depth > maxDepth {
		w.refuseDepth()
	}
}

// Std encodes a value with [json.Marshal], without HTML escapes.
func Std[T any](w *Writer, v *T) {
	data, err := json.Marshal(v)
	if err != nil {
		w.refuse("it cannot be encoded", err)
	} else {
		w.json(data, "it is not valid JSON")
	}
}

// Zero reports whether v is the zero value of its type.
func Zero[T any](v *T) bool { return reflect.ValueOf(v).Elem().IsZero() }
