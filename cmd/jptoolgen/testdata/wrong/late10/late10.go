// caught by: vet JP722

// Package late10 keeps its questions in an object that the server owns.
package late10

import (
	"context"

	"example.com/wrong/kit"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct {
	session *session
}

// Save is the tool under test.
//
//jp:tool
func (s *Store) Save(ctx context.Context, in kit.Thing, ask kit.Sure) (string, error) {
	s.session.keep(ask)
	ok, err := ask.Sure.Ask(ctx, "Save %s?", in.Name)
	if err != nil {
		return "", err
	}
	if !ok {
		return "not saved", nil
	}
	return "saved " + in.Name, nil
}

type session struct{ ask kit.Sure }

func (s *session) keep(ask kit.Sure) { s.ask = ask }

// Plain asks a question that it does not declare.
//
//jp:tool
func (s *Store) Plain(ctx context.Context) (string, error) { return s.session.plain(ctx) }

func (s *session) plain(ctx context.Context) (string, error) {
	if ok, err := s.ask.Sure.Ask(ctx, "Really?"); err != nil || !ok {
		return "", err
	}
	return "plain", nil
}
