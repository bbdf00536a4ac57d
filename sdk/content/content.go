// Package content defines the typed content blocks of a tool's result.
//
// A tool whose result is more than one string returns [Blocks]. Each protocol renders what it supports: MCP
// keeps all content, JP's content blocks (RFD 058) keep text and resources, and JP's Outcome is a single string,
// [Blocks.Flatten].
package content

import (
	"slices"
	"strings"
)

// A Block is one part of a result: a [Text], [Resource], [Image], [Audio], [Link] or [Status]. Blocks are
// values; [Blocks.Check] refuses pointers.
type Block interface {
	// kind returns MCP's name for the kind of block.
	kind() string
	// text returns the block as plain text. If the block is alone, the text may omit the URI.
	text(alone bool) string
	// check returns an error if the block cannot be sent.
	check() error
}

// Blocks is the result of a tool, in reading order.
type Blocks []Block

// Of returns a single text block, the most common result.
func Of(text string) Blocks { return Blocks{Text{Text: text}} }

// A Text is plain or formatted text, such as Markdown, as the tool writes it.
type Text struct {
	Text string
	// MIMEType is the type of the text, such as text/markdown; "" means unspecified. Only JP's content blocks
	// carry it: MCP has no field for it.
	MIMEType    string
	Annotations Annotations
}

func (Text) kind() string         { return "text" }
func (t Text) text(_ bool) string { return t.Text }

// Flatten returns the blocks as one string, with a blank line between any two that are not empty.
//
// Text is included unchanged, and so is a resource's Formatted. Any other resource becomes its text, preceded
// by its URI if there are other blocks: a single file is what the caller asked for, but several files must be
// told apart. Text is not put in a code fence, since it may contain fences. Binary data becomes a note with
// its type and size, never base64, which costs a model many tokens and means nothing to it. A link becomes
// its name and URI.
func (b Blocks) Flatten() string {
	visible := slices.DeleteFunc(slices.Clone(b), func(block Block) bool {
		_, isStatus := block.(Status)
		return block == nil || isStatus
	})
	parts := make([]string, 0, len(visible))
	for _, block := range visible {
		if text := block.text(len(visible) == 1); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n\n")
}

// A With is a result with additional blocks, such as images, files and links, or with its own text. Programs
// read Value as structured content; all clients receive the text and the blocks.
type With[T any] struct {
	// Value is the result.
	Value T
	// Blocks follow the text of the result.
	Blocks Blocks
	// Text overrides the default text of the result, which is the return value of Value's Text method or else
	// its JSON. It must be complete by itself, for clients that ignore structured content.
	Text string
}
