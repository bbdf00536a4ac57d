// Package tool defines what handlers receive and return.
package tool

import (
	"context"

	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
)

// An Interceptor runs around every round of every call to a server's tools, of every request that reads one of its
// resources, lists those of a template or gets a prompt, and of every completion by a method, for example to authorize,
// measure or record calls. It also runs around every request for a tool, resource or prompt that the program adds
// through sdk/gosdk. It must be safe for concurrent use. If the client answers
// questions in later requests, the handler runs again with each answer: one call has several rounds.
//
// An interceptor runs the round by calling next, or rejects it by returning an error without calling
// next. The handler receives the context that next receives. next returns the outcome of the round,
// although a question may end the handler's goroutine: nil for a result, a *[fault.Error], or an
// error for which [Asks] returns questions. A call that waits for answers has not ended, and may
// never end, because the client need not answer.
//
// If the interceptor returns nil or the error from next, the outcome stays as it is: an interceptor
// cannot turn an error or a question into a result. Any other error replaces the outcome. A
// *[fault.Error] reaches the caller whatever codes the tool declares; other errors, panics and
// [runtime.Goexit] become [fault.Internal].
//
// The first call of next runs the round. Every other call, and every call after the interceptor has
// returned, runs nothing and returns an internal fault. An interceptor that returns nil before next
// has returned, or without calling next, rejects the round with an internal fault. When an
// interceptor returns, its context is canceled, and the caller receives the outcome only when next
// has returned, too.
type Interceptor func(ctx context.Context, r *Round, next func(context.Context) error) error

// A Round is one run of a handler as an interceptor sees it.
type Round struct {
	// Kind is "tool", "resource" or "prompt". Name is the name of the tool, resource, template or prompt in the
	// contract. For what the program adds through sdk/gosdk, Name is the name of the tool or prompt, or the URI of the
	// resource.
	Kind, Name string
	// URI is the URI of the resource that the caller reads, or "".
	URI string
	// Action is "list" if the request lists the resources of a template, "complete" if it completes a value for a
	// template or a prompt, "subscribe" if it subscribes to changes of the resource, and "" if it calls the tool, reads
	// the resource or gets the prompt.
	Action string
	// Contract is the published contract of the tool, which must not be modified. For a resource or prompt, it is
	// the same view as manifest.Resource.AsTool or manifest.Prompt.AsTool returns. It is nil for what the
	// program adds through sdk/gosdk. Then Input and Options are nil, too, and next returns an error if the
	// result is an error or if the request fails.
	Contract  *manifest.Tool
	Tool, ID  string // the name of the tool, or "" for other kinds; and the id of the run in logs
	Principal string // the authenticated caller, or "" if unknown
	// First reports that the request contains no answers to the tool's questions and does not
	// continue an earlier round. Do not authorize by it: any caller can send an answer with its
	// first request, for example as an argument for a relayed answer, and JP hosts send the answers
	// that they have stored. Such a round is not First.
	First bool
	// Input and Options are the structs that the handler receives. They are nil if it takes none or
	// if the arguments or options are invalid. Then next returns the fault that describes the problem.
	Input, Options                    any
	Root, WorkspaceID, ConversationID string // the caller's workspace
}

// Asks returns the questions that a round ended with, or nil if it ended without a question. err is
// the error from next.
func Asks(err error) (asked []question.Ref) {
	if pending, ok := err.(*question.Pending); ok {
		for _, q := range pending.Questions {
			asked = append(asked, q.Ref)
		}
	}
	return asked
}
