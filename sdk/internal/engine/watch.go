package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/jptool/jptool/internal/uris"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// The pauses after a watcher has failed. The pause doubles each time, up to the last, and a watcher that has run for
// the last pause starts again with the first.
const (
	firstPause = time.Second
	lastPause  = time.Minute
)

// startTime is the time for which a subscription waits until its watcher has started.
const startTime = time.Second

// A source is a resource or a template with a watcher.
type source struct {
	hub      *hub
	contract *manifest.Tool // the view of the resource
	uri      string         // "" for a template
	template *uris.Template // nil for a resource with a URI
	watch    handler.Watcher
	log      *slog.Logger

	// Guarded by the lock of the hub.
	told   map[string]map[*listener]bool // keyed by URI
	lists  map[*listener]bool            // those who hear of changes of the list
	users  int
	turn   *turn
	kept   bool          // a goroutine runs the watcher
	joined chan struct{} // a client has joined since the watcher began
}

// A turn is the time from the first user of a source to the last.
type turn struct {
	context.Context
	end     context.CancelFunc
	started chan struct{} // closed when the watcher reports changes, or has failed
	once    sync.Once
}

func newTurn() *turn {
	ctx, end := context.WithCancel(context.Background())
	return &turn{Context: ctx, end: end, started: make(chan struct{})}
}

// begin lets the clients continue that wait for the watcher.
func (t *turn) begin() { t.once.Do(func() { close(t.started) }) }

// newSource returns the source of changes of a resource.
func newSource(
	contract *manifest.Tool, uri, template string, watch handler.Watcher, log *slog.Logger,
) (s *source, err error) {
	s = &source{
		contract: contract, uri: uri, watch: watch, log: log.With("resource", contract.Name),
		told: map[string]map[*listener]bool{}, lists: map[*listener]bool{}, joined: make(chan struct{}, 1),
	}
	if template != "" {
		s.template, err = uris.Parse(template)
	}
	return s, err
}

// use makes the watcher run. The caller holds the lock of the hub.
func (s *source) use() {
	if s.users++; s.users == 1 {
		s.turn = newTurn()
	}
	if !s.kept {
		s.kept = true
		go s.keep(s.turn)
		return
	}
	select {
	case s.joined <- struct{}{}:
	default:
	}
}

// leave ends a use. The caller holds the lock of the hub.
func (s *source) leave() {
	if s.users--; s.users == 0 {
		s.turn.end()
	}
}

// wait waits until the watchers of what the client has subscribed to have failed or report changes, so that the client
// misses none. It does not wait long.
func (l *listener) wait(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	l.hub.mu.Lock()
	turns := map[*turn]bool{}
	for _, s := range l.uris {
		turns[s.turn] = true
	}
	for _, s := range l.lists {
		turns[s.turn] = true
	}
	l.hub.mu.Unlock()
	for t := range turns {
		select {
		case <-t.started:
		case <-t.Done():
		case <-ctx.Done():
		}
	}
}

// keep runs the watcher while the source has users. There is never more than one, even if one ignores the end of its
// context and the next client comes.
func (s *source) keep(t *turn) {
	for pause := firstPause; t != nil; t = s.next() {
		began := time.Now()
		err := s.run(t)
		if time.Since(began) >= lastPause {
			pause = firstPause
		}
		switch {
		case t.Err() != nil:
		case err != nil:
			s.log.Error("watching a resource failed", "error", err, "again_after", pause)
			rest(t, pause)
			pause = min(2*pause, lastPause)
		default:
			s.log.Info("the watcher of a resource has ended; it starts again when a client subscribes")
			select {
			case <-t.Done():
			case <-s.joined:
				rest(t, firstPause)
			}
		}
	}
}

// rest waits until the pause is over or the turn ends.
func rest(t *turn, pause time.Duration) {
	over := time.NewTimer(pause)
	defer over.Stop()
	select {
	case <-t.Done():
	case <-over.C:
	}
}

// next returns the current turn, or nil if the source has no users.
func (s *source) next() *turn {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	if s.users == 0 {
		s.kept = false
		return nil
	}
	return s.turn
}

var errEnded = errors.New("the watcher has ended its goroutine")

// run runs the watcher once. Panics are errors.
func (s *source) run(t *turn) error {
	ctx, cancel := context.WithCancel(t)
	defer cancel()
	defer t.begin()
	select {
	case <-s.joined: // before this run
	default:
	}
	ended := make(chan error, 1)
	go func() { // a watcher that ends its goroutine must not end keep
		err := errEnded
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
			ended <- err
		}()
		err = s.watch(ctx, t.begin, func(variables json.RawMessage, list bool) { s.report(ctx, variables, list) })
	}()
	return <-ended
}

// report handles a change that the watcher reports.
func (s *source) report(ctx context.Context, variables json.RawMessage, list bool) {
	if ctx.Err() != nil {
		return
	}
	uri := s.uri
	if s.template != nil && !list {
		var err error
		if uri, err = handler.Expand(s.template, variables); err != nil {
			s.log.Error("a change has variables that give no URI", "error", err)
			return
		}
	}
	s.changed(uri, list)
}
