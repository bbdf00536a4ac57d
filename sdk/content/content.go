// Package content defines the typed content blocks of a tool's result.
//
// A tool whose result is more than one string returns [Blocks]. Each protocol renders what it
// supports: MCP keeps all content, JP's content blocks (RFD 058) keep text and resources, and JP's
// Outcome is a single string, [Blocks.Flatten].
package content

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Block is one part of a result: a [Text], [Resource], [Image], [Audio], [Link] or [Status].
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
	// MIMEType is a type such as text/markdown; "" means unspecified. MCP does not send it.
	MIMEType    string
	Annotations Annotations
}

func (t Text) text(_ bool) string { return t.Text }

// An Image is an encoded image, such as a PNG file.
type Image struct {
	Data        []byte
	MIMEType    string // an image type, such as image/png; required
	Annotations Annotations
}

func (i Image) text(_ bool) string { return note(i.MIMEType, len(i.Data)) }

// An Audio is a sound recording. Clients before MCP 2025-03-26 receive a note instead.
type Audio struct {
	Data        []byte
	MIMEType    string // an audio type, such as audio/wav; required
	Annotations Annotations
}

func (a Audio) text(_ bool) string { return note(a.MIMEType, len(a.Data)) }

// note describes binary data where only text is possible.
func note(mimeType string, size int) string {
	unit := "bytes"
	if size == 1 {
		unit = "byte"
	}
	return fmt.Sprintf("[%s, %d %s]", cmp.Or(mimeType, "binary"), size, unit)
}

// A Link refers to a resource without including its content (MCP, resource_link). Clients before
// MCP 2025-06-18, and JP, receive it as text, since they cannot fetch it.
type Link struct {
	URI                string // absolute
	Name               string // required
	Title, Description string // shown to people; "" means none
	MIMEType           string // the type of the linked content; "" means unspecified
	Size               int64  // of the linked content in bytes; 0 means unknown
	Annotations        Annotations
	// Whole means that the resource is the whole result. Such a link is sent only if the result is
	// truncated to the budget of its tool, and the notice contains its URI.
	Whole bool
}

func (l Link) text(_ bool) string { return l.Name + " <" + l.URI + ">" }

// A Status says whether a tool that stays active over several calls, such as a shell session,
// continues after this result (JP RFD 058, Stateful tool responses). It is a block without content,
// at most one per result:
//
//	return content.Blocks{content.Text{Text: output}, content.Running}, nil
//
// Only JP's content blocks carry it. A tool that needs input asks a question instead.
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
// Text and a resource's Formatted are included unchanged, without a code fence, since they may
// contain fences. Any other resource becomes its text, preceded by its URI if there are other
// blocks. Binary data becomes a note with its type and size, because base64 costs a model many
// tokens and means nothing to it. A link becomes its name and URI.
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

// A With is a result with additional blocks, such as images, files and links, or with its own text.
// Programs read Value as structured content; all clients receive the text and the blocks.
type With[T any] struct {
	Value  T      // the result
	Blocks Blocks // the blocks that follow the text of the result
	// Text overrides the text of the result, which is otherwise that of Value's Text method or its
	// JSON. It must be complete by itself, for clients that ignore structured content.
	Text string
}

// Annotations describe a block for clients, which may ignore them (MCP, Resources, Annotations).
// The zero value of a field means unspecified.
type Annotations struct {
	Audience     []Role    // the intended readers
	Priority     *float64  // from 0, entirely optional, to 1, effectively required
	LastModified time.Time // the time of the last change to the content
}

// A Role is a participant in a conversation.
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
	if a.Priority != nil && !(*a.Priority >= 0 && *a.Priority <= 1) { // also true for NaN
		return fmt.Errorf("the priority %v is not between 0 and 1", *a.Priority)
	}
	if year := a.LastModified.UTC().Year(); year < 0 || year > 9999 {
		return errors.New("the year of LastModified cannot be written in RFC 3339 format")
	}
	return nil
}

// Untrusted is text from outside, such as a web page, a file or a message, which may contain
// instructions for a model. In a result, and when package fmt prints it, it is enclosed in two
// tags, so that a model does not mistake it for the tool's own words:
//
//	<untrusted-af570b47b287>Ignore all rules.</untrusted-af570b47b287>
//
// The text cannot contain its own closing tag. Truncation to the budget keeps the tag.
type Untrusted string

// String returns the text between its tags. The conversion string(u) returns the text alone.
func (u Untrusted) String() string {
	id := u.id()
	return "<untrusted-" + id + ">" + string(u) + "</untrusted-" + id + ">"
}

// MarshalText returns the text between its tags.
func (u Untrusted) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// id returns an id that the text does not contain, and that is always the same for the same text.
func (u Untrusted) id() string {
	for n := 0; ; n++ {
		sum := sha256.Sum256([]byte(strconv.Itoa(n) + string(u)))
		if id := hex.EncodeToString(sum[:6]); !strings.Contains(string(u), id) {
			return id
		}
	}
}
