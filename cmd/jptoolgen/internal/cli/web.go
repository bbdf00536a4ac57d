package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/caller"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/secret"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/web"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/internal/uris"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// browse serves the page of a target until ctx is done. Each call from the page uses its own session.
func (f *targetFlags) browse(ctx context.Context, env Env, addr string, t *target.Target) error {
	o := f.opener(env)
	if t.Kind == target.Package { // build the program once, not for every call
		p, err := o.Program(ctx, t)
		if err != nil {
			return err
		}
		defer p.Remove() //nolint:errcheck // the system also cleans its temporary directory
		t = &target.Target{Kind: target.Command, Argv: p.Command.Argv, Dir: p.Command.Dir, Env: t.Env}
	}
	surface, err := o.Surface(ctx, t)
	if err != nil {
		return err
	}
	if err := f.checkProfile(env, surface); err != nil {
		return err
	}
	text, err := web.Surface(surface)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("--web must be HOST:PORT, with a free port of this machine: %w", err)
	}
	defer listener.Close() //nolint:errcheck // already closed by Serve
	calls := trial{targetFlags: f, env: env, opener: o, target: t, contract: surface.Contract}
	page, err := web.New(web.Console{Server: surface.Contract.Name, Surface: text, Call: calls.call}, listener.Addr())
	if err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "http://%s%s\n", listener.Addr(), page.Path())
	fmt.Fprintln(env.Stderr, "open this URL in a browser; press Ctrl-C to stop")
	return page.Serve(ctx, listener)
}

// A trial makes the calls that are requested on the page.
type trial struct {
	*targetFlags
	env      Env
	opener   target.Opener
	target   *target.Target
	contract *manifest.Server
}

func (t trial) call(ctx context.Context, r web.Request, h web.Hooks) (web.Result, error) {
	wire, err := caller.ParseWire(r.Wire, caller.Wires())
	switch {
	case err != nil:
		return web.Result{}, err
	case wire.Runs():
		return web.Result{}, errors.New("the page cannot call local tools or command plugins; choose another wire")
	case t.target.Kind == target.Lock:
		_, err := t.opener.Connect(ctx, t.target)
		return web.Result{}, err
	}
	tool, call, err := t.entry(r)
	if err != nil {
		return web.Result{}, err
	}
	if call.Kind != "" && wire.IsJP() {
		return web.Result{}, fmt.Errorf("the wire %s is only for tools", wire)
	}
	var answers []string
	h.Line(t.line(tool, r, answers))
	ask := func(ctx context.Context, q caller.Question) (jsontext.Value, error) {
		if wire == caller.Unattended {
			return nil, nil
		}
		value, err := h.Ask(ctx, q)
		if word := q.Repeat(value); err == nil && word != "" {
			answers = append(answers, word)
			h.Line(t.line(tool, r, answers))
		}
		return value, err
	}
	if t.target.Kind == target.URL && len(r.Options) > 0 {
		h.Log("note: " + ignoredOverHTTP)
	}
	o := t.opener
	o.Arguments, o.Peer = wire.Flags(), wire.Options(o.Peer, ask)
	o.Peer.Progress = func(p peer.Progress) { h.Progress(p.Done, p.Total, p.Message) }
	o.Peer.Log = func(l peer.Log) { h.Log(l.Level + ": " + shape.Word(l.Data)) }
	o.Peer.Note = h.Log
	c, err := o.Connect(ctx, t.target)
	if err != nil {
		return web.Result{}, err
	}
	call.Questions, call.Options, call.Dir, call.Silence = tool.Questions, jsontext.Value(r.Options), t.env.Dir, t.silence()
	out, err := call.On(ctx, c.Session, wire, ask)
	if err != nil {
		return web.Result{}, errors.Join(c.Explain(err), c.Close())
	}
	if call.Kind != "" && out.IsError { // a protocol error has no result
		out.Raw = rawjson.Quote(out.Text)
	}
	return web.Result{Value: json.RawMessage(out.Raw), Failed: out.IsError}, c.Close()
}

// entry returns what a request is about, as a tool, and the call without what all calls have.
func (t trial) entry(r web.Request) (*manifest.Tool, caller.Call, error) {
	call := caller.Call{Kind: r.Kind, Tool: r.Tool, Arguments: jsontext.Value(r.Arguments)}
	switch r.Kind {
	case "resource":
		found := target.Find(t.contract, r.Tool)
		if found == nil {
			return nil, call, unknown("resource", r.Tool, resourceNames(t.contract))
		}
		view := found.AsTool()
		call.Tool, call.URI = found.Name, found.URI
		if found.URITemplate == "" {
			return view, call, nil
		}
		view.Input = found.Variables()
		template, err := uris.Parse(found.URITemplate)
		var values map[string]string
		if err == nil {
			values, err = textValues(call.Arguments)
		}
		if err == nil {
			call.URI, err = template.Expand(values)
		}
		return view, call, err
	case "prompt":
		i := slices.IndexFunc(t.contract.Prompts, func(p manifest.Prompt) bool { return p.Name == r.Tool })
		if i < 0 {
			return nil, call, unknown("prompt", r.Tool, nil)
		}
		values, err := textValues(call.Arguments)
		if err == nil {
			call.Arguments, err = jsonv2.Marshal(values, jsonv2.Deterministic(true))
		}
		return t.contract.Prompts[i].AsTool(), call, err
	}
	tool, err := oneTool(t.contract, r.Tool)
	return tool, call, err
}

// withoutSecret replaces the value of a header or environment variable with an ellipsis if it is a secret.
func withoutSecret(word string) string {
	end := strings.IndexAny(word, ":=")
	if end < 0 || secret.Check("flag", word[:end], strings.TrimSpace(word[end+1:])) == nil {
		return word
	}
	return word[:end+1] + "…"
}

// line returns a command line that repeats a call. It includes the flags of inspect.
func (t trial) line(tool *manifest.Tool, r web.Request, answers []string) string {
	words := []string{"jptoolgen", map[string]string{"": "call", "resource": "read", "prompt": "prompt"}[r.Kind]}
	t.flags.Visit(func(flag *pflag.Flag) {
		switch list, err := t.flags.GetStringArray(flag.Name); {
		case flag.Name == "web":
		case err == nil:
			for _, value := range list {
				words = append(words, "--"+flag.Name, withoutSecret(value))
			}
		case flag.NoOptDefVal != "":
			words = append(words, "--"+flag.Name+"="+flag.Value.String())
		default:
			words = append(words, "--"+flag.Name, flag.Value.String())
		}
	})
	if r.Wire != "" {
		words = append(words, "--wire", r.Wire)
	}
	input, options := shape.Read(tool.Input), shape.Read(tool.Options)
	for _, word := range caller.Assignments(jsontext.Value(r.Options), &options) {
		words = append(words, "--option", word)
	}
	for _, word := range answers {
		words = append(words, "--answer", word)
	}
	before, more := sideAndMore(t.flags)
	if t.flags.ArgsLenAtDash() >= 0 {
		more = append([]string{"--"}, more...)
	}
	if len(before) == 0 {
		before = []string{"-"}
	}
	words = append(append(words, before[0], r.Tool), caller.Assignments(jsontext.Value(r.Arguments), &input)...)
	return target.CommandLine(append(words, more...))
}
