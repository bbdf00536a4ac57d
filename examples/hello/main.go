// Hello is a minimal server with one tool and one question. Start reading here.
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

// GreetInput is the input of Greet.
type GreetInput struct {
	// Name of the person. If omitted, the user is asked.
	Name string `json:"name,omitempty" jsonschema:"maxLength=100"`
}

// GreetQuestions are the questions of Greet.
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
			return "", err // declined or canceled, or the client cannot ask
		}
		in.Name = name
	}
	return "Hello, " + in.Name, nil
}

func main() { sdk.Main(NewServer(&Hello{})) }
