package encode_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/encode"
)

// custom can misbehave in every way that a marshaler can.
type custom struct {
	text string
	err  error
	boom bool
}

func (c custom) MarshalJSON() ([]byte, error) { return []byte(c.text), c.fail() }
func (c custom) MarshalText() ([]byte, error) { return []byte(c.text), c.fail() }

func (c custom) fail() error {
	if c.boom {
		panic("at the disco")
	}
	return c.err
}

// value returns a function that encodes v with f.
func value[T any](v T, f encode.Func[T]) func() (string, error) {
	return func() (string, error) { return encode.FromValue(&v, f) }
}

type point struct {
	X, Y float64
	Next *point
}

func encodePoint(o *encode.Object, p *point) {
	encode.Field(o, "x", &p.X, encode.Float)
	encode.Field(o, "y", &p.Y, encode.Float)
	encode.Omit(o, p.Next == nil, "next", &p.Next, encode.Pointer(encode.Struct(encodePoint)))
}

func TestRefusals(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	points := encode.List[[]point](encode.Struct(encodePoint))
	for _, tc := range []struct {
		name string
		run  func() (string, error)
		want string
	}{
		{"nan", value(nan, encode.Float), "\nNaN is not a JSON number"},
		{"infinity in a float32", value(float32(inf), encode.Float), "\n+Inf is not a JSON number"},
		{"path", value([]point{{}, {Y: nan}}, points), "\n[1].y: NaN"},
		{"every problem", value([]point{{X: inf}, {Y: nan}}, points), "\n[0].x: +Inf is not a JSON number\n[1].y: NaN"},
		{"20 problems", value(make([]custom, 25), encode.List[[]custom](encode.JSON)), "\nand 5 more"},
		{"map key", value(map[string]float64{"a.b\n": nan}, encode.Map[map[string]float64](encode.StringKey, encode.Float)), "\n" + `["a.b\n"]: NaN`},
		{"year 10000", value(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), encode.Time), "RFC 3339"},
		{"raw text", value(json.RawMessage(`nope`), encode.Raw), "not valid JSON"},
		{"two raw values", value(json.RawMessage(`1 2`), encode.Raw), "not valid JSON"},
		{"repeated name", value(json.RawMessage(`{"a":1,"a":2}`), encode.Raw), "not valid JSON"},
		{"marshaler returns nothing", value(custom{}, encode.JSON), "did not return valid JSON"},
		{"marshaler closes its parent", value(custom{text: `1},{"x":2`}, encode.JSON), "did not return valid JSON"},
		{"marshaler fails", value(custom{err: errors.New("no")}, encode.JSON), "its MarshalJSON method failed"},
		{"text marshaler fails", value(custom{err: errors.New("no")}, encode.Text), "its MarshalText method failed"},
		{"any with a channel", value(any([]any{make(chan int)}), encode.Any), "it cannot be encoded"},
		{"key that fails", value(map[custom]bool{{err: errors.New("no")}: true}, encode.Map[map[custom]bool](encode.TextKey, encode.Bool)), "a map key cannot be encoded"},
		{"keys of one name", value(map[custom]bool{{text: "a\xff"}: true, {text: "a\xfe"}: true},
			encode.Map[map[custom]bool](encode.TextKey, encode.Bool)), "two keys have this name"},
		{"deep raw", value(json.RawMessage(strings.Repeat("[", 101)+strings.Repeat("]", 101)), encode.Raw), "more than 100 levels"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			data, err := tc.run()
			if data != "" || err == nil {
				t.Fatalf("got %q, %v, want only an error", data, err)
			}
			if fault.CodeOf(err) != fault.Internal || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %q, want an internal one with %q", err, tc.want)
			}
		})
	}
}

// Panics are not recovered: the caller of the handler logs them with their stack.
func TestPanicsPassThrough(t *testing.T) {
	for name, write := range map[string]func() (string, error){
		"marshaler":      value(custom{boom: true}, encode.JSON),
		"text marshaler": value(custom{boom: true}, encode.Text),
		"any":            value(any(custom{boom: true}), encode.Any),
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: did not panic", name)
				}
			}()
			_, _ = write()
		}()
	}
}

type tangle struct{ Left, Right *tangle }

func encodeTangle(o *encode.Object, v *tangle) {
	encode.Field(o, "left", &v.Left, encode.Pointer(encode.Struct(encodeTangle)))
	encode.Field(o, "right", &v.Right, encode.Pointer(encode.Struct(encodeTangle)))
}

// A value that contains itself twice has 2^100 paths to its hundredth level.
func TestCyclesAreRefused(t *testing.T) {
	v := &tangle{}
	v.Left, v.Right = v, v
	if _, err := encode.From(v, encodeTangle); err == nil || !strings.Contains(err.Error(), "more than 100 levels") {
		t.Errorf("error %v, want one about levels", err)
	}
}

func TestCauseIsKept(t *testing.T) {
	cause := errors.New("disk on fire")
	_, err := encode.FromValue(&custom{err: cause}, encode.JSON)
	if !errors.Is(err, cause) {
		t.Errorf("%v does not wrap its cause", err)
	}
	if strings.Contains(err.Error(), "fire") {
		t.Errorf("the message %v contains the cause, which is only for the log", err)
	}
}

