package decode_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/gen/decode"
)

func TestRulesRefuse(t *testing.T) {
	anything := decode.Func[any](decode.Any)
	floats := decode.Float[float64]
	expectErrors(t, lenient,
		as(`null`, "an integer", decode.Int[int], decode.Required),
		as(`0`, "an integer from 1 to 10", decode.Int[int], decode.Minimum(1), decode.Maximum(10)),
		as(`"11"`, "an integer from 1 to 10", decode.Int[int], decode.Minimum(1), decode.Maximum(10)),
		as(`"x"`, "an integer from 1 to 10", decode.Int[int], decode.Minimum(1), decode.Maximum(10)),
		as(`1000`, "an integer of at least 1", decode.Int[int8], decode.Minimum(1)),
		as(`0`, "a number greater than 0 and of at most 1", floats, decode.ExclusiveMinimum(0), decode.Maximum(1)),
		as(`0.3`, "a number less than 0.3", floats, decode.ExclusiveMaximum(0.3)),
		as(`0.30000000000000000001`, "a number of at most 0.3", floats, decode.Maximum(0.3)),
		as(`9223372036854775806`, "an integer of at least 9223372036854775807", decode.Int[int64], decode.Minimum(int64(math.MaxInt64))),
		as(`-9223372036854775808`, "an integer of at least -9223372036854775807", decode.Int[int64], decode.Minimum(int64(math.MinInt64+1))),
		as(`18446744073709551615`, "an integer less than 18446744073709551615", decode.Uint[uint64], decode.ExclusiveMaximum(uint64(math.MaxUint64))),
		as(`-1`, "a number of at least -0.5", floats, decode.Minimum(-0.5)),
		as(`7`, "an integer that is a multiple of 5", decode.Int[int], decode.MultipleOf(5)),
		as(`0.35`, "a number that is a multiple of 0.1", floats, decode.MultipleOf(0.1)),
		as(`1e99999`, "any value that is a multiple of 3", anything, decode.MultipleOf(3)),
		as(strings.Repeat("3", 2000), "any value that is a multiple of 3", anything, decode.MultipleOf(3)),
		as(`""`, "a string of at least 1 character", decode.String[string], decode.Required, decode.MinLength(1)),
		as(`"ééé"`, "a string of at most 2 characters", decode.String[string], decode.MaxLength(2)),
		as(`"a"`, "a string of 2 to 3 characters", decode.String[string], decode.MinLength(2), decode.MaxLength(3)),
		as(`"ab"`, "a string of exactly 1 character", decode.String[string], decode.MinLength(1), decode.MaxLength(1)),
		as(`"x9"`, "a string matching ^[a-z]+$", decode.String[string], decode.Pattern("^[a-z]+$")),
		as(`"x"`, "a string matching (", decode.String[string], decode.Pattern("(")),
		as(`[]`, "a list of at least 1 item", ints, decode.MinItems(1)),
		as(`"[1,2]"`, "a list of at most 1 item", ints, decode.MaxItems(1)),
		as(`[1,"1"]`, "a list without duplicates", ints, decode.UniqueItems),
		as(`[1.0,10e-1]`, "a list without duplicates", decode.List[[]float64](decode.Float), decode.UniqueItems),
		as(`[{"a":1,"b":[]},{"b":[],"a":1.0}]`, "any value without duplicates", anything, decode.UniqueItems),
		as(`{}`, "an object of at least 1 member", counts, decode.MinProperties(1)),
		as(`{"a":1,"b":2}`, "an object of at most 1 member", counts, decode.MaxProperties(1)),
		as(`0`, "an integer of at least 1", decode.Pointer(decode.Int[int]), decode.Minimum(1)),
	)
}

func TestRulesTake(t *testing.T) {
	floats := decode.Float[float64]
	expectValid(t, lenient,
		as(`1`, 1, decode.Int[int], decode.Minimum(1), decode.Maximum(1), decode.MultipleOf(1)),
		as(`0.3`, 0.3, floats, decode.Maximum(0.3), decode.Minimum(0.3), decode.MultipleOf(0.1)),
		as(`-1e-3`, -0.001, floats, decode.Minimum(-1), decode.ExclusiveMaximum(0)),
		as(`5`, 5.0, floats, decode.Minimum(math.Inf(-1)), decode.Maximum(math.NaN())),
		as(`"18446744073709551615"`, uint64(math.MaxUint64), decode.Uint[uint64], decode.Maximum(uint64(math.MaxUint64))),
		as(`"éé"`, "éé", decode.String[string], decode.MinLength(2), decode.MaxLength(2), decode.Pattern("é")),
		as(`[1,2]`, []int{1, 2}, ints, decode.MinItems(2), decode.MaxItems(2), decode.UniqueItems),
		as(`["1",1]`, []any{"1", json.Number("1")}, decode.List[[]any](decode.Any), decode.UniqueItems),
		as(`{"a":1}`, map[string]int{"a": 1}, counts, decode.MinProperties(1), decode.MaxProperties(1)),
		as(`null`, (*int)(nil), decode.Pointer(decode.Int[int]), decode.Required, decode.Minimum(1)),
		as(`null`, 7, decode.Int[int], decode.Default("7")),
		as(`null`, []string{"a", "b"}, decode.List[[]string](decode.String), decode.Default(`["a","b"]`)),
		as(`null`, json.RawMessage("null"), decode.Raw[json.RawMessage], decode.Default("{}")),
		as(`null`, 0, decode.Int[int]),
	)
}

func TestDefaultOfAnAbsentField(t *testing.T) {
	var got []string
	fields := func(o *decode.Object, dst *[]string) {
		decode.Field(o, "tags", dst, decode.List[[]string](decode.String), decode.Default(`["a"]`))
	}
	if err := decode.Into([]byte(`{}`), &got, fields, lenient).Err(); err != nil || !slices.Equal(got, []string{"a"}) {
		t.Errorf("got %q, %v", got, err)
	}
	broken := func(o *decode.Object, dst *[]string) {
		decode.Field(o, "tags", dst, decode.List[[]string](decode.String), decode.Default(`["a"`))
	}
	if report := decode.Into([]byte(`{}`), &got, broken, lenient); len(report.Problems) != 1 || report.Problems[0].Path != "tags" {
		t.Errorf("a broken default: %+v, want a problem with its path", report.Problems)
	}
}

// The message for a rule mentions the limit. A value that violates several rules has one problem.
func TestOneProblemAValue(t *testing.T) {
	_, report := decodeOne(`"`+strings.Repeat("é", 300)+`"`, lenient, decode.String[string], decode.MaxLength(200), decode.Pattern("^$"))
	if len(report.Problems) != 1 {
		t.Fatalf("%+v, want one problem", report.Problems)
	}
	p := report.Problems[0]
	if want := `the string "` + strings.Repeat("é", 60) + `…" of 300 characters`; p.Got != want {
		t.Errorf("got %q, want %q", p.Got, want)
	}
	if want := "a string of at most 200 characters matching ^$"; p.Expected != want {
		t.Errorf("expected %q, want %q", p.Expected, want)
	}
	_, report = decodeOne(`[1,2,1]`, lenient, ints, decode.UniqueItems)
	if p := report.Problems[0]; p.Hint != "item [2] duplicates item [0]" || p.Got != "a list of 3 items" {
		t.Errorf("repeats: %+v", p)
	}
}
