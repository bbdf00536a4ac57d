// Package beartest creates Bear libraries, for tests and for demos without Bear.
package beartest

import (
	"fmt"
	"time"
)

// Note is a note to insert into a library.
type Note struct {
	ID        string    // if empty, "N1", "N2" and so on by position
	Title     any       // a string, or nil for NULL
	Text      any       // a string, or nil for NULL
	Modified  time.Time // zero means NULL
	Tags      []string  // created if they do not exist
	Pinned    []string  // tags in whose lists the note is pinned
	Trashed   bool
	Archived  bool
	Encrypted bool
	Deleted   bool // permanently deleted; Bear keeps the row until it has synchronized
}

// Day returns a time n minutes after noon UTC on a fixed day of 2024.
func Day(n int) time.Time {
	return time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(n) * time.Minute)
}

// coreData converts t to Core Data time, or returns nil for the zero time.
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
