package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/hostconfig"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
)

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

// printHostCommand prints the command with which the host itself adds the entry, if there is one.
func printHostCommand(env Env, host hostconfig.Host, e hostconfig.Entry) error {
	argv := host.Command(e)
	if argv == nil {
		return nil
	}
	return printClean(env.Stderr, fmt.Sprintf("%s can also add the server: %s\n", host.Title, target.CommandLine(argv)))
}

// formerTargets refuses the names of servers in the configuration of hosts, which earlier versions accepted.
type formerTargets struct{}

// Resolve implements [target.Names].
func (formerTargets) Resolve(dir, word string) (*target.Target, error) {
	name, _, ok := strings.Cut(word, "/")
	host, known := hostconfig.Find(name)
	if !ok || !known {
		return nil, nil
	}
	if _, err := os.Stat(filepath.Join(dir, word)); err == nil {
		return nil, nil
	}
	return nil, fmt.Errorf("%q is not a target: the configuration of %s is not read; %s", word, host.Title, passServer)
}
