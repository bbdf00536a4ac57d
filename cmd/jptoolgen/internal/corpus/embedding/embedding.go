// Package embedding is a server with a tool for every way to embed structs of another package. The tests compare
// the generated code with encoding/json.
package embedding

import (
	"context"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/corpus/embedding/parts"
)

//go:generate go run github.com/jptool/jptool/cmd/jptoolgen

// Embedding echoes structs.
//
//jp:server
type Embedding struct{}

// Plain returns its argument.
//
//jp:tool readonly=true
func (Embedding) Plain(_ context.Context, in parts.Plain) (parts.Plain, error) { return in, nil }

// Excluded returns its argument.
//
//jp:tool readonly=true
func (Embedding) Excluded(_ context.Context, in parts.Excluded) (parts.Excluded, error) {
	return in, nil
}

// Renamed returns its argument.
//
//jp:tool readonly=true
func (Embedding) Renamed(_ context.Context, in parts.Renamed) (parts.Renamed, error) { return in, nil }

// Retyped returns its argument.
//
//jp:tool readonly=true
func (Embedding) Retyped(_ context.Context, in parts.Retyped) (parts.Retyped, error) { return in, nil }

// Shadowed returns its argument.
//
//jp:tool readonly=true
func (Embedding) Shadowed(_ context.Context, in parts.Shadowed) (parts.Shadowed, error) {
	return in, nil
}

// Ambiguous returns its argument.
//
//jp:tool readonly=true
func (Embedding) Ambiguous(_ context.Context, in parts.Ambiguous) (parts.Ambiguous, error) {
	return in, nil
}

// Method returns its argument.
//
//jp:tool readonly=true
func (Embedding) Method(_ context.Context, in parts.Method) (parts.Method, error) { return in, nil }

// TwoLevels returns its argument.
//
//jp:tool readonly=true
func (Embedding) TwoLevels(_ context.Context, in parts.TwoLevels) (parts.TwoLevels, error) {
	return in, nil
}

// HiddenLevel returns its argument.
//
//jp:tool readonly=true
func (Embedding) HiddenLevel(_ context.Context, in parts.HiddenLevel) (parts.HiddenLevel, error) {
	return in, nil
}

// Mixed returns its argument.
//
//jp:tool readonly=true
func (Embedding) Mixed(_ context.Context, in parts.Mixed) (parts.Mixed, error) { return in, nil }

// Pointer returns its argument.
//
//jp:tool readonly=true
func (Embedding) Pointer(_ context.Context, in parts.Pointer) (parts.Pointer, error) { return in, nil }

// HiddenPointer returns its argument.
//
//jp:tool readonly=true
func (Embedding) HiddenPointer(_ context.Context, in parts.HiddenPointer) (parts.HiddenPointer, error) {
	return in, nil
}

// PointerToOpen returns its argument.
//
//jp:tool readonly=true
func (Embedding) PointerToOpen(_ context.Context, in parts.PointerToOpen) (parts.PointerToOpen, error) {
	return in, nil
}

// PointerToBehind returns its argument.
//
//jp:tool readonly=true
func (Embedding) PointerToBehind(_ context.Context, in parts.PointerToBehind) (parts.PointerToBehind, error) {
	return in, nil
}

// Generic returns its argument.
//
//jp:tool readonly=true
func (Embedding) Generic(_ context.Context, in parts.Generic) (parts.Generic, error) { return in, nil }

// ByAlias returns its argument.
//
//jp:tool readonly=true
func (Embedding) ByAlias(_ context.Context, in parts.ByAlias) (parts.ByAlias, error) { return in, nil }

// Named returns its argument.
//
//jp:tool readonly=true
func (Embedding) Named(_ context.Context, in parts.Named) (parts.Named, error) { return in, nil }

// Optional returns its argument.
//
//jp:tool readonly=true
func (Embedding) Optional(_ context.Context, in parts.Optional) (parts.Optional, error) {
	return in, nil
}

// Local returns its argument.
//
//jp:tool readonly=true
func (Embedding) Local(_ context.Context, in Local) (Local, error) { return in, nil }

// Outer returns its argument.
//
//jp:tool readonly=true
func (Embedding) Outer(_ context.Context, in Outer) (Outer, error) { return in, nil }

// Local embeds structs of this package and of another one.
type Local struct {
	inner
	parts.Mixed
	// ID is not part of the JSON.
	ID string `json:"-"`
	// Value is not part of the JSON.
	Value string `json:"-"`
}

type inner struct {
	// Value of the inner struct.
	Value string `json:"value"`
}

// Outer embeds a type whose underlying type is a struct of another package.
type Outer struct {
	copied
	*Local
	// Own value.
	Own string `json:"own,omitempty"`
}

type copied parts.Renamed
