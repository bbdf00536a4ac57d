package decode_test

import (
	"encoding/json"
	"errors"
	"math/big"
	"testing"

	"github.com/jptool/jptool/sdk/gen/decode"
)

type color string

// even is a type that validates itself.
type even int

func (e *even) UnmarshalJSON(data []byte) error {
	var n int
	if err := json.Unmarshal(data, &n); err != nil {
		return err
	}
	if n%2 != 0 {
		return errors.New("it is odd")
	}
	*e = even(n)
	return nil
}

func (e *even) UnmarshalText(text []byte) error { return e.UnmarshalJSON(text) }

var (
	ints   = decode.List[[]int](decode.Int)
	grid   = decode.List[[][]int](ints)
	names  = decode.List[[]string](decode.String)
	counts = decode.Map[map[string]int](decode.StringKey, decode.Int)
	colors = decode.Enum[color]("red", "dark_green", "blue")
	rights = decode.Flags[uint8]([]string{"read", "write"}, 1, 4)
	levels = decode.Open[int8](decode.Int[int8], 1, 2)
)

func pair(v decode.Value, dst *[2]int) { decode.Array(v, dst[:], decode.Int) }

func TestCompositesRefuse(t *testing.T) {
	expectErrors(t, lenient,
		as(`1`, "a list", ints), as(`"a"`, "a list", names), as(`"a,b"`, "a list", names), as(`{"a":1}`, "a list", decode.List[[]map[string]int](counts)),
		as(`{"a":1}`, "a list", decode.Map[map[string][]int](decode.StringKey, ints)),
		as(`"x"`, "a list", ints, decode.Single), as(`1.5`, "a list", ints, decode.Single), as(`true`, "a list", ints, decode.Single), as(`null`, "a list", ints, decode.Required, decode.Single), as(`"1,2"`, "a list", ints, decode.Single),
		as(`1`, "a list", grid, decode.Single), as(`[1]`, "a list", grid, decode.Single), as(`"a,b"`, "a list", names, decode.Single), as(`"a\nb"`, "a list", names, decode.Single), as(`"[draft"`, "a list", names, decode.Single), as(`"{a,b}"`, "a list", names, decode.Single),
		as(`{"a":1,"A":2}`, "a list", decode.List[[]json.RawMessage](decode.JSON), decode.Single),
		as(`{"a":1}`, "a list", names, decode.Single), as(`"a"`, "a list of at least 2 items", names, decode.MinItems(2), decode.Single), as(`7`, "a list", names, decode.Single), as(`""`, "a list", ints, decode.Required, decode.Single), as(`"[1"`, "a list", ints, decode.Single),
		as(`{}`, "a list", ints, decode.Single), as(`"{}"`, "a list", ints, decode.Single), as(`[1,null]`, "an integer", ints), as(`[[1]]`, "an integer", ints),
		as(`[1]`, "a list of exactly 2 items", pair), as(`[1,2,3]`, "a list of exactly 2 items", pair), as(`"[1]"`, "a list of exactly 2 items", pair),
		as(`[]`, "an object", counts), as(`"[]"`, "an object", counts), as(`{"a":null}`, "an integer", counts),
		as(`{"x":1}`, "a name that is an integer", decode.Map[map[int]int](decode.IntKey, decode.Int)),
		as(`{"128":1}`, "a name that is an integer from -128 to 127", decode.Map[map[int8]int](decode.IntKey, decode.Int)),
		as(`{"-1":1}`, "a name that is an integer from 0 to 255", decode.Map[map[uint8]int](decode.UintKey, decode.Int)),
		as(`{"1":1,"01":2}`, "a name that is a key of this map", decode.Map[map[int]int](decode.IntKey, decode.Int)),
		as(`{"3":1}`, "a name that is a key of this map", decode.Map[map[even]int](decode.TextKey, decode.Int)),
		as(`"green"`, `one of "red", "dark_green", "blue"`, colors), as(`1`, `one of "red", "dark_green", "blue"`, colors),
		as(`"x"`, `"only"`, decode.Enum("only")), as(`"AA"`, `one of "Aa", "aA"`, decode.Enum("Aa", "aA")),
		as(`5`, "a list", rights), as(`["rest"]`, `one of "read", "write"`, rights), as(`"read"`, "a list", rights), as(`128`, "an integer from -128 to 127", levels),
		as(`4`, "one of -1, 2", decode.IntEnum(-1, 2)), as(`"a"`, "one of -1, 2", decode.IntEnum(-1, 2)),
		as(`3`, "a value such as 0", decode.JSON[even]), as(`"3"`, "a string in the right format", decode.Text[even]),
		as(`3`, "a string in the right format", decode.Text[even]), as(`4.0`, "a string", decode.Text[even]), as(`4e0`, "a string", decode.Text[even]),
		as(`"ten"`, `a string such as "0"`, decode.Text[big.Int]), as(`1.5`, `a string such as "0"`, decode.Text[big.Int]),
		as(`"3"`, `a string matching ^[02468]$ such as "4"`, decode.Text[even], decode.Pattern("^[02468]$"), decode.Example(`"4"`)),
		as(`{"a":{"b":1,"B":2}}`, "one spelling of each name", decode.Raw[json.RawMessage]),
		as(`{"ſ":1,"S":2}`, "one spelling of each name", decode.Raw[json.RawMessage]),
		as(`{"a":1,"A":2}`, "one spelling of each name", decode.JSON[json.RawMessage]),
		as(`{"a":1,"A":2}`, "one spelling of each name", decode.Std[map[string]int]), as(`"x"`, "a value such as 0", decode.Std[int]),
		as(`null`, "an integer", decode.New(decode.Int[int]), decode.Required), as(`"tea"`, `a string with quotes inside, such as "\"tea\""`, decode.QuotedString[string]),
	)
}

