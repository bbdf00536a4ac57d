package decode

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
)

// Text decodes a string with the type's UnmarshalText. The text of its error becomes the hint.
// An integer written with digits only is decoded as the string of those digits.
func Text[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](v Value, dst *T) {
	digits := v.kind() == kindNumber && !v.d.Strict && !bytes.ContainsAny(v.node().text, ".eE")
	if !digits && v.kind() != kindString {
		v.refuse("a string"+example[T](textOf), "", "")
		return
	}
	if err := P(dst).UnmarshalText(v.node().text); err != nil {
		v.refuse("a string"+cmp.Or(example[T](textOf), rightForm), "", phrase.Clip(phrase.OneLine(err.Error()), maxHint))
	}
}

// example returns the text of a type's zero value for a message, or "" if it has none.
func example[T any](jsonOf func(any) ([]byte, error)) (text string) {
	defer func() {
		if recover() != nil { // the type's own code may not expect a zero value
			text = ""
		}
	}()
	zero, err := jsonOf(new(T))
	if err != nil || len(zero) > maxShown || slices.Contains([]string{`""`, "null", "{}", ""}, string(zero)) {
		return ""
	}
	return suchAs + string(zero)
}

// textOf returns the text of a value as JSON, or "" if its type has no text form.
func textOf(v any) ([]byte, error) {
	m, ok := v.(encoding.TextMarshaler)
	if !ok {
		return nil, nil
	}
	text, err := m.MarshalText()
	return strconv.AppendQuote(nil, string(text)), err
}

// TextKey is [Text] for map keys.
func TextKey[K any, P interface {
	*K
	encoding.TextUnmarshaler
}](name string, dst *K) error {
	return P(dst).UnmarshalText([]byte(name))
}

// JSON decodes any value, including null, with the UnmarshalJSON method of its type. If the method
// fails, the hint contains the text of the error. JSON rejects objects with member names that differ
// only in case, because the method may read either member.
func JSON[T any, P interface {
	*T
	json.Unmarshaler
}](v Value, dst *T) {
	custom(v, dst, P(dst).UnmarshalJSON)
}

// Std decodes any value, including null, with [json.Unmarshal]. It rejects the same objects as [JSON].
func Std[T any](v Value, dst *T) {
	custom(v, dst, func(data []byte) error { return json.Unmarshal(data, dst) })
}

// custom decodes a value with a function that reads JSON.
func custom[T any](v Value, _ *T, decode func([]byte) error) {
	if !v.unambiguous() {
		return
	}
	hint := ""
	if v.kind() != 0 {
		err := decode(v.json())
		if err == nil {
			return
		}
		hint = "its decoder reports: " + phrase.Clip(phrase.OneLine(err.Error()), maxHint)
	}
	v.refuse("a value"+cmp.Or(example[T](json.Marshal), rightForm), "", hint)
}

// QuotedString decodes a string that contains a string as JSON.
func QuotedString[T ~string](v Value, dst *T) {
	var text string
	if v.kind() != kindString || json.Unmarshal(v.node().text, &text) != nil {
		v.refuse(`a string with quotes inside, such as "\"tea\""`, "", "")
		return
	}
	*dst = T(text)
}

// Raw stores any value, including null, as compact JSON. It rejects the same objects as [JSON].
func Raw[T ~[]byte](v Value, dst *T) {
	switch {
	case v.kind() == 0:
		v.refuse("any value", "", "")
	case v.unambiguous():
		// AppendFormat cannot fail: the text has already been tokenized.
		*dst, _ = jsontext.AppendFormat(nil, v.json())
	}
}

// Any stores any value as encoding/json does, with numbers as [json.Number]: nil, bool,
// string, []any and map[string]any.
func Any(v Value, dst *any) {
	switch n := v.node(); n.kind {
	case kindNull:
		*dst = nil
	case kindTrue, kindFalse:
		*dst = n.kind == kindTrue
	case kindString:
		*dst = string(n.text)
	case kindNumber:
		*dst = json.Number(n.text)
	case kindList:
		list := make([]any, n.count)
		elements(v, list, Any)
		*dst = list
	case kindObject:
		object := make(map[string]any, n.count)
		for at := n.first; at != 0; at = v.d.nodes[at].next {
			var value any
			Any(Value{v.d, at}, &value)
			object[string(v.d.nodes[at].name)] = value
		}
		*dst = object
	default:
		v.refuse("any value", "", "")
	}
}

// json returns the JSON text of a value, which is valid until the next scan.
func (v Value) json() []byte {
	text := v.node().text
	if v.kind() == kindString {
		text, _ = jsontext.AppendQuote(nil, text)
	}
	return text
}

// unambiguous reports whether no object in the value has names that differ only in case, which other
// parsers might confuse. Otherwise, it reports a problem.
func (v Value) unambiguous() bool {
	seen := map[string]bool{}
	for child := v.node().first; child != 0; child = v.d.nodes[child].next {
		inner := Value{v.d, child}
		if v.kind() == kindObject {
			name := fold(string(inner.node().name))
			if seen[name] {
				v.d.refuse(child, "one spelling of each name", "names that differ only in case", "")
				return false
			}
			seen[name] = true
		}
		if !inner.unambiguous() {
			return false
		}
	}
	return true
}

// fold maps names that are equal under strings.EqualFold to the same string.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		for next := unicode.SimpleFold(r); ; next = unicode.SimpleFold(next) {
			if next <= r {
				return next
			}
		}
	}, name)
}
