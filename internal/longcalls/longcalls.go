// Package longcalls is a server whose calls become tasks. The tools of suite.go are those that the scenarios of MCP's
// conformance suite for tasks call; [Calls.Pipeline] is for tests that kill its process.
package longcalls

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

//go:generate go tool jptoolgen

// Calls is a server for tests of tasks.
//
//jp:server name=longcalls
type Calls struct {
	// Reached is called at points of Pipeline; it may be nil.
	Reached func(point string)
}

// NameQuestions holds the questions of Pipeline.
type NameQuestions struct {
	// Name asks for whom a seat is reserved.
	Name elicit.Text
	// Sure asks whether the seat is to be paid for.
	Sure elicit.Confirm
}

// PipelineInput holds the arguments of Pipeline.
type PipelineInput struct {
	// File to which effects are appended, one line each.
	Effects string `json:"effects"`
	// Whether paying is never tried twice.
	Careful bool `json:"careful,omitzero"`
	// Duration of each step in milliseconds.
	Step int `json:"step,omitzero"`
}

// Pipeline reserves a seat, asks for whom, and pays for the seat if the person agrees.
//
//jp:tool name=pipeline task=auto poll=100ms openworld=true
//jp:fails unavailable
func (c *Calls) Pipeline(ctx context.Context, call *tool.Call, in PipelineInput, ask NameQuestions) (string, error) {
	c.reached("started")
	call.Progress(1, 3, "reserving")
	if err := pause(ctx, in.Step); err != nil {
		return "", err
	}
	seat, err := tool.Once(ctx, "reserve", func(ctx context.Context) (int, error) {
		return 17, c.effect(ctx, in.Effects, "reserve")
	})
	if err != nil {
		return "", err
	}
	name, err := ask.Name.Ask(ctx, "For whom is seat %d?", seat)
	if err != nil {
		return "", err
	}
	call.Progress(2, 3, "paying")
	if ok, err := ask.Sure.Ask(ctx, "Pay for seat %d of %s?", seat, name); err != nil || !ok {
		return "", err
	}
	if err := pause(ctx, in.Step); err != nil {
		return "", err
	}
	var options []tool.OnceOption
	if in.Careful {
		options = append(options, tool.AtMostOnce)
	}
	receipt, err := tool.Once(ctx, "pay", func(ctx context.Context) (string, error) {
		return "receipt of " + name, c.effect(ctx, in.Effects, "pay")
	}, options...)
	if err != nil {
		return "", err
	}
	c.reached("computed")
	return fmt.Sprintf("seat %d: %s", seat, receipt), nil
}

// effect appends a line to the file, as a service outside would record a request with an idempotency key.
func (c *Calls) effect(ctx context.Context, file, name string) error {
	c.reached("begun " + name)
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "the file cannot be opened")
	}
	line, _ := json.Marshal([2]string{name, tool.OnceKey(ctx, name)}) // cannot fail
	_, err = f.Write(append(line, '\n'))
	if err := f.Close(); err != nil {
		return err
	}
	c.reached("done " + name)
	return err
}

func (c *Calls) reached(point string) {
	if c.Reached != nil {
		c.Reached(strings.ReplaceAll(point, " ", "-"))
	}
}

// pause waits for a step.
func pause(ctx context.Context, milliseconds int) error {
	select {
	case <-time.After(time.Duration(milliseconds) * time.Millisecond):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
