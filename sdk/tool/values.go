package tool

import (
	"encoding/json"
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

const hidden = "(secret)"

// Format implements [fmt.Formatter]. It never writes the value.
func (Secret) Format(w fmt.State, _ rune) { _, _ = io.WriteString(w, hidden) }

// MarshalText implements [encoding.TextMarshaler]. It never returns the value.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]. It sets the value.
func (s *Secret) UnmarshalText(text []byte) error {
	*s = NewSecret(string(text))
	return nil
}

// A Nullable is a field for which null and absence mean different things, such as "delete it" and
// "keep it". The zero Nullable is absent; a Nullable that is set without a value is null. With
// omitzero in its json tag, the field is optional. Without omitzero, it is required in arguments,
// and it is null in results if it is not set.
type Nullable[T any] struct {
	Set   bool
	Value *T
}

// MarshalJSON implements [json.Marshaler], for clients and tests.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.Value) }

// UnmarshalJSON implements [json.Unmarshaler], for clients and tests.
func (n *Nullable[T]) UnmarshalJSON(data []byte) error {
	*n = Nullable[T]{Set: true}
	return json.Unmarshal(data, &n.Value)
}
