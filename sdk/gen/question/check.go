package question

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/fault"
)

// Check returns nil if content is a valid answer to q, or a [fault.InvalidAnswer] error with the
// question, the answers that it accepts and a description of content. Answers are not coerced,
// because a person or a host gave them: "true" is not true. [Spec.plain] describes the exceptions.
func (q Spec) Check(content json.RawMessage) error {
	if q.fits(q.plain(content)) {
		return nil
	}
	got := q.describeInvalid(content)
	e := fault.New(fault.InvalidAnswer, "the answer to question %q must be %s, got %s", q.ID, q.Accepts(), got)
	e.Details = map[string]any{"question": q.ID, "expected": q.Accepts(), "got": got}
	return e
}

// describeInvalid describes an invalid answer for a message.
func (q Spec) describeInvalid(content json.RawMessage) string {
	const shown = 60
	content = bytes.TrimSpace(content)
	typed, ok := text(content)
	switch {
	case q.Kind == KindSecret:
		return "something else" // hides the secret, because messages are logged and shown to models
	case len(content) == 0:
		return "nothing"
	case q.Kind == KindSeveral:
		var values []string
		if json.Unmarshal(q.plain(content), &values) == nil && values != nil {
			return q.wrongValue(values, shown)
		}
	}
	switch {
	case ok:
		return strconv.Quote(phrase.Clip(typed, shown))
	}
	return phrase.Clip(strings.ToValidUTF8(string(content), "\uFFFD"), shown)
}

// wrongValue describes what is wrong with the values of a several question.
func (q Spec) wrongValue(values []string, shown int) string {
	for i, v := range values {
		switch text := strconv.Quote(phrase.Clip(v, shown)); {
		case !q.accepts(v):
			return text
		case slices.Contains(values[:i], v):
			return text + " twice"
		}
	}
	return phrase.Plural(len(values), "value")
}

func (q Spec) fits(content []byte) bool {
	if q.blank && string(content) == `""` {
		return true
	}
	s, isText := text(content)
	switch q.Kind {
	case KindConfirm:
		return string(content) == "true" || string(content) == "false"
	case KindVisit:
		return string(content) == "true"
	case KindNumber:
		n, ok := number(content)
		return ok && (!q.Integer || n == math.Trunc(n)) && (q.Minimum == nil || n >= *q.Minimum) && (q.Maximum == nil || n <= *q.Maximum)
	case KindText, KindSecret:
		return isText && q.textFits(s)
	case KindForm:
		return q.fieldsFit(content)
	case KindSeveral:
		return q.valuesFit(content)
	}
	return isText && q.accepts(s)
}

func (q Spec) accepts(value string) bool {
	return slices.ContainsFunc(q.Options, func(o Option) bool { return o.Value == value })
}

// valuesFit reports whether content is a list of distinct options.
func (q Spec) valuesFit(content []byte) bool {
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
				return fmt.Sprintf("offers %q, which is empty or offered more than once", text)
			}
		}
		seen[o.Value], seen[title] = true, true
	}
	return ""
}

// fieldsFit reports whether content is an object with q's fields. Names are case-sensitive.
func (q Spec) fieldsFit(content []byte) bool {
	var object map[string]jsontext.Value
	if len(content) == 0 || content[0] != '{' || jsonv2.Unmarshal(content, &object) != nil {
		return false
	}
	for _, f := range q.Fields {
		value, ok := object[f.ID]
		if !ok && !f.Optional || ok && !f.fits(bytes.TrimSpace(value)) {
			return false
		}
		delete(object, f.ID)
	}
	return len(object) == 0
}

func (q Spec) textFits(s string) bool {
	n := utf8.RuneCountInString(s)
	format, ok := formats[q.Format]
	if n < q.MinLength || q.MaxLength > 0 && n > q.MaxLength || ok && !format.fits(s) {
		return false
	}
	matched, _ := regexp.MatchString(q.Pattern, s) // nothing matches an invalid pattern
	return matched
}

