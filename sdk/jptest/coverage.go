package jptest

import (
	"slices"
	"strings"
	"sync"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

// coverage is what the calls of a test have shown.
type coverage struct {
	mu   sync.Mutex
	seen map[string]bool
}

func newCoverage() *coverage { return &coverage{seen: map[string]bool{}} }

func asks(tool, id string) string { return tool + " asks " + id }

func failsWith(tool, code string) string { return tool + " fails with " + code }

func (c *coverage) add(tool string, o Outcome) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range o.Questions() {
		c.seen[asks(tool, id)] = true
	}
	if o.Code != "" {
		c.seen[failsWith(tool, string(o.Code))] = true
	}
}

func (c *coverage) unseen(contract *manifest.Server) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var list []string
	for _, t := range contract.Tools {
		for _, q := range t.Questions {
			if !c.asked(t.Name, q.ID) {
				list = append(list, asks(t.Name, q.ID))
			}
		}
		for _, code := range t.Fails {
			if line := failsWith(t.Name, code); !c.seen[line] {
				list = append(list, line)
			}
		}
	}
	slices.Sort(list)
	return list
}

// asked reports whether a question was put, by its id or about some subject.
func (c *coverage) asked(tool, id string) bool {
	line := asks(tool, id)
	for seen := range c.seen {
		if seen == line || strings.HasPrefix(seen, line+"-") {
			return true
		}
	}
	return false
}
