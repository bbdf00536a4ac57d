// Package beartest makes Bear libraries, for tests and for trying things out without Bear.
package beartest

import (
	"fmt"
	"time"
)

// Note is a note to put into a library.
type Note struct {
	ID        string    // "N1", "N2" and so on by place when empty
	Title     any       // a string, or nil for NULL
	Text      any       // a string, or nil for NULL
	Modified  time.Time // NULL when zero
	Tags      []string  // made when they do not exist yet
	Pinned    []string  // tags in whose list the note is pinned
	Trashed   bool
	Archived  bool
	Encrypted bool
	Deleted   bool // deleted for good, as it is until Bear has told its other devices
}

// Day is a time on a fixed day of 2024, at noon UTC plus n minutes.
func Day(n int) time.Time {
	return time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(n) * time.Minute)
}

// coreData is t on Core Data's clock, or nil for the zero time.
func coreData(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return float64(t.Unix()-time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC).Unix()) + float64(t.Nanosecond())/1e9
}

func (n Note) id(place int) string {
	if n.ID != "" {
		return n.ID
	}
	return fmt.Sprintf("N%d", place)
}
