package engine

import (
	"encoding/json"
	"log/slog"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/internal/rpc"
)

// callerLog returns a log handler that sends records at or above the level that the request or its
// session set (MCP, Logging), or nil if no level is set.
func (r *Request) callerLog() slog.Handler {
	if r.level == nil {
		return nil
	}
	name := string(r.Message.Name)
	if r.Offer != nil {
		name = r.Contract.Name
	}
	return slog.NewJSONHandler(&callLog{r, name}, &slog.HandlerOptions{Level: r.level.level, ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if level, ok := a.Value.Any().(slog.Level); ok && a.Key == slog.LevelKey && groups == nil {
			a.Value = slog.StringValue(nameOf(level))
		}
		return a
	}})
}

// A callLog sends the records of a call to its client. Failures do not affect the call.
type callLog struct {
	r    *Request
	name string // of the tool, resource or prompt
}

func (c *callLog) Write(record []byte) (int, error) {
	members := rawjson.Parts(record)
	at := slices.IndexFunc(members, func(m rawjson.Member) bool { return m.Name == slog.LevelKey })
	level := json.RawMessage(members[at].Value)
	_ = c.r.Notify(rpc.NoteMessage, struct {
		Data   json.RawMessage `json:"data"`
		Level  json.RawMessage `json:"level"`
		Logger string          `json:"logger"`
	}{json.RawMessage(rawjson.Object(slices.Delete(members, at, at+1))), level, c.name})
	return len(record), nil
}

// nameOf returns the name of the highest MCP level that is not above l, or of the lowest.
func nameOf(l slog.Level) string {
	for _, named := range slices.Backward(levels) {
		if l >= named.level {
			return named.name
		}
	}
	return levels[0].name
}

// levelByName returns the level with the given MCP name, or nil.
func levelByName(value jsontext.Value) *logLevel {
	name, _ := rpc.Unquote(value)
	if i := slices.IndexFunc(levels, func(l logLevel) bool { return l.name == string(name) }); i >= 0 {
		return &levels[i]
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

// heartbeat is the interval between progress notifications for calls that report no progress.
const heartbeat = 15 * time.Second

// progress returns a function that sends progress to a client that sent a token, or nil. Many
// clients abandon calls that are silent for a minute, so a heartbeat runs until stop is called.
func (r *Request) progress() (report func(done, total float64, message string), stop func()) {
	if r.Message.Token == nil {
		return nil, func() {}
	}
	p := &reporter{r: r, token: r.Message.Token, last: -1}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.beats = time.AfterFunc(heartbeat, p.keepAlive)
	return p.report, p.stop
}

// A reporter sends progress, which must increase.
type reporter struct {
	r     *Request
	token json.RawMessage
	mu    sync.Mutex
	beats *time.Timer
	last  float64
	total float64
}

func (p *reporter) report(done, total float64, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total = total
	_ = p.send(done, message) // failures do not affect the call
}

// keepAlive reports the smallest possible progress, until sending fails.
func (p *reporter) keepAlive() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.send(0, "") == nil {
		p.beats.Reset(heartbeat)
	}
}

func (p *reporter) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.beats.Stop()
}

// send sends the value of done, or the smallest value above the last one. The caller holds p.mu.
func (p *reporter) send(done float64, message string) error {
	p.last = min(max(done, 0, math.Nextafter(p.last, math.Inf(1))), math.MaxFloat64)
	if err := p.r.span.Err(); err != nil {
		return err
	}
	return p.r.Notify(rpc.NoteProgress, struct {
		Token    json.RawMessage `json:"progressToken"`
		Message  string          `json:"message,omitempty"`
		Progress float64         `json:"progress"`
		Total    float64         `json:"total,omitempty"`
	}{p.token, message, p.last, p.total})
}
