package handler_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

type nothing = handler.None

// runHandler runs a handler that only uses its call.
func runHandler(t *testing.T, r *handler.Run, handle func(*tool.Call) error) error {
	t.Helper()
	made := handler.New("sample", handler.Codec[nothing, nothing, nothing, nothing]{Result: handler.Done},
		func(_ context.Context, c *tool.Call, _, _, _ nothing) (nothing, error) { return nothing{}, handle(c) })
	_, err := made.Run(t.Context(), r)
	return err
}

func TestFiles(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	granted := &access.Policy{FS: []access.FSRule{{Path: "b", Write: true}}}
	for _, tc := range []struct {
		name   string
		r      *handler.Run
		read   fault.Code
		write  fault.Code
		opened fault.Code
	}{
		{"no such root", &handler.Run{Surroundings: handler.Surroundings{Grant: handler.Grant{Root: filepath.Join(root, "gone")}}}, "", "", fault.Unavailable},
		{"granted little", &handler.Run{Surroundings: handler.Surroundings{Grant: handler.Grant{Root: root, Access: granted}}}, fault.PermissionDenied, "", ""},
		{"not said", &handler.Run{Surroundings: handler.Surroundings{Grant: handler.Grant{Root: root}}}, "", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := runHandler(t, tc.r, func(c *tool.Call) error {
				files, err := c.Files()
				if err != nil {
					return err
				}
				if again, err := c.Files(); err != nil || again != files {
					t.Errorf("a second time: %v, %v", again, err)
				}
				if _, err := files.ReadFile("a"); fault.CodeOf(err) != tc.read {
					t.Errorf("reading: %v", err)
				}
				if err := files.WriteFile("b", nil, 0o644); fault.CodeOf(err) != tc.write {
					t.Errorf("writing: %v", err)
				}
				if err := files.WriteFile("../b", nil, 0o644); fault.CodeOf(err) != fault.InvalidInput {
					t.Errorf("writing outside: %v", err)
				}
				if c.Access() != tc.r.Access || !c.Access().AllowsEnv("HOME") {
					t.Errorf("Access() = %v", c.Access())
				}
				return nil
			})
			if fault.CodeOf(err) != tc.opened {
				t.Errorf("the call: %v", err)
			}
		})
	}
}

// A goroutine that outlives its handler has no access to files after the call, however the call ended.
func TestFilesEndWithTheCall(t *testing.T) {
	for name, end := range map[string]func() error{
		"well":  func() error { return nil },
		"fault": func() error { return errors.New("no") },
		"panic": func() error { panic("no") },
	} {
		t.Run(name, func(t *testing.T) {
			var call *tool.Call
			var files *access.FS
			err := runHandler(t, &handler.Run{Surroundings: handler.Surroundings{Grant: handler.Grant{Root: t.TempDir()}}}, func(c *tool.Call) (err error) {
				call = c
				if files, err = c.Files(); err != nil {
					t.Fatal(err)
				}
				return end()
			})
			if (err == nil) != (name == "well") {
				t.Errorf("the call: %v", err)
			}
			if _, err := files.ReadDir("."); !errors.Is(err, fs.ErrClosed) {
				t.Errorf("kept: %v", err)
			}
			if _, err := call.Files(); fault.CodeOf(err) != fault.Internal {
				t.Errorf("asked for late: %v", err)
			}
		})
	}
}

// An in-process call has no caller that sets a root directory.
func TestFilesInProcess(t *testing.T) {
	got, err := invoke(t.Context(), question.CannotAsk(nil), func(_ context.Context, c *tool.Call, _ asking) (string, error) {
		files, err := c.Files()
		if err != nil {
			return "", err
		}
		_, err = files.Stat("access_test.go")
		return "found", err
	})
	if err != nil || got != "found" {
		t.Errorf("Invoke = %q, %v", got, err)
	}
}
