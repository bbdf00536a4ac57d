// Package callstate holds the state of a call that its handler and the runtime share. The runtime creates it, and
// the handler receives it as a tool.Call.
package callstate

import (
	"encoding/json"
	"log/slog"
	"math"
	"sync"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/fault"
)

// A Caller describes who calls and what the call may use.
type Caller struct {
	ID                                string // identifies the run in logs and in question references
	Principal                         string // the authenticated caller, or "" if unknown
	Root, WorkspaceID, ConversationID string // the caller's workspace
	// Progress sends progress, as tool.Call describes; nil if the caller did not request it.
	Progress  func(done, total float64, message string)
	Access    *access.Policy // the user's access policy; nil restricts nothing
	Log       *slog.Logger   // receives what the call logs; nil means the default logger
	CallerLog slog.Handler   // sends log records to the caller; nil if it did not request them
}

// A Call is the state of one run of a handler. The methods of tool.Call describe its methods.
type Call struct {
	tool   string
	caller *Caller

	mu      sync.Mutex
	fs      *access.FS // nil until the first use
	ended   bool
	results map[string]json.RawMessage // of tool.Once, by key
	used    map[string]bool            // the keys of tool.Once in this run

	progress sync.Mutex
	done     float64 // the last reported progress, or -1
}

// Begin sets the tool and the caller of a zero Call.
func (c *Call) Begin(tool string, caller *Caller) { c.tool, c.caller, c.done = tool, caller, -1 }

// Tool returns the name of the tool.
func (c *Call) Tool() string { return c.tool }

// Caller returns the caller, or an empty one for the zero Call.
func (c *Call) Caller() *Caller {
	if c.caller == nil {
		return &Caller{Log: slog.Default()}
	}
	return c.caller
}

// Progress sends a report, unless its numbers are invalid or do not increase.
func (c *Call) Progress(done, total float64, message string) {
	send := c.Caller().Progress
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
	if c.Caller().CallerLog == nil {
		return own
	}
	return slog.New(slog.NewMultiHandler(own.Handler(), c.Caller().CallerLog))
}

// ServerLog returns the logger whose records callers cannot see.
func (c *Call) ServerLog() *slog.Logger {
	return c.Caller().Log.With("tool", c.tool, "call", c.Caller().ID)
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
	root, err := c.Caller().Root, error(nil)
	if root == "" {
		root, err = access.WorkingDir()
	}
	if err == nil {
		c.fs, err = access.Open(root, c.Caller().Access)
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
