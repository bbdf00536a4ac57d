package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
	"github.com/jptool/jptool/sdk/jp/jphost"
)

// The test binary acts as the server. The server starts the test binary again to act as Bear.
const (
	serverRole = "GRIZZLY_TEST_SERVER"
	bearNotes  = "GRIZZLY_TEST_BEAR" // the file in which Bear records its requests
)

func TestMain(m *testing.M) {
	switch {
	case len(os.Args) == 2 && strings.HasPrefix(os.Args[1], "bear://"):
		if err := os.WriteFile(os.Getenv(bearNotes), []byte(os.Args[1]), 0o600); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case os.Getenv(serverRole) != "":
		main()
	default:
		os.Exit(m.Run())
	}
}

// command returns a server command with its own home directory. Later settings override earlier
// settings.
func command(tb testing.TB, settings []string, args ...string) *exec.Cmd {
	tb.Helper()
	self, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	// The race detector would delay the exit of a process by a second.
	own := []string{serverRole + "=1", "GORACE=atexit_sleep_ms=0", "HOME=" + tb.TempDir(), "GRIZZLY_DB="}
	cmd.Env = slices.Concat(os.Environ(), own, settings)
	return cmd
}

// start runs the server and returns its JP host.
func start(tb testing.TB, o jphost.Options, cmd *exec.Cmd) *jphost.Host {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var log bytes.Buffer // read after the server has ended
	o.Stderr = &log
	h, err := jphost.Start(ctx, cmd, o)
	if err != nil {
		tb.Fatalf("starting the server: %v\n%s", err, log.String())
	}
	tb.Cleanup(func() {
		if err := h.Close(); err != nil {
			tb.Errorf("the server ended with %v\n%s", err, log.String())
		}
	})
	return h
}

// call runs a call to its end, without answers to questions.
func call(tb testing.TB, h *jphost.Host, tool, arguments string) jphost.Reply {
	tb.Helper()
	reply, err := h.Call(context.Background(), tool, json.RawMessage(arguments), nil)
	if err != nil {
		tb.Fatalf("%s: %v", tool, err)
	}
	return reply
}

// wantReply compares a reply with a kind and a part of its text.
func wantReply(tb testing.TB, got jphost.Reply, kind jphost.ReplyKind, text string) {
	tb.Helper()
	if got.Kind != kind || !strings.Contains(got.Text, text) {
		tb.Errorf("the reply is %s: %.500s; want %s: %s", got.Kind, got.Text, kind, text)
	}
}

// createLibrary creates a library in a new directory and returns its path. The test fails if the directory changes.
func createLibrary(tb testing.TB, layout beartest.Layout, notes ...beartest.Note) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "database.sqlite")
	if err := beartest.Create(path, layout, notes...); err != nil {
		tb.Fatal(err)
	}
	expectUnchanged(tb, filepath.Dir(path))
	return path
}

// expectUnchanged fails the test if names, bytes or times in a directory change before the test ends.
func expectUnchanged(tb testing.TB, dir string) {
	tb.Helper()
	before := content(tb, dir)
	tb.Cleanup(func() {
		if after := content(tb, dir); !maps.Equal(before, after) {
			tb.Errorf("the folder was touched:\n%v\nbefore:\n%v", after, before)
		}
	})
}

// content describes each file of a directory.
func content(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		files[path] = fmt.Sprint(info.Mode(), " ", info.ModTime())
		if d.IsDir() {
			return nil
		}
		data, err := os.ReadFile(path)
		files[path] += fmt.Sprintf(" %x", sha256.Sum256(data))
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return files
}

// wineNote returns a note that many tests use.
func wineNote() beartest.Note {
	return beartest.Note{ID: "WINE", Title: "Wine", Text: "# Wine\nThe red one.\n", Modified: beartest.Day(0), Tags: []string{"cellar"}}
}
