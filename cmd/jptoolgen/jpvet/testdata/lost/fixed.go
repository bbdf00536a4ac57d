package lost

import (
	"context"
	"errors"
	"log/slog"

	"github.com/jptool/jptool/sdk/elicit"
)

func skipped(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?") // want `JP711: .* turned into a success`
	if err != nil {
		return "skipped", nil
	}
	return name, nil
}

func declined(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?") // want `JP711: .* turned into a success`
	if errors.Is(err, elicit.ErrDeclined) {
		return "skipped", nil
	}
	return name, err
}

func helped(ctx context.Context, ask Questions) error {
	if err := confirmed(ctx, ask); err != nil { // want `JP711: .* turned into a success`
		slog.Warn("not confirmed", "error", err)
		return nil
	}
	return work()
}

type server struct{ last error }

func (s *server) forgotten(ctx context.Context, ask Questions) (string, error) {
	name, err := ask.Name.Ask(ctx, "Name?") // want `JP711: .* turned into a success`
	if err != nil {
		s.last = err
		return "later", nil
	}
	return name, nil
}
