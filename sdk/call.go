package sdk

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
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
	// Scopes are the OAuth scopes of the caller. If it is nil, scopes do not matter.
	Scopes []string
	Face   Face // what the caller selects; it can only narrow what the environment selects
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
	result, err := s.inProcess(ctx, h, func(p *trust.Policy, caller handler.Caller) (*handler.Tool, *handler.Run, *manifest.Alias, error) {
		t, contract, former, err := s.find(p, caller, name)
		return t, &handler.Run{Arguments: arguments, Contract: contract}, former, err
	})
	return result.Result, err
}

// Read reads a resource in this process. It is like [Server.Call]. The error code is not_found if there is no resource
// with the URI.
func (s *Server) Read(ctx context.Context, uri string, h Host) ([]content.Resource, error) {
	result, err := s.inProcess(ctx, h, func(p *trust.Policy, caller handler.Caller) (*handler.Tool, *handler.Run, *manifest.Alias, error) {
		t, run, err := s.offers().Resource(p, caller, uri)
		return t, run, nil, err
	})
	var parts []content.Resource
	for _, b := range result.Blocks {
		parts = append(parts, b.(content.Resource)) // the handler's result has been converted
	}
	return parts, err
}

// Prompt gets a prompt in this process. It is like [Server.Call].
func (s *Server) Prompt(ctx context.Context, name string, arguments json.RawMessage, h Host) (content.Messages, error) {
	result, err := s.inProcess(ctx, h, func(p *trust.Policy, caller handler.Caller) (*handler.Tool, *handler.Run, *manifest.Alias, error) {
		t, run, err := s.offers().Prompt(p, caller, name, arguments)
		return t, run, nil, err
	})
	return result.Messages, err
}

// offers returns the resources and prompts of the contract.
func (s *Server) offers() engine.Offers {
	return engine.ReadOffers(s.contract, s.offered, s.skills, s.log.Load())
}

// inProcess runs a handler in this process. find returns the handler, its run and the former name that was used.
func (s *Server) inProcess(ctx context.Context, h Host,
	find func(*trust.Policy, handler.Caller) (*handler.Tool, *handler.Run, *manifest.Alias, error),
) (none handler.Result, _ error) {
	if s.broken != nil {
		return none, fault.Wrap(s.broken, fault.Internal, "%s", s.broken)
	}
	handleSignals() // a signal must cancel the call
	layers, err := s.layers("", nil, true)
	var policy *trust.Policy
	var rules *handler.Rules
	if err == nil {
		o := Options{ToolOptions: layers}
		if o.Face, err = new(faceSettings).read(nil, s); err == nil {
			policy, rules, err = s.terms(o, false)
		}
	}
	if err != nil {
		return none, fault.Wrap(err, fault.State, "%s", err)
	}
	caller := handler.Caller{Subject: h.Principal}
	if h.Scopes != nil {
		caller.Scopes, caller.Lacking = manifest.WithImplied(s.contract.Scopes, h.Scopes), handler.Refuses
	}
	if caller.Face, err = s.face(h.Face); err != nil {
		return none, fault.Wrap(err, fault.InvalidInput, "%s", err)
	}
	t, run, former, err := find(policy, caller)
	if err != nil {
		return none, err
	}
	if needs := policy.Needs(caller, run.Contract); needs != nil {
		return none, fault.New(fault.PermissionDenied, "the caller lacks a scope; the request needs %s", strings.Join(needs, " "))
	}
	run.Rules = rules
	run.Grant, err = policy.Admit(run.Contract, former, &trust.Settings{
		Options: h.Options, Secrets: true, Root: h.Root, Access: h.Access,
		WorkspaceID: h.WorkspaceID, ConversationID: h.ConversationID,
	})
	if err != nil {
		return none, err
	}
	run.Caller, run.Progress, run.Log, run.CallerLog = caller, h.Progress, s.log.Load(), h.Log
	return wires.CallInProcess(ctx, h.Ask, t, run)
}

// Intercept adds an interceptor to every call to the tools of the server's contract, over every
// protocol and transport and through [Server.Call], to every request that reads its resources, lists those of a
// template, gets its prompts or completes a value by a method, and to the tools, resources and prompts that the
// program adds through sdk/gosdk. The first interceptor added is the outermost. Intercept must be called
// before the server serves.
//
// Interceptors do not see other lists, completions of constants and the generated CallX functions, which run a handler
// without a server.
func (s *Server) Intercept(i tool.Interceptor) { s.interceptors = append(s.interceptors, i) }
