// Package callstate holds the state of a call that its handler and the runtime share. The runtime creates it, and
// the handler receives it as a tool.Call.
package callstate

import (
	"encoding/json"
	"log/slog"
	"math"
	"sync"

	"github.com/jptool/jptool/internal/face"
	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
)

// Lacking is what follows if a caller lacks scopes that something needs.
type Lacking int

// Values of [Lacking].
const (
	Nothing Lacking = iota // scopes do not matter at this door
	Hides                  // the caller cannot get other scopes, and does not see it
	Refuses                // the caller sees it and cannot use it, but can get a token with more scopes
)

// A Caller is who calls a tool.
type Caller struct {
	Subject string              // the authenticated caller, or "" if unknown; the issuer, a space and the name if there is an issuer
	Issuer  string              // who authenticated the caller, or ""
	Scopes  []string            // what the credentials of the caller permit, with all that it implies
	Claims  json.RawMessage     // an object with what the issuer says about the caller, or nil
	Lacking Lacking             // what follows if the caller lacks scopes
	Headers map[string][]string // the headers of the request that the server declares
	Face    *face.Face          // what the caller selects; nil selects nothing in particular
}

// A Grant is what a caller may use in a call.
type Grant struct {
	Root, WorkspaceID, ConversationID string                     // the caller's workspace
	Access                            *access.Policy             // the user's access policy; nil restricts nothing
	Options                           []json.RawMessage          // layers; later layers override earlier ones
	Answers                           map[string]question.Answer // the known answers, keyed by question id
	Remarks                           []string                   // sentences about the call, for the result's warnings
}

// Surroundings are what a handler can learn about its call, and what it can use.
type Surroundings struct {
	ID     string // identifies the run in logs and in question references
	Caller Caller
	Grant
	// Progress sends progress, as tool.Call describes; nil if the caller did not request it.
	Progress  func(done, total float64, message string)
	Log       *slog.Logger // receives what the call logs; nil means the default logger
	CallerLog slog.Handler // sends log records to the caller; nil if it did not request them
	// Origin is the ID of the first run of the call; "" means that this is it.
	Origin string
	Keeper Keeper // keeps results of tool.Once during the run; nil for a call that ends with its process
}

// A Keeper keeps results of tool.Once, so that they survive the process.
type Keeper interface {
	// Begin records that the function for a key begins. It reports whether an earlier run recorded that.
	Begin(key string) (again bool, err error)
	// Keep stores the result for a key.
	Keep(key string, result json.RawMessage) error
}

// A Call is the state of one run of a handler. The methods of tool.Call describe its methods.
type Call struct {
	tool  string
	given *Surroundings

	mu      sync.Mutex
	fs      *access.FS // nil until the first use
	ended   bool
	results map[string]json.RawMessage // of tool.Once, by key
	used    map[string]bool            // the keys of tool.Once in this run

	progress sync.Mutex
	done     float64 // the last reported progress, or -1
}

// Begin sets the tool and the surroundings of a zero Call.
func (c *Call) Begin(tool string, given *Surroundings) { c.tool, c.given, c.done = tool, given, -1 }

// Tool returns the name of the tool.
func (c *Call) Tool() string { return c.tool }

// Given returns the surroundings, or empty ones for the zero Call.
func (c *Call) Given() *Surroundings {
	if c.given == nil {
		return &Surroundings{Log: slog.Default()}
	}
	return c.given
}

// Progress sends a report, unless its numbers are invalid or do not increase.
func (c *Call) Progress(done, total float64, message string) {
	send := c.Given().Progress
	if send == nil || !(done >= 0) || math.IsInf(done, 0) || !(total >= 0) || math.IsInf(total, 0) {
		return
	}
	c.progress.Lock()
	defer c.progress.Unlock()
	if done > c.done {
		c.done = done
		send(done, total, message)
	}
}

// Log returns the logger whose records callers can see.
func (c *Call) Log() *slog.Logger {
	own := c.ServerLog()
	if c.Given().CallerLog == nil {
		return own
	}
	return slog.New(slog.NewMultiHandler(own.Handler(), c.Given().CallerLog))
}

// ServerLog returns the logger whose records callers cannot see.
func (c *Call) ServerLog() *slog.Logger {
	return c.Given().Log.With("tool", c.tool, "call", c.Given().ID)
}

// Files returns the caller's file system. It fails after End.
func (c *Call) Files() (*access.FS, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return nil, fault.New(fault.Internal, "Call.Files was called after the call had ended")
	}
	if c.fs != nil {
		return c.fs, nil
	}
	root, err := c.Given().Root, error(nil)
	if root == "" {
		root, err = access.WorkingDir()
	}
	if err == nil {
		c.fs, err = access.Open(root, c.Given().Access)
	}
	return c.fs, err
}

// End closes the file system when the handler has returned.
func (c *Call) End() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	if c.fs != nil {
		_ = c.fs.Close() // directories that were only read
	}
}
