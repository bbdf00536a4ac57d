package tool

import (
	"context"
	"log/slog"
	"math"
	"sync"

	"github.com/jptool/jptool/sdk/gen/question"
)

// A Call is the surroundings of one run of a tool. A handler that needs them
// takes a *Call.
type Call struct {
	tool    string
	request Request
	files   lazyFS
	memo    memo
	session *question.Session // of a tool that has questions
	bare    question.Bare     // of another

	mu    sync.Mutex
	done  float64 // the last progress told
	moved bool
}

// Tool returns the name of the tool.
func (c *Call) Tool() string { return c.tool }

// ID identifies this run in logs. A run that is repeated with an answer has
// another ID: no protocol tells which runs belong together.
func (c *Call) ID() string { return c.request.ID }

// Principal returns who calls, as the check of a token has found out; "" where callers show
// none, as on standard streams.
func (c *Call) Principal() string { return c.request.Principal }

// Root returns the directory the caller works in: that of the request, else that
// of the --root flag, else the working directory of the process. It is "" where that is
// no place for files, such as the root of the file system or a home: [Call.Files] says why.
func (c *Call) Root() string { return c.request.Root }

// WorkspaceID returns JP's id of the workspace, and "" where there is none.
func (c *Call) WorkspaceID() string { return c.request.WorkspaceID }

// ConversationID returns JP's id of the conversation, and "" where there is none.
func (c *Call) ConversationID() string { return c.request.ConversationID }

// Progress tells a caller that asked for it how far the call is: done of total, in
// any unit, and what is being done. A total of 0 is an unknown one. Only what
// grows is told (MCP, Progress); to other callers nothing is sent.
func (c *Call) Progress(done, total float64, message string) {
	if c.request.Progress == nil || !(done >= 0) || math.IsInf(done, 0) || !(total >= 0) || math.IsInf(total, 0) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.moved && done <= c.done {
		return
	}
	c.done, c.moved = done, true
	c.request.Progress(done, total, message)
}

// Log returns a logger to the log of the server, where it names the tool and the call,
// and to the caller if that asked to be told (MCP, Logging). So what is logged should
// hold nothing that the caller must not know.
func (c *Call) Log() *slog.Logger {
	own := c.operator()
	if c.request.CallerLog == nil {
		return own
	}
	return slog.New(slog.NewMultiHandler(own.Handler(), c.request.CallerLog))
}

// operator returns the logger of those who run the server, and of nobody else.
func (c *Call) operator() *slog.Logger {
	return c.request.Log.With("tool", c.tool, "call", c.request.ID)
}

// Branch returns a context in which asking is an error: for work whose result is
// a value, such as a sub-agent's, that must not turn to the user.
func Branch(ctx context.Context) context.Context { return question.Branch(ctx) }
