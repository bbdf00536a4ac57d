package decode

import (
	"fmt"
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
	if value.negative {
		bits = -bits
	}
	n := T(bits)
	if !ok || uint64(n) != bits || (n < 0) != value.negative {
		v.refuse(noun, rangeOf[T](), "")
		return
	}
	*dst = n
}

// rangeOf describes the range of T. It is called only when a number is refused.
func rangeOf[T signed | unsigned]() string {
	least := T(1)
	for least > 0 {
		least *= 2 // overflows to the minimum, which is 0 for unsigned types
	}
	return fmt.Sprintf(" from %d to %d", int64(least), uint64(^least))
}
