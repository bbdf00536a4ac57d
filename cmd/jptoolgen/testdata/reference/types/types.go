// Package types has a field of every kind of type.
package types

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/big"
	"net/netip"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/sdk/tool"
)

// Notes keeps notes.
//
//jp:server
//jp:foreign sql.NullBool type=any
type Notes struct{}

// All has a field for every kind of type.
type All struct {
	// Bool is a boolean.
	Bool bool `json:"bool"`
	// String is a string.
	String string `json:"string"`
	// Int is an integer.
	Int int `json:"int"`
	// Int8 is a small integer.
	Int8 int8 `json:"int8"`
	// Int64 is an integer that may be too large for a float64, which many clients use.
	Int64 int64 `json:"int64"`
	// Bounded is an integer that every client can represent exactly.
	Bounded int64 `json:"bounded" jsonschema:"minimum=0,maximum=1000000"`
	// Uint is an integer that is not negative.
	Uint uint `json:"uint"`
	// Uint64 is a non-negative integer that may be too large for a float64.
	Uint64 uint64 `json:"uint64"`
	// Float is a number.
	Float float64 `json:"float"`
	// Bytes are the bytes of a file.
	Bytes []byte `json:"bytes"`
	// Time is a point in time.
	Time time.Time `json:"time"`
	// Duration is a duration in the format of package time.
	Duration time.Duration `json:"duration"`
	// Enum is one of the constants of its type.
	Enum Color `json:"enum"`
	// IntEnum is one of the constants of its type.
	IntEnum Size `json:"int_enum"`
	// Flags are constants that can be added, as a list of names.
	Flags Access `json:"flags"`
	// Text is a type with an UnmarshalText method, and MarshalText for results.
	Text netip.Addr `json:"text"`
	// BigInt is an integer of any size, as a string of digits.
	BigInt *big.Int `json:"big_int"`
	// Level is the name of a log level.
	Level slog.Level `json:"level"`
	// Std is a type of another module that //jp:foreign declares.
	Std sql.NullBool `json:"std"`
	// JSON is a type with a custom JSON encoding, which //jp:schema describes.
	JSON Point `json:"json"`
	// Raw is any JSON value.
	Raw json.RawMessage `json:"raw"`
	// Value is any JSON value, as package jsontext represents it.
	Value jsontext.Value `json:"value"`
	// Any is any JSON value.
	Any any `json:"any"`
	// List is a list of any length.
	List []string `json:"list"`
	// Array is a list of fixed length.
	Array [2]float64 `json:"array"`
	// Map is an object whose member names are not known in advance.
	Map map[string]int `json:"map"`
	// Struct is an object.
	Struct struct {
		// Page of a book.
		Page int `json:"page"`
	} `json:"struct"`
	// Pointer is an optional value. A missing value is nil, and a result omits it if it is nil.
	Pointer *string `json:"pointer"`
	// Nullable is an optional value that may be null. It distinguishes null from a missing value.
	Nullable tool.Nullable[string] `json:"nullable,omitzero"`
	// Sum is one of the structs that implement the interface. Each of the structs has a field that the
	// others do not have.
	Sum Place `json:"sum"`
}

// Place is the location of a note.
type Place interface{ place() }

// Shelf is a place in a library.
type Shelf struct {
	// Shelf is the number of the shelf.
	Shelf int `json:"shelf"`
}

func (Shelf) place() {}

// Link is a place on the web.
type Link struct {
	// URL of the page.
	URL string `json:"url"`
}

func (Link) place() {}

// Color is a color.
type Color string

// The colors.
const (
	Red  Color = "red"  // The color of a poppy.
	Blue Color = "blue" // The color of the sky.
)

// Access is what a user may do.
//
//jp:enum flags as=names
type Access uint8

// The kinds of access.
const (
	Read  Access = 1 << iota // May read.
	Write                    // May write.
)

// Size is a size.
type Size int

// The sizes.
const (
	Small Size = 1 // A small one.
	Large Size = 2 // A large one.
)

// Point is written as "1,2".
//
//jp:schema type=string pattern=^-?[0-9]+,-?[0-9]+$
type Point struct{ x, y int }

// MarshalJSON implements json.Marshaler.
func (p Point) MarshalJSON() ([]byte, error) { return json.Marshal(fmt.Sprintf("%d,%d", p.x, p.y)) }

// UnmarshalJSON implements json.Unmarshaler.
func (p *Point) UnmarshalJSON(data []byte) error {
	_, err := fmt.Sscanf(string(data), "\"%d,%d\"", &p.x, &p.y)
	return err
}

// Take takes all types.
//
//jp:tool
func (Notes) Take(ctx context.Context, in All) (All, error) { return in, nil }

// Give returns all types.
//
//jp:tool
func (Notes) Give(ctx context.Context) (All, error) {
	text := "optional"
	all := All{
		Bool: true, String: "tea", Int: -1, Int8: 127, Int64: 1<<53 + 1, Bounded: 1000, Uint: 1, Uint64: 1<<64 - 1,
		Float: 0.5, Bytes: []byte("tea"), Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Duration: 90 * time.Second,
		Enum: Blue, IntEnum: Large, Flags: Read | Write, Text: netip.MustParseAddr("::1"), BigInt: big.NewInt(7), JSON: Point{1, 2},
		Raw:   json.RawMessage(`[1]`),
		Value: jsontext.Value(`[1]`), Any: true, List: nil, Array: [2]float64{1, 2}, Map: nil, Pointer: &text,
		Nullable: tool.Nullable[string]{Set: true}, Sum: Shelf{3},
	}
	all.Struct.Page = 1
	return all, nil
}
