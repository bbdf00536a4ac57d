package question

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/fault"
)

// Check returns nil if content is a valid answer to q. Otherwise it returns a [fault.InvalidAnswer]
// error with the question, the answers that it accepts and a description of content. Answers are
// not coerced, because a person or a host gave them: "true" is not true. [Spec.plain] describes the
// exceptions.
func (q Question) Check(content json.RawMessage) error {
	if q.fits(q.plain(content)) {
		return nil
	}
	got := q.got(content)
	e := fault.New(fault.InvalidAnswer, "the answer to question %q must be %s, got %s", q.ID, q.Accepts(), got)
	e.Details = map[string]any{"question": q.ID, "expected": q.Accepts(), "got": got}
	return e
}

// got describes an invalid answer for a message.
func (q Question) got(content json.RawMessage) string {
	if q.Kind == KindSecret {
		return "something else" // hides the secret, because messages are logged and shown to models
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
	case KindVisit:
		return string(content) == "true"
	case KindNumber:
		n, ok := number(content)
		return ok && (!q.Integer || n == math.Trunc(n)) && (q.Minimum == nil || n >= *q.Minimum) && (q.Maximum == nil || n <= *q.Maximum)
	case KindText, KindSecret:
		s, ok := text(content)
		return ok && q.textFits(s)
	case KindForm:
		return q.fieldsFit(content)
	case KindSeveral:
		return q.valuesFit(content)
	}
	s, ok := text(content)
	return ok && q.accepts(s)
}

func (q Question) accepts(value string) bool {
	return slices.ContainsFunc(q.Options, func(o Option) bool { return o.Value == value })
}

// valuesFit reports whether content is a list of distinct options.
func (q Question) valuesFit(content []byte) bool {
	var values []string
	if json.Unmarshal(content, &values) != nil || values == nil || len(values) < q.MinItems || q.MaxItems > 0 && len(values) > q.MaxItems {
		return false
	}
	for i, v := range values {
		if !q.accepts(v) || slices.Contains(values[:i], v) {
			return false
		}
	}
	return true
}

// offers returns what is wrong with the values of a pick, or "" if nothing is wrong.
func (q Question) offers() string {
	if q.Kind != KindPick {
		return ""
	}
	if len(q.Options) == 0 {
		return "offers nothing to pick from: call Among or Offer with the values"
	}
	seen := make(map[string]bool, len(q.Options)) // values and titles
	for _, o := range q.Options {
		title := cmp.Or(o.Title, o.Value)
		for _, text := range []string{o.Value, title} {
			if text == "" || seen[text] {
				return fmt.Sprintf("offers %q, which is empty or offered twice", text)
			}
		}
		seen[o.Value], seen[title] = true, true
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
	for _, f := range q.Fields {
		value, ok := object[f.ID]
		if !ok && !f.Optional || ok && !f.question().fits(bytes.TrimSpace(value)) {
			return false
		}
		delete(object, f.ID)
	}
	return len(object) == 0
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
	case KindVisit:
		return "true, if the user has opened the page"
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
	if q.Kind == KindSeveral {
		return cmp.Or(phrase.Span(length(q.MinItems), length(q.MaxItems)), "any") + " of " + strings.Join(values, ", ")
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

// length returns a bound on a length as text, or "" for 0, which means no bound.
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

// shown shortens content for an error message.
func shown(content json.RawMessage) string {
	content = bytes.TrimSpace(content)
	if len(content) == 0 {
		return "nothing"
	}
	return phrase.Clip(strings.ToValidUTF8(string(content), "\uFFFD"), maxShown)
}
