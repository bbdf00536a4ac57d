package corpus

import (
	"context"
	"encoding/json"
	"log/slog"
	"math/big"
	"net/netip"
	"time"
)

// Bool returns its argument.
//
//jp:tool readonly=true
func (Corpus) Bool(_ context.Context, in Value[bool]) (Value[bool], error) { return in, nil }

// String returns its argument.
//
//jp:tool readonly=true
func (Corpus) String(_ context.Context, in Value[string]) (Value[string], error) { return in, nil }

// Int returns its argument.
//
//jp:tool readonly=true
func (Corpus) Int(_ context.Context, in Value[int]) (Value[int], error) { return in, nil }

// Int8 returns its argument.
//
//jp:tool readonly=true
func (Corpus) Int8(_ context.Context, in Value[int8]) (Value[int8], error) { return in, nil }

// Int16 returns its argument.
//
//jp:tool readonly=true
func (Corpus) Int16(_ context.Context, in Value[int16]) (Value[int16], error) { return in, nil }

// Int32 returns its argument.
//
//jp:tool readonly=true
func (Corpus) Int32(_ context.Context, in Value[int32]) (Value[int32], error) { return in, nil }

// Int64 returns its argument.
//
//jp:tool readonly=true
func (Corpus) Int64(_ context.Context, in Value[int64]) (Value[int64], error) { return in, nil }

// Uint returns its argument.
//
//jp:tool readonly=true
func (Corpus) Uint(_ context.Context, in Value[uint]) (Value[uint], error) { return in, nil }

// Uint8 returns its argument.
//
//jp:tool readonly=true
func (Corpus) Uint8(_ context.Context, in Value[uint8]) (Value[uint8], error) { return in, nil }

// Uint16 returns its argument.
//
//jp:tool readonly=true
func (Corpus) Uint16(_ context.Context, in Value[uint16]) (Value[uint16], error) { return in, nil }

// Uint32 returns its argument.
//
//jp:tool readonly=true
func (Corpus) Uint32(_ context.Context, in Value[uint32]) (Value[uint32], error) { return in, nil }

// Uint64 returns its argument.
//
//jp:tool readonly=true
func (Corpus) Uint64(_ context.Context, in Value[uint64]) (Value[uint64], error) { return in, nil }

// Uintptr returns its argument.
//
//jp:tool readonly=true
func (Corpus) Uintptr(_ context.Context, in Value[uintptr]) (Value[uintptr], error) { return in, nil }

// Float32 returns its argument.
//
//jp:tool readonly=true
func (Corpus) Float32(_ context.Context, in Value[float32]) (Value[float32], error) { return in, nil }

// Float64 returns its argument.
//
//jp:tool readonly=true
func (Corpus) Float64(_ context.Context, in Value[float64]) (Value[float64], error) { return in, nil }

// Bytes returns its argument.
//
//jp:tool readonly=true
func (Corpus) Bytes(_ context.Context, in Value[[]byte]) (Value[[]byte], error) { return in, nil }

// Time returns its argument.
//
//jp:tool readonly=true
func (Corpus) Time(_ context.Context, in Value[time.Time]) (Value[time.Time], error) { return in, nil }

// Duration returns its argument.
//
//jp:tool readonly=true
func (Corpus) Duration(_ context.Context, in Value[time.Duration]) (Value[time.Duration], error) {
	return in, nil
}

// RawMessage returns its argument.
//
//jp:tool readonly=true
func (Corpus) RawMessage(_ context.Context, in Value[json.RawMessage]) (Value[json.RawMessage], error) {
	return in, nil
}

// Any returns its argument.
//
//jp:tool readonly=true
func (Corpus) Any(_ context.Context, in Value[any]) (Value[any], error) { return in, nil }

// NamedString returns its argument.
//
//jp:tool readonly=true
func (Corpus) NamedString(_ context.Context, in Value[Name]) (Value[Name], error) { return in, nil }

// NamedInt returns its argument.
//
//jp:tool readonly=true
func (Corpus) NamedInt(_ context.Context, in Value[Count]) (Value[Count], error) { return in, nil }

// Aliased returns its argument.
//
//jp:tool readonly=true
func (Corpus) Aliased(_ context.Context, in Value[Alias]) (Value[Alias], error) { return in, nil }

// Color returns its argument.
//
//jp:tool readonly=true
func (Corpus) Color(_ context.Context, in Value[Color]) (Value[Color], error) { return in, nil }

// Level returns its argument.
//
//jp:tool readonly=true
func (Corpus) Level(_ context.Context, in Value[Level]) (Value[Level], error) { return in, nil }

// Big returns its argument.
//
//jp:tool readonly=true
func (Corpus) Big(_ context.Context, in Value[*big.Int]) (Value[*big.Int], error) { return in, nil }

// Address returns its argument.
//
//jp:tool readonly=true
func (Corpus) Address(_ context.Context, in Value[netip.Addr]) (Value[netip.Addr], error) {
	return in, nil
}

// Celsius returns its argument.
//
//jp:tool readonly=true
func (Corpus) Celsius(_ context.Context, in Value[Celsius]) (Value[Celsius], error) { return in, nil }

// Version returns its argument.
//
//jp:tool readonly=true
func (Corpus) Version(_ context.Context, in Value[Version]) (Value[Version], error) { return in, nil }

// LogLevel returns its argument.
//
//jp:tool readonly=true
func (Corpus) LogLevel(_ context.Context, in Value[slog.Level]) (Value[slog.Level], error) {
	return in, nil
}
