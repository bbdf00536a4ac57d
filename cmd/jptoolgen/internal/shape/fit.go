package shape

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/decode"
)

// Misfit describes the first part of a result that does not match a schema, as in: result.size: expected an integer,
// got the string "big". It returns "" if the result matches, or if the schema cannot be checked.
func Misfit(schema, value jsontext.Value) string {
	s, ok := Decode(schema).(Node)
	if !ok || len(schema) > maxBytes || rawjson.Depth(schema) > 4*MaxDepth || rawjson.Depth(value) > MaxDepth {
		return ""
	}
	if s["$id"] == nil {
		s["$id"] = "result:" // the references in s are relative to s
	}
	root := Node{"$schema": s["$schema"], "properties": Node{"result": s}}
	Document(root)
	text, _ := json.Marshal(root) // cannot fail: root was decoded from JSON
	exact := decode.Exact(string(text), func(*decode.Object, *struct{}) {})
	report := decode.Into(slices.Concat([]byte(`{"result":`), value, []byte("}")), new(struct{}), exact, decode.Options{})
	if len(report.Problems) == 0 || report.Problems[0].Path == "" { // the schema is not supported, or the value is too large
		return ""
	}
	p := report.Problems[0]
	return fmt.Sprintf("%s: expected %s, got %s", p.Path, p.Expected, p.Got)
}

// Decode returns a JSON value with exact numbers. It returns nil if text is not JSON.
func Decode(text []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// exactNumber returns a number, or nil for other values and for numbers with too many digits.
func exactNumber(v any) *big.Float {
	n, ok := v.(json.Number)
	if !ok || len(n) > 64 {
		return nil
	}
	f, _, err := big.ParseFloat(string(n), 10, 256, big.ToNearestEven)
	if err != nil {
		return nil
	}
	return f
}

// Excludes reports whether the bounds of a schema are known to exclude a string or a number.
func Excludes(s Node, v any) bool {
	text, isText := v.(string)
	over := func(keyword string, out ...int) bool {
		bound := exactNumber(s[keyword])
		if bound == nil {
			return false
		}
		n := exactNumber(v)
		if isText {
			n = big.NewFloat(float64(utf8.RuneCountInString(text)))
		}
		return n != nil && slices.Contains(out, n.Cmp(bound))
	}
	if isText {
		return over("minLength", -1) || over("maxLength", 1)
	}
	return over("minimum", -1) || over("exclusiveMinimum", -1, 0) || over("maximum", 1) || over("exclusiveMaximum", 0, 1) ||
		indivisible(v, s["multipleOf"])
}

// indivisible reports whether a number is known not to be a multiple of an integer.
func indivisible(v, by any) bool {
	step := exactNumber(by)
	if step == nil || !step.IsInt() || step.Sign() <= 0 {
		return false
	}
	n := exactNumber(v)
	if n == nil || n.IsInf() || max(n.MantExp(nil), step.MantExp(nil)) > 256 { // larger numbers take too much memory
		return false
	}
	whole, _ := n.Int(nil)
	of, _ := step.Int(nil)
	return !n.IsInt() || whole.Rem(whole, of).Sign() != 0
}
