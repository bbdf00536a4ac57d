package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/caller"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/web"
	"github.com/jptool/jptool/internal/peer"
)

// browse serves the page of a target until ctx ends. Every call on the page has its own session.
func (f *targetFlags) browse(ctx context.Context, env Env, addr string, t *target.Target) (status int, err error) {
	o := f.opener(env)
	if t.Kind == target.Package { // build once instead of for every call
		p, err := o.Program(ctx, t)
		if err != nil {
			return exitError, err
		}
		defer func() { err = errors.Join(err, p.Remove()) }()
		t = &target.Target{Kind: target.Command, Argv: p.Command.Argv, Dir: p.Command.Dir, Env: t.Env}
	}
	surface, err := o.Surface(ctx, t)
	if err != nil {
		return exitError, err
	}
	if err := f.checkProfile(env, surface); err != nil {
		return exitError, err
	}
	text, err := json.Marshal(inspection(surface))
	if err != nil {
		return exitError, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return exitError, err
	}
	defer listener.Close() //nolint:errcheck // Serve has closed it
	page, err := web.New(web.Console{Surface: text, Call: func(ctx context.Context, r web.Request, h web.Hooks) (json.RawMessage, error) {
		return tryTool(ctx, o, t, r, h)
	}}, listener.Addr())
	if err != nil {
		return exitError, err
	}
	fmt.Fprintf(env.Stdout, "http://%s%s\n", listener.Addr(), page.Path())
	fmt.Fprintln(env.Stderr, "open this address in a browser; press Ctrl-C to stop")
	if err := page.Serve(ctx, listener); err != nil {
		return exitError, err
	}
	return exitOK, nil
}

// tryTool makes a call that was requested on the page.
func tryTool(ctx context.Context, o target.Opener, t *target.Target, r web.Request, h web.Hooks) (json.RawMessage, error) {
	if t.Kind == target.Lock {
		return nil, target.ErrNoServer
	}
	o.Peer.Elicit = func(ctx context.Context, e peer.Elicitation) (peer.Response, error) {
		reply, err := h.Ask(ctx, web.Question{Key: e.Key, Message: e.Message, Schema: json.RawMessage(e.Schema)})
		return peer.Response{Action: reply.Action, Content: jsontext.Value(reply.Content)}, err
	}
	o.Peer.Progress = func(p peer.Progress) { h.Progress(p.Done, p.Total, p.Message) }
	c, err := o.Connect(ctx, t)
	if err != nil {
		return nil, err
	}
	call := caller.Call{Tool: r.Tool, Arguments: jsontext.Value(r.Arguments), Options: jsontext.Value(r.Options)}
	out, err := call.On(ctx, c.Session, caller.Auto, func(ctx context.Context, q caller.Question) (jsontext.Value, error) {
		return askSecret(ctx, h, q)
	})
	if err != nil {
		return nil, errors.Join(c.Explain(err), c.Close())
	}
	return json.RawMessage(out.Raw), c.Close()
}

// askSecret asks a question on the page that MCP cannot ask.
func askSecret(ctx context.Context, h web.Hooks, q caller.Question) (jsontext.Value, error) {
	form := fmt.Sprintf(`{"type":"object","properties":{"answer":%s},"required":["answer"]}`, q.Schema.Written)
	reply, err := h.Ask(ctx, web.Question{Key: q.ID, Message: q.Text, Schema: json.RawMessage(form)})
	if err == nil && reply.Action != "accept" {
		err = caller.ErrCanceled
	}
	var content struct{ Answer jsontext.Value }
	if err == nil {
		err = json.Unmarshal(reply.Content, &content)
	}
	return content.Answer, err
}
