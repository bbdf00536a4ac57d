package question_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/gen/question"
)

// A question with a format accepts only text in that format, and its description names the format.
func TestFormats(t *testing.T) {
	for format, tc := range map[string]struct {
		accepts   string
		good, bad []string
	}{
		"email": {"an email address of at most 40 characters",
			[]string{"ada@example.com", "a.b+c@x.example", "ü@example.com"},
			[]string{"", "ada", "Ada <ada@example.com>", "a@b, c@d", " ada@example.com", "ada@example.com" + "-and-so-on-and-so-on-and-so-on.example"}},
		"uri": {"a URI such as https://example.com/ of at most 40 characters",
			[]string{"https://example.com/a?b#c", "mailto:ada@example.com", "file:///etc/hosts"},
			[]string{"", "example.com", "/etc/hosts", "https:", "https://exa mple.com/", "//example.com"}},
		"date": {"a date such as 2006-01-02 of at most 40 characters",
			[]string{"2026-02-28", "2024-02-29"}, []string{"", "2026-02-29", "28.2.2026", "2026-2-28", "2026-02-28T00:00:00Z"}},
		"date-time": {"a time such as 2006-01-02T15:04:05Z of at most 40 characters",
			[]string{"2026-02-28T12:00:00Z", "2026-02-28T12:00:00.5+02:00"}, []string{"", "2026-02-28", "2026-02-28 12:00:00", "2026-02-28T25:00:00Z"}},
		"": {"a string of at most 40 characters", []string{"", "anything"}, nil},
	} {
		q := question.Question{Spec: question.Spec{ID: "q", Kind: question.KindText, Format: format, MaxLength: 40}}
		if got := q.Accepts(); got != tc.accepts {
			t.Errorf("%s: accepts %s, want %s", format, got, tc.accepts)
		}
		check := func(text string) error {
			data, err := json.Marshal(text)
			if err != nil {
				t.Fatal(err)
			}
			return q.Check(data)
		}
		for _, text := range tc.good {
			if err := check(text); err != nil {
				t.Errorf("%s: %v", format, err)
			}
		}
		for _, text := range tc.bad {
			if check(text) == nil {
				t.Errorf("%s accepts %q", format, text)
			}
		}
	}
	if formats := question.Formats(); len(formats) != 4 {
		t.Errorf("formats %q", formats)
	}
}

// A message shows the beginning of an invalid answer, and no part of an escape or a character.
func TestInvalidAnswersInMessages(t *testing.T) {
	q := question.Question{Spec: question.Spec{ID: "q", Kind: question.KindText, MaxLength: 2}}
	for answer, want := range map[string]string{
		`"abc"`: `"abc"`, `"a\u00e9\n\""`: `"aé\n\""`, `7`: `7`, ``: `nothing`,
		`"` + strings.Repeat(`\u00e9`, 80) + `"`: `"` + strings.Repeat("é", 60) + `…"`,
		`["` + strings.Repeat("é", 80) + `"]`:    `["` + strings.Repeat("é", 58) + `…`,
	} {
		if err := q.Check(json.RawMessage(answer)); err == nil || !strings.HasSuffix(err.Error(), ", got "+want) {
			t.Errorf("%s: %v, want %s", answer, err, want)
		}
	}
}
