package engine

import (
	"encoding/json"
	"math"
	"sync"
	"time"
)

// heartbeat is the interval between progress notifications for calls that report none.
const heartbeat = 15 * time.Second

// progress returns a function that sends progress to a client that sent a token, or nil
// otherwise. Many clients abandon calls that are silent for a minute, so a heartbeat is sent
// for calls that report nothing. The function stop ends the heartbeat.
func (r *Request) progress() (report func(done, total float64, message string), stop func()) {
	if r.m.token == nil {
		return nil, func() {}
	}
	p := &reporter{r: r, token: r.m.token, last: -1}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.beats = time.AfterFunc(heartbeat, p.beat)
	return p.report, p.stop
}

// A reporter sends progress, which never decreases.
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
	_ = p.tell(done, message) // delivery failures do not affect the call
}

// beat sends the smallest possible increase, until sending fails.
func (p *reporter) beat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tell(0, "") == nil {
		p.beats.Reset(heartbeat)
	}
}

func (p *reporter) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.beats.Stop()
}

// tell sends done, or the smallest value above the last one. The caller holds p.mu.
func (p *reporter) tell(done float64, message string) error {
	p.last = max(done, 0, math.Nextafter(p.last, math.Inf(1)))
	if err := p.r.span.Err(); err != nil {
		return err
	}
	return p.r.notify(noteProgress, struct {
		Token    json.RawMessage `json:"progressToken"`
		Message  string          `json:"message,omitempty"`
		Progress float64         `json:"progress"`
		Total    float64         `json:"total,omitempty"`
	}{p.token, message, p.last, p.total})
}
