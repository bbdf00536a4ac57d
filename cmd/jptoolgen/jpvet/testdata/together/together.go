// Package together asks several questions together.
package together

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/jptool/jptool/sdk/elicit"
)

// Server is the server of this package.
//
//jp:server clients=mcp
type Server struct{ part elicit.Part }

// Questions are the questions of a tool.
type Questions struct {
	// Name asks for a name.
	Name elicit.Text
	// Age asks for an age.
	Age elicit.Number
	// Sure asks about one thing.
	Sure elicit.Confirm
	// Unused is never asked.
	Unused elicit.Text
}

// Input holds arguments.
type Input struct {
	// Names of things.
	Names []string `json:"names"`
}

// Do asks and uses the answers wrongly.
//
//jp:tool destructive=false openworld=false
func (s *Server) Do(ctx context.Context, in Input, ask Questions) (string, error) {
	var name string
	var age float64
	if err := os.Mkdir("a", 0o700); err != nil { // want `JP704: os.Mkdir runs before the question`
		return "", err
	}
	elicit.Together(ctx, ask.Name.Into(&name, "Who?"), ask.Age.Into(&age, "How old?")) // want `JP711: the error from the question is discarded`
	if err := elicit.Together(ctx, ask.Name.Into(&name, "And who?")); err != nil {     // want `JP713: the question was already asked with different text`
		return "", err
	}
	ask.Unused.Into(&name, "What?")                                                                       // want `JP707: the question is not asked; pass it to elicit.Together, or call Ask`
	s.part = ask.Name.For("kept").Into(&name, "Who?")                                                     // want `JP722: a question is stored in the server`
	go elicit.Together(ctx, ask.Name.For("stray").Into(&name, "Who?"))                                    // want `JP702: a question is asked in a goroutine`
	if err := elicit.Together(context.Background(), ask.Name.For("bg").Into(&name, "Who?")); err != nil { // want `JP724: a question is asked with a new context`
		return "", err
	}
	if err := elicit.Together(ctx, ask.Name.For("now").Into(&name, "Who at %s?", time.Now())); err != nil { // want `JP714: the question depends on the time`
		return "", err
	}
	var parts []elicit.Part
	var sure bool
	for range in.Names {
		parts = append(parts, ask.Sure.Into(&sure, "Sure?")) // want `JP713: the question is asked under the same id in every iteration`
	}
	if err := elicit.Together(ctx, parts...); err != nil || !sure {
		return "", err
	}
	data, err := os.ReadFile(name) // want `JP718: the answer to question name of tool do is used as the path` `JP718: the answer to question unused`
	if err != nil {
		return "", err
	}
	return string(data), nil
}

// Well asks correctly.
//
//jp:tool name=well readonly=true
func (s *Server) Well(ctx context.Context, in Input, ask Questions) (string, error) {
	var name string
	sure := make([]bool, len(in.Names))
	parts := []elicit.Part{who(ask, &name), ask.Unused.Into(new(string), "What?")}
	for i, about := range in.Names {
		parts = append(parts, ask.Sure.For(about).Into(&sure[i], "Use %s?", about))
	}
	err := elicit.Together(ctx, parts...)
	if elicit.Acknowledge(err) {
		return "nothing", nil
	}
	if err != nil {
		return "", fmt.Errorf("asking: %w", err)
	}
	var age float64
	if err := elicit.Together(ctx, ask.Age.Into(&age, "How old is %s?", name)); err != nil {
		err = fmt.Errorf("asking: %w", err)
		return "", err
	}
	return fmt.Sprint(name, age, sure), nil
}

func who(ask Questions, name *string) elicit.Part { return ask.Name.Into(name, "Who?") }
