// Package world has side effects that the declarations of its tools rule out.
package world

import (
	"context"
	"database/sql"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"example.com/m/world/other"

	"golang.org/x/sys/unix"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// Server is the server of this package.
//
//jp:server clients=mcp
type Server struct {
	db     *sql.DB
	client *http.Client
	hook   func(string) error
}

// Input names a file.
type Input struct {
	// Name of the file.
	Name string `json:"name" jsonschema:"pattern=^[a-z]+$"`
}

// Format writes a file and contacts another machine before the call is approved.
func (in Input) Format() string {
	_ = os.WriteFile("last", []byte(in.Name), 0o600) // want `JP716: os.WriteFile in a Format method runs before the user approves a call to tool remove; move the operation into the method of the tool`
	_ = other.Fetch("https://example.com")           // want `JP716: Fetch, which calls http.Get, in a Format method`
	return in.Name
}

// Remove removes a file.
//
//jp:tool readonly=true
//jp:fails unavailable
func (s *Server) Remove(_ context.Context, in Input) error {
	if err := os.Remove("x"); err != nil { // want `JP715: os.Remove has a side effect, but tool remove declares readonly=true; write readonly=false`
		return fault.Wrap(err, fault.Unavailable, "no")
	}
	return nil
}

// Helped writes through helpers.
//
//jp:tool readonly=true
func (s *Server) Helped(ctx context.Context) error {
	_ = s.save()
	_ = other.Save("x") // want `JP715: Save, which calls os.WriteFile, has a side effect, but tool helped declares readonly=true`
	_, err := tool.Once(ctx, "x", func(context.Context) (bool, error) {
		_ = os.Mkdir("x", 0o700) // want `JP715: os.Mkdir has a side effect, but tool helped`
		return true, nil
	})
	defer os.Remove("lock") // want `JP715: os.Remove has a side effect, but tool helped`
	return err
}

func (s *Server) save() error {
	_, err := s.db.Exec("DELETE FROM things") // want `JP715: sql.DB.Exec has a side effect, but tool helped`
	return err
}

// Below makes system calls.
//
//jp:tool readonly=true
func (s *Server) Below(ctx context.Context) error {
	_ = syscall.Unlink("x")                                     // want `JP715: syscall.Unlink has a side effect`
	_ = unix.Rename("x", "y")                                   // want `JP715: unix.Rename has a side effect`
	_, _ = syscall.Open("x", syscall.O_CREAT|syscall.O_RDWR, 0) // want `JP715: syscall.Open has a side effect`
	_, _ = syscall.Open("x", syscall.O_RDONLY, 0)
	return exec.CommandContext(ctx, "git", "gc").Run() // want `JP715: exec.Cmd.Run has a side effect` `JP720: `
}

var actions = map[string]func(string) error{"remove": os.Remove, "stat": stat}

var steps = []struct{ run func() error }{{run: clean}}

var remove = os.RemoveAll

func stat(name string) error { _, err := os.Stat(name); return err }

func clean() error { return os.Truncate("x", 0) } // want `JP715: os.Truncate has a side effect, but tool looked declares`

// New returns a server.
func New() *Server { return &Server{hook: os.Remove} }

// Looked looks up functions in tables.
//
//jp:tool readonly=true
func (s *Server) Looked(ctx context.Context) error {
	_ = actions["stat"]("x") // want `JP715: os.Remove has a side effect, but tool looked declares readonly=true`
	for _, step := range steps {
		_ = step.run()
	}
	_ = remove("x") // want `JP715: os.RemoveAll has a side effect`
	_ = s.hook("x") // want `JP715: os.Remove has a side effect`
	return nil
}

// Others calls other tools.
//
//jp:tool readonly=true
func (s *Server) Others(ctx context.Context) error {
	_, err := CallWrite(ctx, s, host{}) // want `JP715: CallWrite, which calls os.WriteFile, has a side effect, but tool others declares`
	if err != nil {
		return err
	}
	return s.Clear(ctx)
}

// host answers the question of Write.
type host struct{}

func (host) Sure(context.Context, elicit.Request) (elicit.Response[bool], error) {
	return elicit.Accepted(true), nil
}

// Questions are the questions of a tool.
type Questions struct {
	// Sure asks whether to write.
	Sure elicit.Confirm
}

// Write is declared to write.
//
//jp:tool readonly=false
func (s *Server) Write(ctx context.Context, ask Questions) (string, error) {
	if sure, err := ask.Sure.Ask(ctx, "Sure?"); err != nil || !sure {
		return "", err
	}
	return "", os.WriteFile("x", nil, 0o600)
}

// Clear is declared to remove things.
//
//jp:tool readonly=false
func (s *Server) Clear(ctx context.Context) error {
	return os.Remove("x") // want `JP715: os.Remove has a side effect, but tool others declares`
}

// Closed contacts other machines.
//
//jp:tool openworld=false
//jp:fails unavailable
func (s *Server) Closed(ctx context.Context) error {
	if _, err := net.Dial("tcp", "example.com:80"); err != nil { // want `JP717: net.Dial uses the network, but tool closed declares openworld=false; write openworld=true`
		return fault.Wrap(err, fault.Unavailable, "no")
	}
	_ = other.Fetch("https://example.com") // want `JP717: Fetch, which calls http.Get, uses the network`
	get, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://example.com", nil)
	if err != nil {
		return fault.Wrap(err, fault.Internal, "no")
	}
	answer, err := s.client.Do(get) // want `JP717: http.Client.Do uses the network`
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "no")
	}
	return answer.Body.Close()
}

// Shown has an input of another package.
//
//jp:tool
func (s *Server) Shown(ctx context.Context, in other.Input) (string, error) { // want `JP716: the Format method of the input of tool shown has a side effect \(os.WriteFile\) and runs before the user approves a call; move the operation into the method of the tool`
	return in.Name, nil
}

// The following code has no findings.

// Reads reads, and writes only temporary or allowed files.
//
//jp:tool readonly=true openworld=false
//jp:fails unavailable
func (s *Server) Reads(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "x")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o600); err != nil {
		return err
	}
	if err := other.Cache("x"); err != nil {
		return err
	}
	_ = os.Remove("x") //jp:allow JP715 reason="a cache"
	if _, err := net.Dial("unix", "/run/x"); err != nil {
		return fault.Wrap(err, fault.Unavailable, "no")
	}
	if _, err := http.Get("http://127.0.0.1:1/"); err != nil {
		return fault.Wrap(err, fault.Unavailable, "no")
	}
	return nil
}

// Open does not declare its side effects.
//
//jp:tool
func (s *Server) Open(ctx context.Context) error {
	_ = other.Fetch("https://example.com")
	return os.Remove("x")
}
