package crates_test

import (
	"testing"

	"github.com/jptool/jptool/examples/bookworm/internal/crates"
	"github.com/jptool/jptool/internal/repair"
	"github.com/jptool/jptool/sdk"
)

// Errors are short, and can be followed without knowledge of the tools.
func TestErrorsCanBeFollowed(t *testing.T) {
	server := crates.NewServer(open(t).tools(t))
	known := map[string]any{"query": "Teapot", "crate_name": "tea-time", "uri": "crate://tea-time"}
	call := func(tool string, arguments []byte) string {
		if _, err := server.Call(t.Context(), tool, arguments, sdk.Host{}); err != nil {
			return err.Error()
		}
		return ""
	}
	repair.MeasureTestdata(t, known, call)
}
