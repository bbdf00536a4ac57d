package tool

import (
	"fmt"
	"io"
)

// A Secret is an option whose value must not be shown, such as a service's token. It comes
// from the option's environment variable only: flags and calls cannot set it, and configuration
// files and bundles refer to the variable. A Secret prints, logs and encodes as "(secret)".
type Secret struct{ text *string } // a pointer, because fmt prints the strings in private fields

// NewSecret returns a secret, for in-process calls and for tests.
func NewSecret(text string) Secret { return Secret{&text} }

// Reveal returns the value, or "" if it is not set.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// Format implements [fmt.Formatter]. It never writes the value.
func (Secret) Format(w fmt.State, _ rune) {
	_, _ = io.WriteString(w, hidden) // a writer of fmt does not fail
}

// hidden is the text that every secret shows.
const hidden = "(secret)"

// MarshalText implements [encoding.TextMarshaler]. It never returns the value.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]. It sets the value.
func (s *Secret) UnmarshalText(text []byte) error {
	*s = NewSecret(string(text))
	return nil
}
