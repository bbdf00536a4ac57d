// Command reference serves the examples of the reference that a test calls. Its first argument
// is the name of the server.
package main

import (
	"context"
	"os"

	"github.com/jptool/jptool/sdk"

	"example.com/wrong/reference/questions"
	"example.com/wrong/reference/results"
	"example.com/wrong/reference/types"
)

func main() {
	servers := map[string]*sdk.Server{
		"questions": questions.NewServer(&questions.Notes{}),
		"results":   results.NewServer(&results.Notes{}),
		"types":     types.NewServer(&types.Notes{}),
	}
	sdk.MainFunc(func(ctx context.Context) int { return servers[os.Args[1]].Run(ctx, os.Args[2:], nil) })
}
