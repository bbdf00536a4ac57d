package unlisted

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

type named string

func (named) String() string { return "never called" }

type number int8

func TestLog(t *testing.T) {
	var out bytes.Buffer
	before := slog.Default()
	defer slog.SetDefault(before)
	slog.SetDefault(slog.New(slog.NewTextHandler(&out, nil)))

	Log(named("red"))
	Log(named("red"))
	Log(number(-3))
	Log(uint8(3))
	Log(named(strings.Repeat("x", 100)))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range []string{"type=unlisted.named value=red", "type=unlisted.number value=-3", "type=uint8 value=3", "value=" + strings.Repeat("x", 60) + "…"} {
		if len(lines) != 4 || !strings.Contains(lines[i], want) {
			t.Errorf("got %q, want 4 lines, one with %s", lines, want)
		}
	}

	out.Reset()
	for i := range 2 * maxValues {
		Log(i)
	}
	if n := strings.Count(out.String(), "\n"); n != maxValues-4 {
		t.Errorf("logged %d more values, want %d", n, maxValues-4)
	}
}
