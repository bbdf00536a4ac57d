package schema

import (
	"encoding/json"
	"go/types"
	"math/big"
)

// parseNumber parses a JSON number exactly.
func parseNumber(text string) (*big.Rat, bool) {
	if text == "" || text[0] != '-' && (text[0] < '0' || text[0] > '9') || !json.Valid([]byte(text)) || len(text) > 40 {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

func neg(n *big.Rat) *big.Rat { return new(big.Rat).Neg(n) }

// largestExact returns the largest integer up to which floats represent every integer exactly.
func largestExact() *big.Rat { return power(53, -1) }

// power returns 2^n + more.
func power(n uint, more int64) *big.Rat {
	i := new(big.Int).Lsh(big.NewInt(1), n)
	return new(big.Rat).SetInt(i.Add(i, big.NewInt(more)))
}

// typeRange returns the range of an integer type. For int, it is the range of int64.
func typeRange(t types.Type) (low, high *big.Rat) {
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 {
		return nil, nil
	}
	bits := uint(64)
	switch b.Kind() {
	case types.Int8, types.Uint8:
		bits = 8
	case types.Int16, types.Uint16:
		bits = 16
	case types.Int32, types.Uint32:
		bits = 32
	}
	if b.Info()&types.IsUnsigned != 0 {
		return new(big.Rat), power(bits, -1)
	}
	return neg(power(bits-1, 0)), power(bits-1, -1)
}

// decimal formats a number as JSON.
func decimal(n *big.Rat) string {
	if n.IsInt() {
		return n.Num().String()
	}
	f, _ := n.Float64()
	data, err := json.Marshal(f)
	if err != nil {
		return n.RatString()
	}
	return string(data)
}
