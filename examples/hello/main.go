// Hello is a server with one tool and one question: the place to start reading.
package main

import (
	"context"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/elicit"
)

//go:generate go tool jptoolgen

// Hello greets people.
//
//jp:server name=hello
type Hello struct{}

// GreetInput is who to greet.
type GreetInput struct {
	// Name of the person. Leave it out to have the user asked.
	Name string `json:"name,omitempty" jsonschema:"maxLength=100"`
}

// GreetQuestions is what Greet may ask.
type GreetQuestions struct {
	// Name of the person to greet.
	Name elicit.Text `jsonschema:"minLength=1,maxLength=100"`
}

// Greet a person by name.
//
//jp:tool name=greet readonly=true openworld=false
func (*Hello) Greet(ctx context.Context, in GreetInput, ask GreetQuestions) (string, error) {
	if in.Name == "" {
		name, err := ask.Name.Ask(ctx, "Who should be greeted?")
		if err != nil {
			return "", err // not answered yet, declined, or impossible to ask
		}
		in.Name = name
	}
	return "Hello, " + in.Name, nil
}

func main() { sdk.Main(NewServer(&Hello{})) }
