package corpus

import "context"

// BoundedLengthInput has a field with constraints.
type BoundedLengthInput struct {
	// Value is returned unchanged.
	Value string `json:"value" jsonschema:"minLength=2,maxLength=3"`
}

// BoundedLength returns its argument.
//
//jp:tool readonly=true
func (Corpus) BoundedLength(_ context.Context, in BoundedLengthInput) (BoundedLengthInput, error) {
	return in, nil
}

// PatternedInput has a field with constraints.
type PatternedInput struct {
	// Value is returned unchanged.
	Value string `json:"value" jsonschema:"pattern=^[a-c]+$,example=abc"`
}

// Patterned returns its argument.
//
//jp:tool readonly=true
func (Corpus) Patterned(_ context.Context, in PatternedInput) (PatternedInput, error) { return in, nil }

// BoundedIntInput has a field with constraints.
type BoundedIntInput struct {
	// Value is returned unchanged.
	Value int `json:"value" jsonschema:"minimum=1,maximum=10"`
}

// BoundedInt returns its argument.
//
//jp:tool readonly=true
func (Corpus) BoundedInt(_ context.Context, in BoundedIntInput) (BoundedIntInput, error) {
	return in, nil
}

// OpenIntInput has a field with constraints.
type OpenIntInput struct {
	// Value is returned unchanged.
	Value int64 `json:"value" jsonschema:"exclusiveMinimum=0,exclusiveMaximum=128"`
}

// OpenInt returns its argument.
//
//jp:tool readonly=true
func (Corpus) OpenInt(_ context.Context, in OpenIntInput) (OpenIntInput, error) { return in, nil }

// BoundedFloatInput has a field with constraints.
type BoundedFloatInput struct {
	// Value is returned unchanged.
	Value float64 `json:"value" jsonschema:"minimum=-0.5,maximum=1.5"`
}

// BoundedFloat returns its argument.
//
//jp:tool readonly=true
func (Corpus) BoundedFloat(_ context.Context, in BoundedFloatInput) (BoundedFloatInput, error) {
	return in, nil
}

// SteppedInput has a field with constraints.
type SteppedInput struct {
	// Value is returned unchanged.
	Value float64 `json:"value" jsonschema:"multipleOf=0.5"`
}

// Stepped returns its argument.
//
//jp:tool readonly=true
func (Corpus) Stepped(_ context.Context, in SteppedInput) (SteppedInput, error) { return in, nil }

// BoundedListInput has a field with constraints.
type BoundedListInput struct {
	// Value is returned unchanged.
	Value []string `json:"value" jsonschema:"minItems=1,maxItems=2"`
}

// BoundedList returns its argument.
//
//jp:tool readonly=true
func (Corpus) BoundedList(_ context.Context, in BoundedListInput) (BoundedListInput, error) {
	return in, nil
}

// UniqueInput has a field with constraints.
type UniqueInput struct {
	// Value is returned unchanged.
	Value []int `json:"value" jsonschema:"uniqueItems"`
}

// Unique returns its argument.
//
//jp:tool readonly=true
func (Corpus) Unique(_ context.Context, in UniqueInput) (UniqueInput, error) { return in, nil }

// BoundedMapInput has a field with constraints.
type BoundedMapInput struct {
	// Value is returned unchanged.
	Value map[string]int `json:"value" jsonschema:"minProperties=1,maxProperties=1"`
}

// BoundedMap returns its argument.
//
//jp:tool readonly=true
func (Corpus) BoundedMap(_ context.Context, in BoundedMapInput) (BoundedMapInput, error) {
	return in, nil
}

// DefaultedInput has a field with constraints.
type DefaultedInput struct {
	// Value is returned unchanged.
	Value int `json:"value" jsonschema:"default=7"`
}

// Defaulted returns its argument.
//
//jp:tool readonly=true
func (Corpus) Defaulted(_ context.Context, in DefaultedInput) (DefaultedInput, error) { return in, nil }

// DefaultedListInput has a field with constraints.
type DefaultedListInput struct {
	// Value is returned unchanged.
	Value []string `json:"value" default:"[\"a\"]"`
}

// DefaultedList returns its argument.
//
//jp:tool readonly=true
func (Corpus) DefaultedList(_ context.Context, in DefaultedListInput) (DefaultedListInput, error) {
	return in, nil
}

// DefaultedColorInput has a field with constraints.
type DefaultedColorInput struct {
	// Value is returned unchanged.
	Value Color `json:"value" jsonschema:"example=red" default:"blue"`
}

// DefaultedColor returns its argument.
//
//jp:tool readonly=true
func (Corpus) DefaultedColor(_ context.Context, in DefaultedColorInput) (DefaultedColorInput, error) {
	return in, nil
}

// NarrowOctetInput has a field with constraints.
type NarrowOctetInput struct {
	// Value is returned unchanged.
	Value uint8 `json:"value" jsonschema:"minimum=1"`
}

// NarrowOctet returns its argument.
//
//jp:tool readonly=true
func (Corpus) NarrowOctet(_ context.Context, in NarrowOctetInput) (NarrowOctetInput, error) {
	return in, nil
}

// BoundedPointerInput has a field with constraints.
type BoundedPointerInput struct {
	// Value is returned unchanged.
	Value *string `json:"value" jsonschema:"maxLength=1"`
}

// BoundedPointer returns its argument.
//
//jp:tool readonly=true
func (Corpus) BoundedPointer(_ context.Context, in BoundedPointerInput) (BoundedPointerInput, error) {
	return in, nil
}
