// Package idle declares questions and options that it does not use.
package idle

import (
	"context"
	"fmt"

	"github.com/jptool/jptool/sdk/elicit"
)

// Server has tools.
//
//jp:server
type Server struct{}

// Questions are the questions of a tool.
type Questions struct {
	// Go is asked.
	Go elicit.Text
	// Name is not asked.
	Name elicit.Text // want `JP707: question Name is declared, but tool ask never asks it; ask it, delete it, or declare a separate questions struct for the tool`
}

// Options are the options of a tool.
//
//jp:options
type Options struct {
	// Quick is read.
	Quick bool `json:"quick,omitempty"`
	// Slow is not read.
	Slow bool `json:"slow,omitempty"` // want `JP708: option slow is declared, but tool ask never reads it`
}

// Ask asks one question and reads one option.
//
//jp:tool
func (s *Server) Ask(ctx context.Context, ask Questions, opt Options) error {
	if opt.Quick {
		return nil
	}
	_, err := ask.Go.Ask(ctx, "Go?")
	return err
}

// Shared are the questions of two tools.
type Shared struct {
	// First is asked by both tools.
	First elicit.Text
	// Second is asked by one tool.
	Second elicit.Text // want `JP707: question Second is declared, but tool one never asks it`
}

// One asks the first question.
//
//jp:tool
func (s *Server) One(ctx context.Context, ask Shared) error { return first(ctx, ask) }

// Both asks both questions.
//
//jp:tool
func (s *Server) Both(ctx context.Context, ask Shared) error {
	if err := first(ctx, ask); err != nil {
		return err
	}
	return second(ctx, &ask)
}

func first(ctx context.Context, ask Shared) error {
	_, err := ask.First.Ask(ctx, "First?")
	return err
}

func second(ctx context.Context, ask *Shared) error {
	later := func() error {
		_, err := ask.Second.Ask(ctx, "Second?")
		return err
	}
	return later()
}

// Parts are questions that are passed one by one.
type Parts struct {
	// Pick is asked elsewhere.
	Pick elicit.Pick
}

// Given passes its question and its whole options to a function.
//
//jp:tool
func (s *Server) Given(ctx context.Context, ask Parts, opt WholeOptions) (string, error) {
	name, err := pick(ctx, ask.Pick)
	return fmt.Sprint(name, opt), err
}

func pick(ctx context.Context, q elicit.Pick) (string, error) {
	return q.Among("a").Ask(ctx, "Which?")
}

// WholeOptions is passed to code that cannot be followed.
//
//jp:options
type WholeOptions struct {
	// Limit is printed.
	Limit int `json:"limit,omitempty"`
}

// Methods reads its options by their method.
//
//jp:tool
func (s *Server) Methods(ctx context.Context, opt MethodOptions) (string, error) {
	return opt.text(), nil
}

// MethodOptions has a method.
//
//jp:options
type MethodOptions struct {
	// Text is returned.
	Text string `json:"text,omitempty"`
}

func (o MethodOptions) text() string { return o.Text }

// BlankQuestions are questions that are never asked.
type BlankQuestions struct {
	// Never is not asked.
	Never elicit.Text // want `JP707: question Never is declared, but tool blank never asks it`
}

// EmbeddedOptions embeds other options.
//
//jp:options
type EmbeddedOptions struct {
	MethodOptions
	// Own is read in a literal.
	Own bool `json:"own,omitempty"`
}

// Blank asks nothing. It reads its options in a literal and through their embedded struct.
//
//jp:tool
func (s *Server) Blank(ctx context.Context, _ BlankQuestions, opt EmbeddedOptions) (string, error) {
	read := func() bool { return opt.Own }
	if read() {
		return opt.text(), nil
	}
	return "", nil
}

// DeadQuestions are questions that are asked in code that never runs.
type DeadQuestions struct {
	// False is behind a condition that never holds.
	False elicit.Text // want `JP707: question False is declared, but tool dead never asks it`
	// After is behind a return.
	After elicit.Text // want `JP707: question After is declared, but tool dead never asks it`
	// Literal is in a function that is never called.
	Literal elicit.Text // want `JP707: question Literal is declared, but tool dead never asks it`
	// Live is asked.
	Live elicit.Text
}

const debug = false

// Dead asks one question.
//
//jp:tool
func (s *Server) Dead(ctx context.Context, ask DeadQuestions) error {
	if debug {
		if _, err := ask.False.Ask(ctx, "Go?"); err != nil {
			return err
		}
		never := func() error {
			_, err := ask.Literal.Ask(ctx, "Go?")
			return err
		}
		return never()
	}
	_, err := ask.Live.Ask(ctx, "Go?")
	return err
	_, err = ask.After.Ask(ctx, "Go?")
	return err
}

// ServerOptions are the options of all tools. Each tool reads the options that it needs.
//
//jp:options scope=server
type ServerOptions struct {
	// Region is not read here.
	Region string `json:"region,omitempty"`
}

// Wide reads no option.
//
//jp:tool
func (s *Server) Wide(ctx context.Context, opt ServerOptions) error { return nil }
