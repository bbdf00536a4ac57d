package tool

// Nullable is a field for which null and its absence mean different things, such as "delete it" and "keep it". Its
// zero value is absent; one that is set without a value is null. With omitzero in its tag it is optional; without, it
// is required in arguments, and null in results if it is not set.
type Nullable[T any] struct {
	Set   bool
	Value *T
}
