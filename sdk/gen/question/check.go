package question

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
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

// Check returns nil if content is a valid answer to q. Otherwise it returns a [fault.InvalidAnswer]
// error with the question, the answers that it accepts and a description of content. Answers are
// not coerced, because a person or a host gave them: "true" is not true. [Spec.plain] describes the
// exceptions.
func (q Spec) Check(content json.RawMessage) error {
	if q.fits(q.plain(content)) {
		return nil
	}
	got := q.got(content)
	e := fault.New(fault.InvalidAnswer, "the answer to question %q must be %s, got %s", q.ID, q.Accepts(), got)
	e.Details = map[string]any{"question": q.ID, "expected": q.Accepts(), "got": got}
	return e
}

// got describes an invalid answer for a message.
func (q Spec) got(content json.RawMessage) string {
	if q.Kind == KindSecret {
		return "something else" // hides the secret, because messages are logged and shown to models
	}
	return shown(content)
}

func (q Spec) fits(content []byte) bool {
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
				return fmt.Sprintf("offers %q, which is empty or offered twice", text)
			}
		}
		seen[o.Value], seen[title] = true, true
	}
	return ""
}

// fieldsFit reports whether content is an object with q's fields. Names are case-sensitive and
// unique.
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

func (q Spec) acceptsFields() string {
	parts := make([]string, len(q.Fields))
	for i, f := range q.Fields {
		parts[i] = strconv.Quote(f.ID) + " (" + f.Accepts() + ")"
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

// Formats returns the names of text formats, as in MCP's forms (MCP 2025-06-18, Elicitation).
func Formats() []string { return []string{"email", "uri", "date", "date-time"} }

// formatNoun describes text in a format, or returns "" if there is no format.
func formatNoun(format string) string {
	switch format {
	case "email":
		return "an email address"
	case "uri":
		return "a URI such as https://example.com/"
	case "date":
		return "a date such as " + time.DateOnly
	case "date-time":
		return "a time such as 2006-01-02T15:04:05Z"
	}
	return ""
}

// formatFits reports whether s has the given format.
func formatFits(format, s string) bool {
	var err error
	switch format {
	case "email":
		var a *mail.Address
		a, err = mail.ParseAddress(s)
		return err == nil && a.Address == s
	case "uri":
		var u *url.URL
		u, err = url.Parse(s)
		return err == nil && u.IsAbs() && (u.Host != "" || u.Opaque != "" || u.Path != "")
	case "date":
		_, err = time.Parse(time.DateOnly, s)
	case "date-time":
		_, err = time.Parse(time.RFC3339, s)
	}
	return err == nil
}

// again returns q as it is asked after an invalid answer. try is the number of times that it has
// been asked, including this time.
func (q Question) again(content json.RawMessage, try int) Question {
	q.ID += "--" + strconv.Itoa(try)
	q.Message = phrase.OneLine(visible(q.reason(content)) + " " + q.Message)
	return q
}

// reason returns why content does not answer q, for the person who is asked again. For a form,
// it names the first field with an invalid value.
func (q Spec) reason(content json.RawMessage) string {
	what := "The answer"
	var object map[string]jsontext.Value
	if q.Kind == KindForm && jsonv2.Unmarshal(content, &object) == nil {
		for _, f := range q.Fields {
			if value, ok := object[f.ID]; ok && !f.fits(bytes.TrimSpace(value)) {
				q, what, content = f, strconv.Quote(f.ID), json.RawMessage(value)
				break
			}
		}
	}
	return fmt.Sprintf("%s must be %s, got %s.", what, q.Accepts(), q.got(content))
}

// isTyped reports whether content has the form in which a JP host returns what a person typed: a
// string or, if the host shows forms, JSON of the answer's type. Yes or no and one of several
// values are selected, so a person cannot mistype them. A person cannot mistype a secret that the
// host does not ask for, either.
func (q Spec) isTyped(content json.RawMessage, a Asker) bool {
	kind := jsontext.Value(bytes.TrimSpace(content)).Kind()
	switch q.Kind {
	case KindText:
		return kind == '"'
	case KindSecret:
		return kind == '"' && a.Secrets
	case KindNumber:
		return kind == '"' || a.Forms && kind == '0'
	case KindSeveral:
		return kind == '"' || a.Forms && kind == '['
	case KindForm:
		return a.Forms && kind == '{'
	}
	return false
}

// plain returns an answer in the form that handlers receive. A host that can only ask for text
// sends a number as text, and several values separated by commas; a host that can only show
// titles sends the title of a value. Anything else is returned unchanged, without surrounding
// space.
func (q Spec) plain(content []byte) []byte {
	content = bytes.TrimSpace(content)
	typed, ok := text(content)
	if !ok {
		return content
	}
	switch q.Kind {
	case KindNumber:
		if _, ok := number(content); ok {
			return []byte(strings.TrimSpace(typed))
		}
	case KindPick:
		content, _ = json.Marshal(q.value(typed)) // cannot fail
	case KindSeveral:
		content, _ = json.Marshal(q.several(typed))
	}
	return content
}

// several returns the values in typed text: a JSON list, or words separated by commas.
func (q Spec) several(typed string) []string {
	values := []string{}
	if json.Unmarshal([]byte(typed), &values) == nil && values != nil {
		return values
	}
	for word := range strings.SplitSeq(typed, ",") {
		if word = strings.TrimSpace(word); word != "" {
			values = append(values, q.value(word))
		}
	}
	return values
}
