package question

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/fault"
)

// Check returns nil if content is a valid answer to q, and otherwise an [fault.InvalidAnswer]
// with the question, what it accepts and what was sent. Answers are not coerced, because a
// person or a host gave them: "true" is not true. The exception is a number in a string,
// because JP can only ask for text.
func (q Question) Check(content json.RawMessage) error {
	if q.fits(bytes.TrimSpace(content)) {
		return nil
	}
	got := q.got(content)
	e := fault.New(fault.InvalidAnswer, "the answer to question %q must be %s, got %s", q.ID, q.Accepts(), got)
	e.Details = map[string]any{"question": q.ID, "expected": q.Accepts(), "got": got}
	return e
}

// got describes an answer that does not fit, for a message.
func (q Question) got(content json.RawMessage) string {
	if q.Kind == KindSecret {
		return "something else" // messages are logged and shown to models
	}
	return shown(content)
}

func (q Question) fits(content []byte) bool {
	if q.blank && string(content) == `""` {
		return true
	}
	switch q.Kind {
	case KindConfirm:
		return string(content) == "true" || string(content) == "false"
	case KindNumber:
		n, ok := number(content)
		return ok && (!q.Integer || n == math.Trunc(n)) && (q.Minimum == nil || n >= *q.Minimum) && (q.Maximum == nil || n <= *q.Maximum)
	case KindText, KindSecret:
		s, ok := text(content)
		return ok && q.textFits(s)
	case KindForm:
		return q.fieldsFit(content)
	}
	s, ok := text(content)
	if !ok {
		return false
	}
	for _, o := range q.Options {
		if o.Value == s {
			return true
		}
	}
	return false
}

// offers returns what is wrong with the values of a pick, "" for nothing.
func (q Question) offers() string {
	if q.Kind != KindPick {
		return ""
	}
	if len(q.Options) == 0 {
		return "offers nothing to pick from: call Among with the values"
	}
	seen := make(map[string]bool, len(q.Options))
	for _, o := range q.Options {
		if o.Value == "" || seen[o.Value] {
			return fmt.Sprintf("offers %q, which is empty or offered twice", o.Value)
		}
		seen[o.Value] = true
	}
	return ""
}

// fieldsFit reports whether content is an object with q's fields. Names are case-sensitive and
// unique.
func (q Question) fieldsFit(content []byte) bool {
	var object map[string]jsontext.Value
	if len(content) == 0 || content[0] != '{' || jsonv2.Unmarshal(content, &object) != nil {
		return false
	}
	known := 0
	for _, f := range q.Fields {
		value, ok := object[f.ID]
		if !ok && !f.Optional || ok && !f.question().fits(bytes.TrimSpace(value)) {
			return false
		}
		if ok {
			known++
		}
	}
	return known == len(object)
}

func (q Question) textFits(s string) bool {
	n := utf8.RuneCountInString(s)
	if n < q.MinLength || q.MaxLength > 0 && n > q.MaxLength || !formatFits(q.Format, s) {
		return false
	}
	if q.Pattern == "" {
		return true
	}
	re, err := regexp.Compile(q.Pattern)
	return err == nil && re.MatchString(s)
}

// Accepts describes the answers that q accepts.
func (q Question) Accepts() string {
	if q.blank {
		q.blank = false
		return q.Accepts() + ", or nothing"
	}
	limits := phrase.Limits{
		Minimum: bound(q.Minimum), Maximum: bound(q.Maximum), MinLength: length(q.MinLength), MaxLength: length(q.MaxLength), Pattern: q.Pattern,
	}
	switch q.Kind {
	case KindConfirm:
		return phrase.A("boolean")
	case KindNumber:
		if q.Integer {
			return limits.Of(phrase.A("integer"))
		}
		return limits.Of(phrase.A("number"))
	case KindText, KindSecret:
		return limits.Of(cmp.Or(formatNoun(q.Format), phrase.A("string")))
	case KindForm:
		return q.acceptsFields()
	}
	values := make([]string, len(q.Options))
	for i, o := range q.Options {
		values[i] = strconv.Quote(o.Value)
	}
	return phrase.OneOf(values)
}

func (q Question) acceptsFields() string {
	parts := make([]string, len(q.Fields))
	for i, f := range q.Fields {
		parts[i] = strconv.Quote(f.ID) + " (" + f.question().Accepts() + ")"
		if f.Optional {
			parts[i] = "optionally " + parts[i]
		}
	}
	return "an object with " + strings.Join(parts, ", ")
}

// length returns a bound of a length, of which 0 is none.
func length(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func bound(n *float64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatFloat(*n, 'f', -1, 64)
}

func text(content []byte) (string, bool) {
	var s string
	if len(content) == 0 || content[0] != '"' || json.Unmarshal(content, &s) != nil {
		return "", false
	}
	return s, true
}

func number(content []byte) (float64, bool) {
	if s, ok := text(content); ok {
		content = []byte(s)
	}
	var n json.Number
	if len(content) == 0 || content[0] == '"' || json.Unmarshal(content, &n) != nil || n == "" {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}

const maxShown = 60

// shown returns content for an error message, shortened.
func shown(content json.RawMessage) string {
	content = bytes.TrimSpace(content)
	if len(content) == 0 {
		return "nothing"
	}
	return phrase.Clip(strings.ToValidUTF8(string(content), "\uFFFD"), maxShown)
}
