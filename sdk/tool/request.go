package tool

import (
	"encoding/json"
	"log/slog"
	"time"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
)

// A Request is a call as a bridge read it off its wire. Every part may be
// missing, independently of the others.
type Request struct {
	// ID identifies the run in logs and in the references of questions.
	ID string
	// Arguments is what the model sent; nil and null are an empty object.
	Arguments json.RawMessage
	// Options are objects of options, each overruling the ones before.
	Options []json.RawMessage
	// Answers are those already known, by the id of the question.
	Answers map[string]question.Answer
	// Asker is where new questions go; the zero Asker means that no one can be asked.
	Asker question.Asker
	// Rounds is how many questions earlier runs of the call have asked, and MaxRounds
	// how many it may ask; 0 is 100.
	Rounds, MaxRounds int
	// Once are results of [Once] that an earlier run carried, by their key.
	Once map[string]json.RawMessage
	// Remarks are on the call itself, a sentence each. They join the warnings of the
	// result.
	Remarks []string
	// Progress sends how far the call is to a caller that asked; nil for one that
	// did not. See [Call.Progress].
	Progress func(done, total float64, message string)
	// Contract is what the server publishes of the tool; nil for a tool without a server.
	Contract *manifest.Tool
	// Interceptors stand around the run, the first outermost.
	Interceptors []Interceptor
	// Principal is who calls, "" where the door does not tell.
	Principal string
	// Root, WorkspaceID and ConversationID describe where the caller works.
	Root, WorkspaceID, ConversationID string
	// Access is what the user grants below Root and beyond; nil restricts nothing.
	Access *access.Policy
	// Timeout is how long a call may take of a tool that does not say so itself; 0 is
	// without end.
	Timeout time.Duration
	// HideErrors says that the text of an error without a code is not for the caller, who
	// is told an incident id instead, and neither is the cause of any other.
	HideErrors bool
	// Log receives what the call logs; nil is the default logger.
	Log *slog.Logger
	// CallerLog sends what the handler logs to a caller that asked; nil for one that
	// did not. See [Call.Log].
	CallerLog slog.Handler

	told func(q question.Question, action question.Action, known bool, err error) // see trace
}
