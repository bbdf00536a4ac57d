package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/hostconfig"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/load"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/scaffold"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

func configCommand() command {
	var t targetFlags
	var c hostFlags
	names := hostNames()
	modes := ""
	for _, m := range hostconfig.JPModes() {
		text := strings.ReplaceAll(m.Works(false)+".\n"+m.Works(true), "; ", ";\n")
		modes += fmt.Sprintf("  %-8s %s.\n", m, strings.ReplaceAll(text, "\n", "\n           "))
	}
	return command{
		name:  "config",
		usage: "jptoolgen config HOST [flags] TARGET [-- ARGUMENTS]",
		help: `Print the configuration that a host needs to start a server. HOST is one of
` + strings.Join(names, ", ") + `.

With --write, add it to the host's configuration file instead. Other entries and comments
are kept, and a backup is saved next to the file. If the file has an entry of the same
name that starts the server differently, the differences are printed, and the exit status
is 1; --replace applies and prints them.

Secrets stay in the environment: --env NAME writes a reference to the variable in the
host's syntax. If tools of the server work with files, the host starts the server with
--root, set to the current directory or to the host's variable for the project directory.

` + targetHelp + `

For jp, --write changes the configuration of the JP workspace that contains the current
directory: the nearest directory with .jp, as for JP itself. If there is none,
--create-workspace creates .jp/config.toml. If JP reads another file than config.toml,
nothing is written, and the text to paste is printed.

For jp, --as selects how JP runs the tools. Without --as, config chooses the mode that suits
the tools and says why. Servers that were not built with jptool are started as MCP servers.
--jp-before ` + hostconfig.JPChange + ` writes a configuration for a JP that was built before that day.
With --as plugin, --write also writes the executable script jp-NAME, to .jp or --plugin-dir. JP
runs it only from a directory in PATH or its plugin directory: move or link it to one of them.

` + strings.TrimSuffix(modes, "\n"),
		flags: func(flags *pflag.FlagSet) {
			c.define(flags)
			t.define(flags)
			c.defineJP(flags)
		},
		words: hostNames,
		run: func(ctx context.Context, env Env, flags *pflag.FlagSet) error {
			if flags.NArg() == 0 {
				return fmt.Errorf("config requires a host (known: %s) and a target", strings.Join(names, ", "))
			}
			host, err := findHost(flags.Arg(0))
			if err != nil {
				return err
			}
			return c.run(ctx, env, host, &t)
		},
	}
}

// hostFlags holds the flags that describe the entry in the host's configuration.
type hostFlags struct {
	write, replace bool
	create         bool
	as, before     string
	name, command  string
	project, root  string
	pluginDir      string
}

func (c *hostFlags) define(flags *pflag.FlagSet) {
	flags.BoolVar(&c.write, "write", false, "add the server to the host's configuration file, and keep a backup")
	flags.BoolVar(&c.replace, "replace", false, "with --write, update an existing entry of the same name")
	flags.StringVar(&c.name, "name", "", "`name` of the server in the host (default: the server's own name)")
	flags.StringVar(&c.command, "command", "", "`program` that the host starts (default: the program of TARGET)")
	flags.StringVar(&c.project, "project", "", "`directory` of the project to configure (default: the current directory)")
	flags.StringVar(&c.root, "root", "", "`directory` that the tools work in (default: the project, if a tool works with files)")
}

// defineJP defines the flags that only users of JP need.
func (c *hostFlags) defineJP(flags *pflag.FlagSet) {
	flags.StringVar(&c.as, "as", "", "for jp: run the tools as `MODE`: "+strings.Join(modeNames(), ", "))
	completeFlag(flags, "as", modeNames())
	flags.StringVar(&c.before, "jp-before", "", "for jp: write a configuration for a JP built before `DATE`, which can be "+hostconfig.JPChange)
	flags.BoolVar(&c.create, "create-workspace", false, "for jp: with --write outside of a JP workspace, create .jp/config.toml")
	flags.StringVar(&c.pluginDir, "plugin-dir", "", "for jp: with --write --as plugin, the `directory` of the script (default: .jp)")
}

