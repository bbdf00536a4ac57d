package decode_test

import (
	"math"
	"testing"
	"time"

	"github.com/jptool/jptool/sdk/gen/decode"
)

var lenient, strict = decode.Options{}, decode.Options{Strict: true}

func TestScalarsRefuse(t *testing.T) {
	const (
		boolean  = "true or false"
		integer  = "an integer"
		text     = "a string"
		moment   = `a time such as "2026-01-31T15:04:05Z"`
		duration = `a duration such as "1h30m"`
		base64   = "a base64 string"
	)
	expectErrors(t, lenient,
		as(`"yes"`, boolean, decode.Bool[bool]), as(`1`, boolean, decode.Bool[bool]), as(`"True"`, boolean, decode.Bool[bool]),
		as(`""`, boolean, decode.Bool[bool], decode.Required), as(`"truely"`, boolean, decode.Bool[bool]), as(`"true false"`, boolean, decode.Bool[bool]),
		as(`[true]`, boolean, decode.Bool[bool]), as(`"\"true\""`, boolean, decode.Bool[bool]),

		as(`1`, text, decode.String[string]), as(`true`, text, decode.String[string]), as(`["a"]`, text, decode.String[string]),
		as(`{}`, text, decode.String[string]),

		as(`1.5`, integer, decode.Int[int]), as(`"1.5"`, integer, decode.Int[int]), as(`""`, integer, decode.Int[int], decode.Required),
		as(`" "`, integer, decode.Int[int]), as(`"+3"`, integer, decode.Int[int]), as(`"03"`, integer, decode.Int[int]),
		as(`"0x3"`, integer, decode.Int[int]), as(`"3 apples"`, integer, decode.Int[int]), as(`true`, integer, decode.Int[int]),
		as(`[3]`, integer, decode.Int[int]), as(`"\"3\""`, integer, decode.Int[int]), as(`"NaN"`, integer, decode.Int[int]),
		as(`1e-1`, integer, decode.Int[int]), as(`"\u00a03"`, integer, decode.Int[int]),
		as(`9223372036854775808`, "an integer from -9223372036854775808 to 9223372036854775807", decode.Int[int64]),
		as(`-9223372036854775809`, "an integer from -9223372036854775808 to 9223372036854775807", decode.Int[int64]),
		as(`1e999999999999999999999`, "an integer from -9223372036854775808 to 9223372036854775807", decode.Int[int64]),
		as(`2147483648`, "an integer from -2147483648 to 2147483647", decode.Int[int32]),
		as(`32768`, "an integer from -32768 to 32767", decode.Int[int16]),
		as(`128`, "an integer from -128 to 127", decode.Int[int8]), as(`-129`, "an integer from -128 to 127", decode.Int[int8]),
		as(`-1`, "an integer from 0 to 255", decode.Uint[uint8]), as(`256`, "an integer from 0 to 255", decode.Uint[uint8]),
		as(`65536`, "an integer from 0 to 65535", decode.Uint[uint16]),
		as(`4294967296`, "an integer from 0 to 4294967295", decode.Uint[uint32]),
		as(`18446744073709551616`, "an integer from 0 to 18446744073709551615", decode.Uint[uint64]),
		as(`-1`, "an integer from 0 to 18446744073709551615", decode.Uint[uint64]),
		as(`-9223372036854775808`, "an integer from 0 to 18446744073709551615", decode.Uint[uint64]),

		as(`"1e"`, "a number", decode.Float[float64]), as(`"Infinity"`, "a number", decode.Float[float64]),
		as(`1e400`, "a number from -1.7976931348623157e+308 to 1.7976931348623157e+308", decode.Float[float64]),
		as(`3.5e38`, "a number from -3.4028235e+38 to 3.4028235e+38", decode.Float[float32]),

		as(`90`, duration, decode.Duration[time.Duration]), as(`"90"`, duration, decode.Duration[time.Duration]),
		as(`"1 hour"`, duration, decode.Duration[time.Duration]), as(`""`, duration, decode.Duration[time.Duration], decode.Required),
		as(`"9999999h"`, duration, decode.Duration[time.Duration]),
		as(`1767225600`, moment, decode.Time), as(`"2026-01-31"`, moment, decode.Time),
		as(`"2026-02-30T00:00:00Z"`, moment, decode.Time),
		as(`"a+b/c-d_"`, base64, decode.Bytes[[]byte]), as(`"QQ="`, base64, decode.Bytes[[]byte]), as(`"Q"`, base64, decode.Bytes[[]byte]),
		as(`"not base64!"`, base64, decode.Bytes[[]byte]), as(`[1,2]`, base64, decode.Bytes[[]byte]),
	)
}

