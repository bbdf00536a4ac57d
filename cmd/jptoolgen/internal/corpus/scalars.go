package corpus

import (
	"context"
	"encoding/json"
	"log/slog"
	"math/big"
	"net/netip"
	"time"
)

// Bool echoes.
//
//jp:tool readonly=true
func (Corpus) Bool(_ context.Context, in Value[bool]) (Value[bool], error) { return in, nil }

// String echoes.
//
//jp:tool readonly=true
func (Corpus) String(_ context.Context, in Value[string]) (Value[string], error) { return in, nil }

// Int echoes.
//
//jp:tool readonly=true
func (Corpus) Int(_ context.Context, in Value[int]) (Value[int], error) { return in, nil }

// Int8 echoes.
//
//jp:tool readonly=true
func (Corpus) Int8(_ context.Context, in Value[int8]) (Value[int8], error) { return in, nil }

// Int16 echoes.
//
//jp:tool readonly=true
func (Corpus) Int16(_ context.Context, in Value[int16]) (Value[int16], error) { return in, nil }

// Int32 echoes.
//
//jp:tool readonly=true
func (Corpus) Int32(_ context.Context, in Value[int32]) (Value[int32], error) { return in, nil }

// Int64 echoes.
//
//jp:tool readonly=true
func (Corpus) Int64(_ context.Context, in Value[int64]) (Value[int64], error) { return in, nil }

// Uint echoes.
//
//jp:tool readonly=true
func (Corpus) Uint(_ context.Context, in Value[uint]) (Value[uint], error) { return in, nil }

// Uint8 echoes.
//
//jp:tool readonly=true
func (Corpus) Uint8(_ context.Context, in Value[uint8]) (Value[uint8], error) { return in, nil }

// Uint16 echoes.
//
//jp:tool readonly=true
func (Corpus) Uint16(_ context.Context, in Value[uint16]) (Value[uint16], error) { return in, nil }

// Uint32 echoes.
//
//jp:tool readonly=true
func (Corpus) Uint32(_ context.Context, in Value[uint32]) (Value[uint32], error) { return in, nil }

// Uint64 echoes.
//
//jp:tool readonly=true
func (Corpus) Uint64(_ context.Context, in Value[uint64]) (Value[uint64], error) { return in, nil }

// Uintptr echoes.
//
//jp:tool readonly=true
func (Corpus) Uintptr(_ context.Context, in Value[uintptr]) (Value[uintptr], error) { return in, nil }

// Float32 echoes.
//
//jp:tool readonly=true
func (Corpus) Float32(_ context.Context, in Value[float32]) (Value[float32], error) { return in, nil }

// Float64 echoes.
//
//jp:tool readonly=true
func (Corpus) Float64(_ context.Context, in Value[float64]) (Value[float64], error) { return in, nil }

// Bytes echoes.
//
//jp:tool readonly=true
func (Corpus) Bytes(_ context.Context, in Value[[]byte]) (Value[[]byte], error) { return in, nil }

// Time echoes.
//
//jp:tool readonly=true
func (Corpus) Time(_ context.Context, in Value[time.Time]) (Value[time.Time], error) { return in, nil }

// Duration echoes.
//
//jp:tool readonly=true
func (Corpus) Duration(_ context.Context, in Value[time.Duration]) (Value[time.Duration], error) {
	return in, nil
}

// RawMessage echoes.
//
//jp:tool readonly=true
func (Corpus) RawMessage(_ context.Context, in Value[json.RawMessage]) (Value[json.RawMessage], error) {
	return in, nil
}

// Any echoes.
//
//jp:tool readonly=true
func (Corpus) Any(_ context.Context, in Value[any]) (Value[any], error) { return in, nil }

// NamedString echoes.
//
//jp:tool readonly=true
func (Corpus) NamedString(_ context.Context, in Value[Name]) (Value[Name], error) { return in, nil }

// NamedInt echoes.
//
//jp:tool readonly=true
func (Corpus) NamedInt(_ context.Context, in Value[Count]) (Value[Count], error) { return in, nil }

// Aliased echoes.
//
//jp:tool readonly=true
func (Corpus) Aliased(_ context.Context, in Value[Alias]) (Value[Alias], error) { return in, nil }

// Color echoes.
//
//jp:tool readonly=true
func (Corpus) Color(_ context.Context, in Value[Color]) (Value[Color], error) { return in, nil }

// Level echoes.
//
//jp:tool readonly=true
func (Corpus) Level(_ context.Context, in Value[Level]) (Value[Level], error) { return in, nil }

// Big echoes.
//
//jp:tool readonly=true
func (Corpus) Big(_ context.Context, in Value[*big.Int]) (Value[*big.Int], error) { return in, nil }

// Address echoes.
//
//jp:tool readonly=true
func (Corpus) Address(_ context.Context, in Value[netip.Addr]) (Value[netip.Addr], error) {
	return in, nil
}

// Celsius echoes.
//
//jp:tool readonly=true
func (Corpus) Celsius(_ context.Context, in Value[Celsius]) (Value[Celsius], error) { return in, nil }

// Version echoes.
//
//jp:tool readonly=true
func (Corpus) Version(_ context.Context, in Value[Version]) (Value[Version], error) { return in, nil }

// LogLevel echoes.
//
//jp:tool readonly=true
func (Corpus) LogLevel(_ context.Context, in Value[slog.Level]) (Value[slog.Level], error) {
	return in, nil
}
