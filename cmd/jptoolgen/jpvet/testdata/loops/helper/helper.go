// Package helper asks for other packages.
package helper

import (
	"context"

	"github.com/jptool/jptool/sdk/elicit"
)

// Sure asks the question that it is given.
func Sure(ctx context.Context, ask elicit.Confirm, text string) error {
	if ok, err := ask.Preamble(text).Ask(ctx, "Sure?"); err != nil || !ok {
		return err
	}
	return nil
}

// About asks about a name.
func About(ctx context.Context, ask elicit.Confirm, name string) error {
	if ok, err := ask.For("file-"+name).Ask(ctx, "Sure?"); err != nil || !ok {
		return err
	}
	return nil
}
