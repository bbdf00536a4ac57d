package elicit

import (
	"encoding/json"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/gen/question"
)

// A Ref identifies a question that was asked: its tool, key and subjects, the call,
// and its number in the call.
type Ref = question.Ref

// An Option is one value that a question accepts, and what it means.
type Option = question.Option

// A Request is a question as an elicitor in this process receives it.
type Request struct {
	// Ref identifies the question.
	Ref Ref
	// Message is the question, one line; Preamble is what goes before it.
	Message, Preamble string
	// Shown is what the handler shows before the message, whose text Preamble is.
	Shown content.Blocks
	// Schema is the JSON Schema of the answer.
	Schema json.RawMessage
	// Default is the declared default as JSON, nil for none.
	Default json.RawMessage
	// Options are what a choice or a pick accepts.
	Options []Option
	// Exclusive says that a person must answer, not a configuration or a model.
	Exclusive bool
	// Arguments is what the tool was called with: the value of its input struct, and a
	// [json.RawMessage] for a call by JSON.
	Arguments any
}

// An Action is what somebody did with a question: [Accept], [Decline] or [Cancel].
type Action = question.Action

// The actions.
const (
	Accept  = question.Accept  // answered it
	Decline = question.Decline // refused to answer
	Cancel  = question.Cancel  // dismissed it
)

// A Response is what an elicitor returns: [Accepted], [Declined] or [Canceled].
type Response[T any] struct {
	Action  Action
	Content T
}

// Accepted returns the response that answers a question.
func Accepted[T any](content T) Response[T] { return Response[T]{Content: content} }

// Declined returns the response of somebody who will not answer.
func Declined[T any]() Response[T] { return Response[T]{Action: Decline} }

// Canceled returns the response of somebody who dismissed the question.
func Canceled[T any]() Response[T] { return Response[T]{Action: Cancel} }
