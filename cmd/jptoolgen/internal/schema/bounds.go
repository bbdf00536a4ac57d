package schema

import (
	"encoding/json"
	"go/types"
	"math/big"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/internal/phrase"
)

// agree finds constraints that no value satisfies.
func (a *Analyzer) agree(t tag, s *Shape, c Constraints) {
	pairs := [][4]string{
		{"minLength", c.MinLength, "maxLength", c.MaxLength},
		{"minItems", c.MinItems, "maxItems", c.MaxItems},
		{"minProperties", c.MinProperties, "maxProperties", c.MaxProperties},
		{"minimum", c.Minimum, "maximum", c.Maximum},
		{"exclusiveMinimum", c.ExclusiveMinimum, "maximum", c.Maximum},
		{"minimum", c.Minimum, "exclusiveMaximum", c.ExclusiveMaximum},
		{"exclusiveMinimum", c.ExclusiveMinimum, "exclusiveMaximum", c.ExclusiveMaximum},
	}
	for _, p := range pairs {
		low, okLow := parseNumber(p[1])
		high, okHigh := parseNumber(p[3])
		if okLow && okHigh && (low.Cmp(high) > 0 || low.Cmp(high) == 0 && (p[0][0] == 'e' || p[2][0] == 'e')) {
			e, _ := t.entry(p[2])
			a.list.Add(e.pos, diag.BadConstraint, "no value satisfies %s %s and %s %s", p[0], p[1], p[2], p[3]).
				Suggest("swap them, or widen one")
			return
		}
	}
	low, high := typeRange(s.Base().Type)
	if low == nil || s.Base().Kind != Int && s.Base().Kind != Uint {
		return
	}
	for _, key := range []string{"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"} {
		e, _ := t.entry(key)
		n, ok := parseNumber(e.value)
		if ok && (n.Cmp(high) > 0 && strings.HasSuffix(key, "inimum") || n.Cmp(low) < 0 && strings.HasSuffix(key, "aximum")) {
			a.list.Add(e.pos, diag.BadConstraint, "no value of type %s satisfies %s %s", a.spell(s.Base().Type), key, e.value).
				Suggest("use a wider type, or another bound")
		}
	}
}

// bounds holds the minimum and the maximum that the constraints and the type permit.
type bounds struct{ low, high bound }

// A bound is a minimum or a maximum. n is nil if there is no limit. open is set if n itself is not permitted.
type bound struct {
	n    *big.Rat
	open bool
}

func boundsOf(s *Shape, c Constraints) bounds {
	var b bounds
	if s.Kind == Int || s.Kind == Uint {
		b.low.n, b.high.n = typeRange(s.Type)
	}
	for _, l := range []struct {
		of   *bound
		sign int // of the numbers beyond the bound
		text string
		open bool
	}{
		{&b.low, 1, c.Minimum, false}, {&b.low, 1, c.ExclusiveMinimum, true},
		{&b.high, -1, c.Maximum, false}, {&b.high, -1, c.ExclusiveMaximum, true},
	} {
		if n, ok := parseNumber(l.text); ok && (l.of.n == nil || n.Cmp(l.of.n) == l.sign || n.Cmp(l.of.n) == 0 && l.open) {
			*l.of = bound{n, l.open}
		}
	}
	return b
}

func (b bounds) admit(n *big.Rat) bool { return b.low.admits(n, 1) && b.high.admits(n, -1) }

// admits reports whether the bound permits n. sign is 1 for a minimum and -1 for a maximum.
func (b bound) admits(n *big.Rat, sign int) bool {
	return b.n == nil || n.Cmp(b.n) == sign || n.Cmp(b.n) == 0 && !b.open
}

// limits returns the bounds in words. It leaves out the bounds of int64, which the author has not written.
func (b bounds) limits() (l phrase.Limits) {
	low, high := typeRange(types.Typ[types.Int64])
	if b.low.n != nil && b.high.n != nil && b.low.n.Cmp(low) == 0 && b.high.n.Cmp(high) == 0 {
		return l
	}
	put := func(b bound, closedLimit, openLimit *string) {
		switch {
		case b.n == nil:
		case b.open:
			*openLimit = decimal(b.n)
		default:
			*closedLimit = decimal(b.n)
		}
	}
	put(b.low, &l.Minimum, &l.ExclusiveMinimum)
	put(b.high, &l.Maximum, &l.ExclusiveMaximum)
	return l
}

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
