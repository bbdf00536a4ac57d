package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/hostconfig"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/profile"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
)

func serversCommand() command {
	var format string
	return command{
		name:  "servers",
		usage: "jptoolgen servers [flags] [HOST]",
		help: `List the servers in the configuration files of hosts, one per line, as HOST/NAME.
Wherever a TARGET is accepted, HOST/NAME is that server with its arguments, headers and
environment. HOST is one of
` + strings.Join(hostNames(), ", ") + `.

Only the program of a server, or the host of its URL, is printed, because the rest may
contain secrets. If the user's and the project's configuration both have a server with the
same name, the user's server is used. Servers in the project's configuration require your
confirmation or --yes.`,
		flags: func(flags *pflag.FlagSet) {
			formatVar(flags, &format, "output format: text or json")
		},
		words: hostNames,
		run: func(_ context.Context, env Env, flags *pflag.FlagSet) error {
			if flags.NArg() > 1 {
				return fmt.Errorf("unexpected argument %q; usage: jptoolgen servers [HOST]", flags.Arg(1))
			}
			if host := flags.Arg(0); host != "" {
				if _, err := findHost(host); err != nil {
					return err
				}
			}
			all, unreadable := hostconfig.Configured(env.places(""))
			if unreadable != nil {
				fmt.Fprintln(env.Stderr, "jptoolgen: warning:", terminal.Message(unreadable.Error()))
			}
			list := []listedServer{}
			for _, s := range all {
				if host := flags.Arg(0); host == "" || host == s.Host.Name {
					list = append(list, listServer(s))
				}
			}
			return printServers(env, list, format)
		},
	}
}

func hostNames() []string {
	var names []string
	for _, h := range hostconfig.Hosts() {
		names = append(names, h.Name)
	}
	return names
}

func findHost(name string) (hostconfig.Host, error) {
	host, ok := hostconfig.Find(name)
	if !ok {
		return host, fmt.Errorf("unknown host %q (known: %s)", name, strings.Join(hostNames(), ", "))
	}
	return host, nil
}

type listedServer struct {
	Target   string        `json:"target"`
	Host     string        `json:"host"`
	Name     string        `json:"name"`
	Scope    profile.Scope `json:"scope"`
	File     string        `json:"file"`
	Runs     string        `json:"runs,omitempty"` // a program, or the host of a URL
	Disabled bool          `json:"disabled"`
	Hidden   bool          `json:"hidden"`
	Error    string        `json:"error,omitempty"`
}

func listServer(s hostconfig.Server) listedServer {
	l := listedServer{
		Target: s.Target(), Host: s.Host.Name, Name: s.Name, Scope: profile.User, File: s.File, Runs: s.Shown(),
		Disabled: s.Disabled(), Hidden: s.Hidden,
	}
	if s.Project {
		l.Scope = profile.Project
	}
	if _, err := s.Open(os.LookupEnv); err != nil {
		l.Error = err.Error()
	}
	return l
}

func printServers(env Env, list []listedServer, format string) error {
	if format == "json" {
		return printJSON(env.Stdout, list)
	}
	if len(list) == 0 {
		env.note("no configured servers found; run jptoolgen config HOST --write TARGET to add one")
	}
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	for _, l := range list {
		rest := terminal.Line(l.Runs, 100)
		for _, remark := range []struct {
			applies bool
			text    string
		}{
			{l.Disabled, "disabled in the host"},
			{l.Hidden, "hidden by a server in the user's configuration"},
			{l.Error != "", l.Error},
		} {
			if remark.applies {
				rest += " (" + terminal.Line(remark.text, 200) + ")"
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", terminal.Line(l.Target, 100), l.Scope, terminal.Line(diag.Rel(env.Dir, l.File), 200), strings.TrimSpace(rest))
	}
	return w.Flush()
}

// checkSecrets returns an error if the given words, which the caller writes to a file, contain a secret of the target.
func checkSecrets(words, secrets []string) error {
	for _, word := range words {
		for _, s := range secrets {
			if s != "" && strings.Contains(word, s) {
				return errors.New("the environment, an argument or the URL contains the value of an environment variable; to keep this value out of the file, add the server to the host manually")
			}
		}
	}
	return nil
}