func TestStrictRefusesTexts(t *testing.T) {
	expectErrors(t, strict,
		as(`"true"`, "true or false", decode.Bool[bool]), as(`"3"`, "an integer", decode.Int[int]), as(`"3"`, "an integer", decode.Uint[uint]),
		as(`"3"`, "a number", decode.Float[float64]), as(`"[1]"`, "a list", decode.List[[]int](decode.Int)), as(`1`, "a list", ints),
		as(`4`, "a string", decode.Text[even]),
		as(`"{}"`, "an object", decode.Map[map[string]int](decode.StringKey, decode.Int)),
	)
}

func TestScalarsTake(t *testing.T) {
	type flag bool
	type name string
	expectValid(t, lenient,
		as(`true`, true, decode.Bool[bool]), as(`false`, flag(false), decode.Bool[flag]),
		as(`"true"`, true, decode.Bool[bool]), as(`"false"`, false, decode.Bool[bool]), as(`" true\n"`, true, decode.Bool[bool]),

		as(`""`, "", decode.String[string]), as(`"3"`, "3", decode.String[string]), as(`"[1]"`, "[1]", decode.String[string]),
		as(`"a\u0000\ud83d\ude00\/"`, name("a\x00😀/"), decode.String[name]),

		as(`9007199254740991`, int64(9007199254740991), decode.Int[int64]), as(`"9223372036854775807"`, int64(math.MaxInt64), decode.Int[int64]),
		as(`"-9223372036854775808"`, int64(math.MinInt64), decode.Int[int64]), as(`-128`, int8(-128), decode.Int[int8]),
		as(`5.0`, 5, decode.Int[int]), as(`1e2`, 100, decode.Int[int]), as(`0.5e1`, 5, decode.Int[int]), as(`-0`, 0, decode.Int[int]),
		as(`500e-2`, 5, decode.Int[int]), as(`0e999999999999`, 0, decode.Int[int]), as(`0.000`, 0, decode.Int[int]),
		as(`"9223372036854775807.000"`, int64(math.MaxInt64), decode.Int[int64]), as(`"922337203685477580.7e1"`, int64(math.MaxInt64), decode.Int[int64]),
		as(`"3"`, 3, decode.Int[int]), as(`" 3 "`, 3, decode.Int[int]), as(`"9007199254740993"`, int64(9007199254740993), decode.Int[int64]),
		as(`"18446744073709551615"`, uint64(math.MaxUint64), decode.Uint[uint64]), as(`255`, uint8(255), decode.Uint[uint8]),
		as(`7`, uintptr(7), decode.Uint[uintptr]), as(`-0.0`, uint(0), decode.Uint[uint]),

		as(`1`, 1.0, decode.Float[float64]), as(`"-2.5e3"`, -2500.0, decode.Float[float64]), as(`1e-400`, 0.0, decode.Float[float64]),
		as(`3.4028235e38`, float32(math.MaxFloat32), decode.Float[float32]), as(`0.1`, float32(0.1), decode.Float[float32]),

		as(`"1h30m"`, 90*time.Minute, decode.Duration[time.Duration]), as(`"0"`, time.Duration(0), decode.Duration[time.Duration]),
		as(`"2026-01-31T15:04:05.25Z"`, time.Date(2026, 1, 31, 15, 4, 5, 25e7, time.UTC), decode.Time),
		as(`""`, []byte{}, decode.Bytes[[]byte]), as(`"+/+/QQ=="`, []byte{0xfb, 0xff, 0xbf, 'A'}, decode.Bytes[[]byte]),
		as(`"-_-_QQ"`, []byte{0xfb, 0xff, 0xbf, 'A'}, decode.Bytes[[]byte]), as(`"____"`, []byte{0xff, 0xff, 0xff}, decode.Bytes[[]byte]), as(`"a\nGk"`, []byte("hi"), decode.Bytes[[]byte]),
	)
}

