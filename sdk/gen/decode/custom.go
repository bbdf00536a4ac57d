package decode

import (
	"encoding"
	"encoding/json"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
)

// Text decodes a string by the type's own UnmarshalText. What its error says
// goes into the hint.
func Text[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](v Value, dst *T) {
	if !v.want(kindString, "a string") {
		return
	}
	if err := P(dst).UnmarshalText(v.node().text); err != nil {
		v.refuse("a string of the right form", "", oneLine(err))
	}
}

// TextKey is [Text] for the keys of a map.
func TextKey[K any, P interface {
	*K
	encoding.TextUnmarshaler
}](name string, dst *K) error {
	return P(dst).UnmarshalText([]byte(name))
}

// JSON decodes any value, null too, by the type's own UnmarshalJSON. What its
// error says goes into the hint. An object in which two names differ only by case
// is refused, since the type may read either.
func JSON[T any, P interface {
	*T
	json.Unmarshaler
}](v Value, dst *T) {
	const noun = "a value of the right form"
	if v.kind() == 0 {
		v.refuse(noun, "", "")
		return
	}
	if !v.unambiguous() {
		return
	}
	if err := P(dst).UnmarshalJSON(v.json()); err != nil {
		v.refuse(noun, "", "its decoder says: "+oneLine(err))
	}
}

// Raw keeps any value, null too, as compact JSON. It refuses what [JSON] does.
func Raw[T ~[]byte](v Value, dst *T) {
	if v.kind() == 0 {
		v.refuse("any value", "", "")
		return
	}
	if !v.unambiguous() {
		return
	}
	// The tokenizer has accepted the text, so there is no error to see here.
	compact, _ := jsontext.AppendFormat(nil, v.json())
	*dst = compact
}

// Any keeps any value as encoding/json would, with numbers as [json.Number]:
// nil, bool, string, []any and map[string]any.
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

// json returns the text of a value, which is only good until the next scan.
func (v Value) json() []byte {
	n := v.node()
	if n.kind != kindString {
		return n.text
	}
	quoted, _ := jsontext.AppendQuote(nil, n.text)
	return quoted
}

// unambiguous makes a problem of the first object whose names differ only by
// case. It is for values that a parser of unknown manners reads next.
func (v Value) unambiguous() bool {
	var seen map[string]bool
	if v.kind() == kindObject {
		seen = make(map[string]bool, v.node().count)
	}
	for child := v.node().first; child != 0; child = v.d.nodes[child].next {
		inner := Value{v.d, child}
		if seen != nil {
			name := fold(string(inner.node().name))
			if seen[name] {
				if !v.d.full() {
					v.d.add(Problem{Path: v.d.path(child), Expected: "one spelling of each name", Got: "names that differ only by case"})
				}
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

// fold maps names that strings.EqualFold holds for equal to the same text.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		for next := unicode.SimpleFold(r); ; next = unicode.SimpleFold(next) {
			if next <= r {
				return next
			}
		}
	}, name)
}

// oneLine makes an error of the author's code safe to show in a list of lines.
func oneLine(err error) string {
	return clip(strings.Join(strings.Fields(err.Error()), " "), maxHint)
}
