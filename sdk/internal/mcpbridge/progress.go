package mcpbridge

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// progress returns what lets a call report to a client that sent a token, nil for
// another. Many clients give a call up that is silent for a minute, so one that
// reports nothing is kept alive. Stop ends the reports.
func (b *Bridge) progress(ctx context.Context, c *call) (report func(done, total float64, message string), stop func()) {
	if c.token == nil {
		return nil, func() {}
	}
	return b.reporter(ctx, c)
}

func (b *Bridge) reporter(ctx context.Context, c *call) (report func(done, total float64, message string), stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	p := &reporter{ctx: ctx, session: c.session, token: c.token, last: -1}
	beats := time.NewTicker(b.Heartbeat)
	go func() {
		defer beats.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-beats.C:
				p.beat()
			}
		}
	}()
	return p.report, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		cancel() // under the lock, so that nothing follows the result
	}
}

// A reporter sends progress that only grows.
type reporter struct {
	ctx     context.Context
	session *mcp.ServerSession
	token   any

	mu    sync.Mutex
	last  float64
	total float64
}

func (p *reporter) report(done, total float64, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !(done > p.last) || math.IsInf(done, 0) || !(total >= 0) || math.IsInf(total, 0) {
		return
	}
	p.last, p.total = done, total
	p.send(message)
}

// beat sends the least progress there is.
func (p *reporter) beat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = max(0, math.Nextafter(p.last, math.Inf(1)))
	p.send("")
}

// send tells the client. That it cannot be told does not concern the call. The
// caller holds p.mu.
func (p *reporter) send(message string) {
	if p.ctx.Err() == nil {
		_ = p.session.NotifyProgress(p.ctx, &mcp.ProgressNotificationParams{
			ProgressToken: p.token, Progress: p.last, Total: p.total, Message: message,
		})
	}
}
