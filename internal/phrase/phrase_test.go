package phrase_test

import (
	"slices"
	"testing"

	"github.com/jptool/jptool/internal/phrase"
)

func TestLimits(t *testing.T) {
	for _, tt := range []struct {
		limits phrase.Limits
		of     string
		list   []string
	}{
		{phrase.Limits{}, "a value", nil},
		{phrase.Limits{Minimum: "1"}, "a value of at least 1", []string{"at least 1"}},
		{phrase.Limits{Minimum: "1", Maximum: "10"}, "a value from 1 to 10", []string{"from 1 to 10"}},
		{phrase.Limits{ExclusiveMinimum: "0", Maximum: "1"}, "a value greater than 0 and of at most 1", []string{"greater than 0", "at most 1"}},
		{phrase.Limits{ExclusiveMaximum: "1", MultipleOf: "0.5"}, "a value less than 1 that is a multiple of 0.5", []string{"less than 1", "a multiple of 0.5"}},
		{phrase.Limits{MinLength: "2", MaxLength: "20"}, "a value of 2 to 20 characters", []string{"2 to 20 characters"}},
		{phrase.Limits{MinLength: "1"}, "a value of at least 1 character", []string{"at least 1 character"}},
		{phrase.Limits{MinItems: "3", MaxItems: "3", UniqueItems: true}, "a value of exactly 3 items without duplicates", []string{"exactly 3 items", "without duplicates"}},
		{phrase.Limits{MaxProperties: "1", Pattern: "^a"}, "a value of at most 1 member matching ^a", []string{"at most 1 member", "matching ^a"}},
	} {
		if of, list := tt.limits.Of("a value"), tt.limits.List(); of != tt.of || !slices.Equal(list, tt.list) {
			t.Errorf("%+v: %q and %q, want %q and %q", tt.limits, of, list, tt.of, tt.list)
		}
	}
}

func TestClip(t *testing.T) {
	for in, want := range map[string]string{"": "", "ab": "ab", "äöü": "äöü", "äöüß": "äöü…", "abcd": "abc…", "a\xffb": "a\xffb"} {
		if got := phrase.Clip(in, 3); got != want {
			t.Errorf("Clip(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestQuoted(t *testing.T) {
	for in, want := range map[string]string{"ab": `"ab"`, "äöüß": `"äöü…"`, "a\xff": "\"a\uFFFD\""} {
		if got := phrase.Quoted(in, 3); got != want {
			t.Errorf("Quoted(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestFirstSentence(t *testing.T) {
	for in, want := range map[string]string{"": "", " One\n\x00two.\tThree. Four.": "One two.", "v1.2 of it": "v1.2 of it", "Reads e.g. a note. More.": "Reads e.g. a note."} {
		if got := phrase.FirstSentence(in); got != want {
			t.Errorf("FirstSentence(%q) = %q, want %q", in, got, want)
		}
	}
}

// The rows record the behavior of JP's split_description.
func TestSplitSentence(t *testing.T) {
	for in, want := range map[string][2]string{
		"":                               {"", ""},
		"One.":                           {"One.", ""},
		" One. Two. ":                    {"One.", "Two."},
		"Of e.g. this and that. Rest.":   {"Of e.g. this and that.", "Rest."},
		"One. two. Three.":               {"One. two.", "Three."},
		"One.  Ändert.":                  {"One.", "Ändert."},
		"Of v1.2 files. Done.":           {"Of v1.2 files.", "Done."},
		"One.\ntwo":                      {"One.", "two"},
		"No period\nA second line.":      {"No period", "A second line."},
		"One\nsentence. Another.":        {"One\nsentence.", "Another."},
		"Lists (1. and 2.) stay. 3 too.": {"Lists (1. and 2.) stay. 3 too.", ""},
	} {
		if first, rest := phrase.SplitSentence(in); first != want[0] || rest != want[1] {
			t.Errorf("SplitSentence(%q) = %q, %q, want %q", in, first, rest, want)
		}
	}
}
