package dev

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
)

// start starts a child, or logs why it did not start.
func (p *Proxy) start(ctx context.Context) {
	child, err := p.Start(ctx)
	if err != nil {
		p.Log.Error("server did not start", "error", err)
		return
	}
	p.child, p.from = child, read(ctx, child.Out)
}

// build starts the next child while the current one continues to run.
func (p *Proxy) build(ctx context.Context) {
	if p.building {
		p.again = true
		return
	}
	p.building, p.again = true, false
	go func() {
		child, err := p.Start(ctx)
		select {
		case p.started <- startResult{child, err}:
		case <-ctx.Done():
			if child != nil {
				child.Kill()
			}
		}
	}()
}

// restart replaces the child with a child that was built from the changed source. If the build failed, it keeps
// the old child.
func (p *Proxy) restart(ctx context.Context, s startResult) error {
	p.building = false
	if p.again {
		p.build(ctx)
	}
	if s.err != nil {
		p.Log.Error("changed server did not start", "error", s.err)
		return nil
	}
	next := s.child
	if err := p.drain(); err != nil {
		next.Kill()
		return err
	}
	if err := p.refuse(); err != nil {
		next.Kill()
		return err
	}
	p.child, p.from = next, read(ctx, next.Out)
	if err := p.replay(); err != nil {
		return err
	}
	p.Log.Info("server restarted")
	return p.notifyListChanged()
}

// drain stops the child and forwards its remaining responses. It does not forward the end of subscriptions,
// because the next child takes them over.
func (p *Proxy) drain() error {
	if p.child == nil {
		return nil
	}
	for id := range p.kept {
		p.swallow[id] = struct{}{}
		delete(p.requests, id)
	}
	_ = p.child.In.Close() // if closing In does not stop the child, it is killed below
	timer := time.NewTimer(drain)
	defer timer.Stop()
	for {
		select {
		case l, open := <-p.from:
			if !open || l.err != nil {
				p.killChild()
				return nil
			}
			if err := p.forwardFromChild(l.text); err != nil {
				return err
			}
		case <-timer.C:
			p.killChild()
			return nil
		}
	}
}

// killChild kills the child, if there is one.
func (p *Proxy) killChild() {
	if p.child != nil {
		p.child.Kill()
	}
	p.child, p.from = nil, nil
	clear(p.asked)
	clear(p.swallow)
}

// refuse sends an error for every request that the previous child did not answer.
func (p *Proxy) refuse() error {
	for _, id := range slices.Sorted(maps.Keys(p.requests)) {
		delete(p.requests, id)
		if err := p.fail(json.RawMessage(id)); err != nil {
			return err
		}
	}
	return nil
}

// replay repeats the handshake and the subscriptions to a new child. The client does not receive the responses.
func (p *Proxy) replay() error {
	var waiting string
	for _, text := range p.opening {
		var m message
		if json.Unmarshal(text, &m) == nil && len(m.ID) > 0 {
			waiting = string(m.ID)
		}
		p.send(text)
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for waiting != "" {
		select {
		case l, open := <-p.from:
			if !open || l.err != nil {
				p.Log.Error("changed server exited during the handshake", "error", l.err)
				p.killChild()
				return nil
			}
			var m message
			if json.Unmarshal(l.text, &m) == nil && m.Method == "" && bytes.Equal(m.ID, []byte(waiting)) {
				waiting = ""
				continue
			}
			if err := p.forwardFromChild(l.text); err != nil {
				return err
			}
		case <-timer.C:
			p.Log.Error("changed server did not respond to the handshake")
			p.killChild()
			return nil
		}
	}
	for _, id := range slices.Sorted(maps.Keys(p.kept)) {
		p.requests[id] = listen
		p.send(p.kept[id].request)
	}
	return nil
}

// notifyListChanged notifies the client that the tool list may have changed. In a session, it sends a plain
// notification (MCP 2025-11-25, List Changed Notification). For a subscription, the notification names the
// subscription (MCP 2026-07-28).
func (p *Proxy) notifyListChanged() error {
	if p.child == nil {
		return nil
	}
	if len(p.opening) > 0 {
		return p.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%q}`, toolsNow))
	}
	for _, id := range slices.Sorted(maps.Keys(p.kept)) {
		if !p.kept[id].tools {
			continue
		}
		text := fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%q,"params":{"_meta":{%q:%s}}}`, toolsNow, subscriptionID, id)
		if err := p.write(text); err != nil {
			return err
		}
	}
	return nil
}
