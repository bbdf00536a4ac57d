package w06

import (
	"context"

	"github.com/jptool/jptool/sdk/elicit"

	"example.com/wrong/kit"
)

type ui struct{}

func (ui) Sure(context.Context, elicit.Request) (elicit.Response[string], error) {
	return elicit.Accepted("yes"), nil
}

// Run runs the tool in this process.
func Run(ctx context.Context) (string, error) {
	return CallSave(ctx, &Store{}, kit.Thing{Name: "x"}, ui{})
}