func TestUnitsAreAskedFor(t *testing.T) {
	for _, text := range []string{`90`, `"90"`, `"1.5"`} {
		_, report := decodeOne(text, lenient, decode.Duration[time.Duration])
		if len(report.Problems) != 1 || report.Problems[0].Hint != `give it a unit, such as "90s"` {
			t.Errorf("%s: %+v, want a hint about units", text, report.Problems)
		}
	}
}

// A client that uses floats rounds larger numbers, so only their strings are exact.
func TestLargeNumbersAreRefused(t *testing.T) {
	const hint = "send it as a string, because clients may round numbers beyond 2^53-1"
	for _, trial := range []trial{
		as(`9007199254740992`, nil, decode.Int[int64]), as(`-9007199254740992`, nil, decode.Int[int]),
		as(`9.2e18`, nil, decode.Int[int64]), as(`18446744073709551615`, nil, decode.Uint[uint64]),
		as(`9007199254740992`, nil, decode.Pointer(decode.Int[int64])), as(`9007199254740992`, nil, decode.BigInt[int64]),
		as(`[9007199254740992]`, nil, decode.List[[]int64](decode.Int)),
	} {
		v, report := trial.run(trial.text, lenient)
		if len(report.Problems) != 1 || report.Problems[0].Expected != "an integer" || report.Problems[0].Hint != hint {
			t.Errorf("%s into %T: %+v", trial.text, v, report.Problems)
		}
	}
	_, report := decodeOne(`9007199254740992`, lenient, decode.Int[int], decode.Maximum(10))
	if len(report.Problems) != 1 || report.Problems[0].Hint != "" {
		t.Errorf("a number that no string would make valid: %+v", report.Problems)
	}
	expectValid(t, lenient, as(`null`, int64(1)<<60, decode.Int[int64], decode.Default("1152921504606846976")))
	expectErrors(t, strict, as(`1`, "an integer as a string", decode.BigInt[int64]))
	expectValid(t, strict,
		as(`"1"`, int64(1), decode.BigInt[int64]), as(`"18446744073709551615"`, uint64(math.MaxUint64), decode.BigUint[uint64]))
}

func TestEmptyStringsAreUnset(t *testing.T) {
	expectValid(t, lenient,
		as(`""`, 0, decode.Int[int]), as(`""`, 7, decode.Int[int], decode.Default("7"), decode.Minimum(5)),
		as(`""`, false, decode.Bool[bool]), as(`""`, 0.0, decode.Float[float64]),
		as(`""`, time.Duration(0), decode.Duration[time.Duration]), as(`""`, time.Time{}, decode.Time),
		as(`""`, "", decode.String[string], decode.MinLength(1)),
		as(`""`, "x", decode.String[string], decode.Pattern("."), decode.Default(`"x"`)),
		as(`""`, "", decode.String[string], decode.Default(`"x"`)), // a valid value
		as(`""`, "b", decode.Enum("a", "b"), decode.Default(`"b"`)),
		as(`""`, []string(nil), decode.List[[]string](decode.String), decode.Single),
		as(`""`, (*int)(nil), decode.Pointer(decode.Int[int])),
	)
	expectErrors(t, strict, as(`""`, "an integer", decode.Int[int]))
}
