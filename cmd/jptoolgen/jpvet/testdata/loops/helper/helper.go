// Package helper asks for other packages.
package helper

import (
	"context"

	"github.com/jptool/jptool/sdk/elicit"
)

// Sure asks the question that it is given.
func Sure(ctx context.Context, ask elicit.Confirm, text string) error {
	_, err := ask.Preamble(text).Ask(ctx, "Sure?")
	return err
}

// About asks about a name.
func About(ctx context.Context, ask elicit.Confirm, name string) error {
	_, err := ask.For("file-"+name).Ask(ctx, "Sure?")
	return err
}
