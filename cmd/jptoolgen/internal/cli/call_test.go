package cli

import (
	"errors"
	"io"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
)

// A person can cancel a tool's question. Without consent to start a server, the command fails.
func TestReportUnanswered(t *testing.T) {
	env := Env{Stderr: io.Discard}
	if err := reportUnanswered(env, terminal.ErrDeclined); !errors.Is(err, status(exitFindings)) {
		t.Errorf("a declined question: %v", err)
	}
	refused := errors.Join(target.ErrRefused, terminal.ErrCanceled)
	if err := reportUnanswered(env, refused); err != refused {
		t.Errorf("a refused target: %v", err)
	}
}
