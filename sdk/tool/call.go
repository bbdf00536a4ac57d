package tool

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool/internal/callstate"
)

// A Call describes the current call to its handler, which takes a *Call to use the caller's files,
// progress reports and log.
type Call callstate.Call

// A Caller is who calls. Its fields must not be modified.
type Caller struct {
	// Subject is the name that the issuer gives to the caller, and Issuer is the URL of the authorization server. Two
	// issuers may use the same subject for different callers; [Call.Principal] combines both.
	Subject, Issuer string
	// Scopes are the OAuth scopes that the caller has, and all that they imply.
	Scopes []string
	// Claims is a JSON object with what the issuer says about the caller, such as the claims of a JWT, or nil.
	Claims json.RawMessage
	// Headers are the headers of the HTTP request that sdk.HTTPOptions.Headers names, in the spelling of net/http.
	Headers map[string][]string
}

// Has reports whether the caller has a scope.
func (c Caller) Has(scope string) bool { return slices.Contains(c.Scopes, scope) }

func (c *Call) state() *callstate.Call { return (*callstate.Call)(c) }

// Tool returns the name of the tool.
func (c *Call) Tool() string { return c.state().Tool() }

// ID returns the id of this run, as it appears in logs. When a handler runs again with an answer, the
// id is different, because no protocol associates the runs of a call.
func (c *Call) ID() string { return c.state().Given().ID }

// Principal returns a text that identifies the authenticated caller, or "" on transports without authentication, such
// as stdio. If the caller has an [Caller.Issuer], it is the issuer, a space, and the subject.
func (c *Call) Principal() string { return c.state().Given().Caller.Subject }

// Caller returns who calls, and what the credentials permit. It is the zero Caller on transports without
// authentication, such as stdio.
func (c *Call) Caller() Caller {
	given := c.state().Given().Caller
	subject := given.Subject
	if given.Issuer != "" {
		subject = strings.TrimPrefix(subject, given.Issuer+" ")
	}
	return Caller{Subject: subject, Issuer: given.Issuer, Scopes: given.Scopes, Claims: given.Claims, Headers: given.Headers}
}

// Root returns the directory that the call works in: the root in the request, otherwise the
// --root flag, otherwise the working directory of the process. It is "" if that directory is not
// suitable for files, such as the file system's root or a home directory.
func (c *Call) Root() string { return c.state().Given().Root }

// WorkspaceID returns JP's workspace id, or "" if the caller did not send it.
func (c *Call) WorkspaceID() string { return c.state().Given().WorkspaceID }

// ConversationID returns JP's conversation id, or "" if the caller did not send it.
func (c *Call) ConversationID() string { return c.state().Given().ConversationID }

// Progress sends a report to callers that requested it: done of total, in any unit, and a message.
// A total of 0 means unknown. Reports that do not increase done are dropped, as MCP requires.
func (c *Call) Progress(done, total float64, message string) {
	c.state().Progress(done, total, message)
}

// Log returns a logger that adds the tool and the call to each record. It writes to the server's
// log and to callers that requested log messages. Do not log what they must not know.
func (c *Call) Log() *slog.Logger { return c.state().Log() }

// Branch returns a context in which asking is an error, for work such as that of a sub-agent.
func Branch(ctx context.Context) context.Context { return question.Branch(ctx) }

// Access returns the user's access policy for the tool. If the user set no policy, it is nil or has
// no rules. Both permit all URLs and environment variables, so handlers can always use its methods to
// check them. For files, use [Call.Files].
func (c *Call) Access() *access.Policy { return c.state().Given().Access }

// Files returns a file system with the files below [Call.Root] that the user's access policy
// grants. It is closed when the handler returns. The handler must close the files that it opens,
// and return the error from Files. If the directory is not suitable for files, that error is a
// [fault.PermissionDenied] that says how to start the server.
func (c *Call) Files() (*access.FS, error) { return c.state().Files() }

// Nearest returns the most similar of several names, or false if no name is similar. Names that
// differ only in case, underscores, dashes, dots and spaces are the most similar. Otherwise, a name
// may have one mistake per three characters, or a different ending.
func Nearest(name string, among []string) (string, bool) { return phrase.Nearest(name, among) }
