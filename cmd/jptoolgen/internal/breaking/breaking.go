// Package breaking compares two contracts and classifies the changes by their effect on users of the server.
//
// [Compare] finds the changes, and each change has one of the [Rules]. A change that the rules do
// not cover is breaking, so a missing rule never hides a breaking change.
package breaking

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A Change is a difference between two contracts.
type Change struct {
	// Rule is the ID of the rule that classified the change.
	Rule  string `json:"rule"`
	Level Level  `json:"level"`
	// Hurts is the role that the change affects, or "" if it affects no role.
	Hurts string `json:"hurts,omitempty"`
	// Tool is the name of the tool in the new contract, or in the old one if the tool was removed. It is empty
	// for changes to the server.
	Tool string `json:"tool,omitempty"`
	// Where is the location of the change, such as note_create.input.tags[]. It uses the names of the new
	// contract, or of the old contract for removed parts. Control characters are escaped.
	Where string `json:"where"`
	// Says is the rule's description of the change and its effect.
	Says string `json:"says"`
	// Detail holds the old and the new value.
	Detail string `json:"detail,omitempty"`
	// Allowed is the reason given by the allow-list, or "" if the change is not on it.
	Allowed string `json:"allowed,omitempty"`
}

// A Report lists all changes between two contracts.
type Report struct {
	// Changes are sorted by descending level, then by location.
	Changes []Change
}

// Level returns the highest level of the changes.
func (r *Report) Level() Level {
	level := None
	for _, c := range r.Changes {
		level = max(level, c.Level)
	}
	return level
}

// Count returns the number of changes with the given level.
func (r *Report) Count(level Level) int {
	n := 0
	for _, c := range r.Changes {
		if c.Level == level {
			n++
		}
	}
	return n
}

// Unallowed reports whether a breaking change is missing from the allow-list.
func (r *Report) Unallowed() bool {
	return slices.ContainsFunc(r.Changes, func(c Change) bool { return c.Level == Breaking && c.Allowed == "" })
}

// Compare returns the changes between two contracts. The contracts may come from untrusted servers: the work is
// bounded for every schema. Compare returns an error if a schema is not valid JSON.
func Compare(before, after *manifest.Server) (*Report, error) {
	c := &comparison{rules: map[string]Rule{}, facts: map[partFact]string{}, steps: maxSteps}
	for _, r := range Rules() {
		c.rules[r.ID] = r
		for _, f := range r.facts {
			c.facts[partFact{r.Part, f}] = r.ID
		}
	}
	c.servers(before, after)
	if c.err == nil {
		c.err = c.compareDigests(before, after)
	}
	if len(c.respelled) > 0 {
		c.add("respelled", "", "server", "the differences are at: "+strings.Join(c.respelled, "; "))
	}
	if c.err != nil {
		return nil, c.err
	}
	slices.SortStableFunc(c.changes, func(x, y Change) int {
		return cmp.Or(cmp.Compare(y.Level, x.Level), cmp.Compare(x.Where, y.Where), cmp.Compare(x.Rule, y.Rule))
	})
	return &Report{Changes: c.changes}, nil
}

// A comparison collects the changes between two contracts.
type comparison struct {
	rules   map[string]Rule
	facts   map[partFact]string // the rule ID for each fact
	changes []Change
	implies []manifest.Scope // what scopes imply in the new contract
	steps   int              // the remaining number of comparisons for all schemas
	err     error
	// respelled lists places that are written differently without an effect that the rules know.
	respelled []string
}

type partFact struct {
	part Part
	fact fact
}

const (
	// maxSteps is the maximum number of compared pairs of schema nodes. Unchanged schemas do not count.
	maxSteps = 1 << 15
	// maxChanges is the number of changes after which the comparison stops.
	maxChanges = 100_000
)

// add records a change.
func (c *comparison) add(id, tool, where, detail string) {
	r, ok := c.rules[id]
	if !ok { // a bug in this package; the tests check that every rule exists
		c.err = fmt.Errorf("unknown rule %s", id)
		return
	}
	if len(c.changes) == maxChanges {
		c.steps = 0
	}
	c.changes = append(c.changes, Change{
		Rule: r.ID, Level: r.Level, Hurts: r.Hurts, Tool: Printable(tool), Where: phrase.Clip(Printable(where), maxWhere), Says: r.Says, Detail: detail,
	})
}

// addChange records a change to a value, unless both values are equal. The detail of the change
// begins with the parameter what.
func (c *comparison) addChange(id, tool, where, what string, from, to any) {
	if from == to {
		return
	}
	describe := describeChange
	if c.rules[id].Level == Words {
		describe = describeTexts
	}
	c.add(id, tool, where, what+describe(from, to))
}

