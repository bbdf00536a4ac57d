package encode_test

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/jptool/jptool/sdk/gen/encode"
)

// compareBytes reports where encode and encoding/json write different bytes.
func compareBytes[T any](t *testing.T, f encode.Func[T], values ...T) {
	t.Helper()
	for _, v := range values {
		var want bytes.Buffer
		reference := json.NewEncoder(&want)
		reference.SetEscapeHTML(false)
		if err := reference.Encode(v); err != nil {
			t.Fatal(err)
		}
		got, err := encode.FromValue(&v, f)
		if err != nil || string(got)+"\n" != want.String() {
			t.Errorf("%T(%v): got %s, %v, want %s", v, v, got, err, want.Bytes())
		}
	}
}

func TestSameBytesAsEncodingJSON(t *testing.T) {
	compareBytes(t, encode.Bool, true, false)
	compareBytes(t, encode.String, "", "plain", "quote\" back\\slash /", "\x00\x07\b\f\n\r\t\x1f\x7f", "é€😀", "<&>", "\u0085\uFFFD")
	compareBytes(t, encode.Int, 0, 1, -1)
	compareBytes(t, encode.Int, int8(math.MinInt8), math.MaxInt8)
	compareBytes(t, encode.Int, int16(math.MinInt16), math.MaxInt16)
	compareBytes(t, encode.Int, int32(math.MinInt32), math.MaxInt32)
	compareBytes(t, encode.Int, int64(0), 1<<53-1, -1<<53+1)
	compareBytes(t, encode.Uint, uint(0), 1)
	compareBytes(t, encode.Uint, uint8(0), math.MaxUint8)
	compareBytes(t, encode.Uint, uint16(math.MaxUint16))
	compareBytes(t, encode.Uint, uint32(math.MaxUint32))
	compareBytes(t, encode.Uint, uint64(1<<53-1))
	compareBytes(t, encode.Uint, uintptr(7))
	compareBytes(t, encode.Float, 0, math.Copysign(0, -1), 1, 0.1, 1e20, 1e21, 123456789.125, 1e-6, 1e-7, -2.5e-300,
		math.MaxFloat64, math.SmallestNonzeroFloat64, math.Pi)
	compareBytes(t, encode.Float, float32(0.1), 16777216, 1e20, 1e21, 1e-7, math.MaxFloat32, math.SmallestNonzeroFloat32)
	compareBytes(t, encode.Bytes, []byte{}, []byte("hi"), []byte{0xfb, 0xff, 0xfe})
	compareBytes(t, encode.Time, time.Date(2026, 1, 31, 15, 4, 5, 0, time.UTC), time.Date(1, 1, 1, 0, 0, 0, 123456789, time.FixedZone("", -5400)))
	compareBytes(t, encode.List[[]int](encode.Int), []int{}, []int{1, 2})
	compareBytes(t, encode.List[[][]string](encode.List[[]string](encode.String)), [][]string{{}, {"a", "b"}})
	compareBytes(t, encode.Map[map[string]bool](encode.StringKey, encode.Bool), map[string]bool{}, map[string]bool{"b": true, "a\"": false, "Z": true})
	compareBytes(t, encode.Map[map[int]string](encode.IntKey, encode.String), map[int]string{10: "x", 9: "y"})
	compareBytes(t, encode.Pointer[int](encode.Int), nil, new(int))
	compareBytes(t, encode.Raw, json.RawMessage(`{"b":[1.50,"é"],"a":null}`))
	compareBytes(t, encode.Any, any(nil), any([]any{1.5, "x", nil, map[string]any{"k": true}}))
	compareBytes(t, encode.JSON, json.RawMessage(`[1]`))
	compareBytes(t, encode.Std, struct {
		A int    `json:"a,string"`
		B string `json:",omitempty"`
		C *string
	}{A: 1})
}

// The option "string" of a json tag puts the JSON text of a value in a string.
func TestQuoted(t *testing.T) {
	for got, want := range map[string]any{
		quoted(t, encode.Bool, true): struct {
			V bool `json:",string"`
		}{true},
		quoted(t, encode.Float, -0.5): struct {
			V float64 `json:",string"`
		}{-0.5},
		quoted(t, encode.String, "a\"é"): struct {
			V string `json:",string"`
		}{"a\"é"},
		quoted(t, encode.String, "<b>&\u2028"): struct {
			V string `json:",string"`
		}{"<b>&\u2028"},
	} {
		text, err := json.Marshal(want)
		if err != nil || `{"V":`+got+"}" != string(text) {
			t.Errorf("got %s, want %s (%v)", got, text, err)
		}
	}
}

func quoted[T any](t *testing.T, f encode.Func[T], v T) string {
	t.Helper()
	data, err := encode.FromValue(&v, encode.Quoted(f))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func FuzzStringAndFloat(f *testing.F) {
	f.Add("plain", 1.5)
	f.Add("\xff\u2028\"\\", -1e-7)
	f.Fuzz(func(t *testing.T, text string, x float64) {
		data, err := encode.FromValue(&text, encode.String)
		var back string
		if err != nil || json.Unmarshal([]byte(data), &back) != nil || back != string([]rune(text)) {
			t.Errorf("%q became %s, then %q (%v)", text, data, back, err)
		}
		data, err = encode.FromValue(&x, encode.Float)
		want, refused := json.Marshal(x)
		if (err == nil) != (refused == nil) || string(data) != string(want) {
			t.Errorf("%v became %s, %v, want %s, %v", x, data, err, want, refused)
		}
	})
}