// Accepts describes the answers that q accepts.
func (q Spec) Accepts() string {
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
		return limits.Of(cmp.Or(formats[q.Format].noun, phrase.A("string")))
	case KindForm:
		parts := make([]string, len(q.Fields))
		for i, f := range q.Fields {
			parts[i] = strconv.Quote(f.ID) + " (" + f.Accepts() + ")"
			if f.Optional {
				parts[i] = "optionally " + parts[i]
			}
		}
		return "an object with " + strings.Join(parts, ", ")
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

// length returns a bound on a length as text; 0 means no bound.
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

func text(content []byte) (s string, ok bool) {
	ok = len(content) > 0 && content[0] == '"' && json.Unmarshal(content, &s) == nil
	return s, ok
}

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

// Formats returns the names of text formats, as in MCP's forms (MCP 2025-06-18, Elicitation).
func Formats() []string { return slices.Sorted(maps.Keys(formats)) }

// CheckFormat describes the texts that have a format, such as "a date such as 2006-01-02", if text does not have it. It
// returns "" for other texts, and for an unknown format.
func CheckFormat(format, text string) (must string) {
	if f, known := formats[format]; known && !f.fits(text) {
		return f.noun
	}
	return ""
}

var formats = map[string]struct {
	noun string
	fits func(s string) bool
}{
	"email": {"an email address", func(s string) bool {
		a, err := mail.ParseAddress(s)
		return err == nil && a.Address == s
	}},
	"uri": {"a URI such as https://example.com/", func(s string) bool {
		u, err := url.Parse(s)
		return err == nil && u.IsAbs() && (u.Host != "" || u.Opaque != "" || u.Path != "")
	}},
	"date": {"a date such as 2006-01-02", func(s string) bool {
		_, err := time.Parse(time.DateOnly, s)
		return err == nil
	}},
	"date-time": {"a time such as 2006-01-02T15:04:05Z", func(s string) bool {
		_, err := time.Parse(time.RFC3339, s)
		return err == nil
	}},
}

// retry returns q for the given try, with a message that says why content is invalid. For a form,
// the message names the first invalid field.
func (q Question) retry(content json.RawMessage, try int) Question {
	what, spec := "The answer", q.Spec
	var object map[string]jsontext.Value
	if q.Kind == KindForm && jsonv2.Unmarshal(content, &object) == nil {
		for _, f := range q.Fields {
			if value, ok := object[f.ID]; ok && !f.fits(bytes.TrimSpace(value)) {
				what, spec, content = strconv.Quote(f.ID), f, json.RawMessage(value)
				break
			}
		}
	}
	reason := fmt.Sprintf("%s must be %s, got %s.", what, spec.Accepts(), spec.describeInvalid(content))
	q.ID += "--" + strconv.Itoa(try)
	q.Message = phrase.OneLine(escapeInvisible(reason) + " " + q.Message)
	return q
}

// plain returns an answer in the form that handlers receive. A host that only asks for text sends
// numbers as text and several values separated by commas; one that only shows titles sends titles.
// Several values may have another letter case. Anything else is returned unchanged, without
// surrounding space.
func (q Spec) plain(content []byte) []byte {
	content = bytes.TrimSpace(content)
	typed, ok := text(content)
	switch {
	case !ok && q.Kind == KindSeveral:
		var values []string
		if json.Unmarshal(content, &values) == nil && values != nil {
			content, _ = json.Marshal(q.declaredValues(values)) // cannot fail: the values are strings
		}
	case !ok || q.blank && typed == "":
	case q.Kind == KindNumber:
		if _, ok := number(content); ok {
			return []byte(strings.TrimSpace(typed))
		}
	case q.Kind == KindPick:
		content, _ = json.Marshal(q.value(typed)) // cannot fail: the value is a string
	case q.Kind == KindSeveral:
		content, _ = json.Marshal(q.splitValues(typed))
	}
	return content
}

// splitValues returns the values in typed text: a JSON array, or words separated by commas.
func (q Spec) splitValues(typed string) []string {
	values := []string{}
	if json.Unmarshal([]byte(typed), &values) == nil && values != nil {
		return q.declaredValues(values)
	}
	for word := range strings.SplitSeq(typed, ",") {
		if word = strings.TrimSpace(word); word != "" {
			values = append(values, word)
		}
	}
	return q.declaredValues(values)
}

// declaredValues returns values with titles, and values that differ from exactly one option in letter case, replaced
// by the values of the options.
func (q Spec) declaredValues(values []string) []string {
	declared := make([]string, len(values))
	for i, v := range values {
		declared[i] = q.value(v)
		if q.accepts(declared[i]) {
			continue
		}
		alike := slices.DeleteFunc(slices.Clone(q.Options), func(o Option) bool {
			return !strings.EqualFold(o.Value, v) && (o.Title == "" || !strings.EqualFold(o.Title, v))
		})
		if len(alike) == 1 {
			declared[i] = alike[0].Value
		}
	}
	return declared
}