func TestForms(t *testing.T) {
	var none *int
	three := 3
	for _, tc := range []struct {
		name string
		run  func() (string, error)
		want string
	}{
		{"nil slice", value([]int(nil), encode.List[[]int](encode.Int)), `[]`},
		{"nil map", value(map[string]int(nil), encode.Map[map[string]int](encode.StringKey, encode.Int)), `{}`},
		{"nil bytes", value([]byte(nil), encode.Bytes), `""`},
		{"nil pointer", value(none, encode.Pointer[int](encode.Int)), `null`},
		{"pointer", value(&three, encode.Pointer[int](encode.Int)), `3`},
		{"html", value("<a>&\u2028", encode.String), "\"<a>&\u2028\""},
		{"invalid utf-8", value("a\xffb", encode.String), "\"a\uFFFDb\""},
		{"invalid utf-8 in raw", value(json.RawMessage("\"a\xffb\""), encode.Raw), "\"a\uFFFDb\""},
		{"invalid utf-8 in a key", value(map[string]int{"\xff": 1}, encode.Map[map[string]int](encode.StringKey, encode.Int)), "{\"\uFFFD\":1}"},
		{"number that floats round", value(int64(math.MinInt64), encode.Int), `-9223372036854775808`},
		{"unsigned number that floats round", value(uint64(math.MaxUint64), encode.Uint), `18446744073709551615`},
		{"constant that floats round", value(uint64(math.MaxUint64), encode.IntEnum[uint64](math.MaxUint64)), `18446744073709551615`},
		{"int64 as string", value(int64(math.MinInt64), encode.BigInt), `"-9223372036854775808"`},
		{"uint64 as string", value(uint64(math.MaxUint64), encode.BigUint), `"18446744073709551615"`},
		{"duration", value(90*time.Minute, encode.Duration), `"1h30m0s"`},
		{"empty raw", value(json.RawMessage(nil), encode.Raw), `null`},
		{"raw is compacted", value(json.RawMessage(" { \"b\" : 1.0 ,\n \"a\" : [ ] } "), encode.Raw), `{"b":1.0,"a":[]}`},
		{"marshaler is compacted", value(custom{text: ` [ 1 ] `}, encode.JSON), `[1]`},
		{"text marshaler", value(custom{text: `a"b`}, encode.Text), `"a\"b"`},
		{"pointer receiver", value(*big.NewInt(7), encode.Text), `"7"`},
		{"array", value([2]bool{true}, func(w *encode.Writer, v *[2]bool) { encode.Array(w, v[:], encode.Bool) }), `[true,false]`},
		{"siblings are not deep", value(make([][]int, 200), encode.List[[][]int](encode.List[[]int](encode.Int))), "[" + strings.Repeat("[],", 199) + "[]]"},
		{"brackets in a text are not deep", value(json.RawMessage(`"\"`+strings.Repeat("[", 200)+`"`), encode.Raw), `"\"` + strings.Repeat("[", 200) + `"`},
		{"names are sorted", value(map[int]int{10: 1, 9: 2, -1: 3}, encode.Map[map[int]int](encode.IntKey, encode.Int)), `{"-1":3,"10":1,"9":2}`},
		{"unsigned names", value(map[uint8]int{10: 1}, encode.Map[map[uint8]int](encode.UintKey, encode.Int)), `{"10":1}`},
		{"any without html escapes", value(any(map[string]any{"b": "<", "a": nil}), encode.Any), `{"a":null,"b":"<"}`},
		{"declaration order and omission", value(point{1, 2, &point{Y: .5}}, encode.Struct(encodePoint)), `{"x":1,"y":2,"next":{"x":0,"y":0.5}}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if data, err := tc.run(); err != nil || string(data) != tc.want {
				t.Errorf("got %s, %v, want %s", data, err, tc.want)
			}
		})
	}
}

func TestEmbedAddsMembersInPlace(t *testing.T) {
	type outer struct {
		*point
		Name string
	}
	encodeOuter := func(o *encode.Object, v *outer) {
		encode.Embed(o, v.point, encodePoint)
		encode.Field(o, "name", &v.Name, encode.String)
	}
	for _, tc := range []struct {
		v    outer
		want string
	}{
		{outer{Name: "a"}, `{"name":"a"}`},
		{outer{&point{X: 1}, "a"}, `{"x":1,"y":0,"name":"a"}`},
	} {
		if data, err := encode.From(&tc.v, encodeOuter); err != nil || string(data) != tc.want {
			t.Errorf("got %s, %v, want %s", data, err, tc.want)
		}
	}
}

// A writer returns to the pool with its buffer, so results must not share the buffer.
func TestResultsAreCopies(t *testing.T) {
	first, _ := encode.FromValue(new("first"), encode.String)
	second, _ := encode.FromValue(new("later"), encode.String)
	if string(first) != `"first"` || string(second) != `"later"` {
		t.Errorf("got %s and %s", first, second)
	}
}
