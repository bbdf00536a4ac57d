// Package tasks has side effects in tools whose calls become tasks.
package tasks

import (
	"bytes"
	"context"
	"log"
	"net/http"
	"os"
	"os/exec"

	"example.com/m/tasks/store"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// Server is the server of this package.
//
//jp:server clients=mcp
type Server struct{}

// Questions are the questions of a tool.
type Questions struct {
	// Sure asks whether to continue.
	Sure elicit.Confirm
}

// Export has an effect that another process would repeat.
//
//jp:tool task=auto after=10s
//jp:fails unavailable
func (s *Server) Export(ctx context.Context) error {
	if err := os.WriteFile("x", nil, 0o600); err != nil { // want `JP730: os.WriteFile may run again if the server stops during a task of tool export; run it in tool.Once, whose result is stored with the task`
		return fault.Wrap(err, fault.Unavailable, "no")
	}
	return nil
}

// Publish has effects after its last question, in helpers and in function literals.
//
//jp:tool task=required
func (s *Server) Publish(ctx context.Context, ask Questions) (string, error) {
	sure, err := ask.Sure.Ask(ctx, "Publish?")
	if err != nil || !sure {
		return "", err
	}
	_ = store.Save("x")                                                   // want `JP730: Save, which calls os.WriteFile, may run again if the server stops during a task of tool publish`
	_, _ = http.Post("http://127.0.0.1", "text/plain", new(bytes.Buffer)) // want `JP730: http.Post may run again`
	_ = s.run(ctx)
	each([]string{"a"}, func(name string) { _ = os.Remove(name) }) // want `JP730: os.Remove may run again`
	go s.signal()
	return "published", nil
}

func (s *Server) run(ctx context.Context) error {
	return exec.CommandContext(ctx, "git", "push").Run() // want `JP730: exec.Cmd.Run may run again if the server stops during a task of tool publish`
}

func (s *Server) signal() {
	_ = os.Mkdir("x", 0o700) // want `JP730: os.Mkdir may run again`
}

func each(names []string, do func(string)) {
	for _, name := range names {
		do(name)
	}
}

// Ask has an effect before its question, which an answer repeats as well.
//
//jp:tool task=auto
func (s *Server) Ask(ctx context.Context, ask Questions) (string, error) {
	_ = os.Remove("x")                                    // want `JP704: os.Remove runs before the question` `JP730: os.Remove may run again`
	if _, err := ask.Sure.Ask(ctx, "Sure?"); err != nil { // want `JP727: `
		return "", err
	}
	return "", nil
}

// The following code has no findings.

// Kept stores the results of its effects.
//
//jp:tool task=required
//jp:fails unavailable
func (s *Server) Kept(ctx context.Context, ask Questions) (string, error) {
	done, err := tool.Once(ctx, "push", func(ctx context.Context) (string, error) {
		if err := os.WriteFile("x", nil, 0o600); err != nil {
			return "", fault.Wrap(err, fault.Unavailable, "no")
		}
		return "pushed", s.run(ctx)
	}, tool.AtMostOnce)
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "no")
	}
	sure, err := ask.Sure.Ask(ctx, "Sure?")
	if err != nil || !sure {
		return "", err
	}
	_, err = tool.Once(ctx, "save", func(context.Context) (bool, error) { return true, store.Save("y") })
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "no")
	}
	return done, nil
}

// Reads only reads, reports its progress, and writes what may be written twice.
//
//jp:tool task=auto
//jp:fails unavailable
func (s *Server) Reads(ctx context.Context, call *tool.Call) (string, error) {
	log.Print("starts")
	call.Progress(1, 2, "half")
	answer, err := http.Get("http://127.0.0.1")
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "no")
	}
	defer answer.Body.Close()
	defer os.Remove("x.draft")
	dir, err := os.MkdirTemp("", "x")
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "no")
	}
	_ = os.WriteFile(dir+"/x", nil, 0o600)
	_ = os.MkdirAll("x/y", 0o700)
	_ = store.Cache("x")
	//jp:allow JP730 reason="each run writes the same content"
	_ = store.Save("z")
	data, err := os.ReadFile("x")
	return string(data), err
}

// Plain is a tool whose calls never become tasks.
//
//jp:tool task=never
func (s *Server) Plain(ctx context.Context) error { return store.Save("x") }

// Usual is the same.
//
//jp:tool
func (s *Server) Usual(ctx context.Context) error { return os.Remove("x") }
