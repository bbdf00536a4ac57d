package breaking

import "fmt"

// A Level says how much a change matters to those who use the server.
type Level int

// The levels, the gravest last.
const (
	// None is no change at all.
	None Level = iota
	// Words are read by people and models, and nothing else depends on them.
	Words
	// Compatible is what whoever used the server before need not notice.
	Compatible
	// Breaking is what someone who used the server before must be told.
	Breaking
)

var levelNames = [...]string{None: "none", Words: "words", Compatible: "compatible", Breaking: "breaking"}

// String returns the name of l as reports spell it.
func (l Level) String() string {
	if l < 0 || int(l) >= len(levelNames) {
		return fmt.Sprintf("Level(%d)", int(l))
	}
	return levelNames[l]
}

// MarshalText returns the name of l.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// Release returns the least part of a semantic version (semver.org, 2.0.0) that a
// release with a change of this level has to raise: "major", "minor", "patch", or
// "none".
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
