// Package kept keeps and replaces questions.
package kept

import (
	"context"
	"sync"
	"time"

	"github.com/jptool/jptool/sdk/elicit"
)

// Server keeps questions.
//
//jp:server clients=mcp
type Server struct {
	last   Questions
	asks   []elicit.Text
	byName map[string]elicit.Text
	queue  chan Questions
	later  func(context.Context) error
	cache  sync.Map
	ctx    context.Context
	name   string
	object *object
}

type object struct{ ask Questions }

func (o *object) keep(ask Questions) { o.ask = ask }

// Questions are the questions of a tool.
type Questions struct {
	// Sure asks whether to continue.
	Sure elicit.Text
	// Also asks about something else.
	Also elicit.Text
	// Name asks for a name.
	Name elicit.Text
}

var global elicit.Text // want `JP722: variable global holds a question, which belongs to a single call; take the questions as a parameter, because each call has its own`

var pending []Questions // want `JP722: variable pending holds a question`

// Save keeps its questions.
//
//jp:tool
func (s *Server) Save(ctx context.Context, ask Questions) (string, error) {
	s.last = ask                                // want `JP722: a question is stored in the server, which outlives the call`
	s.last.Sure = ask.Sure                      // want `JP722: a question is stored in the server`
	s.asks = append(s.asks, ask.Sure)           // want `JP722: a question is stored in the server`
	s.byName["x"] = ask.Sure                    // want `JP722: a question is stored in the server`
	s.queue <- ask                              // want `JP722: a question is stored in the server`
	s.cache.Store("x", ask.Name)                // want `JP722: a question is stored in the server`
	pending = append(pending, ask)              // want `JP722: a question is stored in a package variable`
	s.later = func(ctx context.Context) error { // want `JP722: a question is stored in the server`
		_, err := ask.Name.Ask(ctx, "Name?")
		return err
	}
	s.object.keep(ask)                   // want `JP722: a question is stored in the server`
	(&object{}).keep(ask)                // an object that belongs to the call
	keep := func() { global = ask.Name } // want `JP722: a question is stored in a package variable`
	keep()
	if _, err := ask.Also.Ask(ctx, "Also?"); err != nil {
		return "", err
	}
	return ask.Name.Ask(ctx, "Name?")
}

// Peek asks the question that Save has kept.
//
//jp:tool
func (s *Server) Peek(ctx context.Context) (string, error) {
	if _, err := s.last.Sure.Ask(ctx, "Sure?"); err != nil { // want `JP722: the question asked here is stored in the server, which outlives the call`
		return "", err
	}
	q := s.byName["x"]
	if _, err := q.For("y").Ask(ctx, "Sure?"); err != nil { // want `JP722: the question asked here is stored in the server`
		return "", err
	}
	return global.Ask(ctx, "Name?")
}

// Swap replaces its questions.
//
//jp:tool
func (s *Server) Swap(ctx context.Context, ask Questions) (string, error) {
	ask.Sure, ask.Also = ask.Also, ask.Sure // want `JP723: question Sure is replaced by another value; ask the declared question` `JP723: question Also is replaced`
	if _, err := ask.Sure.Ask(ctx, "Sure?"); err != nil {
		return "", err
	}
	ask.Also = elicit.Text{} // want `JP723: question Also is replaced`
	if _, err := ask.Also.Ask(ctx, "Also?"); err != nil {
		return "", err
	}
	return ask.Name.Ask(ctx, "Name?")
}

// Blank asks questions that no tool declares.
//
//jp:tool
func (s *Server) Blank(ctx context.Context) (string, error) {
	if _, err := (elicit.Text{}).Ask(ctx, "Sure?"); err != nil { // want `JP723: the question asked here is not declared by a tool; ask a field of the tool's questions parameter`
		return "", err
	}
	var name elicit.Text
	if _, err := name.For("x").Ask(ctx, "Name?"); err != nil { // want `JP723: the question asked here is not declared by a tool`
		return "", err
	}
	ask := Questions{Sure: elicit.Text{}}
	if _, err := ask.Sure.Ask(ctx, "Sure?"); err != nil { // want `JP723: the question asked here is not declared by a tool`
		return "", err
	}
	return s.Swap(ctx, Questions{}) // want `JP723: the questions passed to this function are not declared by a tool; pass the tool's questions parameter`
}

// Away asks with other contexts.
//
//jp:tool
func (s *Server) Away(ctx context.Context, ask Questions) (string, error) {
	if _, err := ask.Sure.Ask(context.Background(), "Sure?"); err != nil { // want `JP724: a question is asked with a new context, which does not belong to the call; use the context of the handler`
		return "", err
	}
	limited, cancel := context.WithTimeout(context.TODO(), time.Minute)
	defer cancel()
	if err := helped(limited, ask.Also); err != nil { // want `JP724: a question is asked with a new context`
		return "", err
	}
	return ask.Name.Ask(s.ctx, "Name?") // want `JP724: a question is asked with a context stored in the server, which does not belong to the call`
}

// The following code has no findings.

func helped(ctx context.Context, ask elicit.Text) error {
	_, err := ask.Ask(ctx, "Sure?")
	return err
}

type asker struct {
	server *Server
	ask    elicit.Text
	name   elicit.Text
}

func newAsker(s *Server, ask Questions) *asker {
	return &asker{server: s, ask: ask.Sure, name: ask.Name}
}

type pair struct{ one, two elicit.Text }

func (p pair) swapped() pair {
	p.one, p.two = p.two, p.one
	return p
}

func (a *asker) about(subject string) { a.ask = a.ask.For(subject) }

// Well asks through helpers.
//
//jp:tool
func (s *Server) Well(ctx context.Context, ask Questions) (string, error) {
	a := newAsker(s, ask)
	if err := helped(ctx, pair{ask.Sure.For("1"), ask.Also.For("2")}.swapped().one); err != nil {
		return "", err
	}
	a.about("x")
	if err := helped(ctx, a.ask); err != nil {
		return "", err
	}
	ask.Also = ask.Also.For("x").Preamble("y")
	if err := helped(ctx, ask.Also); err != nil {
		return "", err
	}
	questions := map[string]elicit.Text{"x": ask.Sure}
	if err := helped(ctx, questions["x"].For("z")); err != nil {
		return "", err
	}
	question := ask.Sure
	if s.name != "" {
		question = ask.Also
	}
	if err := helped(ctx, question.For("w")); err != nil {
		return "", err
	}
	s.name = "x"
	part := Questions{Sure: ask.Sure, Also: ask.Also, Name: ask.Name}
	return part.Name.Ask(context.WithoutCancel(ctx), "Name?")
}
