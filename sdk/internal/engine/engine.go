// Package engine implements the MCP server behind every transport.
//
// An [Engine] parses and checks each message once. A [Session] is the state of one client, a
// [Request] is one request in flight, and an [Out] delivers its answer. The transports (packages
// stdio and streamable) only move bytes. Package trust decides what a caller may set for a call.
// Package wires decides how a question reaches the user and how a result is written.
package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/internal/seal"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// Defaults of [Options].
const (
	DefaultMaxMessage = 16 << 20
	DefaultMaxCalls   = 256
)

// Options configures an [Engine].
type Options struct {
	// Contract describes the server. Clients that ask for it receive it in tools/list.
	Contract *manifest.Server
	Version  string // of the server
	// JP is the version of JP's protocol for a JP host; "" means MCP.
	JP    string
	Trust *trust.Policy  // for the callers of this transport
	Rules *handler.Rules // for all calls; nil means the defaults
	// Keys encrypt the state that clients keep between the rounds of a call; nil generates a key.
	Keys       *seal.Ring
	MaxMessage int // maximum message size in bytes; 0 means [DefaultMaxMessage]
	// MaxCalls is the maximum number of concurrent tool calls; further calls wait. 0 means
	// [DefaultMaxCalls].
	MaxCalls int
	// Offered are the handlers of the contract's resources, templates and prompts, keyed by name.
	Offered map[string]*handler.Tool
	// Replicated means that another process may receive the client's next request. Changes that it sees are unknown to
	// this process, so clients cannot subscribe to resources.
	Replicated bool
	// Skills has the files of the contract's skills, by their paths.
	Skills fs.FS
	// Extras returns what the program registered in addition to its tools, or nil; it may be nil.
	Extras func() Extras
	Log    *slog.Logger // for the engine and for calls; nil means the default logger
	Tasks  *TaskOptions // nil means that calls never become tasks
}

// An Entry is a tool with its contract.
type Entry struct {
	Tool     *handler.Tool
	Contract *manifest.Tool
	old      *manifest.Alias // set if the entry is a former name of the tool
	headers  []HeaderParam
}

// An Engine answers requests from clients.
type Engine struct {
	Options
	calls     limiter
	wires     *wires.Set
	tools     map[string]*Entry // keyed by current and former names
	contracts []*manifest.Tool  // in the order of tools/list
	offers    func() *offers    // the resources and prompts; nil for a server without them
	skills    func() *skills    // nil with offers
	inflight  inflight
	hub       *hub                // nil if no resource reports changes
	strangers map[string]*Session // keyed by version; shared by requests without a session
	process   uint32              // random, to tell processes apart in logs
	count     atomic.Uint64
	board     *board       // nil if calls never become tasks
	spent     atomic.Int64 // bytes of long messages released since the last collection
}

