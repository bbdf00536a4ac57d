// Package clock tells the time to other packages.
package clock

import "time"

// Stamp returns the time, which differs between runs.
func Stamp() string { return time.Now().Format(time.RFC3339) }

// Day formats its argument.
func Day(t time.Time) string { return t.Format(time.DateOnly) }
