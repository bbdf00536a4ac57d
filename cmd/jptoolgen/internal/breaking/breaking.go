// Package breaking tells what changed between two contracts, and whom it hurts.
//
// [Compare] finds the changes, each under one of [Rules]. Whatever the rules do
// not know is breaking, so that no change is called harmless by oversight.
package breaking

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A Change is a difference between two contracts.
type Change struct {
	// Rule is the ID of the rule that judged it.
	Rule  string `json:"rule"`
	Level Level  `json:"level"`
	// Hurts is who has to act on it; "" for nobody.
	Hurts string `json:"hurts,omitempty"`
	// Tool is the name of the tool in the new contract, or in the old one if it is
	// gone; "" for the server.
	Tool string `json:"tool,omitempty"`
	// Where is what changed, such as note_create.input.tags[]: the names of the new
	// contract, or of the old one for what is gone. Control characters are escaped.
	Where string `json:"where"`
	// Says is what happened and what comes of it: the sentence of the rule.
	Says string `json:"says"`
	// Detail is what it was and what it is.
	Detail string `json:"detail,omitempty"`
	// Allowed is the reason that an allow-list gives.
	Allowed string `json:"allowed,omitempty"`
}

// A Report is all that changed.
type Report struct {
	// Changes are sorted: the gravest first, then by place.
	Changes []Change
}

// Level returns the gravest level of all changes.
func (r *Report) Level() Level {
	level := None
	for _, c := range r.Changes {
		level = max(level, c.Level)
	}
	return level
}

// Count returns how many changes have the level.
func (r *Report) Count(level Level) int {
	n := 0
	for _, c := range r.Changes {
		if c.Level == level {
			n++
		}
	}
	return n
}

// Unallowed reports whether a change is breaking and on no allow-list.
func (r *Report) Unallowed() bool {
	return slices.ContainsFunc(r.Changes, func(c Change) bool { return c.Level == Breaking && c.Allowed == "" })
}

// Compare returns what changed from one contract to the next. The contracts may be
// of servers that nobody trusts: whatever their schemas hold, the work is bounded.
// The error is that of a contract with a schema that is not JSON.
func Compare(before, after *manifest.Server) (*Report, error) {
	c := newComparison()
	c.servers(before, after)
	if c.err != nil {
		return nil, c.err
	}
	if err := c.respelled(before, after); err != nil {
		return nil, err
	}
	slices.SortStableFunc(c.changes, func(x, y Change) int {
		return cmp.Or(cmp.Compare(y.Level, x.Level), cmp.Compare(x.Where, y.Where), cmp.Compare(x.Rule, y.Rule))
	})
	return &Report{Changes: c.changes}, nil
}

// A comparison collects the changes between two contracts.
type comparison struct {
	rules   map[string]Rule
	facts   map[Part]map[fact]string // the rule of each fact
	changes []Change
	steps   int // that are left for all schemas together
	err     error
}

const (
	// maxSteps bounds the pairs of schema nodes that are compared, those of schemas
	// that did not change not counted.
	maxSteps = 1 << 17
	// maxChanges is after how many changes nothing more is compared.
	maxChanges = 100_000
)

func newComparison() *comparison {
	c := &comparison{rules: map[string]Rule{}, facts: map[Part]map[fact]string{}, steps: maxSteps}
	for _, r := range Rules() {
		c.rules[r.ID] = r
		for _, f := range r.facts {
			if c.facts[r.Part] == nil {
				c.facts[r.Part] = map[fact]string{}
			}
			c.facts[r.Part][f] = r.ID
		}
	}
	return c
}

// add records a change.
func (c *comparison) add(id, tool, where, detail string) {
	r, ok := c.rules[id]
	if !ok { // a mistake of this package, which a test finds
		c.err = fmt.Errorf("no rule is called %s", id)
		return
	}
	if len(c.changes) == maxChanges {
		c.steps = 0
	}
	c.changes = append(c.changes, Change{
		Rule: r.ID, Level: r.Level, Hurts: r.Hurts, Tool: Printable(tool), Where: phrase.Clip(Printable(where), maxWhere), Says: r.Says, Detail: detail,
	})
}

// servers compares what the contracts say of the servers, and then their tools.
func (c *comparison) servers(o, n *manifest.Server) {
	const where = "server"
	if o.Name != n.Name {
		c.add("server-renamed", "", where, became(o.Name, n.Name))
	}
	if o.Description != n.Description {
		c.add("server-words", "", where, became(o.Description, n.Description))
	}
	if o.Clients != n.Clients {
		id := "clients-left-jp"
		if n.Clients == manifest.JP {
			id = "clients-joined-jp"
		}
		c.add(id, "", "server.clients", became(string(o.Clients), string(n.Clients)))
	}
	if o.Unknown != n.Unknown {
		id := "unknown-ignored"
		if n.Unknown == manifest.Reject {
			id = "unknown-rejected"
		}
		c.add(id, "", "server.unknown", became(string(o.Unknown), string(n.Unknown)))
	}
	if o.Envelope != n.Envelope {
		c.add("envelope-changed", "", "server.envelope", became(o.Envelope, n.Envelope))
	}
	c.codes(o.Codes, n.Codes)
	c.tools(o.Tools, n.Tools)
}

// codes compares the codes that a server declares.
func (c *comparison) codes(o, n []manifest.Code) {
	meanings := map[string]string{}
	for _, code := range o {
		meanings[code.Name] = code.Description
	}
	for _, code := range n {
		where := "server.codes." + code.Name
		meaning, ok := meanings[code.Name]
		switch {
		case !ok:
			c.add("server-code-added", "", where, "")
		case meaning != code.Description:
			c.add("code-words", "", where, became(meaning, code.Description))
		}
		delete(meanings, code.Name)
	}
	for name := range meanings {
		c.add("server-code-removed", "", "server.codes."+name, "")
	}
}

// respelled records that the digests tell of a difference which nothing else did:
// who compares digests is told why they differ.
func (c *comparison) respelled(o, n *manifest.Server) error {
	if len(c.changes) > 0 || reflect.DeepEqual(o, n) {
		return nil
	}
	before, err := o.Sum()
	if err != nil {
		return err
	}
	after, err := n.Sum()
	if err != nil {
		return err
	}
	if before != after {
		c.add("respelled", "", "server", "")
	}
	return nil
}
