package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/caller"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/tty"
)

// A getPlan holds the flags of read and prompt.
type getPlan struct {
	targetFlags
	answerFlags
	saveFlag
	wireFlags

	format string
	output string
}

func readCommand() command {
	var p getPlan
	return command{
		name:  "read",
		usage: "jptoolgen read [flags] TARGET URI [-- ARGUMENTS]",
		help: `Read a resource of a server and print it. URI is a URI that "jptoolgen inspect" lists, or
one that matches a template. Binary data is not printed at a terminal. With --output, any
content is saved unchanged.

` + targetHelp,
		flags: func(flags *pflag.FlagSet) {
			flags.StringVarP(&p.output, "output", "o", "", "write the content to `FILE`, unchanged")
			p.define(flags)
		},
		run: func(ctx context.Context, env Env, _ *pflag.FlagSet) error {
			if p.output != "" && p.format != "text" {
				return errors.New("--output cannot be used with --format")
			}
			t, words, err := p.parse(env, 0)
			if err != nil {
				return err
			}
			if len(words) != 1 {
				return errors.New("read requires a target and a URI; run jptoolgen inspect TARGET for the resources")
			}
			return p.with(ctx, env, t, func(c *target.Conn) error { return p.read(ctx, env, c, words[0]) })
		},
	}
}

func promptCommand() command {
	var p getPlan
	return command{
		name:  "prompt",
		usage: "jptoolgen prompt [flags] TARGET NAME [ARGUMENT=VALUE…] [-- ARGUMENTS]",
		help: `Get a prompt of a server and print its messages. Write arguments as NAME=VALUE, or
NAME=@FILE for the text of a file. "jptoolgen inspect" lists the prompts and their
arguments.

` + targetHelp,
		flags: func(flags *pflag.FlagSet) {
			p.define(flags)
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
			given, err := textArguments(words[1:], env.Dir)
			if err != nil {
				return err
			}
			p.saveFlag.prepare(env, words[0])
			return p.with(ctx, env, t, func(c *target.Conn) error { return p.prompt(ctx, env, c, words[0], given) })
		},
	}
}

func (p *getPlan) define(flags *pflag.FlagSet) {
	formatVar(flags, &p.format, "output format: text, or json for the result as received")
	p.answerFlags.define(flags)
	p.wireFlags.define(flags, caller.MCPWires())
	p.targetFlags.define(flags)
}

// with connects to the target and calls do.
func (p *getPlan) with(ctx context.Context, env Env, t *target.Target, do func(*target.Conn) error) error {
	var answers caller.Answers
	var err error
	if answers.Given, err = p.readAnswers(env.Dir); err != nil {
		return err
	}
	wire, err := caller.ParseWire(p.wire, caller.MCPWires())
	if err != nil {
		return err
	}
	answers.Person = env.asker()
	o := p.opener(env)
	o.Peer = wire.Options(o.Peer, answers.Ask)
	o.Peer.Trace = p.tracer(env, &answers, t, o.Logins)
	c, err := o.Connect(ctx, t)
	if err != nil {
		return err
	}
	if err = p.checkDrift(ctx, env, c); err == nil {
		err = do(c)
	}
	if err == nil {
		noteUnused(env, answers.Unused())
	}
	return reportUnanswered(env, errors.Join(c.Explain(err), c.Close()))
}

// checkDrift compares the server of a profile with its saved contract.
func (p *getPlan) checkDrift(ctx context.Context, env Env, c *target.Conn) error {
	if p.profile == "" {
		return nil
	}
	surface, err := c.Surface(ctx)
	if err != nil {
		return err
	}
	return p.checkProfile(env, surface)
}

// read reads a resource and prints or saves it.
func (p *getPlan) read(ctx context.Context, env Env, c *target.Conn, uri string) error {
	if err := offers(c, "resources"); err != nil {
		return err
	}
	r, err := c.Read(ctx, peer.Get{URI: uri})
	if refused, ok := errors.AsType[*peer.RemoteError](err); ok {
		hint := ""
		if refused.Code == resourceNotFound || refused.Code == invalidParams {
			hint = nearResource(ctx, c, uri)
		}
		return fmt.Errorf("reading %q: %w%s", uri, err, hint)
	}
	switch {
	case err != nil:
		return err
	case p.format == "json":
		return printJSON(env.Stdout, r.Raw)
	case len(r.Contents) == 1:
		return p.content(env, r.Contents[0])
	case p.output != "":
		return fmt.Errorf("the server returned %[2]d content items for %[1]q, but --output saves only one; use --format json", uri, len(r.Contents))
	}
	for _, content := range r.Contents {
		if err := printText(env.Stdout, caller.BlockText(peer.Block{Type: "resource", Resource: content})); err != nil {
			return err
		}
	}
	return nil
}

