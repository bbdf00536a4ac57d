package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/caller"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/internal/uris"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A getPlan holds the flags of read and prompt.
type getPlan struct {
	targetFlags
	answerFlags
	optionFlags
	saveFlag
	wireFlags
	limit limitFlag

	format string
	output string
}

// A getRun is one run of the command "read" or "prompt".
type getRun struct {
	*getPlan
	env      Env
	conn     *target.Conn
	wire     caller.Wire
	answers  *caller.Answers
	contract *manifest.Server
}

func readCommand() command {
	var p getPlan
	return command{
		name:  "read",
		usage: "jptoolgen read [flags] TARGET URI|NAME [VARIABLE=VALUE…] [-- ARGUMENTS]",
		help: `Read a resource of a server and print it. URI is a URI that "jptoolgen list TARGET resources"
prints, or one that matches a template. NAME is the name of a resource or a template; write
the variables of a template as NAME=VALUE. At the terminal, the command asks for missing
variables, with the values that the server suggests. Binary data is not printed at a
terminal. With --output, any content is saved unchanged.

Questions and the exit status are those of "jptoolgen call".

` + targetHelp,
		flags: func(flags *pflag.FlagSet) {
			flags.StringVarP(&p.output, "output", "o", "", "write the content to `FILE`, unchanged")
			p.define(flags, "resource", "contents")
		},
		run: func(ctx context.Context, env Env, _ *pflag.FlagSet) error {
			if p.output != "" && p.format != "text" {
				return errors.New("--output cannot be used with --format")
			}
			t, words, err := p.parse(env, 0)
			if err == nil && (t.Tool != "" || t.List != "") {
				err = errors.New("the URI does not name a resource; use jptoolgen call for tool=, and jptoolgen list for list=")
			}
			if err != nil {
				return err
			}
			word := t.Resource
			if word == "" && len(words) > 0 {
				word, words = words[0], words[1:]
			}
			if word == "" {
				return errors.New("read requires a target and a URI; run jptoolgen inspect TARGET for the resources")
			}
			given, err := textArguments("variables", words, env.Dir)
			if err != nil {
				return fmt.Errorf("%w; read requires a target and a URI, or a name and variables", err)
			}
			given = append(fromURI(t), given...)
			return p.with(ctx, env, t, func(r *getRun) error { return r.read(ctx, word, given) })
		},
	}
}

func promptCommand() command {
	var p getPlan
	return command{
		name:  "prompt",
		usage: "jptoolgen prompt [flags] TARGET NAME [ARGUMENT=VALUE…] [-- ARGUMENTS]",
		help: `Get a prompt of a server and print its messages. Write arguments as NAME=VALUE, or
NAME=@FILE for the text of a file. "jptoolgen list TARGET prompts" prints the prompts and
their arguments. At the terminal, the command asks for missing arguments, with the values
that the server suggests.

Questions and the exit status are those of "jptoolgen call".

` + targetHelp,
		flags: func(flags *pflag.FlagSet) {
			p.define(flags, "prompt", "messages")
			p.saveFlag.define(flags)
		},
		run: func(ctx context.Context, env Env, _ *pflag.FlagSet) error {
			t, words, err := p.parse(env, 0)
			if err != nil {
				return err
			}
			if len(words) == 0 {
				return errors.New("prompt requires a target and a name; run jptoolgen inspect TARGET for the prompts")
			}
			given, err := textArguments("prompt arguments", words[1:], env.Dir)
			if err != nil {
				return err
			}
			p.saveFlag.prepare(env, words[0])
			return p.with(ctx, env, t, func(r *getRun) error { return r.prompt(ctx, words[0], given) })
		},
	}
}

func (p *getPlan) define(flags *pflag.FlagSet, what, records string) {
	formatVar(flags, &p.format, "output format: text, or json for the result as received")
	p.limit.define(flags, records)
	p.answerFlags.define(flags)
	p.optionFlags.define(flags, what)
	p.wireFlags.define(flags, caller.MCPWires())
	p.targetFlags.define(flags)
}

