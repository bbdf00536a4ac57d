package wire

import (
	"slices"
	"strings"
)

// Versions of the outcome envelope.
const (
	VersionOutcome    = "outcome"     // supported by JP today
	VersionOutcome082 = "outcome-082" // supported by JP once RFD 082 is implemented
)

// Codec reads and writes one version of the outcome envelope. Successes and errors are the same in all versions;
// questions of one version are refused by the other.
//
// Append writes the same bytes as JP's own code: type first, every field present, no HTML escaping, no
// newline. Invalid UTF-8 is replaced with U+FFFD. On an error, dst is returned unchanged.
//
// The zero Codec is [Snapshot].
type Codec struct{ rfd082 bool }

// Snapshot returns the codec of [VersionOutcome] (jp_tool at 2026-08-22).
func Snapshot() Codec { return Codec{} }

// RFD082 returns the codec of [VersionOutcome082]: a tagged answer_type, the kind [Secret], and question ids
// that must not be empty or contain a dot.
func RFD082() Codec { return Codec{rfd082: true} }

// LooksLikeOutcome reports whether a host would parse text as an [Outcome] of any version. A D31 host unwraps
// such text, whoever wrote it. For ordinary prose, the check reads a single byte.
func LooksLikeOutcome(text string) bool {
	if !mayBeOutcome(strings.TrimLeft(text, " \t\r\n")) {
		return false
	}
	for _, codec := range []Codec{Snapshot(), RFD082()} {
		if _, err := codec.ReadOutcome([]byte(text)); err == nil {
			return true
		}
	}
	return false
}

// mayBeOutcome returns false for most text that is not an Outcome, without parsing it. An Outcome contains
// the name of its type, in the member "type" of an object or as the first element of an array. An escape
// sequence may hide the name.
func mayBeOutcome(text string) bool {
	if text == "" || text[0] != '{' && text[0] != '[' {
		return false
	}
	if strings.Contains(text, `\u`) {
		return true
	}
	if text[0] == '{' && !strings.Contains(text, `"type"`) {
		return false
	}
	return slices.ContainsFunc([]OutcomeType{TypeSuccess, TypeError, TypeNeedsInput}, func(t OutcomeType) bool {
		return strings.Contains(text, `"`+string(t)+`"`)
	})
}
