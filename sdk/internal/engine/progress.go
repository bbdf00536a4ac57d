package engine

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"sync"
	"time"
)

// heartbeat is the interval of progress notifications for calls that report none.
const heartbeat = 15 * time.Second

// progress returns a function that sends progress to a client that sent a token, nil
// otherwise. Many clients abandon calls that are silent for a minute, so a heartbeat is sent
// for calls that report nothing. Stop ends the notifications.
func (r *Request) progress() (report func(done, total float64, message string), stop func()) {
	if r.m.meta.token == nil {
		return nil, func() {}
	}
	p := &reporter{send: r.send, token: r.m.meta.token, last: -1}
	ctx, cancel := context.WithCancel(&r.span)
	p.ctx = ctx
	beats := time.NewTicker(heartbeat)
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

// A reporter sends progress, which never decreases.
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

// beat sends the smallest possible increase.
func (p *reporter) beat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = p.least()
	p.tell("")
}

// least returns the smallest value above the last one. The caller holds p.mu.
func (p *reporter) least() float64 { return max(0, math.Nextafter(p.last, math.Inf(1))) }

// tell sends a notification. Delivery failures do not affect the call. The caller holds p.mu.
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
