package question

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/jptool/jptool/internal/phrase"
)

// KindNumber asks for a number.
const KindNumber Kind = "number"

type ofNumber struct{ common }

func (ofNumber) traits() Traits {
	return Traits{Answer: "a number", Keys: "minimum maximum default"}
}

func (ofNumber) fits(q Spec, content []byte) bool {
	n, ok := number(content)
	return ok && (!q.Integer || n == math.Trunc(n)) &&
		(q.Minimum == nil || n >= *q.Minimum) && (q.Maximum == nil || n <= *q.Maximum)
}

func (n ofNumber) accepts(q Spec) string {
	limits := phrase.Limits{Minimum: bound(q.Minimum), Maximum: bound(q.Maximum)}
	return limits.Of(phrase.A(n.schema(q, untitled).Type))
}

func (ofNumber) schema(q Spec, _ titles) schema {
	s := schema{Type: "number", Minimum: q.Minimum, Maximum: q.Maximum}
	if q.Integer {
		s.Type = "integer"
	}
	return s
}

// plain returns the number that text contains.
func (ofNumber) plain(_ Spec, content []byte) []byte {
	typed, isText := text(content)
	if _, ok := number(content); isText && ok {
		return []byte(strings.TrimSpace(typed))
	}
	return content
}

// number returns the number that content is or, if content is a string, contains.
func number(content []byte) (float64, bool) {
	if s, ok := text(content); ok {
		content = []byte(s)
	}
	var n *float64
	if json.Unmarshal(content, &n) != nil || n == nil {
		return 0, false
	}
	return *n, true
}

func bound(n *float64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatFloat(*n, 'f', -1, 64)
}
