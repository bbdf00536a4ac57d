package repair_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/internal/fixture/shelf"
	"github.com/jptool/jptool/internal/repair"
	"github.com/jptool/jptool/sdk"
)

// A caller can follow the runtime's own errors, which do not come from handlers.
func TestErrorsOfTheRuntime(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "notes.txt"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		server *sdk.Server
		calls  string
	}{
		{fixture.NewServer(&fixture.Fixture{}), `
			look {"path":"/etc/notes.txt"}
			look {"path":"../../notes.txt"}
			look {"path":["notes.txt"]}
			look {"file":"notes.txt"}
			look_at {"path":"notes.txt"}
			look_into_file {"path":"notes.txt"}`},
		{shelf.NewServer(shelf.New(50)), `
			list {"cursor":"expired"}
			list {"cursor":5}
			list {"cursor":{"after":3}}
			list {"limit":5000}
			pick {"fields":["name"]}
			pick {"fields":["titel"]}
			pick {"fields":"id;title"}`},
	} {
		known := map[string]any{"path": "notes.txt"}
		score := repair.Measure(t, test.calls, known, func(tool string, arguments []byte) string {
			if _, err := test.server.Call(t.Context(), tool, arguments, sdk.Host{Root: root}); err != nil {
				return err.Error()
			}
			return ""
		})
		if score.Repaired < score.Calls || score.Median() > 30 {
			t.Errorf("%+v", score)
		}
	}
}
