package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/gofrs/flock"
	"github.com/rogpeppe/go-internal/testscript"
)

// sameDir returns an empty directory whose path is the same each time the test runs. The go command caches what it
// builds by the path of the source, so a test that writes and builds modules there builds unchanged source only once.
// If the directory is in use by another run of the test, or belongs to another user, the result is a temporary directory.
func sameDir(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(os.TempDir(), "jptoolgen-"+t.Name())
	lock := flock.New(dir+".lock", flock.SetPermissions(0o600))
	if locked, err := lock.TryLock(); err != nil || !locked {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
		if err := lock.Unlock(); err != nil {
			t.Error(err)
		}
	})
	// A run that was killed leaves its files.
	if os.RemoveAll(dir) != nil || os.Mkdir(dir, 0o700) != nil {
		return t.TempDir()
	}
	return dir
}

// buildProgram builds the program pkg of the module in dir like go build -o file. The go command caches the programs
// that it runs, and does not cache those that it builds; so it runs the program by handing its file to [keepProgram].
func buildProgram(dir, pkg, file string, env []string) error {
	cmd := exec.Command("go", "run", "-exec", fmt.Sprintf("keepprogram '%s'", file), pkg)
	cmd.Dir, cmd.Env = dir, env
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return nil
}

// keepProgram copies the program in the second argument to the file in the first.
func keepProgram() {
	if err := copyProgram(os.Args[2], os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func copyProgram(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
}

// build builds a program in a script.
func build(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: build FILE PACKAGE")
	}
	ts.Check(ts.Exec("go", "run", "-exec", fmt.Sprintf("keepprogram '%s'", ts.MkAbs(args[0])), args[1]))
}
