package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/breaking"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/profile"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/internal/phrase"
)

// profilesIn returns the saved profiles that can be used in a command's working directory.
func profilesIn(env Env) *profile.Store {
	config, _ := os.UserConfigDir() // on error, config is "", and the store has only project profiles
	return profile.Open(env.Dir, config, os.LookupEnv, formerTargets{})
}

// scopeFlags select between the profiles of the user and those of the project.
type scopeFlags struct{ user, project bool }

func (f *scopeFlags) define(flags *pflag.FlagSet) {
	flags.BoolVar(&f.user, "user", false, "use only the user's profiles")
	flags.BoolVar(&f.project, "project", false, "use only the project's profiles, in .jptool/profiles")
}

func (f *scopeFlags) scope() (profile.Scope, error) {
	switch {
	case f.user && f.project:
		return "", errors.New("--user and --project cannot be used together")
	case f.user:
		return profile.User, nil
	case f.project:
		return profile.Project, nil
	}
	return "", nil
}

// profileName returns the first word of a command line as a profile name. A leading @ is optional.
func profileName(words []string, usage string) (string, error) {
	if len(words) == 0 {
		return "", errors.New("missing profile name; usage: " + usage)
	}
	name := strings.TrimPrefix(words[0], "@")
	return name, profile.CheckName(name)
}

// onlyName returns the profile name of a command line that has no other arguments.
func onlyName(flags *pflag.FlagSet, usage string) (string, error) {
	if flags.NArg() > 1 {
		return "", fmt.Errorf("unexpected argument %q; usage: %s", flags.Arg(1), usage)
	}
	return profileName(flags.Args(), usage)
}

func profileCommand() command {
	return command{
		name:  "profile",
		usage: "jptoolgen profile create|list|show|validate|update|remove",
		help: `Manage servers saved under names. Wherever a TARGET is accepted, @NAME is the server
of that profile with its arguments, headers and environment. Each use compares
the server with the contract that was saved.

A profile belongs to the user or, with --project, to the project, in .jptool/profiles.
Profiles of the user take precedence. See "jptoolgen profile create --help" for details.`,
		run: func(_ context.Context, _ Env, flags *pflag.FlagSet) error {
			const usage = "run jptoolgen profile create, list, show, validate, update or remove"
			if flags.NArg() > 0 {
				return fmt.Errorf("unknown command \"profile %s\"; %s", flags.Arg(0), usage)
			}
			return errors.New("missing command; " + usage)
		},
	}
}

func profileListCommand() command {
	var format string
	return command{
		name:  "profile list",
		usage: "jptoolgen profile list [flags]",
		help:  "List the saved profiles, one per line.",
		flags: func(flags *pflag.FlagSet) {
			formatVar(flags, &format, "output format: text or json")
		},
		run: func(_ context.Context, env Env, flags *pflag.FlagSet) error {
			if flags.NArg() > 0 {
				return fmt.Errorf("unexpected argument %q; profile list takes no arguments", flags.Arg(0))
			}
			all, err := profilesIn(env).List()
			if err != nil {
				return err
			}
			return printProfiles(env, all, format)
		},
	}
}

type listedProfile struct {
	Name    string        `json:"name"`
	Scope   profile.Scope `json:"scope"`
	Hidden  bool          `json:"hidden"`
	Target  string        `json:"target,omitempty"`
	Tools   int           `json:"tools"`
	Updated string        `json:"updated,omitempty"`
	Error   string        `json:"error,omitempty"`
}

func printProfiles(env Env, all []profile.Entry, format string) error {
	list := []listedProfile{}
	for _, e := range all {
		l := listedProfile{Name: e.Name, Scope: e.Scope, Hidden: e.Hidden}
		if e.Err != nil {
			l.Error = e.Err.Error()
		} else {
			l.Target, l.Tools, l.Updated = commandLine(e.Profile.Shown()), len(e.Profile.Contract.Tools), e.Profile.Updated.Format(time.DateOnly)
		}
		list = append(list, l)
	}
	if format == "json" {
		return printJSON(env.Stdout, list)
	}
	if len(list) == 0 {
		fmt.Fprintln(env.Stderr, "jptoolgen: no profiles found; run jptoolgen profile create NAME TARGET to create one")
	}
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	for _, l := range list {
		rest := fmt.Sprintf("%s\t%s\t%s", phrase.Plural(l.Tools, "tool"), l.Updated, terminal.Line(l.Target, 100))
		if l.Error != "" {
			rest = "cannot be read: " + terminal.Line(l.Error, 200)
		} else if l.Hidden {
			rest += " (hidden by the user's profile)"
		}
		fmt.Fprintf(w, "@%s\t%s\t%s\n", l.Name, l.Scope, rest)
	}
	return w.Flush()
}

// commandLine returns the target and the arguments of a profile as a user would type them.
func commandLine(p *profile.Profile) string {
	line := p.Target
	if len(p.Arguments) > 0 {
		line = strings.TrimSpace(line + " -- " + target.CommandLine(p.Arguments))
	}
	return line
}

func profileShowCommand() command {
	var scope scopeFlags
	var format string
	return command{
		name:  "profile show",
		usage: "jptoolgen profile show [flags] NAME",
		help: `Show a profile: the target, notes, examples and tools. In the values of headers and
environment variables, only references to variables are shown.`,
		flags: func(flags *pflag.FlagSet) {
			formatVar(flags, &format, "output format: text, or json for the profile as it is saved")
			scope.define(flags)
		},
		run: func(_ context.Context, env Env, flags *pflag.FlagSet) error {
			p, err := loadProfile(env, flags, scope, "jptoolgen profile show NAME")
			if err != nil {
				return err
			}
			p.Profile = p.Shown()
			return p.show(env, format)
		},
	}
}

