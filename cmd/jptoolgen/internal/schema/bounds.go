package schema

import (
	"encoding/json"
	"go/token"
	"go/types"
	"math/big"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/internal/phrase"
)

// checkSatisfiable finds constraints that no value satisfies.
func (a *Analyzer) checkSatisfiable(t tag, s *Shape, c Constraints) {
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
			a.list.Add(t.pos(p[2]), diag.BadConstraint, "no value satisfies both %s %s and %s %s", p[0], p[1], p[2], p[3]).
				Suggest("swap them, or widen one")
			return
		}
	}
	low, high := typeRange(s.Base().Type)
	if low == nil || s.Base().Kind != Int && s.Base().Kind != Uint {
		return
	}
	for _, key := range []string{"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"} {
		text, _ := t.get(key)
		n, ok := parseNumber(text)
		if ok && (strings.HasSuffix(key, "inimum") && n.Cmp(high) > 0 || strings.HasSuffix(key, "aximum") && n.Cmp(low) < 0) {
			a.list.Add(t.pos(key), diag.BadConstraint, "no value of type %s satisfies %s %s", a.spell(s.Base().Type), key, text).
				Suggest("use a wider type, or another bound")
		}
	}
}

func (t tag) pos(key string) token.Pos {
	e, _ := t.entry(key)
	return e.pos
}

// bounds holds the minimum and the maximum that the constraints and the type permit, and whether each is
// exclusive. A bound is nil if there is no limit.
type bounds struct {
	low, high         *big.Rat
	openLow, openHigh bool
}

func boundsOf(s *Shape, c Constraints) bounds {
	var b bounds
	if s.Kind == Int || s.Kind == Uint {
		b.low, b.high = typeRange(s.Type)
	}
	raise := func(text string, open bool) {
		if n, ok := parseNumber(text); ok && (b.low == nil || n.Cmp(b.low) > 0 || n.Cmp(b.low) == 0 && open) {
			b.low, b.openLow = n, open
		}
	}
	lower := func(text string, open bool) {
		if n, ok := parseNumber(text); ok && (b.high == nil || n.Cmp(b.high) < 0 || n.Cmp(b.high) == 0 && open) {
			b.high, b.openHigh = n, open
		}
	}
	raise(c.Minimum, false)
	raise(c.ExclusiveMinimum, true)
	lower(c.Maximum, false)
	lower(c.ExclusiveMaximum, true)
	return b
}

func (b bounds) admit(n *big.Rat) bool {
	if b.low != nil && (n.Cmp(b.low) < 0 || b.openLow && n.Cmp(b.low) == 0) {
		return false
	}
	return b.high == nil || n.Cmp(b.high) < 0 || !b.openHigh && n.Cmp(b.high) == 0
}

// limits returns the bounds in words. It leaves out the bounds of int64, which the author has not written.
func (b bounds) limits() (l phrase.Limits) {
	low, high := typeRange(types.Typ[types.Int64])
	if b.low != nil && b.high != nil && b.low.Cmp(low) == 0 && b.high.Cmp(high) == 0 {
		return l
	}
	put := func(n *big.Rat, open bool, closedLimit, openLimit *string) {
		switch {
		case n == nil:
		case open:
			*openLimit = decimal(n)
		default:
			*closedLimit = decimal(n)
		}
	}
	put(b.low, b.openLow, &l.Minimum, &l.ExclusiveMinimum)
	put(b.high, b.openHigh, &l.Maximum, &l.ExclusiveMaximum)
	return l
}

// parseNumber parses a JSON number exactly.
func parseNumber(text string) (*big.Rat, bool) {
	if text == "" || text[0] != '-' && (text[0] < '0' || text[0] > '9') || !json.Valid([]byte(text)) || len(text) > 40 {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// power returns 2^n + more.
func power(n uint, more int64) *big.Rat {
	i := new(big.Int).Lsh(big.NewInt(1), n)
	return new(big.Rat).SetInt(i.Add(i, big.NewInt(more)))
}

// maxSafe returns the largest integer up to which all integers are exact as a float64 (RFC 8259, section 6).
func maxSafe() *big.Rat { return power(53, -1) }

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
	low = power(bits-1, 0)
	return low.Neg(low), power(bits-1, -1)
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
