package tool

import (
	"encoding/json"
	"log/slog"
	"time"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
)

// Cursors converts positions in the list that answers a request to cursors, and cursors to
// positions.
type Cursors interface {
	// SealCursor returns the cursor that the caller sees for a position.
	SealCursor(r Request, position string) string
	// OpenCursor returns the position of a cursor, or false if it is not a cursor of the list.
	OpenCursor(r Request, cursor string) (position string, ok bool)
}

// A Request is a call as it was received over a protocol. Every field is optional.
type Request struct {
	// ID identifies the run in logs and in the references of questions.
	ID string
	// Arguments are the arguments that the model sent; nil and null mean an empty object.
	Arguments json.RawMessage
	// Options are layers of options. Later layers override earlier ones.
	Options []json.RawMessage
	// Answers are the known answers by question id.
	Answers map[string]question.Answer
	// Asker answers new questions; the zero Asker means that there is no user to ask.
	Asker question.Asker
	// Rounds is the number of questions that earlier runs asked, and MaxRounds the maximum; 0
	// means 100.
	Rounds, MaxRounds int
	// Once has the results of [Once] from an earlier run, by key.
	Once map[string]json.RawMessage
	// Remarks are sentences about the call itself. They are added to the warnings of the
	// result.
	Remarks []string
	// Progress sends progress to the caller; nil means that the caller did not request it. See
	// [Call.Progress].
	Progress func(done, total float64, message string)
	// Contract is the published contract of the tool; nil for a tool without a server.
	Contract *manifest.Tool
	// Interceptors run around the call; the first is outermost.
	Interceptors []Interceptor
	// Principal is the authenticated caller, or "" if unknown.
	Principal string
	// Root, WorkspaceID and ConversationID describe the caller's workspace.
	Root, WorkspaceID, ConversationID string
	// Access is the user's access policy; nil restricts nothing.
	Access *access.Policy
	// Timeout is the time limit for a tool that does not declare one; 0 means none.
	Timeout time.Duration
	// Cursors makes the cursors for lists that the tool returns; if it is nil, a cursor is the
	// position itself.
	Cursors Cursors
	// HideErrors replaces the text of each error that has no code with an incident id, and
	// hides causes.
	HideErrors bool
	// Log receives what the call logs; nil means the default logger.
	Log *slog.Logger
	// CallerLog sends log records to the caller; nil means that the caller did not request
	// them. See [Call.Log].
	CallerLog slog.Handler

	told func(q question.Question, action question.Action, known bool, err error) // see trace
}
