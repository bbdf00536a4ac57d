package sdk

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/bind"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// A Host configures an in-process call. The zero Host sets nothing and cannot answer
// questions.
type Host struct {
	// Ask answers a question on behalf of a person, with JSON that matches
	// [elicit.Request.Schema]. An error ends the call. Nil means that the program cannot ask.
	Ask       func(ctx context.Context, r elicit.Request) (elicit.Response[json.RawMessage], error)
	Options   json.RawMessage // a JSON object of options, which override those of the environment
	Root      string          // the directory that the call works in; "" is the working directory
	Access    *access.Policy  // the access policy for the call; nil means no restrictions
	Principal string          // the caller, or "" if unknown; see [tool.Call.Principal]
	// WorkspaceID and ConversationID are the ids of JP's workspace and conversation, if any.
	WorkspaceID, ConversationID string
	// Progress is called for each progress report. A total of 0 means that the total is unknown.
	Progress func(done, total float64, message string)
	Log      slog.Handler // receives what the handler logs, in addition to the server's log
}

// Call runs the named tool in this process. The arguments are a JSON object. Checks, defaults,
// options, interceptors and faults are the same as for any other call. The error is a
// *[fault.Error]; its code is input_unavailable if a question has no answer. Call uses neither
// [Options] nor the functions registered with [Server.OnStart].
func (s *Server) Call(ctx context.Context, name string, arguments json.RawMessage, h Host) (tool.Result, error) {
	if s.broken != nil {
		return tool.Result{}, fault.Wrap(s.broken, fault.Internal, "%s", s.broken)
	}
	handleSignals() // a signal must cancel the call
	t, contract, former, err := s.find(name)
	if err != nil {
		return tool.Result{}, err
	}
	var policy *trust.Policy
	layers, err := s.layers("", nil, true)
	if err == nil {
		policy, err = s.policy(Options{ToolOptions: layers}, false)
	}
	if err != nil {
		return tool.Result{}, fault.Wrap(err, fault.State, "%s", err)
	}
	r, err := policy.Admit(contract, former, h.Principal, &trust.Settings{
		Options: h.Options, Secrets: true, Root: h.Root, Access: h.Access,
		WorkspaceID: h.WorkspaceID, ConversationID: h.ConversationID,
	})
	if err != nil {
		return tool.Result{}, err
	}
	r.Arguments, r.Log, r.Progress, r.CallerLog = arguments, s.log.Load(), h.Progress, h.Log
	if h.Ask != nil {
		r.Asker = bind.Asker(arguments, h.Ask)
	}
	result, err := t.Run(ctx, r, handler.Decoding(s.contract.Unknown))
	return result.Result, handler.Unanswered(err)
}

// Intercept adds an interceptor to every call to the tools of the server's contract, over every
// protocol and transport and through [Server.Call]. The first interceptor added is the outermost.
// Intercept must be called before the server serves.
//
// Interceptors do not see what the program adds through sdk/gosdk, and the generated CallX functions,
// which run a handler without a server.
func (s *Server) Intercept(i tool.Interceptor) { s.interceptors = append(s.interceptors, i) }
