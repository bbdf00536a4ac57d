package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jptool/jptool/sdk/gen/decode"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/internal/seal"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/tool"
)

// A Reply renders how a call ended as the one text of a protocol of its own: a result, a
// question or a fault. Failed says that the call did.
type Reply func(result tool.Result, err error) (text string, failed bool)

// Defaults of [Options].
const (
	DefaultMaxMessage = 16 << 20
	DefaultMaxCalls   = 256
)

// Options is what an engine serves, and how.
type Options struct {
	// Name and Version are how the server introduces itself, Instructions what it is for.
	Name, Version, Instructions string
	// Reply renders the end of a call; nil is MCP's own. Forms says that Reply can render a
	// form as a whole.
	Reply Reply
	Forms bool
	// Meta returns what the _meta of a request says for a JP host.
	Meta func(meta []byte) (*trust.Said, error)
	// Trust is what holds for the callers of the server.
	Trust *trust.Policy
	// Unknown is what happens to undeclared arguments.
	Unknown manifest.Unknown
	// Envelope says that structured content is {success, data, error}. A Reply has
	// no structured content.
	Envelope bool
	// Contract is what clients get who ask for it beside the list of tools; nil is nothing.
	Contract *manifest.Server
	// Keys seal what clients keep between the rounds of a call; nil is a new key.
	Keys *seal.Ring
	// Heartbeat is how often a caller that asked for progress hears of a call that
	// reports none; 0 is 15 seconds.
	Heartbeat time.Duration
	// MaxMessage is the longest message taken, in bytes; 0 is [DefaultMaxMessage].
	MaxMessage int
	// MaxCalls is how many calls of tools run at once; 0 is [DefaultMaxCalls]. More wait.
	MaxCalls int
	// Extras serve what the program added beside its tools; nil for nothing.
	Extras Extras
	// Log receives what calls log; nil is the default logger.
	Log *slog.Logger
}

// An Entry is a tool and its contract.
type Entry struct {
	Tool     *tool.Tool
	Contract *manifest.Tool

	// old is set for an entry under a former name of the tool.
	old *manifest.Alias
}

// An Engine answers the requests of clients.
type Engine struct {
	Options

	calls     limiter
	policy    decode.Options
	tools     map[string]Entry
	contracts []*manifest.Tool // as they are listed
	info      json.RawMessage
	repeated  func() map[string][]HeaderParam
	memory    memory
	inflight  inflight
	// strangers are the sessions of requests that need none, by their version.
	strangers sync.Map
	nobody    question.Asker

	keys    func() *seal.Ring
	process uint32 // a random name for this one
	count   atomic.Uint64
	spent   atomic.Int64 // bytes of long messages since the collector ran
}

// New returns the engine of a server of these tools.
func New(tools []Entry, o Options) *Engine {
	e := &Engine{
		Options: o, policy: tool.Decoding(o.Unknown), process: rand.Uint32(),
		tools: make(map[string]Entry, len(tools)), contracts: make([]*manifest.Tool, 0, len(tools)),
	}
	if e.Log == nil {
		e.Log = slog.Default()
	}
	e.Heartbeat = cmp.Or(e.Heartbeat, 15*time.Second)
	e.MaxMessage = cmp.Or(e.MaxMessage, DefaultMaxMessage)
	e.calls.most = cmp.Or(e.MaxCalls, DefaultMaxCalls)
	e.keys = func() *seal.Ring { return o.Keys }
	if o.Keys == nil {
		e.keys = sync.OnceValue(seal.NewRing) // most servers need none
	}
	for _, t := range tools {
		e.contracts = append(e.contracts, t.Contract)
		e.tools[t.Contract.Name] = t
		for i, old := range t.Contract.Aliases {
			e.tools[old.Name] = Entry{Tool: t.Tool, Contract: t.Contract, old: &t.Contract.Aliases[i]}
		}
	}
	info := new(Writer)
	info.Begin('{')
	info.Name("name")
	info.String(o.Name)
	info.Name("version")
	info.String(o.Version)
	info.End('}')
	e.info = info.buf
	e.repeated = sync.OnceValue(e.repeat)
	e.nobody = question.Nobody(e.resend)
	return e
}

// capabilities returns what the server declares.
func (e *Engine) capabilities() json.RawMessage {
	if e.added() != nil {
		if declared := e.Extras.Capabilities(context.Background()); declared != nil {
			return declared
		}
	}
	return json.RawMessage(`{"logging":{},"tools":{}}`)
}

// resend says how a call is made again with the answer to a question.
func (e *Engine) resend(id string) string {
	if !e.Trust.Trusted {
		return "Use a client that can ask its user."
	}
	return `Use a client that can ask its user, or call again with the answer in ` +
		`_meta["computer.jp/tool"].answers["` + id + `"].`
}

// newID returns an id for logs, which tells runs and processes apart.
func (e *Engine) newID() string {
	var id [32]byte
	process := strconv.AppendUint(id[:0], uint64(e.process), 36)
	return string(strconv.AppendUint(append(process, '-'), e.count.Add(1), 10))
}

// Drain lets no request in any more and waits for the answers that are owed. Requests have
// two thirds of the time to end, then they are canceled and have the rest of it to say so;
// what does not is answered in its place. Requests that end by being canceled alone are at
// once. It returns before if gone is closed: then nobody is there to be answered.
func (e *Engine) Drain(wait time.Duration, gone <-chan struct{}) {
	done := e.inflight.end()
	for _, r := range e.inflight.all() {
		if r.Listens() {
			r.Stop()
		}
	}
	over := func(wait time.Duration) bool {
		limit := time.NewTimer(wait)
		defer limit.Stop()
		select {
		case <-done:
		case <-gone:
		case <-limit.C:
			return false
		}
		return true
	}
	if over(wait * 2 / 3) {
		return
	}
	late := e.inflight.all()
	if len(late) > 0 {
		e.Log.Warn("the server ends with requests still running", "requests", len(late))
	}
	never := e.calls.giveUpAll()
	for _, r := range late {
		r.Stop()
	}
	go func() { // since it waits for clients to read
		for _, t := range never {
			t.drop()
		}
	}()
	if over(wait / 3) {
		return
	}
	go func() {
		for _, r := range e.inflight.all() {
			r.Abandon()
		}
	}()
	over(grace)
}

// grace is how long answers may take that are given in the place of requests.
const grace = 200 * time.Millisecond
