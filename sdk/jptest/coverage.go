package jptest

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// coverage records which questions and error codes of servers have occurred in calls.
type coverage struct {
	mu      sync.Mutex
	servers []*manifest.Server // in the order of their first calls
	seen    map[event]bool
}

// An event is a question or a failure of a tool, a resource or a prompt, such as "note_get fails with not_found".
type event struct {
	server *manifest.Server
	text   string
}

// all is the coverage of all kits in the process. It is global because TestMain has no kit.
var all = coverage{seen: map[event]bool{}}

func asks(tool, id string) string { return tool + " asks " + id }

func failEvent(tool, code string) string { return tool + " fails with " + code }

// observe records an event of a run of a server.
func (c *coverage) observe(s *manifest.Server, e *handler.Event) {
	if e.Run.Contract == nil {
		return // a handler called another one in process
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.servers, s) {
		c.servers = append(c.servers, s)
	}
	switch code := fault.CodeOf(e.Err); {
	case e.Moment == handler.Asked:
		c.seen[event{s, asks(e.Run.Tool(), e.Question.Ref.Key)}] = true
	case e.Moment == handler.Ended && code != "":
		c.seen[event{s, failEvent(e.Run.Tool(), string(code))}] = true
	}
}

// missingEvents returns the events that have not occurred, sorted, and the number of declared events.
func (c *coverage) missingEvents() (list []event, declared int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.servers {
		var texts []string
		for _, t := range s.Calls() {
			for _, q := range t.Questions {
				texts = append(texts, asks(t.Name, q.ID))
			}
			for _, code := range t.Fails {
				texts = append(texts, failEvent(t.Name, code))
			}
		}
		declared += len(texts)
		slices.Sort(texts)
		for _, text := range texts {
			if e := (event{s, text}); !c.seen[e] {
				list = append(list, e)
			}
		}
	}
	return list, declared
}

// check returns a message if less than the given percentage has occurred, or "" otherwise.
func (c *coverage) check(least int) string {
	missing, total := c.missingEvents()
	shown := total - len(missing)
	switch {
	case len(c.servers) == 0:
		return "jptest: no test called a tool through a kit"
	case shown*100 >= least*total:
		return ""
	}
	text := fmt.Sprintf("jptest: the tests cover %d of %d declared questions and error codes, want %d%%; not seen:", shown, total, least)
	for _, e := range missing {
		text += "\n\t" + e.server.Name + ": " + e.text
	}
	return text
}

// Main runs the tests of a package and returns the exit status for its TestMain. The tests fail if the calls of all
// kits together cover a smaller percentage than least of the questions and error codes that their servers declare.
// Main then lists the missing ones. It checks nothing if a flag such as -run or -short omits tests.
//
//	func TestMain(m *testing.M) { os.Exit(jptest.Main(m, 100)) }
func Main(m interface{ Run() int }, least int) int {
	if status := m.Run(); status != 0 || partial() {
		return status
	}
	if text := all.check(least); text != "" {
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
