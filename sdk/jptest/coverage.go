package jptest

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

// coverage records which questions and error codes of a contract have occurred in calls.
type coverage struct {
	contract *manifest.Server
	mu       sync.Mutex
	seen     map[string]bool
}

func asks(tool, id string) string { return tool + " asks " + id }

func failsWith(tool, code string) string { return tool + " fails with " + code }

func (c *coverage) add(o Outcome) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t, old, _ := c.contract.Resolve(o.Tool); old != nil {
		o.Tool = t.Name
	}
	for _, id := range o.Questions() {
		c.seen[asks(o.Tool, id)] = true
		for i, r := range id { // the id of the declared question may be followed by a subject
			if r == '-' {
				c.seen[asks(o.Tool, id[:i])] = true
			}
		}
	}
	if o.Code != "" {
		c.seen[failsWith(o.Tool, string(o.Code))] = true
	}
}

// unseen returns the questions and codes that have not occurred, and the number of declared ones.
func (c *coverage) unseen() (list []string, declared int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.contract.Tools {
		for _, q := range t.Questions {
			list = append(list, asks(t.Name, q.ID))
		}
		for _, code := range t.Fails {
			list = append(list, failsWith(t.Name, code))
		}
	}
	declared = len(list)
	list = slices.DeleteFunc(list, func(line string) bool { return c.seen[line] })
	slices.Sort(list)
	return list, declared
}

// all is the coverage of all kits in the process. It is global because TestMain has no kit.
var all coverages

// coverages is the coverage of several servers, in the order of their first calls.
type coverages struct {
	mu   sync.Mutex
	list []*coverage
}

func (a *coverages) of(contract *manifest.Server) *coverage {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, c := range a.list {
		if c.contract == contract {
			return c
		}
	}
	c := &coverage{contract: contract, seen: map[string]bool{}}
	a.list = append(a.list, c)
	return c
}

// judge returns a message if less than the given percentage has occurred, or "" otherwise.
func (a *coverages) judge(least int) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.list) == 0 {
		return "jptest: no test called a tool through a kit"
	}
	var missing []string
	total := 0
	for _, c := range a.list {
		list, declared := c.unseen()
		total += declared
		for _, line := range list {
			missing = append(missing, "\n\t"+c.contract.Name+": "+line)
		}
	}
	shown := total - len(missing)
	if shown*100 >= least*total {
		return ""
	}
	return fmt.Sprintf("jptest: the tests cover %d of %d declared questions and error codes, want %d%%; not seen:%s",
		shown, total, least, strings.Join(missing, ""))
}

// Main runs the tests of a package and returns the exit status for its TestMain. It fails if the calls of all
// kits together cover less than least percent of the questions and error codes that their servers declare, and
// lists the missing ones. It checks nothing if a flag such as -run or -short omits tests.
//
//	func TestMain(m *testing.M) { os.Exit(jptest.Main(m, 100)) }
func Main(m interface{ Run() int }, least int) int {
	status := m.Run()
	if status != 0 || partial() {
		return status
	}
	if text := all.judge(least); text != "" {
		fmt.Fprintln(os.Stderr, text)
		return 1
	}
	return 0
}

// partial reports whether flags omit tests.
func partial() bool {
	return slices.ContainsFunc([]string{"run", "skip", "short", "list", "fuzz"}, func(name string) bool {
		f := flag.Lookup("test." + name)
		return f != nil && f.Value.String() != f.DefValue
	})
}
