// Package tool defines what handlers receive and return.
package tool

import (
	"context"
	"errors"

	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
)

// An Interceptor runs around the calls to a server's tools, for example to authorize, measure or
// record them. It sees every call over every protocol and transport, including in-process calls and
// calls with invalid arguments. Each function may be nil, and must be safe for concurrent use.
//
// If the client answers questions in later requests, the handler runs again with each answer: one
// logical call has several rounds.
type Interceptor struct {
	// Begin is called once for a logical call, before its first round. An error rejects the call.
	// Hosts such as JP store answers and send them with every call. A call that starts with an
	// answer to one of the tool's questions counts as a later round. Checks that must hold for every
	// call therefore belong in Round.
	Begin func(ctx context.Context, r *Round) error
	// Round is called once for each round, and runs it by calling next. It returns the error from
	// next, or an error that replaces it or that rejects the round before next is called.
	Round func(ctx context.Context, r *Round, next func(context.Context) error) error
	// End is called once for a logical call, after its last round. err is the error that the caller
	// receives, or nil if the call has a result. End is not called if the client ends a call by never
	// answering a question, as JP does if the user declines.
	End func(ctx context.Context, r *Round, err error)
}

// A Round is one run of a tool as an interceptor sees it. Faults that an interceptor returns reach
// the caller, whatever codes the tool declares; other errors become [fault.Internal].
type Round struct {
	Contract  *manifest.Tool // the published contract of the tool, which must not be modified
	Tool, ID  string         // the name of the tool, and the id of the run in logs
	Principal string         // the authenticated caller, or "" if unknown
	First     bool           // whether this is the first round
	// Input and Options are the structs that the handler receives. They are nil if it takes none or
	// if the arguments are invalid.
	Input, Options                    any
	Root, WorkspaceID, ConversationID string // the caller's workspace
}

// Asks returns the questions that a round ended with, or nil if it ended without a question.
func Asks(err error) (asked []question.Ref) {
	if pending, ok := errors.AsType[*question.Pending](err); ok {
		for _, q := range pending.Questions {
			asked = append(asked, q.Ref)
		}
	}
	return asked
}
