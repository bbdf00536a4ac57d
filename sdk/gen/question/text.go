package question

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/jptool/jptool/internal/phrase"
)

// KindText asks for a string.
const KindText Kind = "text"

type ofText struct{ common }

func (ofText) traits() Traits {
	return Traits{Answer: "text", Keys: "minLength maxLength pattern format default"}
}

func (ofText) fits(q Spec, content []byte) bool {
	s, isText := text(content)
	n := utf8.RuneCountInString(s)
	format, ok := formats[q.Format]
	if !isText || n < q.MinLength || q.MaxLength > 0 && n > q.MaxLength || ok && !format.fits(s) {
		return false
	}
	matched, _ := regexp.MatchString(q.Pattern, s) // nothing matches an invalid pattern
	return matched
}

func (ofText) accepts(q Spec) string {
	limits := phrase.Limits{MinLength: length(q.MinLength), MaxLength: length(q.MaxLength), Pattern: q.Pattern}
	return limits.Of(cmp.Or(formats[q.Format].noun, phrase.A("string")))
}

func (ofText) schema(q Spec, _ titles) schema {
	return schema{Type: "string", Format: q.Format, Pattern: q.Pattern, MinLength: q.MinLength, MaxLength: q.MaxLength}
}

// length returns a bound on a length as text; 0 means no bound.
func length(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func text(content []byte) (s string, ok bool) {
	ok = len(content) > 0 && content[0] == '"' && json.Unmarshal(content, &s) == nil
	return s, ok
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
