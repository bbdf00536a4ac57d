package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

func inspectCommand() command {
	var t targetFlags
	var format, tool, page string
	return command{
		name:  "inspect",
		usage: "jptoolgen inspect [flags] TARGET [-- ARGUMENTS]",
		help: `Show what a server offers: tools with their parameters, questions, options and error
codes, resources and prompts. Servers not built with jptool do not publish questions,
options and codes.

With --web, serve a page to browse the contract and to try the tools. The page is
available only on this machine.

` + targetHelp,
		flags: func(flags *pflag.FlagSet) {
			flags.StringVar(&page, "web", "", "serve a page at `HOST:PORT`, or on a free port of this machine")
			flags.Lookup("web").NoOptDefVal = "127.0.0.1:0"
			formatVar(flags, &format, "output format: text, or json, which is stable between versions")
			flags.StringVar(&tool, "tool", "", "show only the tool with that `name`")
			t.define(flags)
		},
		run: func(ctx context.Context, env Env, flags *pflag.FlagSet) error {
			at, rest, err := t.parse(env, 0)
			if err = errors.Join(err, unexpectedArgument(rest)); err != nil {
				return err
			}
			if page != "" {
				if tool != "" || flags.Changed("format") {
					return errors.New("--web cannot be used with --tool or --format")
				}
				return t.browse(ctx, env, page, at)
			}
			surface, err := t.look(ctx, env, at, nil)
			if err != nil {
				return err
			}
			if surface.Contract.Hash, err = lock.Sum(surface.Contract); err != nil {
				return err
			}
			if tool != "" {
				one, err := oneTool(surface.Contract, tool)
				if err != nil {
					return at.AddStale(err)
				}
				surface.Contract.Tools = []manifest.Tool{*one}
				surface.Contract.Resources, surface.Contract.Templates, surface.Contract.Prompts = nil, nil, nil
			}
			if format == "json" {
				return printJSON(env.Stdout, inspection(surface))
			}
			return newPrinter(env.Stdout).surface(surface, tool != "").write(env.Stdout)
		},
	}
}

// surface connects to the target of a command line, and reads the tools, resources and prompts that it offers.
func (f *targetFlags) surface(ctx context.Context, env Env) (*target.Surface, error) {
	t, rest, err := f.parse(env, 0)
	if err != nil {
		return nil, err
	}
	return f.look(ctx, env, t, rest)
}

// look is like surface, but takes a target that was already parsed. It returns an error if rest,
// the unused words of the command line, is not empty.
func (f *targetFlags) look(ctx context.Context, env Env, t *target.Target, rest []string) (*target.Surface, error) {
	if err := unexpectedArgument(rest); err != nil {
		return nil, err
	}
	surface, err := f.opener(env).Surface(ctx, t)
	if err != nil {
		return nil, err
	}
	if err := f.checkProfile(env, surface); err != nil {
		return nil, err
	}
	env.note(surface.Notes...)
	return surface, nil
}

// unexpectedArgument returns an error for the first unused word of a command line.
func unexpectedArgument(rest []string) error {
	if len(rest) == 0 {
		return nil
	}
	return fmt.Errorf("unexpected argument %q; put program arguments after --", rest[0])
}

// oneTool returns the tool with the given name, or an error that suggests the nearest name.
func oneTool(contract *manifest.Server, name string) (*manifest.Tool, error) {
	if t, ok := contract.Tool(name); ok {
		return t, nil
	}
	var names []string
	for i := range contract.Tools {
		t := &contract.Tools[i]
		names = append(names, t.Name)
		for _, a := range t.Aliases {
			if a.Name == name {
				return t, nil
			}
		}
	}
	return nil, unknown("tool", name, names)
}

// unknown returns the error for a name that the server does not have. The error suggests the nearest name.
func unknown(what, name string, known []string) error {
	if near, ok := phrase.Nearest(name, known); ok {
		return fmt.Errorf("unknown %s %q; did you mean %s?", what, name, near)
	}
	if len(known) == 0 {
		return fmt.Errorf("unknown %s %q: the server has no %[1]ss", what, name)
	}
	return fmt.Errorf("unknown %s %q (known: %s)", what, name, terminal.Line(strings.Join(known, ", "), 300))
}

// inspectOutput is the JSON output of inspect.
type inspectOutput struct {
	Format    int               `json:"format"`
	Server    *inspectedServer  `json:"server,omitempty"`
	Whole     bool              `json:"whole"`
	Contract  *manifest.Server  `json:"contract"`
	Resources []peer.Resource   `json:"resources"`
	Templates []peer.Resource   `json:"resource_templates"`
	Prompts   []manifest.Prompt `json:"prompts"`
	Notes     []string          `json:"notes"`
}

type inspectedServer struct {
	Name     string `json:"name"`
	Title    string `json:"title,omitempty"`
	Version  string `json:"version"`
	Protocol string `json:"protocol"`
}

// inspection converts a surface for JSON output, in which lists are never null.
func inspection(s *target.Surface) inspectOutput {
	out := inspectOutput{
		Format: 1, Whole: s.Whole, Contract: s.Contract,
		Resources: s.Resources(), Templates: s.Templates(),
		Prompts: append([]manifest.Prompt{}, s.Contract.Prompts...), Notes: append([]string{}, s.Notes...),
	}
	if s.Server.Protocol != "" {
		out.Server = &inspectedServer{s.Server.Name, s.Server.Title, s.Server.Version, s.Server.Protocol}
	}
	return out
}

// printJSON prints a value as JSON. It escapes all control characters that a terminal could interpret, even the
// ones that JSON allows.
func printJSON(w io.Writer, v any) error {
	text, err := rawjson.EncodeIndented(v)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, terminal.Escape(string(text)))
	return err
}
