package wire

import (
	"encoding/json"
	"math"
	"time"
)

// VersionBlocks names typed content blocks (JP RFD 058), which succeed the outcome envelope. They
// are no [Codec]: write them with [AppendBlocks] and read them with [ReadBlocks].
const VersionBlocks = "blocks"

// Document is what a tool answers in typed content blocks (JP RFD 058, Response format).
type Document struct {
	// Content is the answer of this one run, in the order of reading.
	Content []Block
	// IsError says that Content tells what went wrong.
	IsError bool
	// Error is more about the failure, under [MetaError]; nil is neither transient nor traced.
	Error *ErrorMeta
	// Status is whether the tool goes on, under [MetaStatus]; "" is the same as [StatusStopped].
	Status Status
}

// Status is the state of a tool that answered (JP RFD 058, Stateful tool responses).
type Status string

// The statuses of a tool.
const (
	StatusRunning Status = "running" // active, with output so far
	StatusWaiting Status = "waiting" // needs an answer to a question in the content
	StatusStopped Status = "stopped" // finished
)

// ErrorMeta is the structured form of a failure (JP RFD 058, Error responses).
type ErrorMeta struct {
	// Transient says that the same call may succeed later.
	Transient bool
	// Trace holds the causes, outer to inner. Nil counts as empty.
	Trace []string
	// Code is the code of the fault and Recoverable says that the model may repair its call. The
	// RFD has neither; without a code both are left out.
	Code        string
	Recoverable bool
}

// BlockType says which of its forms a [Block] has.
type BlockType string

// The forms of a block, as they stand in its "type".
const (
	BlockText     BlockType = "text"
	BlockResource BlockType = "resource"
	BlockQuestion BlockType = "question"
)

// Block is one content block. Which fields count depends on Type; make one with [TextBlock],
// [ResourceBlock] or [QuestionBlock].
type Block struct {
	Type BlockType

	// Text is handed to the model as it is, and MIMEType is its kind; "" is not said.
	Text     string
	MIMEType string

	// Resource is content with an identity.
	Resource *Resource
	// Formatted is handed to the model in place of the resource's content; "" leaves the form to
	// the host.
	Formatted string

	// Question is a request for input.
	Question *InputRequest

	// Annotations belong to a text or resource; nil is none.
	Annotations *Annotations
}

// TextBlock returns a block of text.
func TextBlock(text string) Block { return Block{Type: BlockText, Text: text} }

// ResourceBlock returns a block of identified content.
func ResourceBlock(r Resource) Block { return Block{Type: BlockResource, Resource: &r} }

// QuestionBlock returns a block that asks. The blocks before it are its context.
func QuestionBlock(q InputRequest) Block { return Block{Type: BlockQuestion, Question: &q} }

// Resource is content with an identity (JP RFD 065). It holds Text, or Blob if that is not nil.
type Resource struct {
	URI      string
	MIMEType string
	Text     string
	Blob     []byte
	// Name, Title and Description are shown to people. MCP has none of the three here.
	Name, Title, Description string
}

// InputRequest is what a question block asks (JP RFD 058, question).
type InputRequest struct {
	// ID names the answer and is not empty.
	ID string
	// Text is a label in one line.
	Text string
	// Schema is a JSON object: the JSON Schema of the answer.
	Schema json.RawMessage
	// Default is any JSON value; nil is none. On the wire null means none as well.
	Default json.RawMessage
}

// Annotations say for whom a block is and how much it matters (MCP, Annotations).
type Annotations struct {
	// Audience holds "user", "assistant" or both.
	Audience []string
	// Priority goes from 0 to 1; nil is not said.
	Priority *float64
	// LastModified is when the content last changed; zero is not said.
	LastModified time.Time
}

func (a Annotations) check(key string) error {
	for _, role := range a.Audience {
		if role != "user" && role != "assistant" {
			return &Error{Code: CodeVariant, Key: join(key, "audience"), Want: `"user" or "assistant"`, Got: shorten(role)}
		}
	}
	if p := a.Priority; p != nil && (math.IsNaN(*p) || *p < 0 || *p > 1) {
		return &Error{Code: CodeVariant, Key: join(key, "priority"), Want: "a number from 0 to 1"}
	}
	if year := a.LastModified.UTC().Year(); year < 0 || year > 9999 {
		return &Error{Code: CodeVariant, Key: join(key, "lastModified"), Want: timeWanted}
	}
	return nil
}

const timeWanted = "a time in RFC 3339"

// check returns what a resource lacks, or has too much.
func (r Resource) check(key string) error {
	if r.URI == "" {
		return &Error{Code: CodeMissing, Key: join(key, "uri"), Want: "a URI"}
	}
	if r.Text != "" && r.Blob != nil {
		return &Error{Code: CodeVariant, Key: key, Want: "text or blob", Got: "both"}
	}
	return nil
}

func (s Status) check(key string) error {
	switch s {
	case "", StatusRunning, StatusWaiting, StatusStopped:
		return nil
	}
	return &Error{Code: CodeVariant, Key: key, Want: `"running", "waiting" or "stopped"`, Got: shorten(string(s))}
}

const blockTypes = `"text", "resource" or "question"`
