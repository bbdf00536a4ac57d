package phrase

import (
	"strings"
	"time"
)

// Duration returns a time in milliseconds, such as 5m or 1m30s.
func Duration(ms int) string {
	text := (time.Duration(ms) * time.Millisecond).String()
	text, _ = strings.CutSuffix(text, "m0s")
	if !strings.HasSuffix(text, "s") {
		text += "m"
	}
	return strings.Replace(text, "h0m", "h", 1)
}