// with connects to the target and calls do.
func (p *getPlan) with(ctx context.Context, env Env, t *target.Target, do func(*getRun) error) error {
	r := &getRun{getPlan: p, env: env, answers: new(caller.Answers)}
	err := p.limit.check()
	if err == nil {
		r.answers.Given, err = p.readAnswers(env.Dir)
	}
	if err == nil {
		r.wire, err = caller.ParseWire(p.wire, caller.MCPWires())
	}
	if err != nil {
		return err
	}
	r.answers.Person = env.asker()
	o := p.opener(env)
	o.Peer = r.wire.Options(o.Peer, r.answers.Ask)
	o.Peer.Progress, o.Peer.Trace = (&meter{to: env.Stderr}).show, p.tracer(env, r.answers, t, o.Logins)
	if r.conn, err = o.Connect(ctx, t); err != nil {
		return err
	}
	err = do(r)
	code, reported := errors.AsType[status](err)
	if reported {
		err = nil
	} else if err == nil {
		noteUnused(env, r.answers.Unused())
	}
	return cmp.Or(reportUnanswered(env, errors.Join(r.conn.Explain(err), r.conn.Close())), exitStatus(int(code)))
}

// begin reads the contract of the server, which must declare a capability.
func (r *getRun) begin(ctx context.Context, capability string) error {
	if _, ok := r.conn.Server().Capabilities[capability]; !ok {
		return fmt.Errorf("the server has no %s", capability)
	}
	surface, err := r.conn.Tools(ctx)
	if err == nil {
		err = r.checkProfile(r.env, surface)
	}
	if err == nil {
		r.contract = surface.Contract
	}
	return err
}

// call makes a request for the entry t, which is described as a tool, and returns the outcome. If the server refuses the
// request, hint is added to the error.
func (r *getRun) call(ctx context.Context, c caller.Call, t *manifest.Tool, hint func() string) (*caller.Outcome, error) {
	r.answers.Server, r.answers.Kind, r.answers.Tool = r.contract.Name, c.Kind, t.Name
	r.answers.Declare(t.Questions)
	c.Questions, c.Dir, c.Silence = t.Questions, r.env.Dir, r.timeout
	ask := caller.Ask(r.answers.Ask)
	var err error
	if c.Options, err = r.optionFlags.read(r.env.Dir, r.contract.Name, c.Kind, t); err != nil {
		return nil, err
	}
	if r.wire == caller.Unattended {
		ask = func(_ context.Context, q caller.Question) (jsontext.Value, error) { return r.answers.Find(q) }
		if c.Answers, err = r.answers.Typed(); err != nil {
			return nil, err
		}
	}
	out, err := c.On(ctx, r.conn.Session, r.wire, ask)
	if refused, ok := errors.AsType[*peer.RemoteError](err); ok {
		if refused.Code == resourceNotFound || refused.Code == invalidParams {
			return nil, fmt.Errorf("%w%s", err, hint())
		}
	}
	if err != nil || !out.IsError {
		return out, err
	}
	more := ""
	if out.Code == string(fault.NotFound) {
		more = hint()
	}
	fmt.Fprintln(r.env.Stderr, "jptoolgen:", terminal.Message(out.Text+more))
	if out.Status() == exitUnanswered && out.Unanswered != nil {
		fmt.Fprintln(r.env.Stderr, out.Unanswered.Hint())
	}
	return nil, status(out.Status())
}

