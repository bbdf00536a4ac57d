package phrase_test

import (
	"testing"

	"github.com/jptool/jptool/internal/phrase"
)

func TestDuration(t *testing.T) {
	for ms, want := range map[int]string{
		0: "0s", 100: "100ms", 1500: "1.5s", 10_000: "10s", 60_000: "1m", 90_000: "1m30s", 3_600_000: "1h",
		3_605_000: "1h5s", 5_400_000: "1h30m", 720 * 3_600_000: "720h",
	} {
		if got := phrase.Duration(ms); got != want {
			t.Errorf("%d: got %s, want %s", ms, got, want)
		}
	}
}
