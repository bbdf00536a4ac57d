// Package mcpbridge speaks MCP.
//
// It answers tools/list and tools/call in go-sdk's place, by one middleware, and calls
// that the transport takes past go-sdk: with ready-made schemas, and every call with a
// tool result, since a fault reaches the model where a protocol error would not. How a
// question is asked, and what a result may hold, follows the version and the
// capabilities of the request itself.
package mcpbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/decode"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/internal/seal"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/manifest"
	"github.com/jptool/jptool/sdk/tool"
)

// A Reply renders how a call ended: with a result, or with an error of
// [tool.Tool.Run].
type Reply func(protocolVersion string, result tool.Result, err error) *mcp.CallToolResult

// Options is what a bridge is told.
type Options struct {
	// Reply renders the end of a call; nil is [Native], in which questions are
	// MCP's elicitation. Another Reply renders questions too.
	Reply Reply
	// Whole says that Reply can render a form as a whole.
	Whole bool
	// Meta returns what the _meta of a request says for a JP host.
	Meta func(meta []byte) (*trust.Said, error)
	// Trust is what holds for the callers of the server.
	Trust *trust.Policy
	// Unknown is what happens to undeclared arguments.
	Unknown manifest.Unknown
	// Envelope says that structured content is {success, data, error}. A Reply has
	// no structured content.
	Envelope bool
	// Contract is the text that clients get who ask for it beside the list of tools.
	Contract string
	// Keys seal what clients keep between the rounds of a call; nil is a new key.
	Keys *seal.Ring
	// Heartbeat is how often a caller that asked for progress hears of a call that
	// reports none; 0 is 15 seconds.
	Heartbeat time.Duration
	// Shared reports whether the program may have added middleware to go-sdk's server,
	// which no call may pass by; nil says that it has not.
	Shared func() bool
	// Declared are capabilities that go-sdk's server was told to declare in any case.
	Declared *mcp.ServerCapabilities
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

// A Bridge answers the calls of a server's tools.
type Bridge struct {
	Options
	policy  decode.Options
	tools   map[string]Entry
	names   []string
	info    json.RawMessage
	listing *listing
	memory  memory
	features

	keys    func() *seal.Ring
	process uint32 // a random name for this one
	calls   atomic.Uint64
}

// New returns the bridge of a server that introduces itself by info, to the tools.
func New(info *mcp.Implementation, tools []Entry, o Options) (*Bridge, error) {
	b := &Bridge{Options: o, policy: tool.Decoding(o.Unknown), process: rand.Uint32(), tools: make(map[string]Entry, len(tools))}
	if b.Log == nil {
		b.Log = slog.Default()
	}
	b.keys = func() *seal.Ring { return o.Keys }
	if o.Keys == nil {
		b.keys = sync.OnceValue(seal.NewRing) // most servers need none
	}
	if b.Heartbeat == 0 {
		b.Heartbeat = 15 * time.Second
	}
	contracts := make([]*manifest.Tool, 0, len(tools))
	for _, e := range tools {
		contracts = append(contracts, e.Contract)
		b.tools[e.Contract.Name] = e
		b.names = append(b.names, e.Contract.Name)
		for i, old := range e.Contract.Aliases {
			b.tools[old.Name] = Entry{Tool: e.Tool, Contract: e.Contract, old: &e.Contract.Aliases[i]}
		}
	}
	b.listing = newListing(contracts)
	var err error
	if b.info, err = json.Marshal(info); err != nil {
		return nil, fmt.Errorf("encoding the name of the server: %w", err)
	}
	b.declare(o.Declared)
	return b, nil
}

// answer answers a call of a tool. It does not go through go-sdk's own handling of
// questions, which decides by the session, asks clients that cannot answer, and
// runs a tool at most twice. Its error is the protocol's.
func (b *Bridge) answer(ctx context.Context, c *call) (result, error) {
	e, ok := b.tools[c.name]
	if !ok {
		unknown := tool.Unknown(c.name, b.names)
		if b.Reply == nil {
			return result{}, unknownTool(unknown)
		}
		// A JP host reads no protocol error.
		return b.finish(c, e, b.reply(c, e, tool.Result{}, unknown)), nil
	}
	request, err := b.admit(c, e)
	report, stop := b.progress(ctx, c)
	defer stop()
	request.Progress = report
	log, silence := tellLog(ctx, c)
	defer silence()
	request.CallerLog = log

	way := b.way(c, e)
	if err == nil {
		request, err = way.before(request)
	}
	if err != nil {
		if refused, ok := errors.AsType[*jsonrpc.Error](err); ok {
			return result{}, refused
		}
	}
	var out tool.Result
	if err == nil {
		out, err = e.Tool.Run(ctx, request, b.policy)
	}
	if err != nil {
		if pending, ok := errors.AsType[*question.Pending](err); ok {
			var asked *mcp.CallToolResult
			if asked, err = way.pending(request, out, pending); err == nil {
				return b.finish(c, e, asked), nil
			}
		}
	}
	return b.finish(c, e, b.reply(c, e, out, err)), nil
}

// newID returns an id for logs, which tells runs and processes apart.
func (b *Bridge) newID() string {
	var id [32]byte
	process := strconv.AppendUint(id[:0], uint64(b.process), 36)
	return string(strconv.AppendUint(append(process, '-'), b.calls.Add(1), 10))
}

// reply renders the end of a call that does not ask.
func (b *Bridge) reply(c *call, e Entry, out tool.Result, err error) *mcp.CallToolResult {
	if b.Reply != nil {
		return b.Reply(c.version, out, err)
	}
	r := Native(c.version, out, err)
	if b.Envelope && c.version >= structuredSince {
		r.StructuredContent = envelope(e, out, err)
	}
	return r
}

// admit returns what a call of e begins with, as the caller may say it.
func (b *Bridge) admit(c *call, e Entry) (tool.Request, error) {
	said, err := b.said(c)
	if err != nil {
		return tool.Request{}, err
	}
	r, err := b.Trust.Admit(e.Contract.Name, said)
	if e.old != nil {
		r.Remarks = append(r.Remarks, tool.Deprecated(e.Contract.Name, e.old))
	}
	r.ID, r.Arguments, r.Log = b.newID(), c.arguments, b.Log
	return r, err
}

// said returns what b.Meta reads in the _meta of a call, nil for a caller that does not
// count.
func (b *Bridge) said(c *call) (*trust.Said, error) {
	if b.Meta == nil || !b.Trust.Trusted {
		return nil, nil
	}
	meta, err := c.meta()
	if err != nil {
		return nil, fault.Wrap(err, fault.InvalidInput, "the _meta of the call cannot be read")
	}
	if len(meta) == 0 {
		return nil, nil
	}
	return b.Meta(meta)
}

// unknownTool returns the protocol's error for a tool that does not exist (MCP
// 2025-11-25 and 2026-07-28, Tools, Error Handling). Its data names the nearest.
func unknownTool(f *fault.Error) error {
	e := &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "invalid params: " + f.Message}
	if f.Details != nil {
		// Names are strings, which always encode.
		e.Data, _ = json.Marshal(f.Details)
	}
	return e
}
