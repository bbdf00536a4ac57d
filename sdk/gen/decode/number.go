package decode

import (
	"math"
	"strconv"
)

type signed interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64
}

type unsigned interface {
	~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

type float interface{ ~float32 | ~float64 }

// Int decodes an integer in any notation: 5, 5.0 and 50e-1 are equal. Fractions and values
// outside the range of T are refused.
func Int[T signed](v Value, dst *T) { integer(v, dst) }

// Uint is [Int] for unsigned types.
func Uint[T unsigned](v Value, dst *T) { integer(v, dst) }

// Float decodes a number to the nearest T. Values that overflow T are refused.
func Float[T float](v Value, dst *T) {
	const noun = "a number"
	if !v.want(kindNumber, noun) {
		return
	}
	bits, extent := 64, " from -1.7976931348623157e+308 to 1.7976931348623157e+308"
	if isSingle[T]() {
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
	if !v.want(kindNumber, noun) {
		return
	}
	var digits [32]byte
	value := parseDecimal(digits[:0], v.node().text)
	magnitude, ok := value.integer()
	if !ok && !value.integral() {
		v.refuse(noun, "", "")
		return
	}
	n, fits := toInteger[T](value.negative, magnitude)
	if !ok || !fits {
		v.refuse(noun, rangeOf[T](), "")
		return
	}
	*dst = n
}

// toInteger returns the integer with the given sign and magnitude if it is in the range of T.
func toInteger[T signed | unsigned](negative bool, magnitude uint64) (T, bool) {
	if !negative {
		n := T(magnitude)
		return n, n >= 0 && uint64(n) == magnitude
	}
	if magnitude > 1<<63 {
		return 0, false
	}
	low := -int64(magnitude) // wraps to itself for 1<<63
	n := T(low)
	return n, int64(n) == low && (n < 0) == (low < 0)
}

// rangeOf describes the range of T. It is called only when a number is refused.
func rangeOf[T signed | unsigned]() string {
	var zero T
	if zero-1 > 0 {
		return " from 0 to " + strconv.FormatUint(uint64(zero-1), 10)
	}
	for _, bits := range []int{63, 31, 15} {
		if high := int64(1)<<bits - 1; int64(T(high)) == high {
			return " from " + strconv.FormatInt(-high-1, 10) + " to " + strconv.FormatInt(high, 10)
		}
	}
	return " from -128 to 127"
}

// isSingle reports whether T is a float32. It checks how precisely T represents one third.
func isSingle[T float]() bool {
	one := T(1)
	return math.Abs(float64(one/3)-1.0/3) > 1e-12
}
