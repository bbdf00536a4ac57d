package serve

import (
	"context"
	"fmt"
	"os"
)

// What [Wait] says on standard error.
const (
	Begun = "wait: begun\n"
	Ended = "wait: ended\n"
)

// Wait is a tool that waits until its call ends, and says when it begins and ends.
func Wait(ctx context.Context) error {
	fmt.Fprint(os.Stderr, Begun)
	<-ctx.Done()
	fmt.Fprint(os.Stderr, Ended)
	return ctx.Err()
}
