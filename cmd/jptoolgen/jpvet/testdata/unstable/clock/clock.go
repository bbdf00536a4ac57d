// Package clock tells the time to other packages.
package clock

import "time"

// Stamp is different in each run.
func Stamp() string { return time.Now().Format(time.RFC3339) }

// Day makes a text of what it is given.
func Day(t time.Time) string { return t.Format(time.DateOnly) }
