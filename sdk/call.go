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
)

// A Host configures a call in process. The zero Host sets nothing and cannot answer questions.
type Host struct {
	// Ask answers a question on behalf of a person, with JSON that matches
	// [elicit.Request.Schema]. An error ends the call. Nil means that the program cannot ask.
	Ask func(ctx context.Context, r elicit.Request) (elicit.Response[json.RawMessage], error)
	// Options is a JSON object of options, which override those of the environment.
	Options json.RawMessage
	// Root is the directory that the call works in; "" is the working directory. Access is the
	// policy for it and beyond; nil restricts nothing.
	Root   string
	Access *access.Policy
	// Principal is the caller; "" is unknown. See [tool.Call.Principal].
	Principal string
	// WorkspaceID and ConversationID are JP's.
	WorkspaceID, ConversationID string
	// Progress receives progress: done of total, which is 0 if unknown.
	Progress func(done, total float64, message string)
	// Log receives what the handler logs for its caller, in addition to the server's log.
	Log slog.Handler
}

// Call runs a tool in process, by name and with a JSON object of arguments. Checks, defaults,
// options, interceptors and faults are the same as for any other call. The error is a
// *[fault.Error], of code input_unavailable for a question without an answer. [Options] apply
// only to calls that are served, and functions registered by [Server.OnStart] are not called.
func (s *Server) Call(ctx context.Context, name string, arguments json.RawMessage, h Host) (tool.Result, error) {
	if s.broken != nil {
		return tool.Result{}, fault.Wrap(s.broken, fault.Internal, "%s", s.broken)
	}
	t, contract, remarks, err := s.served(name)
	if err != nil {
		return tool.Result{}, err
	}
	layers, err := s.baseOptions(nil)
	if err != nil {
		return tool.Result{}, fault.Wrap(err, fault.State, "%s", err)
	}
	policy, err := s.policy(Options{ToolOptions: layers}, local)
	if err != nil {
		return tool.Result{}, fault.Wrap(err, fault.State, "%s", err)
	}
	r, err := policy.Admit(contract, h.Principal, &trust.Said{
		Options: h.Options, Secrets: true, Root: h.Root, Access: h.Access,
		WorkspaceID: h.WorkspaceID, ConversationID: h.ConversationID,
	})
	if err != nil {
		return tool.Result{}, err
	}
	r.Arguments, r.Log, r.Progress, r.CallerLog = arguments, s.log, h.Progress, h.Log
	r.Remarks = append(r.Remarks, remarks...)
	if h.Ask != nil {
		r.Asker = bind.Asker(arguments, h.Ask)
	}
	result, err := t.Run(ctx, r, tool.Decoding(s.contract.Unknown))
	return result, tool.Unanswered(err)
}

// Intercept adds an interceptor to every call of the server's tools, over every protocol and
// transport and by [Server.Call]. The first one added is outermost. Intercept must be called
// before the server serves.
func (s *Server) Intercept(i tool.Interceptor) { s.interceptors = append(s.interceptors, i) }
