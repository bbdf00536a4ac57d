package serve

import (
	"context"
	"fmt"
	"os"
)

// The lines that [Wait] prints on standard error.
const (
	Begun = "wait: begun\n"
	Ended = "wait: ended\n"
)

// Wait implements a tool that waits until its call ends. It prints a line when it starts and when
// it ends.
func Wait(ctx context.Context) error {
	fmt.Fprint(os.Stderr, Begun)
	<-ctx.Done()
	fmt.Fprint(os.Stderr, Ended)
	return ctx.Err()
}
