package phrase_test

import (
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/phrase"
)

func TestSummary(t *testing.T) {
	for text, want := range map[string]string{
		"Keeps notes.":                        "Keeps notes.",
		"Keeps\nnotes. And more.":             "Keeps notes.",
		strings.Repeat("word ", 30):           strings.TrimSpace(strings.Repeat("word ", 19)) + "…",
		strings.Repeat("ü", 150):              strings.Repeat("ü", 99) + "…",
		strings.Repeat("a", 99) + ". Second.": strings.Repeat("a", 99) + ".",
	} {
		if got := phrase.Summary(text, 100); got != want {
			t.Errorf("%.20q: %q, want %q", text, got, want)
		}
	}
}
