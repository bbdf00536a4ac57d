package engine

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"sync"
	"time"
)

// progress returns what lets a call report to a client that sent a token, nil for
// another. Many clients give a call up that is silent for a minute, so one that
// reports nothing is kept alive. Stop ends the reports.
func (r *Request) progress() (report func(done, total float64, message string), stop func()) {
	if r.m.meta.token == nil {
		return nil, func() {}
	}
	p := &reporter{send: r.send, token: r.m.meta.token, last: -1}
	ctx, cancel := context.WithCancel(&r.span)
	p.ctx = ctx
	beats := time.NewTicker(r.session.engine.Heartbeat)
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

// A reporter sends progress, which only grows.
type reporter struct {
	ctx   context.Context
	send  func(message []byte) error
	token json.RawMessage

	mu    sync.Mutex
	last  float64
	total float64
}

func (p *reporter) report(done, total float64, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last, p.total = max(done, p.least()), total
	p.tell(message)
}

// beat sends the least progress there is.
func (p *reporter) beat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = p.least()
	p.tell("")
}

// least returns the least progress that is more than the last. The caller holds p.mu.
func (p *reporter) least() float64 { return max(0, math.Nextafter(p.last, math.Inf(1))) }

// tell tells the client. That it cannot be told does not concern the call. The
// caller holds p.mu.
func (p *reporter) tell(message string) {
	if p.ctx.Err() != nil {
		return
	}
	w := NewWriter(nil)
	defer w.Free()
	w.Raw(`{"jsonrpc":"2.0","method":"` + noteProgress + `","params":{"progressToken":`)
	w.Bytes(p.token)
	member(w, "message", message)
	w.Name("progress")
	w.Value(p.last)
	if p.total > 0 {
		w.Name("total")
		w.Value(p.total)
	}
	w.Raw("}}")
	data, _ := w.Held()
	_ = p.send(slices.Clone(data))
}
