// Package server is the server that the rows of the table in drift_test.go edit.
package server

import (
	"context"

	"example.com/m/units"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
)

// S is a server.
//
//jp:server name=NAME
type S struct {
	used int
}

// Flavor is a flavor.
type Flavor string

const (
	Lemon Flavor = "lemon"       // Lemon is sour.
	Mint  Flavor = prefix + "nt" // Mint is fresh.
)

const prefix = "mi"

// Full says that there is no room.
const Full fault.Code = "full"

// ID identifies something.
type ID struct{ number int }

// MarshalText implements encoding.TextMarshaler.
func (i ID) MarshalText() ([]byte, error) { return nil, nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (i *ID) UnmarshalText(text []byte) error { return nil }

// In holds the arguments of Do.
type In struct {
	units.Page
	units.Open
	// Flavor is a flavor
	// of two.
	Flavor Flavor `json:"flavor"`
	// ID is an id.
	ID ID `json:"id"`
	// Word is a word.
	Word Word `json:"word,omitempty"`
	// hidden is private.
	hidden unrelated `json:"-"`
}

// Word is a word.
type Word struct{ text string }

// MarshalText implements encoding.TextMarshaler.
func (w Word) MarshalText() ([]byte, error) { return []byte(w.text), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (w *Word) UnmarshalText(text []byte) error { return nil }

// Ask holds the questions of Do.
type Ask struct {
	// Sure asks whether to go on.
	Sure elicit.Confirm
}

// Do asks whether to go on, and then fails.
//
//jp:tool destructive=false
//jp:fails full conflict
func (s *S) Do(ctx context.Context, in In, ask Ask) (string, error) {
	if ok, err := ask.Sure.Ask(ctx, "Go on?"); err != nil || !ok {
		return "", err
	}
	return help(in)
}

// Peek changes nothing.
//
//jp:tool readonly=true
func (s *S) Peek(ctx context.Context) error { return nil }

// Spare is not a tool.
func (s *S) Spare(ctx context.Context) error { return nil }

// help returns the error of Do.
func help(in In) (string, error) {
	if in.Limit > 3 {
		return "", fault.New(Full, "full")
	}
	return "", fault.New(fault.Conflict, "conflict")
}

// unrelated is private.
type unrelated struct{ a int }
