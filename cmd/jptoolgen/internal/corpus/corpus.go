// Package corpus is a server with a tool for every kind of Go type that jptoolgen supports. Each tool returns
// its arguments. The tests compare the schemas, decoders and encoders of all tools.
package corpus

//go:generate go run github.com/jptool/jptool/cmd/jptoolgen

// Corpus echoes values of many types.
//
//jp:server
type Corpus struct{}

// Value is a struct with a field of any type.
type Value[T any] struct {
	// Value is returned unchanged.
	Value T `json:"value"`
}

// Maybe is a struct with a field that may be missing.
type Maybe[T any] struct {
	// Value is returned unchanged.
	Value T `json:"value,omitempty"`
}

// NonZero is a struct with a field that is omitted if it is zero.
type NonZero[T any] struct {
	// Value is returned unchanged.
	Value T `json:"value,omitzero"`
}
