package corpus_test

import (
	"os"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/corpus"
	"github.com/jptool/jptool/internal/repair"
	"github.com/jptool/jptool/sdk"
)

// Errors about arguments of every type are short, and a caller can correct the arguments without
// knowing the tool.
func TestErrorsCanBeFollowed(t *testing.T) {
	lines, err := os.ReadFile("testdata/bad.txt")
	if err != nil {
		t.Fatal(err)
	}
	server := corpus.NewServer(&corpus.Corpus{})
	known := map[string]any{"value": true}
	score := repair.Measure(t, string(lines), known, func(tool string, arguments []byte) string {
		if _, err := server.Call(t.Context(), tool, arguments, sdk.Host{}); err != nil {
			return err.Error()
		}
		return ""
	})
	if score.Repaired*100 < score.Calls*98 || score.Median() > 30 {
		t.Errorf("%+v", score)
	}
}
