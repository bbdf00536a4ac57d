package hidden

import (
	"context"
	"os"

	"github.com/jptool/jptool/sdk/elicit"
)

// Questions are the questions of this package.
type Questions struct{ Go elicit.Confirm }

// Asker is a question behind an interface.
type Asker interface {
	Ask(ctx context.Context, format string, args ...any) (bool, error)
}

func each(names []string, f func(string) error) error {
	for _, name := range names {
		if err := f(name); err != nil {
			return err
		}
	}
	return nil
}

func confirmed(ctx context.Context, ask Questions) error {
	if ok, err := ask.Go.Ask(ctx, "Go?"); err != nil || !ok {
		return err
	}
	return nil
}

func called(ctx context.Context, ask Questions, s *Server) error {
	forget := s.files.Forget
	if err := forget("x"); err != nil { // want `JP704: os.Remove runs before the question`
		return err
	}
	return confirmed(ctx, ask)
}

func passed(ctx context.Context, ask Questions, s *Server) error {
	if err := each(nil, s.files.Forget); err != nil { // want `JP704: each, which calls os.Remove, runs before`
		return err
	}
	return confirmed(ctx, ask)
}

func expression(ctx context.Context, ask Questions, s *Server) error {
	if err := Files.Forget(s.files, "x"); err != nil { // want `JP704: .*os.Remove.* runs before`
		return err
	}
	return confirmed(ctx, ask)
}

func fromTable(ctx context.Context, ask Questions, s *Server, name string) error {
	all := map[string]func(string) error{"forget": s.files.Forget}
	if err := all[name]("x"); err != nil { // want `JP704: os.Remove runs before`
		return err
	}
	return confirmed(ctx, ask)
}

func asksLater(ctx context.Context, ask Asker) error {
	if err := os.Remove("x"); err != nil { // want `JP704: os.Remove runs before`
		return err
	}
	question := ask.Ask
	ok, err := question(ctx, "Go?")
	if err != nil || !ok {
		return err
	}
	return nil
}

func lostValue(ctx context.Context, ask Asker) string {
	question := ask.Ask
	ok, err := question(ctx, "Go?") // want `JP711: .* dropped`
	if err != nil || !ok {
		return "no"
	}
	return "yes"
}

func unusedValue(ctx context.Context, ask Asker) error {
	question := ask.Ask
	_, err := question(ctx, "Go?") // want `JP727: `
	return err
}

// Peek reads files.
//
//jp:tool readonly=true
func (s *Server) Peek(_ context.Context) error {
	remove := s.remote.Delete
	_ = remove("x")               // want `JP715: Remote.Delete has a side effect, but tool peek declares readonly=true`
	_ = each(nil, s.local.Remove) // want `JP715: .*interface.Remove,? has a side effect`
	_ = each(nil, s.files.Look)   // reads only
	fetch, look := s.remote.Fetch, s.files.Look
	_, _ = fetch("x"), look("x")
	return nil
}

// The following code has no findings.

func looks(ctx context.Context, ask Questions, s *Server) error {
	look := s.files.Look
	if err := look("x"); err != nil {
		return err
	}
	if err := each(nil, s.files.Look); err != nil {
		return err
	}
	known := s.known.Delete
	known("x")
	return confirmed(ctx, ask)
}

func asksFirst(ctx context.Context, ask Asker, s *Server) error {
	question, forget := ask.Ask, s.files.Forget
	ok, err := question(ctx, "Go?")
	if err != nil || !ok {
		return err
	}
	return forget("x")
}
