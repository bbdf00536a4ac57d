// caught by: run internal

// Package late12 keeps a value that cannot be encoded as JSON.
package late12

import (
	"context"
	"fmt"

	"github.com/jptool/jptool/sdk/tool"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context) (string, error) {
	c, err := tool.Once(ctx, "channel", func(context.Context) (chan int, error) { return make(chan int), nil })
	if err != nil {
		return "", err
	}
	return fmt.Sprint(len(c)), nil
}
