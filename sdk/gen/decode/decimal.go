package decode

import (
	"bytes"
	"cmp"
	"math/big"
	"strconv"
)

// A decimal is the exact value of a JSON number: 0.DIGITS times ten to the exponent. Equal values
// have one form, because digits has no leading or trailing zeros.
type decimal struct {
	sign     int // -1, 0 or +1
	digits   []byte
	exponent int
}

// maxExponent limits exponents. Ten times this value still fits in 32 bits.
const maxExponent = 1 << 27

// IsInteger reports whether a JSON number of any size and notation is an integer.
func IsInteger(number []byte) bool {
	var digits [32]byte
	return parseDecimal(digits[:0], number).integral()
}

// parseDecimal parses a valid JSON number and uses space for its digits.
func parseDecimal(space, text []byte) decimal {
	d := decimal{sign: 1}
	if text[0] == '-' {
		d.sign, text = -1, text[1:]
	}
	if at := bytes.IndexAny(text, "eE"); at >= 0 {
		exponent, _ := strconv.Atoi(string(text[at+1:])) // if the value is out of range, Atoi returns the nearest int
		d.exponent, text = max(-maxExponent, min(exponent, maxExponent)), text[:at]
	}
	whole, fraction, _ := bytes.Cut(text, []byte{'.'})
	digits := append(append(space, whole...), fraction...)
	d.digits = bytes.TrimLeft(digits, "0")
	d.exponent += len(whole) - (len(digits) - len(d.digits))
	if d.digits = bytes.TrimRight(d.digits, "0"); len(d.digits) == 0 {
		return decimal{}
	}
	return d
}

func (d decimal) integral() bool { return len(d.digits) <= d.exponent || d.sign == 0 }

// integer returns the magnitude of an integral decimal if it fits in 64 bits.
func (d decimal) integer() (magnitude uint64, ok bool) {
	const zeros = "00000000000000000000"
	if !d.integral() || d.exponent > len(zeros) {
		return 0, false
	}
	digits := append(d.digits, zeros[:d.exponent-len(d.digits)]...)
	magnitude, err := strconv.ParseUint("0"+string(digits), 10, 64)
	return magnitude, err == nil
}

// compare returns -1, 0 or +1 if d is less than, equal to or greater than e.
func (d decimal) compare(e decimal) int {
	return cmp.Or(
		cmp.Compare(d.sign, e.sign), d.sign*cmp.Compare(d.exponent, e.exponent), d.sign*bytes.Compare(d.digits, e.digits),
	)
}

// maxScale bounds the cost of multipleOf. All float64 values are within it.
const maxScale = 1100

// multipleOf reports whether d is an integer multiple of e. It returns false for long numbers.
func (d decimal) multipleOf(e decimal) bool {
	if d.sign == 0 {
		return true
	}
	a, b := d.rational(), e.rational()
	return a != nil && b != nil && b.Sign() != 0 && a.Quo(a, b).IsInt()
}

// rational returns the magnitude of d, or nil if d is too long.
func (d decimal) rational() *big.Rat {
	if max(d.exponent, -d.exponent, len(d.digits)) > maxScale {
		return nil
	}
	r, _ := new(big.Rat).SetString("0." + string(d.digits) + "e" + strconv.Itoa(d.exponent)) // cannot fail: the text is a valid number
	return r
}
