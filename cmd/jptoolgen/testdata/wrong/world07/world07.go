// caught by: vet JP715

// Package world07 looks up the function with its side effect in a table.
package world07

import (
	"context"
	"os"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

var actions = map[string]func(string) error{"remove": os.Remove, "make": func(name string) error { return os.Mkdir(name, 0o700) }}

// Save is the tool under test.
//
//jp:tool readonly=true
func (s *Store) Save(ctx context.Context) (string, error) {
	if err := actions["remove"]("x"); err != nil {
		return "", err
	}
	return "done", nil
}
