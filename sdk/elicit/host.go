package elicit

import (
	"encoding/json"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/gen/question"
)

// A Ref identifies a question in a call.
type Ref = question.Ref

// An Option is a value that a question accepts, with its description.
type Option = question.Option

// A Request is a question for a program that calls the tool in its own process.
type Request struct {
	// Ref identifies the question.
	Ref Ref
	// Message is the question on one line. Preamble is the text to show before it.
	Message, Preamble string
	// Shown contains the content blocks to show before the message; Preamble is their text.
	Shown content.Blocks
	// Schema is the JSON Schema of the answer.
	Schema json.RawMessage
	// Default is the declared default as JSON, or nil for a question without a default.
	Default json.RawMessage
	// Options are the values that a choice or a pick accepts.
	Options []Option
	// URL is the page that a visit opens. Show it to the user before opening it.
	URL string
	// Exclusive means that a person must answer, not a configuration or a model.
	Exclusive bool
	// Arguments is the input struct of the tool, or a [json.RawMessage] if the call passed JSON.
	Arguments any
}

// An Action is the user's reaction to a question: [Accept], [Decline] or [Cancel].
type Action = question.Action

// The actions that a user can take.
const (
	Accept  = question.Accept  // answered
	Decline = question.Decline // refused to answer
	Cancel  = question.Cancel  // dismissed the question
)

// A Response is the answer to a [Request]: [Accepted], [Declined] or [Canceled].
type Response[T any] struct {
	Action  Action
	Content T
}

// Accepted returns the response that answers a question.
func Accepted[T any](content T) Response[T] { return Response[T]{Content: content} }

// Declined returns the response for a user who refuses to answer.
func Declined[T any]() Response[T] { return Response[T]{Action: Decline} }

// Canceled returns the response for a user who dismisses the question.
func Canceled[T any]() Response[T] { return Response[T]{Action: Cancel} }