// read reads a resource and prints or saves it.
func (r *getRun) read(ctx context.Context, word string, given []shape.Assignment) error {
	if err := r.begin(ctx, "resources"); err != nil {
		return err
	}
	entry, uri, err := r.resource(ctx, word, given)
	if err != nil {
		return err
	}
	call := caller.Call{Kind: "resource", Tool: entry.Name, URI: uri}
	out, err := r.call(ctx, call, entry.AsTool(), func() string { return nearResource(ctx, r.conn, uri) })
	if _, refused := errors.AsType[*peer.RemoteError](err); refused {
		return fmt.Errorf("reading %q: %w", uri, err)
	}
	if err != nil {
		return err
	}
	contents := limited(r.limit, out.Contents)
	switch {
	case r.format == "json":
		return printJSON(r.env.Stdout, out.Raw)
	case len(contents) == 1:
		return r.content(r.env, contents[0])
	case r.output != "":
		return fmt.Errorf("the server returned %[2]d content items for %[1]q, but --output saves only one; use --format json", uri, len(contents))
	}
	for _, content := range contents {
		if err := printText(r.env.Stdout, caller.BlockText(peer.Block{Type: "resource", Resource: content})); err != nil {
			return err
		}
	}
	return nil
}

// resource returns the resource that a word names, and its URI. For a URI that the contract does not contain, the resource
// is empty.
func (r *getRun) resource(ctx context.Context, word string, given []shape.Assignment) (*manifest.Resource, string, error) {
	found := target.Find(r.contract, word)
	if found == nil && (!strings.Contains(word, ":") || strings.Contains(word, "{")) { // not a URI
		surface, err := r.conn.Surface(ctx)
		if err != nil {
			return nil, "", err
		}
		if found = target.Find(surface.Contract, word); found == nil {
			return nil, "", unknown("resource", word, resourceNames(surface.Contract))
		}
	}
	if found == nil {
		found = new(manifest.Resource)
	}
	if named := found.Name == word || found.URITemplate == word; found.URITemplate == "" || !named {
		uri := word
		if named {
			uri = found.URI
		}
		if len(given) > 0 {
			return nil, "", fmt.Errorf("%s takes no variables, such as %s; use the name of a template", terminal.Line(word, 200), given[0].Name)
		}
		return found, uri, nil
	}
	template, err := uris.Parse(found.URITemplate)
	if err != nil {
		return nil, "", fmt.Errorf("%w; use a URI instead of the name", err)
	}
	schema := shape.Read(found.Variables())
	values, err := r.arguments(ctx, found.Name, &schema, given, peer.Complete{Template: found.URITemplate})
	if err != nil {
		return nil, "", err
	}
	uri, err := template.Expand(values)
	return found, uri, err
}

// prompt gets a prompt and prints its messages.
func (r *getRun) prompt(ctx context.Context, name string, given []shape.Assignment) error {
	if err := r.begin(ctx, "prompts"); err != nil {
		return err
	}
	byName := func(p manifest.Prompt) bool { return p.Name == name }
	i := slices.IndexFunc(r.contract.Prompts, byName)
	if i < 0 {
		surface, err := r.conn.Surface(ctx)
		if err != nil {
			return err
		}
		r.contract = surface.Contract
		i = slices.IndexFunc(r.contract.Prompts, byName)
	}
	if i < 0 {
		var names []string
		for _, p := range r.contract.Prompts {
			names = append(names, p.Name)
		}
		return unknown("prompt", name, names)
	}
	t := r.contract.Prompts[i].AsTool()
	schema := shape.Read(t.Input)
	values, err := r.arguments(ctx, name, &schema, given, peer.Complete{Prompt: name})
	if err != nil {
		return err
	}
	arguments, err := json.Marshal(values, json.Deterministic(true))
	if err != nil {
		return err
	}
	out, err := r.call(ctx, caller.Call{Kind: "prompt", Tool: name, Arguments: arguments}, t, func() string { return "" })
	if err != nil {
		return err
	}
	messages := limited(r.limit, out.Messages)
	var blocks []peer.Block
	for _, m := range messages {
		blocks = append(blocks, m.Content)
	}
	if err := r.blocks(blocks); err != nil {
		return err
	}
	if r.format == "json" {
		return printJSON(r.env.Stdout, out.Raw)
	}
	var texts []string
	for _, m := range messages {
		texts = append(texts, terminal.Line(m.Role, 40)+":\n"+strings.TrimRight(caller.BlockText(m.Content), "\n")+"\n")
	}
	return printText(r.env.Stdout, strings.Join(texts, "\n"))
}
