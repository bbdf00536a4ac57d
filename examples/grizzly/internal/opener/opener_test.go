package opener_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/examples/grizzly/internal/opener"
)

// openerEnv is the environment variable that makes the test binary act as the program that the opener runs.
const openerEnv = "GRIZZLY_TEST_OPENER"

func TestMain(m *testing.M) {
	switch mode := os.Getenv(openerEnv); {
	case mode == "":
		os.Exit(m.Run())
	case mode == "fail":
		os.Exit(3)
	case mode == "hang":
		<-time.After(time.Hour)
	case mode == "loud":
		for range 1000 {
			fmt.Print(strings.Repeat("noise", 1000))
			fmt.Fprint(os.Stderr, strings.Repeat("noise", 1000))
		}
	default: // mode is the file in which to record the input
		in, err := io.ReadAll(os.Stdin)
		text := fmt.Sprintf("%q %q %v", os.Args[1:], in, err)
		if err := os.WriteFile(mode, []byte(text), 0o600); err != nil {
			os.Exit(1)
		}
	}
	os.Exit(0)
}

func TestCreateFails(t *testing.T) {
	ctx := context.Background()
	dead, cancel := context.WithCancel(ctx)
	cancel()
	mine := opener.Opener{Program: os.Args[0]}
	draft := opener.Draft{Title: "secret title"}
	for _, c := range []struct {
		name   string
		ctx    context.Context
		opener opener.Opener
		mode   string
		want   error
	}{
		{"no such program", ctx, opener.Opener{Program: filepath.Join(t.TempDir(), "none")}, "fail", opener.ErrNoProgram},
		{"no such name", ctx, opener.Opener{Program: "no-such-program-anywhere"}, "fail", opener.ErrNoProgram},
		{"a folder", ctx, opener.Opener{Program: t.TempDir()}, "fail", opener.ErrNoProgram},
		{"a command line", ctx, opener.Opener{Program: os.Args[0] + " --flag; true"}, "fail", opener.ErrNoProgram},
		{"exit status", ctx, mine, "fail", opener.ErrRefused},
		{"no end", ctx, opener.Opener{Program: os.Args[0], Timeout: 100 * time.Millisecond}, "hang", opener.ErrTimeout},
		{"canceled", dead, mine, "hang", context.Canceled},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(openerEnv, c.mode)
			err := c.opener.Create(c.ctx, draft)
			if !errors.Is(err, c.want) {
				t.Fatalf("got %v, want %v", err, c.want)
			}
			var failure opener.Failure
			if errors.As(err, &failure) && failure.Transient() != (c.want == opener.ErrTimeout) {
				t.Errorf("transient %v", failure.Transient())
			}
			if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "/") {
				t.Errorf("%q says too much", err)
			}
		})
	}
}

func TestInvalidDraftRunsNothing(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	t.Setenv(openerEnv, out)
	var invalid *opener.InvalidError
	if err := (opener.Opener{Program: os.Args[0]}).Create(context.Background(), opener.Draft{}); !errors.As(err, &invalid) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("the program ran")
	}
}

func TestCreate(t *testing.T) {
	draft := opener.Draft{Title: "$(id) `id` ; id > x", Tags: []string{"two words"}, Content: "%s $HOME\n'\"\n"}
	out := filepath.Join(t.TempDir(), "out")
	t.Setenv(openerEnv, out)
	if err := (opener.Opener{Program: os.Args[0]}).Create(context.Background(), draft); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if want := fmt.Sprintf("%q %q %v", []string{draft.URL()}, "", nil); err != nil || string(got) != want {
		t.Errorf("the program got %s, %v; want %s", got, err, want)
	}
}

func TestLoudProgram(t *testing.T) {
	t.Setenv(openerEnv, "loud")
	if err := (opener.Opener{Program: os.Args[0]}).Create(context.Background(), opener.Draft{Title: "T"}); err != nil {
		t.Fatal(err)
	}
}

// Without a configured program, only macOS has a default.
func TestPlatform(t *testing.T) {
	if runtime.GOOS == "darwin" {
		return // on macOS, Create would create a note
	}
	if err := (opener.Opener{}).Create(context.Background(), opener.Draft{Title: "T"}); !errors.Is(err, opener.ErrPlatform) {
		t.Errorf("got %v", err)
	}
}

// If a note exceeds the maximum length of an argument on this system, the error is about the note, not
// the program.
func TestLongestArgument(t *testing.T) {
	t.Setenv(openerEnv, filepath.Join(t.TempDir(), "out"))
	err := (opener.Opener{Program: os.Args[0]}).Create(context.Background(), opener.Draft{Title: "T", Content: strings.Repeat("\n", 64<<10)})
	var invalid *opener.InvalidError
	if err != nil && (!errors.As(err, &invalid) || invalid.Field != "content") {
		t.Errorf("got %v", err)
	}
}
