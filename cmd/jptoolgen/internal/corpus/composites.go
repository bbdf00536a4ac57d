package corpus

import (
	"context"
	"net/netip"
	"time"
)

// Strings returns its argument.
//
//jp:tool readonly=true
func (Corpus) Strings(_ context.Context, in Value[[]string]) (Value[[]string], error) { return in, nil }

// Matrix returns its argument.
//
//jp:tool readonly=true
func (Corpus) Matrix(_ context.Context, in Value[[][]int]) (Value[[][]int], error) { return in, nil }

// Triple returns its argument.
//
//jp:tool readonly=true
func (Corpus) Triple(_ context.Context, in Value[[3]int]) (Value[[3]int], error) { return in, nil }

// Points returns its argument.
//
//jp:tool readonly=true
func (Corpus) Points(_ context.Context, in Value[[]Point]) (Value[[]Point], error) { return in, nil }

// PointArray returns its argument.
//
//jp:tool readonly=true
func (Corpus) PointArray(_ context.Context, in Value[[2]Point]) (Value[[2]Point], error) {
	return in, nil
}

// Blobs returns its argument.
//
//jp:tool readonly=true
func (Corpus) Blobs(_ context.Context, in Value[[][]byte]) (Value[[][]byte], error) { return in, nil }

// Times returns its argument.
//
//jp:tool readonly=true
func (Corpus) Times(_ context.Context, in Value[[]time.Time]) (Value[[]time.Time], error) {
	return in, nil
}

// Durations returns its argument.
//
//jp:tool readonly=true
func (Corpus) Durations(_ context.Context, in Value[[]time.Duration]) (Value[[]time.Duration], error) {
	return in, nil
}

// Anything returns its argument.
//
//jp:tool readonly=true
func (Corpus) Anything(_ context.Context, in Value[[]any]) (Value[[]any], error) { return in, nil }

// Int64s returns its argument.
//
//jp:tool readonly=true
func (Corpus) Int64s(_ context.Context, in Value[[]int64]) (Value[[]int64], error) { return in, nil }

// Counts returns its argument.
//
//jp:tool readonly=true
func (Corpus) Counts(_ context.Context, in Value[map[string]int]) (Value[map[string]int], error) {
	return in, nil
}

// ColorNames returns its argument.
//
//jp:tool readonly=true
func (Corpus) ColorNames(_ context.Context, in Value[map[Color]string]) (Value[map[Color]string], error) {
	return in, nil
}

// ByNumber returns its argument.
//
//jp:tool readonly=true
func (Corpus) ByNumber(_ context.Context, in Value[map[int]string]) (Value[map[int]string], error) {
	return in, nil
}

// ByOctet returns its argument.
//
//jp:tool readonly=true
func (Corpus) ByOctet(_ context.Context, in Value[map[uint8]bool]) (Value[map[uint8]bool], error) {
	return in, nil
}

// ByAddress returns its argument.
//
//jp:tool readonly=true
func (Corpus) ByAddress(_ context.Context, in Value[map[netip.Addr]int]) (Value[map[netip.Addr]int], error) {
	return in, nil
}

// Lists returns its argument.
//
//jp:tool readonly=true
func (Corpus) Lists(_ context.Context, in Value[map[string][]string]) (Value[map[string][]string], error) {
	return in, nil
}

// Objects returns its argument.
//
//jp:tool readonly=true
func (Corpus) Objects(_ context.Context, in Value[map[string]any]) (Value[map[string]any], error) {
	return in, nil
}

// Point returns its argument.
//
//jp:tool readonly=true
func (Corpus) Point(_ context.Context, in Value[Point]) (Value[Point], error) { return in, nil }

// Nested returns its argument.
//
//jp:tool readonly=true
func (Corpus) Nested(_ context.Context, in Value[Nested]) (Value[Nested], error) { return in, nil }

// Embedding returns its argument.
//
//jp:tool readonly=true
func (Corpus) Embedding(_ context.Context, in Embedding) (Embedding, error) { return in, nil }

// EmbeddingPointer returns its argument.
//
//jp:tool readonly=true
func (Corpus) EmbeddingPointer(_ context.Context, in EmbeddingPointer) (EmbeddingPointer, error) {
	return in, nil
}

// Shadowing returns its argument.
//
//jp:tool readonly=true
func (Corpus) Shadowing(_ context.Context, in Shadowing) (Shadowing, error) { return in, nil }

// Pair returns its argument.
//
//jp:tool readonly=true
func (Corpus) Pair(_ context.Context, in Value[Pair[int, string]]) (Value[Pair[int, string]], error) {
	return in, nil
}

// Inline is a field of a type without a name.
type Inline struct {
	// Value is returned unchanged.
	Value struct {
		// A is a letter.
		A string `json:"a"`
	} `json:"value"`
}

// Literal returns its argument.
//
//jp:tool readonly=true
func (Corpus) Literal(_ context.Context, in Inline) (Inline, error) { return in, nil }

// Nothing returns its argument.
//
//jp:tool readonly=true
func (Corpus) Nothing(_ context.Context, in Value[struct{}]) (Value[struct{}], error) { return in, nil }

// StringPointer returns its argument.
//
//jp:tool readonly=true
func (Corpus) StringPointer(_ context.Context, in Value[*string]) (Value[*string], error) {
	return in, nil
}

// PointPointer returns its argument.
//
//jp:tool readonly=true
func (Corpus) PointPointer(_ context.Context, in Value[*Point]) (Value[*Point], error) {
	return in, nil
}

// TimePointer returns its argument.
//
//jp:tool readonly=true
func (Corpus) TimePointer(_ context.Context, in Value[*time.Time]) (Value[*time.Time], error) {
	return in, nil
}

// Int64Pointer returns its argument.
//
//jp:tool readonly=true
func (Corpus) Int64Pointer(_ context.Context, in Value[*int64]) (Value[*int64], error) {
	return in, nil
}

// MaybeString returns its argument.
//
//jp:tool readonly=true
func (Corpus) MaybeString(_ context.Context, in Maybe[string]) (Maybe[string], error) { return in, nil }

// MaybeInt returns its argument.
//
//jp:tool readonly=true
func (Corpus) MaybeInt(_ context.Context, in Maybe[int]) (Maybe[int], error) { return in, nil }

// MaybeStrings returns its argument.
//
//jp:tool readonly=true
func (Corpus) MaybeStrings(_ context.Context, in Maybe[[]string]) (Maybe[[]string], error) {
	return in, nil
}

// MaybePoint returns its argument.
//
//jp:tool readonly=true
func (Corpus) MaybePoint(_ context.Context, in Maybe[Point]) (Maybe[Point], error) { return in, nil }

// MaybePointer returns its argument.
//
//jp:tool readonly=true
func (Corpus) MaybePointer(_ context.Context, in Maybe[*bool]) (Maybe[*bool], error) { return in, nil }

// NonZeroTime returns its argument.
//
//jp:tool readonly=true
func (Corpus) NonZeroTime(_ context.Context, in NonZero[time.Time]) (NonZero[time.Time], error) {
	return in, nil
}

// NonZeroPoint returns its argument.
//
//jp:tool readonly=true
func (Corpus) NonZeroPoint(_ context.Context, in NonZero[Point]) (NonZero[Point], error) {
	return in, nil
}

// NonZeroColor returns its argument.
//
//jp:tool readonly=true
func (Corpus) NonZeroColor(_ context.Context, in NonZero[Color]) (NonZero[Color], error) {
	return in, nil
}
