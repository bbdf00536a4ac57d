package report

import (
	"strings"
	"testing"

	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/measure"
	"github.com/jptool/jptool/bench/internal/request"
)

// A miss is told as one, and by how much.
func TestPromises(t *testing.T) {
	tests := []struct {
		objects float64
		verdict string
	}{{60, "kept"}, {61, "missed by 2 %"}, {120, "missed by 100 %"}}
	for _, test := range tests {
		f := Figures{
			Subjects: []build.Subject{{Name: build.Ours, Command: func(int) []string { return []string{"none"} }}},
			Allocs:   map[string]map[request.Era]measure.Allocs{build.Ours: {request.Sessions: {Objects: test.objects}}},
		}
		var row string
		for line := range strings.Lines(f.Markdown()) {
			if strings.HasPrefix(line, "| objects allocated a call ") {
				row = strings.TrimSpace(line)
			}
		}
		if !strings.HasSuffix(row, "| "+test.verdict+" |") {
			t.Errorf("of %v objects the report says %q, not %q", test.objects, row, test.verdict)
		}
	}
}
