package tool

import "encoding/json"

// A Nullable is a field for which null and absence mean different things, such as "delete it" and "keep it".
// The zero Nullable is absent; a Nullable that is set without a value is null. With omitzero in its json tag
// the field is optional. Without omitzero it is required in arguments, and it is null in results if it is not
// set.
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

func (n Nullable[T]) value() any { return n.Value }
