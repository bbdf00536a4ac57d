package notes_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/notes"
	"github.com/jptool/jptool/internal/repair"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/elicit"
)

// Errors are short, and can be followed without knowledge of the tools.
func TestErrorsCanBeFollowed(t *testing.T) {
	server := notes.NewServer(createShelf(t, kitchen()...).notes)
	known := map[string]any{"ids": "SOUP", "title": "New"}
	call := func(tool string, arguments []byte) string {
		host := sdk.Host{Ask: func(_ context.Context, r elicit.Request) (elicit.Response[json.RawMessage], error) {
			if r.Default == nil { // the question whether to create the note
				return elicit.Accepted(json.RawMessage("true")), nil
			}
			return elicit.Accepted(json.RawMessage(`"show the existing one"`)), nil
		}}
		if _, err := server.Call(t.Context(), tool, arguments, host); err != nil {
			return err.Error()
		}
		return ""
	}
	repair.MeasureTestdata(t, known, call)
}