func (c *hostFlags) run(ctx context.Context, env Env, host hostconfig.Host, t *targetFlags) error {
	switch {
	case host.Name != "jp" && c.as != "":
		return errors.New("--as can only be used with config jp")
	case host.Name != "jp" && (c.before != "" || c.create):
		return errors.New("--jp-before and --create-workspace can only be used with config jp")
	case c.as == "mcp-d31":
		return errors.New("--as mcp-d31 is called --as mcp; type jptoolgen config jp --as mcp TARGET")
	case c.as != "" && !slices.Contains(modeNames(), c.as):
		return fmt.Errorf("unknown mode %q in --as (known: %s)", c.as, strings.Join(modeNames(), ", "))
	case c.before != "" && c.before != hostconfig.JPChange:
		return fmt.Errorf("unknown date %q in --jp-before (known: %s); omit the flag for a JP built on or after that day", c.before, hostconfig.JPChange)
	case c.replace && !c.write:
		return errors.New("--replace requires --write")
	case c.create && !c.write:
		return errors.New("--create-workspace requires --write")
	case c.pluginDir != "" && (!c.write || c.as != string(hostconfig.JPPlugin)):
		return errors.New("--plugin-dir requires --as plugin and --write")
	}
	t.writesEnv = c.command != ""
	at, rest, err := t.parse(env, 1)
	if err != nil {
		return err
	}
	surface, err := c.look(ctx, env, at, rest, t)
	if err != nil {
		return err
	}
	e := hostconfig.Entry{Name: c.name, Env: at.Env, Contract: surface.Contract}
	if e.Name == "" {
		e.Name = surface.Contract.Name
		if e.Name != name(e.Name) { // the name is long or has invisible characters
			return fmt.Errorf("server name %.200q cannot be the name of an entry in the configuration; add --name NAME", e.Name)
		}
	}
	if at.Kind == target.URL {
		e.URL = at.URL
	} else if e.Command, err = c.argv(env, at); err != nil {
		return err
	}
	if host.Name == "jp" {
		why, err := c.mode(env, surface, &e)
		if err != nil {
			return err
		}
		fmt.Fprintf(env.Stderr, "--as %s: %s\n", e.As, e.Works())
		if why != "" {
			fmt.Fprintf(env.Stderr, "chosen because %s\n", why)
		}
		env.note(e.Remarks()...)
	}
	env.note(host.SecretRemarks(e)...)
	if err := c.rootOf(env, host, surface, &e); err != nil {
		return err
	}
	if !c.write {
		if err := printHostCommand(env, host, e); err != nil {
			return err
		}
		text, err := host.Snippet(e)
		if err != nil {
			return err
		}
		note := fmt.Sprintf("%s reads its configuration from %s; add --write to update that file", host.Title, host.Path(c.places(env, host)))
		if host.Name == "jp" {
			note = describe(hostconfig.FindWorkspace(env.path(c.project)))
		}
		fmt.Fprintln(env.Stderr, note)
		return printClean(env.Stdout, string(text))
	}
	return c.merge(ctx, env, host, e)
}

func modeNames() (names []string) {
	for _, m := range hostconfig.JPModes() {
		names = append(names, string(m))
	}
	return names
}

// mode sets how JP runs the tools of an entry. If the user does not select a mode, it returns the reason for the choice.
func (c *hostFlags) mode(env Env, surface *target.Surface, e *hostconfig.Entry) (why string, err error) {
	e.As, e.OlderJP = hostconfig.JPMode(c.as), c.before != ""
	switch {
	case c.as == "" && surface.Whole:
		e.As, why = e.ChooseJPMode()
	case c.as == "":
		e.As, why = hostconfig.JPMCP, "the server was not built with jptool, so it has no command to call a tool"
	case e.As != hostconfig.JPMCP && !surface.Whole:
		return "", fmt.Errorf("--as %s requires a server built with jptool; use --as %s", e.As, hostconfig.JPMCP)
	}
	if e.As == hostconfig.JPPlugin {
		return "", pluginCommand(env, e)
	}
	if e.As == hostconfig.JPMCP && e.OlderJP && hasFlag(e.Command, "--jp") {
		return "", fmt.Errorf("a JP before %s does not support servers with --jp; remove --jp from the arguments", hostconfig.JPChange)
	}
	if e.As == hostconfig.JPMCP && surface.Whole && !e.OlderJP && e.URL == "" && !hasFlag(e.Command, "--jp") {
		e.Command = append(e.Command, "--jp")
	}
	return why, nil
}

