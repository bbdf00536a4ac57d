package sdk

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// newLog returns the logger of the process: text on w, from the given level.
func newLog(w io.Writer, level string) (*slog.Logger, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(strings.ToUpper(level))); err != nil {
		return nil, fmt.Errorf("--log-level %q: write debug, info, warn or error", level)
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: l})), nil
}

// quiet forwards go-sdk's log records, except those that it writes for every session at level
// info.
type quiet struct{ s *Server }

func (q quiet) Enabled(ctx context.Context, level slog.Level) bool {
	h := q.s.log.Handler()
	return h.Enabled(ctx, level) && (level > slog.LevelInfo || h.Enabled(ctx, slog.LevelDebug))
}

func (q quiet) Handle(ctx context.Context, r slog.Record) error {
	return q.s.log.Handler().Handle(ctx, r)
}

func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler { return q.s.log.Handler().WithAttrs(attrs) }

func (q quiet) WithGroup(name string) slog.Handler { return q.s.log.Handler().WithGroup(name) }
