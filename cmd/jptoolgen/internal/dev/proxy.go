// Package dev keeps a client's connection while the server behind it is rebuilt.
//
// A [Proxy] is the server that the client sees. It hands lines to a child process and
// back; when the child is replaced, it repeats the handshake and the open subscriptions
// to the new one, and tells the client that the list of tools has changed.
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

// A Child is a running server. Closing In ends it; Out ends when it has.
type Child struct {
	In  io.WriteCloser
	Out io.Reader
	// Kill ends it at once.
	Kill func()
}

// A Proxy stands between a client and the children that follow each other.
type Proxy struct {
	// Start builds and starts the next child.
	Start func(ctx context.Context) (*Child, error)
	// Changed tells that the source has changed.
	Changed <-chan struct{}
	// In and Out are the client's.
	In  io.Reader
	Out io.Writer
	Log *slog.Logger

	child    *Child
	started  chan started // the child that is being built
	building bool
	again    bool                // the source has changed since it was begun
	from     chan line           // lines of the child
	requests map[string]string   // the client's, unanswered: id to method
	kept     map[string]kept     // subscriptions, which live as long as the client
	opening  [][]byte            // the handshake of a session, to be repeated
	asked    map[string]bool     // the child's requests to the client, unanswered
	swallow  map[string]struct{} // ids of what the client has been answered already
	acks     map[string]struct{} // subscriptions whose acknowledgment the client has
}

type kept struct {
	request json.RawMessage
	tools   bool
}

type line struct {
	text []byte
	err  error
}

type started struct {
	child *Child
	err   error
}

// What a child gets to answer what it owes, and to answer the handshake.
const (
	drain    = 2 * time.Second
	longest  = 16 << 20
	patience = 10 * time.Second
)

var errTooLong = fmt.Errorf("a line is longer than %d bytes", longest)

// Run serves the client until its input or ctx ends, and returns nil, or the error that
// ended it. A child that does not start is logged, and calls fail until the next change.
func (p *Proxy) Run(ctx context.Context) error {
	p.requests, p.kept, p.asked = map[string]string{}, map[string]kept{}, map[string]bool{}
	p.swallow, p.acks = map[string]struct{}{}, map[string]struct{}{}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer p.stop()
	client := read(ctx, p.In)
	p.started = make(chan started)
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
			if !open || l.err != nil {
				return p.end(l.err)
			}
			if err := p.fromClient(l.text); err != nil {
				return err
			}
		case l, open := <-p.from:
			if !open || l.err != nil {
				p.Log.Error("the server has ended; it is started again when its source changes", "error", l.err)
				p.gone()
				if err := p.refuse(); err != nil {
					return err
				}
				continue
			}
			if err := p.fromChild(l.text); err != nil {
				return err
			}
		}
	}
}

// end hands on what the child still owes when the client's input has ended.
func (p *Proxy) end(cause error) error {
	if p.child == nil || cause != nil {
		return cause
	}
	return p.drain()
}

// read returns the lines of r, the last with the error that ended them, if it is not the
// end of input.
func read(ctx context.Context, r io.Reader) chan line {
	out := make(chan line, 64) // so that a child can speak while it is written to
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

// send writes a line to the child. A child that cannot be written to is about to end.
func (p *Proxy) send(text []byte) {
	if _, err := p.child.In.Write(append(bytes.Clone(text), '\n')); err != nil {
		p.Log.Warn("writing to the server", "error", err)
	}
}