// A savedProfile is a profile that was read from a store.
type savedProfile struct {
	*profile.Profile
	target *target.Target // the server of the profile, once it is opened
	store  *profile.Store
	name   string
	scope  profile.Scope
}

// loadProfile returns the profile that a command line names.
func loadProfile(env Env, flags *pflag.FlagSet, f scopeFlags, usage string) (savedProfile, error) {
	p := savedProfile{store: profilesIn(env)}
	scope, err := f.scope()
	if err != nil {
		return p, err
	}
	if p.name, err = onlyName(flags, usage); err != nil {
		return p, err
	}
	p.Profile, p.scope, err = p.store.Load(scope, p.name)
	return p, err
}

func (p savedProfile) show(env Env, format string) error {
	if format == "json" {
		text, err := p.Write()
		if err != nil {
			return err
		}
		_, err = io.WriteString(env.Stdout, terminal.Escape(string(text)))
		return err
	}
	var b strings.Builder
	line := func(what, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%-12s%s\n", what, terminal.Line(text, 400))
		}
	}
	line("name", "@"+p.name)
	line("scope", string(p.scope))
	line("target", commandLine(p.Profile))
	line("directory", p.Dir)
	for _, key := range slices.Sorted(maps.Keys(p.Env)) {
		line("env", key+": "+p.Env[key])
	}
	for _, key := range slices.Sorted(maps.Keys(p.Headers)) {
		line("header", key+": "+p.Headers[key])
	}
	line("validation", string(p.Validation))
	line("saved", p.Updated.Format(time.RFC3339))
	line("contract", p.Contract.Hash.Contract)
	line("notes", p.Notes)
	for _, e := range p.Examples {
		line("example", fmt.Sprintf("%s: %s %s", e.Name, e.Tool, e.Arguments))
	}
	for _, t := range p.Contract.Tools {
		line("tool", t.Name+": "+t.Description)
	}
	_, err := io.WriteString(env.Stdout, b.String())
	return err
}

func profileRemoveCommand() command {
	var scope scopeFlags
	return command{
		name:  "profile remove",
		usage: "jptoolgen profile remove [flags] NAME",
		help:  "Remove a profile: the user's profile, or the project's profile if the user has none.",
		flags: scope.define,
		run: func(_ context.Context, env Env, flags *pflag.FlagSet) error {
			in, err := scope.scope()
			if err != nil {
				return err
			}
			name, err := onlyName(flags, "jptoolgen profile remove NAME")
			if err != nil {
				return err
			}
			if in, err = profilesIn(env).Remove(in, name); err != nil {
				return err
			}
			fmt.Fprintf(env.Stderr, "jptoolgen: removed @%s (%s profile)\n", name, in)
			return nil
		},
	}
}

func savedSide(p *profile.Profile) side { return side{contract: p.Contract, whole: p.Whole} }

// changes returns the changes since a profile was saved.
func changes(env Env, p *profile.Profile, now side) (*breaking.Report, error) {
	o, n := common(env.Stderr, savedSide(p), now)
	return breaking.Compare(o, n)
}

// runExamples calls the examples of a profile in one session, and reports whether all succeeded.
func runExamples(ctx context.Context, env Env, o target.Opener, t *target.Target, list []profile.Example) (bool, error) {
	var r profile.Runner
	o.Peer.Elicit = r.Elicit
	c, err := o.Connect(ctx, t)
	if err != nil {
		return false, err
	}
	passed := true
	for _, e := range list {
		err := r.Run(ctx, c, e)
		if errors.Is(err, peer.ErrEnded) {
			return false, errors.Join(fmt.Errorf("example %s: %w", e.Name, c.Explain(err)), c.Close())
		}
		result := "ok"
		if err != nil {
			result, passed = "failed: "+err.Error(), false
		}
		fmt.Fprintf(env.Stdout, "example %s: %s\n", terminal.Line(e.Name, 80), terminal.Line(result, 400))
	}
	return passed, c.Close()
}

// checkProfile compares the server of a profile with the contract that was saved. If a change
// breaks callers, it prints a warning or returns an error, depending on the profile. Without a
// profile, it does nothing.
func (f *targetFlags) checkProfile(env Env, surface *target.Surface) error {
	if f.profile == "" {
		return nil
	}
	p, _, err := profilesIn(env).Load("", f.profile)
	if err != nil || p.Validation == profile.Ignore {
		return err
	}
	// A server may list different resources at any time, and some commands read only the tools.
	tools := *p
	tools.Contract = withoutLists(p.Contract)
	report, err := changes(Env{Stderr: io.Discard}, &tools, side{contract: withoutLists(surface.Contract), whole: surface.Whole})
	if err != nil || report.Level() < breaking.Breaking {
		return err
	}
	message := fmt.Sprintf("@%[1]s has changed since it was saved (%[2]s); run jptoolgen profile validate %[1]s to see the changes, or jptoolgen profile update %[1]s to accept them",
		f.profile, report.Counts())
	if p.Validation == profile.Error {
		return errors.New(message)
	}
	fmt.Fprintln(env.Stderr, "jptoolgen: warning:", message)
	return nil
}
