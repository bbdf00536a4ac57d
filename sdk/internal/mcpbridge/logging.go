//lint:file-ignore SA1019 logging is deprecated since 2026-07-28, and older clients set a level

package mcpbridge

import (
	"context"
	"log/slog"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// tellLog lets the handler of a call log to its client, from the level on that the
// request or its session asked for (MCP, Logging). To one that asked for none nothing
// is sent. End ends that, so that nothing follows the result.
func tellLog(ctx context.Context, c *call) (log slog.Handler, end func()) {
	if c.past != nil || c.rounds && !c.hears {
		return nil, func() {}
	}
	t := &told{ctx: ctx}
	log = teller{t, mcp.NewLoggingHandler(c.session, &mcp.LoggingHandlerOptions{LoggerName: c.name})}
	return log, t.close
}

// hears reports whether a request of a version without sessions asks for what is logged.
func hears(meta mcp.Meta) bool { return meta[mcp.MetaKeyLogLevel] != nil }

// wrongLevel returns why a request cannot be followed that sets a level: go-sdk takes any
// text for one.
func wrongLevel(req mcp.Request) error {
	set, ok := req.(*mcp.ServerRequest[*mcp.SetLoggingLevelParams])
	if !ok {
		return nil
	}
	switch set.Params.Level {
	case "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency":
		return nil
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: `invalid params: "level" must be debug, info, notice, warning, error, critical, alert or emergency`}
}

// told is what the logs of one call have in common.
type told struct {
	ctx   context.Context
	mu    sync.Mutex
	ended bool
}

func (t *told) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
}

// A teller sends records in the name of a call. The context of a record need not be
// the call's, which says whom to tell, and from which level on.
type teller struct {
	*told
	slog.Handler
}

func (t teller) Enabled(_ context.Context, level slog.Level) bool {
	return t.Handler.Enabled(t.ctx, level)
}

// Handle sends r. That a client cannot be told does not concern the call.
func (t teller) Handle(_ context.Context, r slog.Record) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.ended && t.ctx.Err() == nil {
		r.Level = known(r.Level)
		_ = t.Handler.Handle(t.ctx, r)
	}
	return nil
}

// known returns the greatest level that MCP has a name for and that is at most l.
func known(l slog.Level) slog.Level {
	for _, named := range []slog.Level{mcp.LevelEmergency, mcp.LevelAlert, mcp.LevelCritical, mcp.LevelError, mcp.LevelWarning, mcp.LevelNotice, mcp.LevelInfo} {
		if l >= named {
			return named
		}
	}
	return mcp.LevelDebug
}

func (t teller) WithAttrs(attrs []slog.Attr) slog.Handler {
	return teller{t.told, t.Handler.WithAttrs(attrs)}
}

func (t teller) WithGroup(name string) slog.Handler { return teller{t.told, t.Handler.WithGroup(name)} }
