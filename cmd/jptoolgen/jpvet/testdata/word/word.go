// Package word compares strings with constants.
package word

import (
	"context"
	"slices"

	"example.com/m/word/modes"

	"github.com/jptool/jptool/sdk/elicit"
)

// Server is the server of this package.
//
//jp:server clients=mcp
type Server struct{}

// How is an action.
type How string

const (
	Keep    How = "keep"    // Keep it.
	Replace How = "replace" // Replace it.
)

// Size is an argument.
type Size string

const (
	Small Size = "small" // Small.
	Large Size = "large" // Large.
)

// Loose is not used in a contract.
type Loose string

// Tight is a constant of Loose.
const Tight Loose = "tight"

// Input holds arguments.
type Input struct {
	// Size of a thing.
	Size Size `json:"size"`
	// Sizes of other things.
	Sizes []Size `json:"sizes,omitempty"`
}

// Questions are the questions of a tool.
type Questions struct {
	// How asks for an action.
	How elicit.Choice[How]
}

// Do performs an action.
//
//jp:tool
func (Server) Do(ctx context.Context, in Input, ask Questions) (string, error) {
	how, err := ask.How.Ask(ctx, "How?")
	if err != nil {
		return "", err
	}
	if how == "merge" { // want `JP719: "merge" is not a constant of type How; write one of "keep", "replace"`
		return "merged", nil
	}
	if "Keep" != string(how) { // want `JP719: "Keep" is not a constant of type How`
		return "kept", nil
	}
	switch in.Size {
	case "small", "medium": // want `JP719: "medium" is not a constant of type Size; write one of "large", "small"`
		return "x", nil
	case Large, "":
	}
	switch string(how) {
	case "overwrite": // want `JP719: "overwrite" is not a constant of type How`
	}
	if slices.Contains([]Size{Small, "tiny"}, in.Size) { // want `JP719: "tiny" is not a constant of type Size`
		return "x", nil
	}
	return texts["merge"], nil // want `JP719: "merge" is not a constant of type How`
}

var texts = map[How]string{
	Keep:        "kept",
	"replace":   "replaced",
	"duplicate": "twice", // want `JP719: "duplicate" is not a constant of type How`
}

func mode(m modes.Mode) bool { return m == "medium" } // want `JP719: "medium" is not a constant of type Mode`

// Row is a row of a table.
type Row struct {
	// Size of it.
	Size Size `json:"size"`
	// Level of it.
	Level Level `json:"level"`
	// Hue of it.
	Hue Hue `json:"hue"`
}

// Level is a level.
type Level int

const (
	Low  Level = 1 // Low.
	High Level = 2 // High.
)

// Hue is a hue.
//
//jp:enum open
type Hue string

const (
	Red  Hue = "red"  // Red.
	Blue Hue = "blue" // Blue.
)

// Read reads a row.
//
//jp:tool
func (Server) Read(ctx context.Context) (Row, error) {
	size := Size(texts[Keep])                                               // want `JP719: Size\(texts\[Keep\]\) can be a value that is not a constant of type Size; check it, for example with a switch, or write //jp:enum open above the type`
	row := Row{Size: size, Level: Level(len(texts)), Hue: Hue(texts[Keep])} // want `JP719: Level\(len\(texts\)\) can be a value`
	return row, nil
}

// The following code has no findings.

func sized(text string, level int) (Size, Level, bool) {
	size, other := Size(text), Level(level)
	switch size {
	case Small, Large:
	default:
		return "", 0, false
	}
	levels := map[Level]bool{Low: true, High: true}
	return Size(Small), other, levels[other] && slices.Contains([]Size{Small}, Size(text)) && Hue(text) != "green"
}

func well(how How, size Size, loose Loose, free modes.Free, m modes.Mode) bool {
	const keep = "keep"
	other := How("merge")
	return how == keep || how == "replace" || how == "" || size != "large" || loose == "x" || free == "y" || m == modes.Fast || how == other
}
