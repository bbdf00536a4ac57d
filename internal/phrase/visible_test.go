package phrase

import (
	"strings"
	"testing"
)

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain\n\ttext": "plain\n\ttext",
		"Grüße, 世界 👋🏽":  "Grüße, 世界 👋🏽",
		"👩\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f\u20e3": "👩\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f\u20e3",
		"می\u200cخواهم क्\u200dष":               "می\u200cخواهم क्\u200dष",
		"Việt Nam e\u0302\u0301":                "Việt Nam e\u0302\u0301",
		"שָׁלוֹם":                               "שָׁלוֹם",
		"a\u200bb\u2060c\ufeff":                 `a\u{200b}b\u{2060}c\u{feff}`,
		"a\u200db":                              `a\u{200d}b`,
		"safe\u202ecod.exe\u2066":               `safe\u{202e}cod.exe\u{2066}`,
		"x\U000e0041\U000e0042":                 `x\u{e0041}\u{e0042}`,
		"x\ufe00\U000e0100":                     `x\u{fe00}\u{e0100}`,
		"❤\ufe0f\ufe0f":                         `❤` + "\ufe0f" + `\u{fe0f}`,
		"soft\u00adhyphen":                      `soft\u{ad}hyphen`,
		"\u3164\u115f":                          `\u{3164}\u{115f}`,
		"\ue0b0\u0378":                          `\u{e0b0}\u{378}`,
		"line\u2028end\x00\x1b\u009b":           `line\u{2028}end\u{0}\u{1b}\u{9b}`,
		"e" + strings.Repeat("\u0301", 6):       "e" + strings.Repeat("\u0301", 4) + `\u{301}\u{301}`,
	} {
		got := Visible(in)
		if got != want {
			t.Errorf("Visible(%q) = %q, want %q", in, got, want)
		}
		if n := strings.Count(want, `\u{`); Hidden(in) != n {
			t.Errorf("Hidden(%q) = %d, want %d", in, Hidden(in), n)
		}
	}
}

// Visible does not change text that is already visible.
func FuzzVisible(f *testing.F) {
	f.Add("❤\ufe0f\u200d🔥\u202e\xff")
	f.Add("a\ufe0f\u200d🔥" + strings.Repeat("\u0301", 7) + "\u0301")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "?")
		got := Visible(text)
		if again := Visible(got); again != got || Hidden(got) != 0 {
			t.Fatalf("Visible(%q) = %q, then %q", text, got, again)
		}
	})
}
