package serve

import (
	"context"
	"fmt"
	"os"
)

// The texts that [Wait] prints on standard error.
const (
	Begun = "wait: begun\n"
	Ended = "wait: ended\n"
)

// Wait is a tool that waits until its call ends. It prints a text when it starts and when it ends.
func Wait(ctx context.Context) error {
	fmt.Fprint(os.Stderr, Begun)
	<-ctx.Done()
	fmt.Fprint(os.Stderr, Ended)
	return ctx.Err()
}
