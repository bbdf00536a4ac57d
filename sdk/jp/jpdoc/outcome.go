package jpdoc

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

// OutcomeType is the form of an [Outcome].
type OutcomeType string

// Forms of an outcome, as in the "type" of the envelope.
const (
	TypeSuccess    OutcomeType = "success"
	TypeError      OutcomeType = "error"
	TypeNeedsInput OutcomeType = "needs_input"
)

// Outcome is a tool's answer to a JP host (jp_tool::Outcome). Type determines which fields are used; create
// outcomes with [Success], [Failure] or [NeedsInput].
type Outcome struct {
	Type OutcomeType

	// Content is the text of a success; the host passes it to the model verbatim.
	Content string

	// Message is the message of an error, without its causes.
	Message string
	// Trace holds the causes of an error, from outer to inner, without the message. Nil is the same as empty.
	Trace []string
	// Transient means that the same call may succeed later. JP uses it to choose the error text, and does not
	// retry.
	Transient bool

	// Question is the question to answer, if Type is needs_input.
	Question *Question
}

// Success returns the outcome of a successful call.
func Success(content string) Outcome {
	return Outcome{Type: TypeSuccess, Content: content}
}

// Failure returns the outcome of a failed call. The trace lists the causes from outer to inner, without the
// message itself.
func Failure(message string, trace []string, transient bool) Outcome {
	return Outcome{Type: TypeError, Message: message, Trace: trace, Transient: transient}
}

// NeedsInput returns the outcome of a call that waits for an answer. The host asks the question, then runs the
// tool again from the start, with the answer keyed by the question's id.
func NeedsInput(q Question) Outcome {
	return Outcome{Type: TypeNeedsInput, Question: &q}
}

// Question is a question that a tool asks a JP host (jp_tool::Question).
type Question struct {
	// ID identifies the answer: users configure answers by id, and the host remembers answers by id.
	ID string
	// Text is the question on one line. If the host asks a model, the model sees only the text.
	Text string
	// PreAmble is printed above the text if the host asks a person.
	PreAmble string
	// AnswerType describes valid answers. Hosts do not check answers against it.
	AnswerType AnswerType
	// Default is any JSON value; nil means none. In the encoding, null also means none.
	Default json.RawMessage

	// emptyPreAmble distinguishes "" from null, so that a question is written as it was read.
	emptyPreAmble bool
}

// AnswerKind is the kind of answer to a [Question].
type AnswerKind string

// Kinds of answers. [Untagged] does not support Secret.
const (
	Boolean AnswerKind = "boolean"
	Select  AnswerKind = "select"
	Text    AnswerKind = "text"
	Secret  AnswerKind = "secret"
)

// AnswerType is a kind of answer and, for [Select], its options.
type AnswerType struct {
	Kind AnswerKind
	// Options are the options of a Select, in display order. The encoding allows an empty list and repeated
	// options; the prompt of a host does not.
	Options []string
}

// ReadOutcome parses data as JP does, including positional arrays; lists in the result are never nil.
func (c Codec) ReadOutcome(data []byte) (Outcome, error) { return read(data, c.outcome) }

// AppendOutcome appends the envelope of o. It rejects an unknown type, a missing question, an answer kind that
// the version does not support, and a default that is not JSON.
func (c Codec) AppendOutcome(dst []byte, o Outcome) ([]byte, error) {
	return write(dst, o, c.outcome)
}

func (c Codec) outcome(n node, o *Outcome) {
	n.record(func(f *fields) {
		field(f, "type", required, &o.Type, text)
		switch o.Type {
		case TypeSuccess:
			field(f, "content", required, &o.Content, text)
		case TypeError:
			field(f, "message", required, &o.Message, text)
			field(f, "trace", required, &o.Trace, list(text[string]))
			field(f, "transient", required, &o.Transient, boolean)
		case TypeNeedsInput:
			field(f, "question", required, &o.Question, pointer(c.question))
		default:
			f.fail("type", mismatch(`"success", "error" or "needs_input"`, shorten(o.Type)))
		}
	})
}

