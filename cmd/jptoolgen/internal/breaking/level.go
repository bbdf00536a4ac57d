package breaking

import "fmt"

// A Level says how much a change affects the users of the server.
type Level int

// The levels, in ascending order.
const (
	// None means no change.
	None Level = iota
	// Words means that only text for people and models changed.
	Words
	// Compatible means that existing users do not have to act.
	Compatible
	// Breaking means that existing users may have to act.
	Breaking
)

var levelNames = [...]string{None: "none", Words: "words", Compatible: "compatible", Breaking: "breaking"}

// String returns the name of l as used in reports.
func (l Level) String() string {
	if l < 0 || int(l) >= len(levelNames) {
		return fmt.Sprintf("Level(%d)", int(l))
	}
	return levelNames[l]
}

// MarshalText returns the name of l.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// Release returns the part of the version that a release with such a change must at least increment (semver.org,
// 2.0.0): "major", "minor", "patch", or "none".
func (l Level) Release() string {
	switch l {
	case Breaking:
		return "major"
	case Compatible:
		return "minor"
	case Words:
		return "patch"
	}
	return "none"
}