func TestCompositesTake(t *testing.T) {
	three := 3
	var none *int
	expectValid(t, lenient,
		as(`3`, &three, decode.New(decode.Int[int])), as(`"\"tea\""`, "tea", decode.QuotedString[string]), as(`{"a":[1]}`, map[string][]int{"a": {1}}, decode.Std[map[string][]int]),
		as(`[]`, []int{}, ints), as(`[1,2]`, []int{1, 2}, ints), as(`"[1,2]"`, []int{1, 2}, ints), as(`["1","2"]`, []int{1, 2}, ints),
		as(`"\n[\"1\", 2]\n"`, []int{1, 2}, ints), as(`"[]"`, []int{}, ints),
		as(`1`, []int{1}, ints, decode.Single), as(`" 1 "`, []int{1}, ints, decode.Single), as(`"a"`, []string{"a"}, names, decode.Single), as(`"null"`, []string{"null"}, names, decode.Single),
		as(`"a"`, []string{"a"}, names, decode.UniqueItems, decode.MaxItems(1), decode.Single), as(`"BLUE"`, []color{"blue"}, decode.List[[]color](colors), decode.Single),
		as(`{"a":"1"}`, []map[string]int{{"a": 1}}, decode.List[[]map[string]int](counts), decode.Single),
		as(`"{\"a\":1,\"b\":2}"`, []map[string]int{{"a": 1, "b": 2}}, decode.List[[]map[string]int](counts), decode.Single),
		as(`4`, even(4), decode.Text[even]), as(`4`, []even{4}, decode.List[[]even](decode.Text), decode.Single),
		as(`["[1]","[\"2\"]"]`, [][]int{{1}, {2}}, decode.List[[][]int](ints)),
		as(`[1,2]`, [2]int{1, 2}, pair), as(`"[1,2]"`, [2]int{1, 2}, pair),
		as(`{}`, map[string]int{}, counts), as(`{"a":1,"A":2}`, map[string]int{"a": 1, "A": 2}, counts),
		as(`"{\"a\":\"1\"}"`, map[string]int{"a": 1}, counts), as(`{"\u0061":1}`, map[string]int{"a": 1}, counts),
		as(`{"-7":"x"}`, map[int]string{-7: "x"}, decode.Map[map[int]string](decode.IntKey, decode.String)),
		as(`{"7":"x"}`, map[uint8]string{7: "x"}, decode.Map[map[uint8]string](decode.UintKey, decode.String)),
		as(`{"4":1}`, map[even]int{4: 1}, decode.Map[map[even]int](decode.TextKey, decode.Int)),
		as(`"dark_green"`, color("dark_green"), colors), as(`["red","blue"]`, []color{"red", "blue"}, decode.List[[]color](colors)),
		as(`"Dark_Green"`, color("dark_green"), colors), as(`"aA"`, "aA", decode.Enum("Aa", "aA")),
		as(`[]`, uint8(0), rights), as(`["write","read"]`, uint8(5), rights), as(`["READ","read"]`, uint8(1), rights), as(`7`, int8(7), levels), as(`"2"`, int8(2), levels),
		as(`2`, 2, decode.IntEnum(-1, 2)), as(`"-1"`, -1, decode.IntEnum(-1, 2)),
		as(`null`, none, decode.Pointer[int](decode.Int)), as(`3`, &three, decode.Pointer[int](decode.Int)),
		as(`4`, even(4), decode.JSON[even]), as(`"4"`, even(4), decode.Text[even]),
		as(`"123456789012345678901234567890"`, *mustBig("123456789012345678901234567890"), decode.Text[big.Int]),
		as(` { "a" : [ 1.50 , "\u003c" ] } `, json.RawMessage(`{"a":[1.50,"<"]}`), decode.Raw[json.RawMessage]),
		as(`null`, json.RawMessage(`null`), decode.Raw[json.RawMessage]), as(`"a\"b"`, json.RawMessage(`"a\"b"`), decode.Raw[json.RawMessage]),
		as(`{"a":[1e400,null,"x",true],"A":{}}`,
			map[string]any{"a": []any{json.Number("1e400"), nil, "x", true}, "A": map[string]any{}}, decode.Func[any](decode.Any)),
	)
}

