// caught by: vet JP713

// Package loop08 asks in a walk.
package loop08

import (
	"context"
	"io/fs"
	"path/filepath"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, ask kit.Sure) (string, error) {
	err := filepath.WalkDir("data", func(path string, _ fs.DirEntry, err error) error {
		if err == nil {
			var ok bool
			if ok, err = ask.Sure.Ask(ctx, "Keep %s?", path); err == nil && !ok {
				return fs.SkipAll
			}
		}
		return err
	})
	return "", err
}
