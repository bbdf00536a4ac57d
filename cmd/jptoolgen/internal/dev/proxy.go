// Package dev keeps a client's connection while the server is rebuilt.
//
// The client talks to a [Proxy], which forwards lines to and from a child process. When the child is replaced,
// the proxy repeats the handshake and the open subscriptions to the new child, and notifies the client that the
// tool list has changed.
package dev

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/jptool/jptool/internal/peer"
)

// A Child is a running server. Closing In stops the server. Out ends when the server exits.
type Child struct {
	In  io.WriteCloser
	Out io.Reader
	// Kill stops the server immediately.
	Kill func()
}

// A Proxy connects a client to one child after another.
type Proxy struct {
	// Start builds and starts the next child.
	Start func(ctx context.Context) (*Child, error)
	// Changed receives a value when the source has changed.
	Changed <-chan struct{}
	// In and Out are the connection to the client.
	In  io.Reader
	Out io.Writer
	Log *slog.Logger

	child    *Child
	started  chan startResult // the result of the current build
	building bool
	again    bool                    // the source has changed since the build began
	from     chan line               // lines from the child
	requests map[string]string       // the methods of pending requests from the client, keyed by id
	kept     map[string]subscription // subscriptions of the client, which outlive children
	opening  [][]byte                // the requests that opened the session, to repeat to the next child
	asked    map[string]bool         // pending requests from the child to the client
	swallow  map[string]struct{}     // ids for which the client already has a response
	acks     map[string]struct{}     // subscriptions for which the client has an acknowledgment
}

type subscription struct {
	request json.RawMessage
	tools   bool
}

type line struct {
	text []byte
	err  error
}

type startResult struct {
	child *Child
	err   error
}

// The limits for a child: the time to finish pending requests, the length of a line, and the time
// to answer the handshake.
const (
	drain    = 2 * time.Second
	longest  = 16 << 20
	patience = 10 * time.Second
)

var errTooLong = fmt.Errorf("a line is longer than %d bytes", longest)

// Run serves the client until its input ends or ctx is done, and returns the error that stopped it, if any. If a
// child does not start, Run logs it, and requests fail until the next change.
func (p *Proxy) Run(ctx context.Context) error {
	p.requests, p.kept, p.asked = map[string]string{}, map[string]subscription{}, map[string]bool{}
	p.swallow, p.acks = map[string]struct{}{}, map[string]struct{}{}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer p.killChild()
	client := read(ctx, p.In)
	p.started = make(chan startResult)
	p.start(ctx)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-p.Changed:
			p.build(ctx)
		case next := <-p.started:
			if err := p.restart(ctx, next); err != nil {
				return err
			}
		case l, open := <-client:
			if l.err != nil {
				return l.err
			}
			if !open {
				return p.drain()
			}
			if err := p.fromClient(l.text); err != nil {
				return err
			}
		case l, open := <-p.from:
			if !open || l.err != nil {
				p.Log.Error("server exited; it will restart when its source changes", "error", l.err)
				p.killChild()
				if err := p.refuse(); err != nil {
					return err
				}
				continue
			}
			if err := p.forwardFromChild(l.text); err != nil {
				return err
			}
		}
	}
}

// read returns the lines of r. If an error other than end of input occurs, the last line holds the error.
func read(ctx context.Context, r io.Reader) chan line {
	out := make(chan line, 64) // a child can write while the proxy writes to it
	go func() {
		defer close(out)
		b := bufio.NewReaderSize(r, 64<<10)
		for {
			text, err := peer.ReadLine(b, longest)
			if errors.Is(err, peer.ErrEnded) {
				return
			}
			if errors.Is(err, peer.ErrTooMuch) {
				err = errTooLong
			}
			if err == nil && len(bytes.TrimSpace(text)) == 0 {
				continue
			}
			select {
			case out <- line{text, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return out
}

// write writes a line to the client.
func (p *Proxy) write(text []byte) error {
	_, err := p.Out.Write(append(text, '\n'))
	return err
}

// send writes a line to the child. A write error means that the child is about to exit.
func (p *Proxy) send(text []byte) {
	if _, err := p.child.In.Write(append(bytes.Clone(text), '\n')); err != nil {
		p.Log.Warn("cannot write to server", "error", err)
	}
}