func mustBig(text string) *big.Int {
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		panic(text)
	}
	return n
}

func TestHintsOfComposites(t *testing.T) {
	for _, tc := range []struct {
		run  func() decode.Report
		want decode.Problem
	}{
		{func() decode.Report { _, r := decodeOne(`"drak green"`, lenient, colors); return r }, decode.Problem{
			Path: "v", Expected: `one of "red", "dark_green", "blue"`, Got: `the string "drak green"`, Hint: `did you mean "dark_green"?`}},
		{func() decode.Report { _, r := decodeOne(`3`, lenient, decode.JSON[even]); return r }, decode.Problem{
			Path: "v", Expected: "a value such as 0", Got: "the number 3", Hint: "its decoder reports: it is odd"}},
		{func() decode.Report { _, r := decodeOne(`"[1,{\"a\":1,\"a\":2}]"`, lenient, ints); return r }, decode.Problem{
			Path: "v", Expected: "a list", Got: `the string "[1,{\"a\":1,\"a\":2}]"`, Hint: "in the JSON text inside the string: expected a unique name, got a duplicate name"}},
		{func() decode.Report { _, r := decodeOne(`"a, b"`, lenient, names, decode.Single); return r }, decode.Problem{
			Path: "v", Expected: "a list", Got: `the string "a, b"`, Hint: `write several values as a list, such as ["a","b"]`}},
		{func() decode.Report {
			_, r := decodeOne(`{"a":"x"}`, lenient, decode.List[[]map[string]int](counts), decode.Single)
			return r
		}, decode.Problem{
			Path: "v[0].a", Expected: "an integer", Got: `the string "x"`}},
		{func() decode.Report { _, r := decodeOne(`"[1,\"x\"]"`, lenient, ints); return r }, decode.Problem{
			Path: "v[1]", Expected: "an integer", Got: `the string "x"`}},
	} {
		report := tc.run()
		if len(report.Problems) != 1 || plain(report.Problems[0]) != tc.want {
			t.Errorf("got  %+v\nwant %+v", report.Problems, tc.want)
		}
	}
}

// plain removes the fields of a problem that only messages use.
func plain(p decode.Problem) decode.Problem {
	return decode.Problem{Path: p.Path, Expected: p.Expected, Got: p.Got, Hint: p.Hint}
}
