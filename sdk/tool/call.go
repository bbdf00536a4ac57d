package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"math"
	"sync"
	"time"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
)

// A Call describes the current call to its handler, which takes a *Call to use the caller's files,
// progress reports and log.
type Call struct {
	of      *Tool
	request Request
	fields  Fields // the members that the caller requested for each item of the list
	files   struct {
		sync.Mutex
		fs    *access.FS // nil until the first use
		ended bool
	}
	memo    memo
	session interface { // a *question.Session, or bare for a tool without questions
		With(context.Context) context.Context
		End(error) error
	}
	bare question.Bare

	mu   sync.Mutex
	done float64 // the last reported progress, or -1
}

// Tool returns the name of the tool.
func (c *Call) Tool() string { return c.of.name }

// ID returns the id of this run, as logs contain it. When a handler runs again with an answer, the
// id is different, because no protocol associates the runs of a call.
func (c *Call) ID() string { return c.request.ID }

// Principal returns the authenticated caller, or "" on transports without authentication, such
// as standard streams.
func (c *Call) Principal() string { return c.request.Principal }

// Root returns the directory that the call works in: the root in the request, otherwise the
// --root flag, otherwise the working directory of the process. It is "" if that directory is not
// suitable for files, such as the file system's root or a home directory.
func (c *Call) Root() string { return c.request.Root }

// WorkspaceID returns JP's workspace id, or "" if the caller did not send it.
func (c *Call) WorkspaceID() string { return c.request.WorkspaceID }

// ConversationID returns JP's conversation id, or "" if the caller did not send it.
func (c *Call) ConversationID() string { return c.request.ConversationID }

// Progress sends a report to callers that requested it: done of total, in any unit, and a message.
// A total of 0 means unknown. Reports that do not increase done are dropped, as MCP requires.
func (c *Call) Progress(done, total float64, message string) {
	if c.request.Progress == nil || !(done >= 0) || math.IsInf(done, 0) || !(total >= 0) || math.IsInf(total, 0) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if done > c.done {
		c.done = done
		c.request.Progress(done, total, message)
	}
}

// Log returns a logger that adds the tool and the call to each record. It writes to the server's
// log and to callers that requested log messages. Do not log what they must not know.
func (c *Call) Log() *slog.Logger {
	own := c.operator()
	if c.request.CallerLog == nil {
		return own
	}
	return slog.New(slog.NewMultiHandler(own.Handler(), c.request.CallerLog))
}

// operator returns the logger that callers cannot see.
func (c *Call) operator() *slog.Logger {
	return c.request.Log.With("tool", c.of.name, "call", c.request.ID)
}

// Branch returns a context in which asking is an error, for work such as that of a sub-agent.
func Branch(ctx context.Context) context.Context { return question.Branch(ctx) }

// Access returns the user's access policy for the tool, or nil if the user set no policy. A nil
// policy restricts nothing, so handlers can always use its methods to check URLs and environment
// variables. For files use [Call.Files].
func (c *Call) Access() *access.Policy { return c.request.Access }

// Files returns a file system with the files below [Call.Root] that the user's access policy
// grants. It is closed when the handler returns. The handler must close the files that it opens,
// and return the error from Files. If the directory is not suitable for files, that error is a
// [fault.PermissionDenied] that says how to start the server.
func (c *Call) Files() (*access.FS, error) {
	c.files.Lock()
	defer c.files.Unlock()
	if c.files.ended {
		return nil, fault.New(fault.Internal, "Call.Files was called after the call had ended")
	}
	if c.files.fs != nil {
		return c.files.fs, nil
	}
	root, err := c.request.Root, error(nil)
	if root == "" {
		root, err = access.WorkingDir()
	}
	if err == nil {
		c.files.fs, err = access.Open(root, c.request.Access)
	}
	return c.files.fs, err
}

// closeFiles closes the file system, even if the handler has goroutines that use it.
func (c *Call) closeFiles() {
	c.files.Lock()
	defer c.files.Unlock()
	c.files.ended = true
	if c.files.fs != nil {
		_ = c.files.fs.Close() // directories that were only read
	}
}

// Cursors converts positions in the list that answers a request to cursors, and back.
type Cursors interface {
	// SealCursor returns the cursor that the caller sees for a position.
	SealCursor(r Request, position string) string
	// OpenCursor returns the position of a cursor, or false if it is not a cursor of the list.
	OpenCursor(r Request, cursor string) (position string, ok bool)
}

// A Request is a call as it was received over a protocol. Every field is optional.
type Request struct {
	ID        string                     // identifies the run in logs and in question references
	Arguments json.RawMessage            // as the model sent them; nil and null mean an empty object
	Options   []json.RawMessage          // layers; later layers override earlier ones
	Answers   map[string]question.Answer // the known answers by question id
	Asker     question.Asker             // answers new questions; with the zero value, asking fails
	Once      map[string]json.RawMessage // the results of [Once] from an earlier run, by key
	Remarks   []string                   // sentences about the call, for the result's warnings
	// Rounds is the number of questions in earlier runs, and MaxRounds the maximum; 0 means 100.
	Rounds, MaxRounds                 int
	Root, WorkspaceID, ConversationID string // the caller's workspace
	// Progress sends progress, as [Call.Progress] describes; nil if the caller did not request it.
	Progress     func(done, total float64, message string)
	Contract     *manifest.Tool // the published contract; nil for a tool without a server
	Interceptors []Interceptor  // run around the call; the first is outermost
	Access       *access.Policy // the user's access policy; nil restricts nothing
	Timeout      time.Duration  // the time limit for a tool that does not declare one; 0 means none
	Cursors      Cursors        // makes cursors; nil means that a cursor is the position itself
	Principal    string         // the authenticated caller, or "" if unknown
	// HideErrors replaces the text of errors without a code with an incident id, and hides causes.
	HideErrors bool
	Log        *slog.Logger // receives what the call logs; nil means the default logger
	CallerLog  slog.Handler // sends log records to the caller; nil if it did not request them

	onQuestion func(q question.Question, action question.Action, known bool, err error) // see trace
}

// trace logs a run for debugging. Arguments, options, messages and answers are never logged,
// because they may be secret.
func (c *Call) trace() (ended func(error)) {
	r := &c.request
	if !r.Log.Enabled(context.Background(), slog.LevelDebug) {
		return func(error) {}
	}
	log, began := c.operator(), time.Now()
	log.Debug("call begins", "round", r.Rounds+1, "answers", len(r.Answers), "principal", r.Principal)
	r.onQuestion = func(q question.Question, action question.Action, known bool, err error) {
		how := map[question.Action]string{question.Accept: "accept", question.Decline: "decline", question.Cancel: "cancel"}[action]
		if err != nil {
			how = outcomeOf(err)
		}
		log.Debug("question", "key", q.Ref.Key, "subject", q.Ref.Subject, "seq", q.Ref.Seq, "answer", how, "known", known)
	}
	return func(err error) {
		log.Debug("call ends", "outcome", outcomeOf(err), "took", time.Since(began))
	}
}

func outcomeOf(err error) string {
	if Asks(err) != nil {
		return "waits"
	}
	return cmp.Or(string(fault.CodeOf(err)), "result")
}
