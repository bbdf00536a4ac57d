package wire

import (
	"slices"
	"strings"
)

// The versions of the outcome envelope.
const (
	VersionOutcome    = "outcome"     // what JP reads today
	VersionOutcome082 = "outcome-082" // what JP will read once RFD 082 lands
)

// Codec reads and writes one version of the outcome envelope. The versions share successes and
// errors; a question of one is refused by the other.
//
// What Append writes has the bytes that JP's own code writes: type first, every field present, no
// HTML escaping, no newline. Text that is not UTF-8 is repaired with U+FFFD. On an error dst comes
// back as it was given.
type Codec interface {
	// AppendOutcome appends the envelope of o. An unknown type, a missing question, an answer
	// kind that the version lacks or a default that is not JSON are refused.
	AppendOutcome(dst []byte, o Outcome) ([]byte, error)
	// ReadOutcome reads data as JP does, positional arrays included; lists are never nil after it.
	ReadOutcome(data []byte) (Outcome, error)
}

// Snapshot returns the codec of [VersionOutcome] (jp_tool at 2026-08-22).
func Snapshot() Codec { return envelope{} }

// RFD082 returns the codec of [VersionOutcome082]: a tagged answer_type, the kind [Secret], and
// question ids that are not empty and have no dot.
func RFD082() Codec { return envelope{rfd082: true} }

// LooksLikeOutcome reports whether a host would take text for an [Outcome] of any version. A D31
// host unwraps such a text, whoever wrote it. Ordinary prose costs one byte to refuse.
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

// mayBeOutcome tells most texts that are no Outcome at a glance: one names its
// type, as an object or in the first place of a list. An escape may hide that.
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
