package decode

import (
	"bytes"
	"cmp"
	"math/big"
	"strconv"
)

// A decimal is the exact value of a JSON number: 0.DIGITS times ten to the exponent. Digits
// has no leading and no trailing zeros, and is empty for zero, so equal values have one form.
type decimal struct {
	negative bool
	digits   []byte
	exponent int
}

// maxExponent is the limit for exponents. Values of Go types are far below it, and ten times
// the limit still fits 32 bits.
const maxExponent = 1 << 27

// IsInteger reports whether a JSON number of any size and notation is an integer.
func IsInteger(number []byte) bool {
	var digits [32]byte
	return parseDecimal(digits[:0], number).integral()
}

// parseDecimal parses a valid JSON number and appends its digits to space.
func parseDecimal(space, text []byte) decimal {
	d := decimal{digits: space}
	if text[0] == '-' {
		d.negative = true
		text = text[1:]
	}
	fraction := false
	for i, c := range text {
		switch {
		case c == '.':
			fraction = true
		case c == 'e' || c == 'E':
			d.exponent += parseExponent(text[i+1:])
			return d.trim()
		case c == '0' && len(d.digits) == 0:
			if fraction {
				d.exponent--
			}
		default:
			d.digits = append(d.digits, c)
			if !fraction {
				d.exponent++
			}
		}
	}
	return d.trim()
}

func parseExponent(text []byte) (n int) {
	sign := 1
	switch text[0] {
	case '-':
		sign, text = -1, text[1:]
	case '+':
		text = text[1:]
	}
	for _, c := range text {
		n = min(10*n+int(c-'0'), maxExponent)
	}
	return sign * n
}

func (d decimal) trim() decimal {
	d.digits = bytes.TrimRight(d.digits, "0")
	if len(d.digits) == 0 {
		return decimal{}
	}
	return d
}

func (d decimal) integral() bool { return len(d.digits) <= d.exponent || len(d.digits) == 0 }

// integer returns the magnitude of an integral decimal if it fits 64 bits.
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
	if d.sign() != e.sign() {
		return cmp.Compare(d.sign(), e.sign())
	}
	n := cmp.Compare(d.exponent, e.exponent)
	if n == 0 {
		n = bytes.Compare(d.digits, e.digits)
	}
	return n * d.sign()
}

func (d decimal) sign() int {
	switch {
	case len(d.digits) == 0:
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// maxScale limits the arithmetic of multipleOf. All float64 values are within it.
const maxScale = 1100

// multipleOf reports whether d is an integer multiple of e. It returns false for numbers that
// are too long to divide at a bounded cost.
func (d decimal) multipleOf(e decimal) bool {
	if d.sign() == 0 {
		return true
	}
	a, ok := d.rational()
	if !ok {
		return false
	}
	b, ok := e.rational()
	return ok && b.Sign() != 0 && a.Quo(a, b).IsInt()
}

func (d decimal) rational() (*big.Rat, bool) {
	if d.exponent > maxScale || d.exponent < -maxScale || len(d.digits) > maxScale {
		return nil, false
	}
	return new(big.Rat).SetString("0." + string(d.digits) + "e" + strconv.Itoa(d.exponent))
}