// toggle records a change if a part gained or lost a property. gained and lost are the IDs of the
// rules. toggle reports whether it recorded a change.
func (c *comparison) toggle(tool, where string, before, after bool, gained, lost string) bool {
	switch {
	case after && !before:
		c.add(gained, tool, where, "")
	case before && !after:
		c.add(lost, tool, where, "")
	}
	return before != after
}

// servers compares the attributes of the servers and then their tools.
func (c *comparison) servers(o, n *manifest.Server) {
	c.addChange("server-renamed", "", "server", "", o.Name, n.Name)
	c.addChange("server-words", "", "server", "title ", orNil(o.Title), orNil(n.Title))
	c.addChange("server-words", "", "server", "", o.Description, n.Description)
	c.jsonTexts("server-words", "", "server", "", decodeOrNil(o.Other), decodeOrNil(n.Other))
	clients, unknown := "clients-left-jp", "unknown-ignored"
	if n.Clients == manifest.JP {
		clients = "clients-joined-jp"
	}
	if n.Unknown == manifest.Reject {
		unknown = "unknown-rejected"
	}
	c.addChange(clients, "", "server.clients", "", o.Clients, n.Clients)
	c.addChange(unknown, "", "server.unknown", "", o.Unknown, n.Unknown)
	c.addChange("envelope-changed", "", "server.envelope", "", o.Envelope, n.Envelope)
	outputs := "outputs-unlisted"
	if n.Output == manifest.Always {
		outputs = "outputs-listed"
	}
	c.addChange(outputs, "", "server.output", "", cmp.Or(o.Output, manifest.Asked), cmp.Or(n.Output, manifest.Asked))
	if o.ListBudget != n.ListBudget {
		c.respell("server.list_budget", []string{describeChange(orNil(o.ListBudget), orNil(n.ListBudget))})
	}
	c.implies = n.Scopes
	c.toolsets(o.Toolsets, n.Toolsets)
	c.implied(o.Scopes, n.Scopes)
	c.codes(o.Codes, n.Codes)
	c.tools(o.Tools, n.Tools)
	c.resources("resources", o.Resources, n.Resources)
	c.resources("resource_templates", o.Templates, n.Templates)
	c.prompts(o.Prompts, n.Prompts)
	if !o.Listed && !n.Listed { // lists of tools have no skills
		c.skills(o.Skills, n.Skills)
	}
}

// codes compares the declared codes of two servers.
func (c *comparison) codes(o, n []manifest.Code) {
	name := func(code *manifest.Code) candidate { return candidate{name: code.Name} }
	l := list[manifest.Code]{c: c, kind: "server-code", where: "server.codes.", name: name, likeness: zeroLikeness}
	l.compare(o, n, func(o, n *manifest.Code, where string) {
		c.addChange("code-words", "", where, "", o.Description, n.Description)
	})
}

// compareDigests records a change if the digests differ but no other change was found, so that different digests
// always have an explanation. It does not compare a contract with a list of tools, because their digests always differ.
func (c *comparison) compareDigests(o, n *manifest.Server) error {
	if len(c.changes)+len(c.respelled) > 0 || o.Listed != n.Listed || reflect.DeepEqual(o, n) {
		return nil
	}
	before, err := lock.Sum(o)
	if err != nil {
		return err
	}
	after, err := lock.Sum(n)
	if err != nil {
		return err
	}
	if before != after {
		c.respell("", []string{firstDifference(o, n)})
	}
	return nil
}

// firstDifference returns the JSON pointer to the first part that differs between two contracts.
func firstDifference(o, n *manifest.Server) string {
	encode := func(s *manifest.Server) any {
		data, _ := json.Marshal(s) // cannot fail: the digests were computed from the same text
		tree, _ := shape.Decode(data).(node)
		delete(tree, "hash")
		return tree
	}
	from, to, pointer := encode(o), encode(n), ""
	for {
		x, y := parts(from), parts(to)
		keys := changedKeys(x, y)
		if len(keys) == 0 {
			return pointer
		}
		from, to, pointer = x[keys[0]], y[keys[0]], pointer+"/"+pointerStep(keys[0])
	}
}

// parts returns the members of an object, or the elements of an array by index.
func parts(v any) node {
	if list, ok := v.([]any); ok {
		all := node{}
		for i, v := range list {
			all[strconv.Itoa(i)] = v
		}
		return all
	}
	all, _ := v.(node)
	return all
}
