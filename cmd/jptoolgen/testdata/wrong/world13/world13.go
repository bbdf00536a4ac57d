// caught by: vet JP716

// Package world13 contacts a server when its input is formatted.
package world13

import (
	"context"
	"net/http"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// SaveInput holds the arguments of Save.
type SaveInput struct {
	// Name of the thing.
	Name string `json:"name"`
}

// Format looks the name up.
func (in SaveInput) Format() string { return in.Name + title() }

func title() string {
	answer, err := http.Get("https://example.com/title")
	if err != nil {
		return ""
	}
	defer answer.Body.Close()
	return answer.Status
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in SaveInput) (string, error) {
	return "done", nil
}
