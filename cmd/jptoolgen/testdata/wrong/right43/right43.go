// caught by: nothing (control)

// Package right43 asks several kinds of questions.
package right43

import (
	"context"
	"fmt"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/elicit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// SaveQuestions holds the questions of Save.
type SaveQuestions struct {
	// Sure asks whether to go on.
	Sure elicit.Confirm
	// How asks what to do.
	How elicit.Choice[kit.How] `default:"keep"`
	// Count asks for the number of things.
	Count elicit.Number `jsonschema:"minimum=1,maximum=9"`
	// Details asks for the details of a thing.
	Details elicit.Form[kit.Details]
	// Pick asks which one.
	Pick elicit.Pick
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask SaveQuestions) (string, error) {
	ok, err := ask.Sure.Ask(ctx, "Sure?")
	if err != nil || !ok {
		return "", err
	}
	how, err := ask.How.Ask(ctx, "How?")
	if err != nil {
		return "", err
	}
	count, err := ask.Count.Ask(ctx, "How many?")
	if err != nil {
		return "", err
	}
	details, err := ask.Details.Ask(ctx, "Which?")
	if err != nil {
		return "", err
	}
	pick, err := ask.Pick.Among("a", "b").Default("a").Ask(ctx, "Where?")
	if err != nil {
		return "", err
	}
	return fmt.Sprint(how, count, details.Title, pick), nil
}
