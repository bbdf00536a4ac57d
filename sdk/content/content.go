// Package content is the typed blocks of a tool's result.
//
// A tool that answers in more than one string returns [Blocks]. Each protocol
// renders of them what it can: MCP keeps the blocks, JP's Outcome flattens them
// into one string.
package content

import "strings"

// A Block is one part of a result. The types of this package are the only blocks.
type Block interface {
	// text returns what a reader of plain text sees of the block.
	text() string
}

// Blocks is the result of a tool, in the order of reading.
type Blocks []Block

// A Text is plain text, or Markdown.
type Text struct {
	Text string
}

func (t Text) text() string { return t.Text }

// Of returns the common result: one text block.
func Of(text string) Blocks { return Blocks{Text{Text: text}} }

// Flatten returns the blocks as one string, a blank line between any two that
// are not empty.
func (b Blocks) Flatten() string {
	parts := make([]string, 0, len(b))
	for _, block := range b {
		if block == nil {
			continue
		}
		if text := block.text(); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n\n")
}