// content prints or saves the only content of a resource.
func (p *getPlan) content(env Env, content peer.Contents) error {
	data, err := content.Binary()
	switch {
	case err != nil:
		return err
	case p.output != "" && data == nil:
		data = []byte(content.Text)
		fallthrough
	case p.output != "":
		_, err = files.Write(env.path(p.output), data, 0o666)
		return err
	case data == nil:
		return printText(env.Stdout, content.Text)
	case tty.Is(env.Stdout):
		return fmt.Errorf("the resource is binary (%s, %d bytes); use --output FILE", content.MIMEType, len(data))
	}
	_, err = env.Stdout.Write(data)
	return err
}

// offers returns an error if a server does not declare a capability.
func offers(c *target.Conn, capability string) error {
	if _, ok := c.Server().Capabilities[capability]; !ok {
		return fmt.Errorf("the server has no %s", capability)
	}
	return nil
}

// Error codes for a resource that does not exist, in older versions and in version 2026-07-28 (MCP, Resources).
const (
	resourceNotFound = -32002
	invalidParams    = -32602
)

// nearResource returns a hint that names the listed resource most similar to a URI, or "" if none is similar.
func nearResource(ctx context.Context, c *target.Conn, uri string) string {
	list, err := c.Resources(ctx)
	if err != nil {
		return "" // the original error describes the problem
	}
	var uris []string
	for _, r := range list {
		uris = append(uris, r.URI)
	}
	if near, ok := phrase.Nearest(uri, uris); ok {
		return "; did you mean " + near + "?"
	}
	return "; run jptoolgen inspect TARGET for the resources"
}

func (p *getPlan) prompt(ctx context.Context, env Env, c *target.Conn, name string, given []shape.Assignment) error {
	if err := offers(c, "prompts"); err != nil {
		return err
	}
	list, err := c.Prompts(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(p peer.Prompt) bool { return p.Name == name })
	if i < 0 {
		var names []string
		for _, p := range list {
			names = append(names, p.Name)
		}
		return unknown("prompt", name, names)
	}
	arguments, err := promptSchema(list[i]).Arguments(name, given, nil)
	if err != nil {
		return err
	}
	r, err := c.Prompt(ctx, peer.Get{Name: name, Arguments: arguments})
	if err != nil {
		return err
	}
	var blocks []peer.Block
	for _, m := range r.Messages {
		blocks = append(blocks, m.Content)
	}
	if err := p.blocks(blocks); err != nil {
		return err
	}
	if p.format == "json" {
		return printJSON(env.Stdout, r.Raw)
	}
	var texts []string
	for _, m := range r.Messages {
		texts = append(texts, terminal.Line(m.Role, 40)+":\n"+strings.TrimRight(caller.BlockText(m.Content), "\n")+"\n")
	}
	return printText(env.Stdout, strings.Join(texts, "\n"))
}

// promptSchema returns the arguments of a prompt as a schema. All values are strings.
func promptSchema(p peer.Prompt) *shape.Schema {
	s := &shape.Schema{Types: []string{"object"}}
	for _, a := range p.Arguments {
		text := shape.Schema{Types: []string{"string"}, Description: a.Description}
		s.Properties = append(s.Properties, shape.Property{Schema: text, Name: a.Name, Required: a.Required})
	}
	return s
}

// textArguments parses arguments whose values are text.
func textArguments(words []string, dir string) ([]shape.Assignment, error) {
	var list []shape.Assignment
	for _, word := range words {
		a, err := shape.Assign(word, dir)
		if err == nil && a.JSON {
			err = fmt.Errorf("%s: prompt arguments are text; use %[1]s=TEXT", a.Name)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

// printText cleans text from a server and prints it with a final newline.
func printText(w io.Writer, text string) error {
	if text = terminal.Clean(text); text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}
