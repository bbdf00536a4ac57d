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

// A Host is what a program says of a call that it makes in its own process. The zero Host
// says nothing, and no question is answered.
type Host struct {
	// Ask answers a question, for a person, by JSON that fits [elicit.Request.Schema]. An error
	// of its own ends the call; nil is for a program that cannot ask.
	Ask func(ctx context.Context, r elicit.Request) (elicit.Response[json.RawMessage], error)
	// Options is a JSON object of options, which overrule those of the environment.
	Options json.RawMessage
	// Root is the directory that the call works in; "" is the working directory. Access is what
	// the user grants below it and beyond; nil restricts nothing.
	Root   string
	Access *access.Policy
	// Principal is who calls; "" is unknown. See [tool.Call.Principal].
	Principal string
	// WorkspaceID and ConversationID are JP's.
	WorkspaceID, ConversationID string
	// Progress hears how far the call is: done of total, 0 for an unknown one.
	Progress func(done, total float64, message string)
	// Log receives what the handler logs for its caller, beside the log of the server.
	Log slog.Handler
}

// Call runs a tool in this process, by its name and the JSON object of its arguments: with
// the checks, defaults, options, interceptors and faults of a call over any wire. Its error
// is a *[fault.Error], of code input_unavailable for a question that has no answer. What
// [Options] set holds for served calls alone, and functions of [Server.OnStart] are the
// program's to call.
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
	policy, err := s.policy(Options{ToolOptions: layers}, door{})
	if err != nil {
		return tool.Result{}, fault.Wrap(err, fault.State, "%s", err)
	}
	r, err := policy.Admit(contract, h.Principal, &trust.Said{
		Options: h.Options, Root: h.Root, Access: h.Access,
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

// Intercept has i stand around every call of the server's tools, over every wire, at every
// door and by [Server.Call]. What was added first is outermost. It must be called before
// the server serves.
func (s *Server) Intercept(i tool.Interceptor) { s.interceptors = append(s.interceptors, i) }
