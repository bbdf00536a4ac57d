// Package content is the typed blocks of a tool's result.
//
// A tool that answers in more than one string returns [Blocks]. Each protocol
// renders of them what it can: MCP keeps all content, JP's content blocks
// (RFD 058) keep text and resources, and JP's Outcome is one string, [Blocks.Flatten].
package content

import (
	"slices"
	"strings"
)

// A Block is one part of a result: a [Text], [Resource], [Image], [Audio], [Link]
// or [Status]. A block is a value; a pointer to one is refused by [Blocks.Check].
type Block interface {
	// kind returns what MCP calls the block.
	kind() string
	// text returns what a reader of plain text sees of the block. A block that is
	// alone need not say which one it is.
	text(alone bool) string
	// check returns what keeps the block from being sent.
	check() error
}

// Blocks is the result of a tool, in the order of reading.
type Blocks []Block

// Of returns the common result: one text block.
func Of(text string) Blocks { return Blocks{Text{Text: text}} }

// A Text is text in a form of the tool's own choosing.
type Text struct {
	Text string
	// MIMEType is the kind of text, such as text/markdown; "" says nothing. It reaches
	// JP's content blocks alone: MCP has no place for it.
	MIMEType    string
	Annotations Annotations
}

func (Text) kind() string         { return "text" }
func (t Text) text(_ bool) string { return t.Text }

// Flatten returns the blocks as one string, a blank line between any two that are
// not empty.
//
// Text stands as it is, and so does a resource's Formatted. Of any other resource
// it is the text, below its URI if there are other blocks: a lone file is what the
// caller asked for, but of several nobody could tell which is which. There are no
// fences, since a text may hold some. Bytes are a note of their type and number,
// never base64, which costs a model much and tells it nothing. A link is its name
// and URI.
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
