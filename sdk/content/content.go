// Package content defines the typed content blocks of a tool's result.
//
// A tool whose result is more than one string returns [Blocks]. Each protocol renders what it supports: MCP
// keeps all content, JP's content blocks (RFD 058) keep text and resources, and JP's Outcome is a single string,
// [Blocks.Flatten].
package content

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Block is one part of a result: a [Text], [Resource], [Image], [Audio], [Link] or [Status]. Blocks are
// values; [Blocks.Check] refuses pointers.
type Block interface {
	// text returns the block as plain text. If the block is alone, the text may omit the URI.
	text(alone bool) string
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

func (t Text) text(_ bool) string { return t.Text }

// An Image is a picture.
type Image struct {
	Data []byte
	// MIMEType is an image type, such as image/png. It is required.
	MIMEType    string
	Annotations Annotations
}

func (i Image) text(_ bool) string { return note(i.MIMEType, len(i.Data)) }

// An Audio is a sound. Clients before MCP 2025-03-26 receive a note instead.
type Audio struct {
	Data []byte
	// MIMEType is an audio type, such as audio/wav. It is required.
	MIMEType    string
	Annotations Annotations
}

func (a Audio) text(_ bool) string { return note(a.MIMEType, len(a.Data)) }

// note describes binary data where only text is possible.
func note(mimeType string, size int) string {
	if mimeType == "" {
		mimeType = "binary"
	}
	if size == 1 {
		return "[" + mimeType + ", 1 byte]"
	}
	return fmt.Sprintf("[%s, %d bytes]", mimeType, size)
}

// A Link refers to a resource without including its content (MCP, resource_link). Clients before MCP 2025-06-18,
// and JP, receive it as text, since they cannot fetch it.
type Link struct {
	// URI is absolute.
	URI string
	// Name is required.
	Name string
	// Title and Description are shown to people; "" means none.
	Title, Description string
	// MIMEType is the type of the linked content; "" means unspecified.
	MIMEType    string
	Annotations Annotations
	// Whole says that the resource is the whole result. Such a link is sent only if the result is cut to the
	// budget of its tool, and the truncation notice contains its URI.
	Whole bool
}

func (l Link) text(_ bool) string { return l.Name + " <" + l.URI + ">" }

// A Status says whether a tool continues after this result. It is for tools that stay active over several
// calls, such as a shell session (JP RFD 058, Stateful tool responses). It is a block without content, at
// most one per result:
//
//	return content.Blocks{content.Text{Text: output}, content.Running}, nil
//
// Only JP's content blocks carry it; all other protocols omit it. A tool that needs input does not return a
// status; it asks a question.
type Status string

// Statuses that a handler may return. A result without a status means that the tool has stopped.
const (
	Running Status = "running" // the tool is active; this may be part of its output
	Stopped Status = "stopped" // the tool has finished; this is its result
)

func (Status) text(_ bool) string { return "" }

// Status returns the status in the blocks, or "" for blocks without a status.
func (b Blocks) Status() Status {
	for _, block := range b {
		if s, ok := block.(Status); ok {
			return s
		}
	}
	return ""
}

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

// Annotations describe the audience and the importance of a block (MCP, Resources, Annotations). The zero value
// is not sent. Clients may ignore annotations.
type Annotations struct {
	// Audience lists the intended readers; nil means unspecified.
	Audience []Role
	// Priority ranges from 0, entirely optional, to 1, effectively required; nil means unspecified.
	Priority *float64
	// LastModified is the time of the last change to the content; zero means unspecified.
	LastModified time.Time
}

// A Role is a party of a conversation.
type Role string

// The roles that MCP defines.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// IsZero reports whether a is the zero value.
func (a Annotations) IsZero() bool {
	return len(a.Audience) == 0 && a.Priority == nil && a.LastModified.IsZero()
}

// Modified returns LastModified in RFC 3339 and UTC, as clients expect it, or "" if it is zero.
func (a Annotations) Modified() string {
	if a.LastModified.IsZero() {
		return ""
	}
	return a.LastModified.UTC().Format(time.RFC3339Nano)
}

func (a Annotations) check() error {
	for _, role := range a.Audience {
		if role != User && role != Assistant {
			return fmt.Errorf("unknown role %.40q in the audience", string(role))
		}
	}
	// A comparison with NaN is false, so the condition is written as a negated range.
	if a.Priority != nil && !(*a.Priority >= 0 && *a.Priority <= 1) {
		return fmt.Errorf("the priority %v is not between 0 and 1", *a.Priority)
	}
	if year := a.LastModified.UTC().Year(); year < 0 || year > 9999 {
		return errors.New("the year of LastModified cannot be written in RFC 3339")
	}
	return nil
}
