package decode

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/unlisted"
)

// Bool decodes true or false.
func Bool[T ~bool](v Value, dst *T) {
	kind := v.kind()
	if kind == kindString {
		kind = jsontext.Value(v.node().text).Kind()
	}
	if kind != kindFalse {
		kind = kindTrue
	}
	if v.want(kind, "true or false") {
		*dst = kind == kindTrue
	}
}

// String decodes a string. Numbers and booleans are rejected, because the intended text is
// unknown.
func String[T ~string](v Value, dst *T) {
	if v.want(kindString, "a string") {
		*dst = T(v.node().text)
	}
}

// Bytes decodes a base64 string in the standard or the URL alphabet, with or without padding.
// Line breaks are ignored, as in encoding/json.
func Bytes[T ~[]byte](v Value, dst *T) {
	const noun = "a base64 string"
	if !v.want(kindString, noun) {
		return
	}
	text := v.node().text
	encoding := base64.StdEncoding
	if bytes.ContainsAny(text, "-_") {
		encoding = base64.URLEncoding
	}
	if bytes.IndexByte(text, '=') < 0 {
		encoding = encoding.WithPadding(base64.NoPadding)
	}
	data, err := encoding.AppendDecode(make([]byte, 0, encoding.DecodedLen(len(text))), text)
	if err != nil {
		v.refuse(noun, "", "")
		return
	}
	*dst = data
}

// Time decodes a string in RFC 3339 format.
func Time(v Value, dst *time.Time) {
	const noun = `a time such as "2026-01-31T15:04:05Z"`
	var t time.Time
	switch {
	case !v.want(kindString, noun):
	case t.UnmarshalText(v.node().text) != nil:
		v.refuse(noun, "", "")
	default:
		*dst = t
	}
}

// Duration decodes a string in the format of [time.ParseDuration]. Numbers are rejected, even as
// strings, because they have no unit.
func Duration[T ~int64](v Value, dst *T) {
	text, hint := string(v.node().text), ""
	if v.kind() == kindString {
		if duration, err := time.ParseDuration(text); err == nil {
			*dst = T(duration)
			return
		}
	}
	if v.kind() == kindNumber || text != "" && strings.Trim(text, "0123456789.+-") == "" {
		hint = `give it a unit, such as "90s"`
	}
	v.refuse(`a duration such as "1h30m"`, "", hint)
}

type signed interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64
}