func (c Codec) question(n node, q *Question) {
	answer := internal
	if c.untagged {
		answer = external
	}
	var preAmble *string
	if q.PreAmble != "" || q.emptyPreAmble {
		preAmble = &q.PreAmble
	}
	n.record(func(f *fields) {
		field(f, "id", required, &q.ID, text)
		if !c.untagged && (q.ID == "" || strings.Contains(q.ID, ".")) {
			f.fail("id", mismatch("a non-empty id without a dot", shorten(q.ID)))
		}
		field(f, "text", required, &q.Text, text)
		field(f, "pre_amble", nullable, &preAmble, pointer(text[string]))
		field(f, "answer_type", required, &q.AnswerType, answer)
		field(f, "default", nullable, &q.Default, canonical)
	})
	if n.reading && preAmble != nil {
		q.PreAmble, q.emptyPreAmble = *preAmble, *preAmble == ""
	}
}

func answerOptions(n node, t *AnswerType) {
	n.record(func(f *fields) { field(f, "options", required, &t.Options, list(text[string])) })
}

const externalKinds = `"Boolean", "Select" or "Text"`

// external reads or writes the answer_type of [wire.VersionOutcomeUntagged]: "Boolean",
// {"Select":{"options":[…]}}, "Text".
func external(n node, t *AnswerType) {
	if n.reading {
		readExternal(n, t)
		return
	}
	switch t.Kind {
	case Boolean:
		n.out = append(n.out, `"Boolean"`...)
	case Text:
		n.out = append(n.out, `"Text"`...)
	case Select:
		n.object(func(f *fields) { field(f, "Select", required, t, answerOptions) })
	default:
		n.fail("", mismatch(externalKinds, shorten(t.Kind)))
	}
}

func readExternal(n node, t *AnswerType) {
	var name string
	var body jsontext.Value
	if n.in.Kind() != '{' {
		text(n, &name)
	} else if members := rawjson.Parts(n.in); len(members) == 1 {
		name, body = members[0].Name, members[0].Value
	} else {
		n.fail("", errors.New("expected an object with exactly one member"))
	}
	switch name {
	case "Boolean":
		t.Kind = Boolean
	case "Text":
		t.Kind = Text
	case "Select":
		t.Kind, n.in = Select, body
		n.at(name, func() { answerOptions(n, t) })
		return
	default:
		n.fail("", mismatch(externalKinds, shorten(name)))
	}
	// A variant without fields may have a body: null or {}. serde accepts {} because it buffers the variant
	// inside an outcome.
	if body != nil && body.Kind() != 'n' && (body.Kind() != '{' || len(rawjson.Parts(body)) > 0) {
		n.fail("", mismatch("null", typeName(body)))
	}
}

// internal reads or writes the answer_type of [wire.VersionOutcome]: {"type":"boolean"},
// {"type":"select","options":[…]}.
func internal(n node, t *AnswerType) {
	n.record(func(f *fields) {
		field(f, "type", required, &t.Kind, text)
		switch t.Kind {
		case Boolean, Text, Secret:
		case Select:
			field(f, "options", required, &t.Options, list(text[string]))
		default:
			n.fail("", mismatch(`"boolean", "select", "text" or "secret"`, shorten(t.Kind)))
		}
	})
}

// Codec reads and writes one version of the outcome envelope. Successes and errors are the same in all versions;
// questions of one version are rejected by the other.
//
// AppendOutcome writes the same bytes as JP's own code: type first, every field present, no HTML escaping, no newline.
// Invalid UTF-8 is replaced with U+FFFD. On error, dst is returned unchanged.
//
// The zero Codec is [Tagged].
type Codec struct{ untagged bool }

// Tagged returns the codec of [wire.VersionOutcome]: a tagged answer_type, the kind [Secret], and question ids
// that must not be empty or contain a dot.
func Tagged() Codec { return Codec{} }

// Untagged returns the codec of [wire.VersionOutcomeUntagged] (jp_tool as of 2026-08-22).
func Untagged() Codec { return Codec{untagged: true} }