// New returns the engine for the given tools.
func New(tools []Entry, o Options) *Engine {
	e := &Engine{
		Options: o, process: rand.Uint32(), inflight: inflight{owed: map[*Request]struct{}{}},
		tools: make(map[string]*Entry, len(tools)), contracts: make([]*manifest.Tool, 0, len(tools)),
		strangers: map[string]*Session{},
	}
	if e.Log == nil {
		e.Log = slog.Default()
	}
	if e.Rules == nil {
		e.Rules = &handler.Rules{Decoding: handler.Decoding(o.Contract.Unknown)}
	}
	e.MaxMessage = cmp.Or(e.MaxMessage, DefaultMaxMessage)
	e.calls.limit = cmp.Or(e.MaxCalls, DefaultMaxCalls)
	for _, t := range tools {
		if !o.offers(t.Contract) {
			continue
		}
		e.contracts = append(e.contracts, t.Contract)
		t.headers = headerParams(json.RawMessage(t.Contract.Input))
		e.tools[t.Contract.Name] = &t
		for i := range t.Contract.Aliases {
			former := t
			former.old = &t.Contract.Aliases[i]
			e.tools[former.old.Name] = &former
		}
	}
	info := rawjson.Object([]rawjson.Member{
		{Name: "name", Value: rawjson.Quote(o.Contract.Name)}, {Name: "version", Value: rawjson.Quote(o.Version)},
	})
	visible := slices.DeleteFunc(slices.Clone(e.contracts), func(t *manifest.Tool) bool {
		return !o.Trust.Shows(t)
	})
	e.wires = wires.NewSet(o.Contract, rpc.JSON(info), visible, o.JP, o.Keys, e.Log)
	if c := o.Contract; len(c.Resources)+len(c.Templates)+len(c.Prompts)+len(c.Skills) > 0 {
		e.skills = sync.OnceValue(func() *skills { return readSkills(c) })
		e.offers = sync.OnceValue(e.readOffers)
		e.hub = e.newHub()
	}
	for _, version := range wires.Versions {
		e.strangers[version] = e.Alone(version, handler.Caller{})
		e.strangers[version].shared = true
	}
	e.board = newBoard(e, o.Tasks)
	e.board.start()
	return e
}

// description returns the capabilities of the server, and its instructions for a caller.
func (e *Engine) description(caller handler.Caller) (capabilities json.RawMessage, instructions string) {
	if x := e.extras(); x != nil {
		capabilities, instructions = x.Description(context.Background())
	}
	if capabilities == nil {
		capabilities, instructions = json.RawMessage(`{"logging":{},"tools":{}}`), e.Contract.Description
	}
	for _, set := range e.Contract.Toolsets {
		if set.Description != "" && slices.ContainsFunc(e.contracts, func(t *manifest.Tool) bool {
			return t.Toolset == set.Name && e.Trust.Sees(caller, t)
		}) {
			instructions = strings.TrimPrefix(instructions+"\n\n"+set.Description, "\n\n")
		}
	}
	return e.withOffers(caller, capabilities), instructions
}

// newID returns a call id that is unique across runs and processes.
func (e *Engine) newID() string {
	var id [32]byte
	process := strconv.AppendUint(id[:0], uint64(e.process), 36)
	return string(strconv.AppendUint(append(process, '-'), e.count.Add(1), 10))
}

// DrainTime is the time that a transport waits for pending answers when it ends.
const DrainTime = 1500 * time.Millisecond

// Drain stops accepting requests, ends subscriptions, and waits for the pending answers. After two
// thirds of the time, or when gone is closed because the client has disconnected, the remaining
// requests are canceled. The engine answers those that have no answer at the end. Handlers of
// canceled calls have a short time to clean up. Tasks are canceled at once, and released.
func (e *Engine) Drain(wait time.Duration, gone <-chan struct{}) {
	answered := e.inflight.end()
	e.board.close()
	defer e.board.end()
	for _, r := range e.inflight.all() {
		if r.Listens() {
			r.Stop()
		}
	}
	over := func(wait time.Duration) bool {
		select {
		case <-answered:
		case <-gone:
		case <-time.After(wait):
			return false
		}
		return true
	}
	if !over(wait * 2 / 3) {
		late := e.inflight.all()
		if len(late) > 0 {
			e.Log.Warn("shutdown: requests still running", "requests", len(late))
		}
		e.calls.close()
		for _, r := range late {
			r.Stop()
		}
		if !over(wait / 3) {
			for _, r := range e.inflight.all() {
				go r.Abandon() // a client that does not read must not delay the others
			}
			over(grace)
			return
		}
	}
	for _, r := range e.inflight.all() {
		r.Stop()
	}
	e.calls.close() // a call that begins while waitChannel waits would make it panic
	select {
	case <-waitChannel(&e.calls.calls):
	case <-time.After(grace):
	}
}

// grace is the time for answering requests that did not finish, or for handlers of canceled calls
// to clean up.
const grace = 200 * time.Millisecond