type unsigned interface {
	~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

type float interface{ ~float32 | ~float64 }

// Int decodes an integer in any notation: 5, 5.0 and 50e-1 are equal. Fractions and values
// outside the range of T are rejected. So are numbers beyond 2^53-1, which a client that uses floats
// may have rounded (RFC 8259, section 6). A string of digits is exact.
func Int[T signed](v Value, dst *T) { integer(v, dst) }

// Uint is [Int] for unsigned types.
func Uint[T unsigned](v Value, dst *T) { integer(v, dst) }

// BigInt decodes an integer that is published as a string. [Options].Strict rejects numbers.
func BigInt[T signed](v Value, dst *T) { digits(v, dst) }

// BigUint is [BigInt] for unsigned types.
func BigUint[T unsigned](v Value, dst *T) { digits(v, dst) }

func digits[T signed | unsigned](v Value, dst *T) {
	strict := v.d.Strict
	if strict && v.kind() != kindString && !v.d.supplied {
		v.refuse("an integer as a string", "", "")
		return
	}
	v.d.Strict = false
	integer(v, dst)
	v.d.Strict = strict
}

// Float decodes a number to the nearest T. Values that overflow T are rejected.
func Float[T float](v Value, dst *T) {
	const noun = "a number"
	if !v.want(kindNumber, noun) {
		return
	}
	bits, extent := 64, " from -1.7976931348623157e+308 to 1.7976931348623157e+308"
	if third := T(1) / 3; float64(third) != 1.0/3 { // T is a float32
		bits, extent = 32, " from -3.4028235e+38 to 3.4028235e+38"
	}
	x, err := strconv.ParseFloat(string(v.node().text), bits)
	if err != nil {
		v.refuse(noun, extent, "")
		return
	}
	*dst = T(x)
}

func integer[T signed | unsigned](v Value, dst *T) {
	const noun = "an integer"
	if v.d.answers && isLarge(v) {
		v.unpack()
	}
	if !v.want(kindNumber, noun) {
		return
	}
	var digits [32]byte
	value := parseDecimal(digits[:0], v.node().text)
	if !value.integral() {
		v.refuse(noun, "", "")
		return
	}
	bits, ok := value.integer()
	if value.sign < 0 {
		bits = -bits
	}
	n := T(bits)
	if !ok || uint64(n) != bits || (n < 0) != (value.sign < 0) {
		v.refuse(noun, rangeOf[T](), "")
		return
	}
	if beyond := n < 0 && int64(n) < -maxSafe || n > 0 && uint64(n) > maxSafe; beyond && !v.node().quoted && !v.d.supplied && !v.d.Exact {
		v.refuse(noun, "", asString)
		return
	}
	*dst = n
}

// isLarge reports whether a string contains an integer that clients may round if it is a number.
func isLarge(v Value) bool {
	text := v.node().text
	if v.kind() != kindString || !jsontext.Value(text).IsValid() || jsontext.Value(text).Kind() != kindNumber {
		return false
	}
	var space [32]byte
	d := parseDecimal(space[:0], bytes.TrimSpace(text))
	d.sign = 1
	return d.integral() && d.compare(parseDecimal(nil, []byte("9007199254740991"))) > 0
}

// maxSafe is the largest integer up to which all integers are exact as a float64.
const maxSafe = 1<<53 - 1

// asString is the hint for a number that the client may have rounded.
const asString = "send it as a string, because clients may round numbers beyond 2^53-1"

// rangeOf describes the range of T.
func rangeOf[T signed | unsigned]() string {
	least := T(1)
	for least > 0 {
		least *= 2 // overflows to the minimum, which is 0 for unsigned types
	}
	return fmt.Sprintf(" from %d to %d", int64(least), uint64(^least))
}

// Enum decodes a string that is one of the values, or that differs from exactly one of them
// only in case. A problem's hint suggests the nearest value.
func Enum[T ~string](values ...T) Func[T] {
	return func(v Value, dst *T) {
		text, alike := string(v.node().text), 0
		var found T
		for _, value := range values {
			if text == string(value) {
				found, alike = value, 1
				break
			}
			if strings.EqualFold(text, string(value)) {
				found = value
				alike++
			}
		}
		if v.kind() == kindString && alike == 1 {
			*dst = found
			return
		}
		var names []string
		for _, value := range values {
			names = append(names, string(value))
		}
		v.refuseEnum(names)
	}
}

// IntEnum decodes an integer that is one of the values.
func IntEnum[T signed | unsigned](values ...T) Func[T] {
	return func(v Value, dst *T) {
		var n T
		if !v.d.try(func() { integer(v, &n) }).refused && slices.Contains(values, n) {
			*dst = n
			return
		}
		var names []string
		for _, value := range values {
			names = append(names, fmt.Sprintf("%d", value))
		}
		v.refuse(phrase.OneOf(names), "", "")
	}
}

// Open decodes with f, which accepts more values than the given ones. The first time that another value occurs, it is
// logged.
func Open[T comparable](f Func[T], values ...T) Func[T] {
	return func(v Value, dst *T) {
		problems := v.d.problemCount()
		f(v, dst)
		if !v.d.trial.on && v.d.problemCount() == problems && !slices.Contains(values, *dst) {
			unlisted.Log(*dst)
		}
	}
}

// Flags decodes a list of names as the sum of the values with these names.
func Flags[T signed | unsigned](names []string, values ...T) Func[T] {
	return func(v Value, dst *T) {
		var set []string
		List[[]string](Enum(names...))(v, &set)
		var sum T
		for _, name := range set {
			if i := slices.Index(names, name); i >= 0 { // "" for a name that was refused
				sum |= values[i]
			}
		}
		*dst = sum
	}
}

func (v Value) refuseEnum(names []string) {
	const many = 8 // with more values, a similar one is shown instead of all
	hint := ""
	if v.kind() == kindString {
		hint = didYouMean(string(v.node().text), names)
	}
	if hint != "" && len(names) > many {
		v.refuse("one of "+strconv.Itoa(len(names))+" values", "", hint)
		return
	}
	for i, name := range names {
		names[i] = strconv.Quote(name)
	}
	v.refuse(phrase.OneOf(names), "", hint)
}
