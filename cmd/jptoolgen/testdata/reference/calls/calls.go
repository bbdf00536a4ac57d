// Package calls uses every method of tool.Call.
package calls

import (
	"context"

	"github.com/jptool/jptool/sdk/tool"
)

// Notes keeps notes.
//
//jp:server
type Notes struct{}

// Show shows a note.
//
//jp:tool readonly=true
func (Notes) Show(ctx context.Context, call *tool.Call) (string, error) {
	call.Log().Info("showing", "tool", call.Tool(), "run", call.ID(), "caller", call.Principal(), "may write", call.Caller().Has("notes:write"),
		"root", call.Root(), "workspace", call.WorkspaceID(), "conversation", call.ConversationID())
	call.Progress(1, 2, "opening")
	if err := call.Access().CheckEnv("NOTES_DIR"); err != nil {
		return "", err
	}
	files, err := call.Files()
	if err != nil {
		return "", err
	}
	text, err := files.ReadFile("note.md")
	return string(text), err
}
