// caught by: vet JP714

// Package when22 derives the number of a job from the time.
package when22

import (
	"context"
	"strconv"
	"time"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	j := &job{name: in.Name}
	j.id = strconv.FormatInt(time.Now().UnixNano(), 36)
	if ok, err := ask.Sure.For(j.id).Ask(ctx, "Run %s?", j.name); err != nil || !ok {
		return "", err
	}
	return j.id, nil
}

type job struct{ id, name string }