// look reads the contract of the server to configure. A server at a URL is not contacted if --name is given.
func (c *hostFlags) look(ctx context.Context, env Env, at *target.Target, rest []string, t *targetFlags) (*target.Surface, error) {
	if at.Kind != target.URL {
		return t.look(ctx, env, at, rest)
	}
	switch {
	case c.command != "":
		return nil, errors.New("--command cannot be used with a URL target")
	case len(t.headers) > 0:
		return nil, errors.New("config does not write headers; replace --header with --name NAME, and add the header to the host's file manually")
	case len(at.Header) > 0:
		env.note("config does not write the headers of the profile; add them to the host's file manually")
	}
	if c.name == "" {
		return t.look(ctx, env, at, rest)
	}
	return &target.Surface{Contract: &manifest.Server{Name: c.name}}, unexpectedArgument(rest)
}

// rootOf sets the working directory of the tools in an entry, if the tools use files. JP passes the root of its
// workspace to local tools and, with each call, to servers with --jp. It starts a server in the current directory,
// which may be below the workspace.
func (c *hostFlags) rootOf(env Env, host hostconfig.Host, surface *target.Surface, e *hostconfig.Entry) error {
	switch {
	case c.root != "" && e.URL != "":
		return errors.New("--root requires a program; a server over HTTP uses the root directory that it was started with")
	case c.root != "" && !surface.Whole:
		return errors.New("--root requires a server built with jptool; for other programs, write their arguments after --")
	case c.root != "" && e.As.IsProcess():
		return errors.New("JP passes the root directory with each call; omit --root, or use --as mcp")
	case c.root == "" && (e.URL != "" || e.As.IsProcess() || hasFlag(e.Command, "--jp") || !needsRoot(surface.Contract, e.Command)):
		return nil
	case c.root != "" && hasFlag(e.Command, "--root"):
		return errors.New("the arguments after -- already contain --root")
	case c.root != "":
		e.Root = env.path(c.root)
	default:
		e.Root, e.Project = c.places(env, host).Project, true
		home, _ := os.UserHomeDir() // on error, home is "", which is not the path of a directory
		if !host.NamesProject() && (e.Root == home || e.Root == filepath.Dir(e.Root)) {
			return fmt.Errorf("the tools of the server work with files, but %q is too broad to be the default root directory; add --root DIR", e.Root)
		}
	}
	return nil
}

// needsRoot reports whether the tools, resources or prompts of a server need a root directory that argv does not set.
func needsRoot(contract *manifest.Server, argv []string) bool {
	return !hasFlag(argv, "--root") && slices.ContainsFunc(contract.Calls(), func(t *manifest.Tool) bool { return t.Files })
}

// hasFlag reports whether a command line contains a flag.
func hasFlag(argv []string, flag string) bool {
	return slices.ContainsFunc(argv, func(arg string) bool { return arg == flag || strings.HasPrefix(arg, flag+"=") })
}

// argv returns the command line that the host runs.
func (c *hostFlags) argv(env Env, t *target.Target) ([]string, error) {
	switch {
	case c.command != "":
		return append([]string{c.command}, programArguments(t)...), nil
	case t.Kind == target.Package:
		name, err := programName(t.Path)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(env.Stderr, "the host looks for %s in PATH; install it with go install, or specify another program with --command\n", name)
		return append([]string{name}, t.Argv...), nil
	case t.Kind == target.Lock:
		return nil, errors.New("a lock file does not specify a program; add --command PROGRAM")
	}
	return append([]string{}, t.Argv...), nil
}

// programArguments returns the arguments of a target's program, without its name.
func programArguments(t *target.Target) []string {
	if t.Kind == target.Package || len(t.Argv) == 0 {
		return t.Argv
	}
	return t.Argv[1:]
}

// programName returns the name that "go install" gives the program of a package.
func programName(dir string) (string, error) {
	root, path, err := load.Module(dir)
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(root, dir); err == nil && rel != "." {
		return filepath.Base(dir), nil
	}
	if path == "" {
		return "", fmt.Errorf("%s does not declare a module; add a module directive to it", filepath.Join(root, "go.mod"))
	}
	return scaffold.ProgramName(path), nil
}
