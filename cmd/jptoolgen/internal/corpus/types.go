package corpus

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Name is a defined string type.
type Name string

// Count is a defined int type.
type Count int

// Alias is an alias for int16.
type Alias = int16

// Color is an enum of strings.
type Color string

const (
	Red  Color = "red"  // Red is a warm color.
	Blue Color = "blue" // Blue is a cold color.
)

// Level is an enum of integers.
type Level int8

const (
	Low  Level = -1 // Low is the lowest level.
	Mid  Level = 0  // Mid is the middle level.
	High Level = 1  // High is the highest level.
)

// Celsius is a temperature, a number in JSON.
//
//jp:schema type=number
type Celsius struct{ degrees float64 }

// MarshalJSON writes the degrees.
func (c Celsius) MarshalJSON() ([]byte, error) { return json.Marshal(c.degrees) }

// UnmarshalJSON reads the degrees.
func (c *Celsius) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &c.degrees) }

// Version is a version number, such as v1.2 in text.
//
//jp:schema type=string pattern=^v[0-9]+\.[0-9]+$
type Version struct{ Major, Minor int }

// MarshalText writes the version.
func (v Version) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "v%d.%d", v.Major, v.Minor), nil
}

// UnmarshalText reads the version.
func (v *Version) UnmarshalText(text []byte) error {
	_, err := fmt.Sscanf(strings.TrimSpace(string(text)), "v%d.%d", &v.Major, &v.Minor)
	return err
}

// Point is a position.
type Point struct {
	// X is the horizontal position.
	X int `json:"x"`
	// Y is the vertical position.
	Y int `json:"y,omitempty"`
	// Cache is not part of the JSON.
	Cache chan int `json:"-"`
}

// Nested has structs inside of structs.
type Nested struct {
	// From is the start of the route.
	From Point `json:"from"`
	// Via lists the parts of the route.
	Via []Leg `json:"via"`
}

// Leg is a part of a route.
type Leg struct {
	// To is the end of the part.
	To *Point `json:"to"`
	// Color is the color of the part on a map.
	Color Color `json:"color"`
}

// Pair holds two values.
type Pair[A, B any] struct {
	// First is the value of type A.
	First A `json:"first"`
	// Second is the value of type B.
	Second B `json:"second"`
}

// Base is embedded.
type Base struct {
	// Value is returned unchanged.
	Value string `json:"value"`
	// Other is also returned unchanged.
	Other int `json:"other,omitempty"`
}

// Embedding embeds a struct.
type Embedding struct {
	Base
	// Own is a field of the outer struct.
	Own string `json:"own,omitempty"`
}

// EmbeddingPointer embeds a pointer to a struct.
type EmbeddingPointer struct {
	*Base
	// Own is a field of the outer struct.
	Own string `json:"own,omitempty"`
}

// Shadowing has a field with the same name as an embedded field.
type Shadowing struct {
	Base
	// Value is returned unchanged, and hides the embedded field.
	Value int `json:"value"`
}
