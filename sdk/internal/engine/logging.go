package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// callerLog returns a log handler that sends records to the client if they are at or above the
// level that the request or its session set (MCP, Logging). It returns nil if no level is set.
func (r *Request) callerLog() slog.Handler {
	if r.level == nil {
		return nil
	}
	c := &callLog{r: r, name: string(r.m.call.name)}
	encoder := slog.NewJSONHandler(&c.buf, &slog.HandlerOptions{Level: slog.Level(-1 << 20), ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.LevelKey { // the notification has a member for the level
			return slog.Attr{}
		}
		return a
	}})
	return callHandler{c, encoder}
}

// callLog is the state shared by the handlers of one call.
type callLog struct {
	r    *Request
	name string // of the tool

	mu  sync.Mutex
	buf bytes.Buffer
}

// A callHandler sends records to the client of a call.
type callHandler struct {
	*callLog
	encoder slog.Handler
}

func (h callHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= h.r.level.level
}

// Handle sends r. Delivery failures do not affect the call.
func (h callHandler) Handle(ctx context.Context, r slog.Record) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.buf.Reset()
	if h.encoder.Handle(ctx, r) != nil {
		return nil
	}
	_ = h.r.notify(noteMessage, struct {
		Data   json.RawMessage `json:"data"`
		Level  string          `json:"level"`
		Logger string          `json:"logger"`
	}{h.buf.Bytes(), nameOf(r.Level), h.name})
	return nil
}

// nameOf returns the name of the highest MCP level that is not above l.
func nameOf(l slog.Level) string {
	name := levels[0].name
	for _, named := range levels {
		if l >= named.level {
			name = named.name
		}
	}
	return name
}

func (h callHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return callHandler{h.callLog, h.encoder.WithAttrs(attrs)}
}

func (h callHandler) WithGroup(name string) slog.Handler {
	return callHandler{h.callLog, h.encoder.WithGroup(name)}
}

// levelNamed returns the level with the given MCP name, or nil for any other value.
func levelNamed(value jsontext.Value) *logLevel {
	name, _ := unquoted(value)
	for i := range levels {
		if levels[i].name == string(name) {
			return &levels[i]
		}
	}
	return nil
}

// A logLevel is a level of MCP, and the same level of package slog.
type logLevel struct {
	name  string
	level slog.Level
}

// levels are MCP's log levels, lowest first.
var levels = []logLevel{
	{"debug", slog.LevelDebug}, {"info", slog.LevelInfo}, {"notice", (slog.LevelInfo + slog.LevelWarn) / 2}, {"warning", slog.LevelWarn},
	{"error", slog.LevelError}, {"critical", slog.LevelError + 4}, {"alert", slog.LevelError + 8}, {"emergency", slog.LevelError + 12},
}

func levelNames() string {
	names := make([]string, len(levels))
	for i, l := range levels {
		names[i] = l.name
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}
