package decode_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/sdk/gen/decode"
)

type sample struct {
	S string           `json:"s"`
	I int64            `json:"i"`
	U uint8            `json:"u"`
	F float64          `json:"f"`
	B bool             `json:"b"`
	L []string         `json:"l"`
	M map[string]int32 `json:"m"`
	P *sample          `json:"p"`
	R json.RawMessage  `json:"r"`
}

func decodeSample(o *decode.Object, v *sample) {
	decode.Field(o, "s", &v.S, decode.String)
	decode.Field(o, "i", &v.I, decode.Int)
	decode.Field(o, "u", &v.U, decode.Uint)
	decode.Field(o, "f", &v.F, decode.Float)
	decode.Field(o, "b", &v.B, decode.Bool)
	decode.Field(o, "l", &v.L, decode.List[[]string](decode.String))
	decode.Field(o, "m", &v.M, decode.Map[map[string]int32](decode.StringKey, decode.Int))
	decode.Field(o, "p", &v.P, decode.Pointer(decode.Struct(decodeSample)))
	decode.Field(o, "r", &v.R, decode.Raw)
}

// FuzzInto compares decoding without conversions with encoding/json. If both accept the input, the values are
// equal. If only one accepts it, the reason is documented.
func FuzzInto(f *testing.F) {
	f.Add([]byte(`{"s":"a\u00e9","i":-9223372036854775808,"u":255,"f":1e-7,"b":true,"l":["x",""],"m":{"k":1},"p":{"p":null},"r":[1, {}]}`))
	f.Add([]byte(`{"i":5.0,"u":1e2,"f":1e400}`))
	f.Add([]byte(`{"I":1,"i":2,"x":{"a":1,"a":2}}`))
	f.Add([]byte(`"{\"i\":\"3\"}"`))
	f.Add([]byte(`{"l":[null],"m":null,"s":"\ud800"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var got sample
		report := decode.Into(data, &got, decodeSample, decode.Options{Closed: true, Strict: true})
		lax := decode.Into(data, new(sample), decodeSample, decode.Options{})
		if len(report.Problems) == 0 && len(lax.Problems) > 0 {
			t.Fatalf("refused only without Strict: %+v", lax.Problems)
		}
		var want sample
		reference := json.NewDecoder(bytes.NewReader(integers(data)))
		reference.DisallowUnknownFields()
		err := reference.Decode(&want)
		switch accepted := len(report.Problems) == 0; {
		case accepted && len(bytes.TrimSpace(data)) == 0:
		case accepted && err != nil:
			t.Errorf("accepted, but %v", err)
		case accepted && err == nil:
			got.normalize()
			want.normalize()
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		case !accepted && err == nil && !isDocumented(data, report):
			t.Errorf("refused: %+v", report.Problems)
		}
	})
}

// integers writes every integral number without a fraction or an exponent, so that encoding/json accepts it
// as an integer.
func integers(data []byte) []byte {
	tokens := jsontext.NewDecoder(bytes.NewReader(data))
	var out bytes.Buffer
	writer := jsontext.NewEncoder(&out)
	for {
		token, err := tokens.ReadToken()
		if err != nil {
			return append(out.Bytes(), data[tokens.InputOffset():]...)
		}
		if token.Kind() == '0' {
			if n, ok := integerOf(token.String()); ok {
				_ = writer.WriteValue(jsontext.Value(n))
				continue
			}
		}
		if writer.WriteToken(token) != nil {
			return data
		}
	}
}

func integerOf(number string) (text string, ok bool) {
	digits, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	if strings.Trim(digits, "-0.") == "" {
		return "0", true
	}
	if len(digits) > 30 || len(strings.TrimLeft(exponent, "+-0")) > 3 {
		return "", false // big.Rat would print all digits
	}
	n, ok := new(big.Rat).SetString(number)
	if !ok || !n.IsInt() {
		return "", false
	}
	return n.Num().String(), true
}

// isDocumented reports whether all problems in a report are differences from encoding/json that the
// package documentation lists.
func isDocumented(data []byte, report decode.Report) bool {
	if !jsontext.Value(data).IsValid() {
		return true // repeated names, invalid UTF-8, lone surrogates
	}
	for _, p := range report.Problems {
		switch {
		case p.Got == "null" || p.Got == "an unknown name" || p.Got == "names that differ only in case":
		case p.Hint == "send it as a string, because clients may round numbers beyond 2^53-1":
		case p.Expected == "at most 128 levels of lists and objects":
		default:
			return false
		}
	}
	return true
}

// normalize removes spelling differences from the raw JSON in the sample.
func (s *sample) normalize() {
	if s.R != nil {
		s.R = integers(s.R)
	}
	if s.P != nil {
		s.P.normalize()
	}
}
