package tool

import "github.com/jptool/jptool/sdk/content"

// A Result is the result of a tool.
type Result struct {
	Blocks     content.Blocks // complete by themselves, for clients that ignore Structured
	Structured string         // the result as JSON that matches the schema, or "" without one
	Warnings   []string       // sentences about the call itself
}

// A Texter is a typed result that provides its own text. A typed result can also provide its
// own blocks, with the method Blocks() content.Blocks.
type Texter interface{ Text() string }

// A Formatter is an input that describes a call to the person who approves it. Format receives
// the decoded arguments, including defaults, and must have no side effects.
type Formatter interface{ Format() string }
