package jptest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/jp/jphost"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// A Wire is a protocol and its transport. A [Kit] uses it to call a server. The zero Wire is [JPOutcome].
// To find out whether two wires are the same, compare their names, which [Wire.String] returns.
type Wire struct {
	name string
	open func(k *Kit) caller
	// structured reports whether the wire supports structured content.
	structured bool
	// offers reports whether a kit reads resources and gets prompts over the wire.
	offers bool
	// unattended reports whether the client cannot ask questions.
	unattended bool
	// meets contains the needs of questions that this wire meets and some wires do not.
	meets []question.Need
	seen  *record // shared by the wires of a test; nil for a single wire
}

// A caller makes a call and sets its outcome.
type caller func(ctx context.Context, c *call) error

// The wires of a kit. On JP's wires and on [MCP] and [MCPHTTP], the handler starts again after each answer; on
// the other wires, it waits for the answer.
var (
	// InProcess calls tools with [sdk.Server.Call].
	InProcess = Wire{name: "in process", open: inProcess, structured: true, meets: append(secrets, visits...)}
	// MCP and MCPHTTP use version 2026-07-28, in which results contain the questions, over stdio and HTTP.
	MCP     = Wire{name: "MCP", open: overPipes(peer.Rounds, "", (*call).callMCP), structured: true, offers: true, meets: visits}
	MCPHTTP = Wire{name: "MCP over HTTP", open: overHTTP(peer.Rounds), structured: true, offers: true, meets: visits}
	// Session and SessionHTTP use version 2025-11-25, in which the server sends the questions.
	Session     = Wire{name: "MCP session", open: overPipes(peer.Sessions, "", (*call).callMCP), structured: true, offers: true, meets: visits}
	SessionHTTP = Wire{name: "MCP session over HTTP", open: overHTTP(peer.Sessions), structured: true, offers: true, meets: visits}
	// JPOutcome, JPOutcomeUntagged and JPBlocks use a JP host and a server with --jp. JPOutcomeUntagged is the protocol
	// of JP before 2026-08-24.
	JPOutcome         = Wire{name: "JP Outcome", open: outcomes(wire.VersionOutcome, jphost.Today), meets: secrets}
	JPOutcomeUntagged = Wire{name: "JP Outcome untagged", open: outcomes(wire.VersionOutcomeUntagged, jphost.Untagged)}
	JPBlocks          = Wire{name: "JP blocks", open: overPipes(peer.Sessions, wire.VersionBlocks, (*call).callBlocks)}
	// JPLocal uses a JP host that runs a local tool: it starts a process for every round.
	JPLocal = Wire{name: "JP local tool", open: local}
	// JPPlugin uses a JP host that runs a command plugin: it starts a process for every round.
	JPPlugin = Wire{name: "JP command plugin", open: commandPlugin, meets: secrets}
	// Unattended is like MCP with a client that cannot ask: questions get their defaults, or the call fails with
	// input_unavailable. [Wires] returns it only if it is given.
	Unattended = Wire{name: "MCP unattended", open: overPipes(peer.Rounds, "", (*call).callMCP), structured: true, offers: true, unattended: true}
)

var (
	secrets = []question.Need{question.NeedsSecrecy}
	visits  = []question.Need{question.NeedsPage}
)

// String returns the name of the wire.
func (w Wire) String() string { return cmp.Or(w.name, JPOutcome.name) }

// Wires returns the given wires, or all wires except [Unattended] if no wire is given. A test runs its body once
// for each wire, with a new server, in a subtest with the name of the wire. On each wire, the n-th call to a
// tool must have the same questions, text, structured content and fault, as far as the wire supports them;
// otherwise, the test fails and names both wires.
func Wires(only ...Wire) []Wire {
	if len(only) == 0 {
		only = []Wire{InProcess, MCP, MCPHTTP, Session, SessionHTTP, JPOutcome, JPOutcomeUntagged, JPBlocks, JPLocal, JPPlugin}
	}
	only = slices.Clone(only)
	seen := &record{calls: map[string]int{}, parts: map[string]part{}}
	for i := range only {
		only[i].seen = seen
	}
	return only
}

// A record contains the outcomes of a test's calls on its wires.
type record struct {
	mu    sync.Mutex
	calls map[string]int  // number of calls, keyed by wire and tool
	parts map[string]part // keyed by tool, number of the call and number of the part
}

// A part is the text of one part of an outcome, with the name of the first wire that returned it.
type part struct{ wire, text string }

// compare records the parts of a call. It returns the first difference from the same call on another
// wire, or "" if they agree.
func (s *record) compare(wire, tool string, parts []string) (difference string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	count := wire + " " + tool
	s.calls[count]++
	for i, text := range parts {
		key := fmt.Sprint(tool, " ", s.calls[count], " ", i)
		before, ok := s.parts[key]
		switch {
		case text == "": // not supported by the wire
		case !ok:
			s.parts[key] = part{wire, text}
		case text != before.text && difference == "":
			difference = fmt.Sprintf("on the wire %q the call %s, and on %q it %s", wire, text, before.wire, before.text)
		}
	}
	return difference
}

// parts returns an outcome as parts that do not depend on the wire, or "" for a part that the wire
// does not support. The text of a resource and the message about an invalid answer depend on the
// wire. JP asks for the fields of a form one at a time, never repeats a question whose answer is
// selected, and ends a call if a question is declined. Few wires can ask for a secret or a visit.
func (k *Kit) parts(o Outcome) []string {
	if o.Dismissed {
		return nil
	}
	var asked []string
	for _, id := range o.Questions() {
		id, _ = question.Try(id)
		if name := cmp.Or(k.form(o.Tool, id), id); k.traits(o.Tool, id).Needs == question.NeedsNothing && !slices.Contains(asked, name) {
			asked = append(asked, name)
		}
	}
	parts := []string{
		fmt.Sprintf("asked %q", asked),
		fmt.Sprintf("ended with code %q, transient: %t", o.Code, o.Transient),
		fmt.Sprintf("said %q", k.mask(cmp.Or(o.Text, o.Message))),
		"",
	}
	resource := func(b content.Block) bool { _, ok := b.(content.Resource); return ok }
	if o.Code == fault.InvalidAnswer || slices.ContainsFunc(o.Blocks, resource) {
		parts[2] = ""
	}
	if k.options.Wire.structured {
		parts[3] = "returned " + cmp.Or(k.mask(indentJSON(o.Structured)), "no structured content")
	}
	return parts
}

var incident = lazyregexp.New(`incident [A-Z0-9]+`)

func (k *Kit) mask(text string) string {
	if k.options.Root != "" {
		inJSON := strings.Trim(string(rawjson.Quote(k.options.Root)), `"`)
		text = strings.NewReplacer(inJSON, "ROOT", k.options.Root, "ROOT").Replace(text)
	}
	if k.options.Mask != nil {
		text = k.options.Mask.ReplaceAllString(text, "…")
	}
	return incident().ReplaceAllString(text, "incident …")
}

// indentJSON returns JSON with indentation and with members sorted by name, or "" for nil.
func indentJSON(data json.RawMessage) string {
	var tree any
	if json.Unmarshal(data, &tree) != nil {
		return ""
	}
	text, _ := json.MarshalIndent(tree, "", "  ") // a decoded value can always be encoded
	return string(text)
}
