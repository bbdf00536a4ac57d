package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// A beach has the resources note://{id}, whose changes the test reports, and log://all, which reports no changes.
type beach struct {
	t       *testing.T
	hub     *hub
	policy  *trust.Policy
	running atomic.Int32 // watchers that run
	starts  atomic.Int32
	changes chan string                                 // ids of notes; "" means the list
	watch   atomic.Pointer[func(context.Context) error] // replaces the watcher
	log     strings.Builder
}

func newBeach(t *testing.T) *beach {
	b := &beach{t: t, policy: &trust.Policy{}, changes: make(chan string)}
	log := slog.New(slog.NewTextHandler(&b.log, nil))
	note, err := newSource(&manifest.Tool{Name: "note"}, "", "note://{id}", b.watcher, log)
	if err != nil {
		t.Fatal(err)
	}
	b.hub = hubOf(b.policy, func(_ handler.Caller, uri string) (string, bool) {
		name, _, _ := strings.Cut(uri, "://")
		return name, name == "note" || name == "log"
	}, []*source{note})
	return b
}

func (b *beach) watcher(ctx context.Context, ready func(), notify func(json.RawMessage, bool)) error {
	b.running.Add(1)
	b.starts.Add(1)
	defer b.running.Add(-1)
	if watch := b.watch.Load(); watch != nil {
		return (*watch)(ctx)
	}
	ready()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case id := <-b.changes:
			notify(json.RawMessage(fmt.Sprintf(`{"id":%q}`, id)), id == "")
		}
	}
}

// A guest is a client that listens.
type guest struct {
	*listener
	mu    sync.Mutex
	heard []string
	slow  chan struct{} // if it is not nil, the client reads nothing until it is closed
	deaf  atomic.Bool   // the client cannot be told
}

func (b *beach) guest(uris ...string) *guest {
	b.t.Helper()
	g := &guest{}
	g.listener = b.hub.listen(handler.Caller{}, func(uri string) error {
		if g.slow != nil {
			<-g.slow
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		g.heard = append(g.heard, uri)
		return nil
	}, func() bool { return !g.deaf.Load() })
	for _, uri := range uris {
		g.follow(b.t, uri)
	}
	g.open()
	return g
}

func (g *guest) follow(t *testing.T, uri string) {
	t.Helper()
	s, known := g.hub.source(g.caller, uri)
	if s == nil || !known {
		t.Fatalf("%s is not watched", uri)
	}
	if err := g.subscribe(uri, s); err != nil {
		t.Fatal(err)
	}
	g.wait(t.Context())
}

// hears checks what a guest has heard since the last time.
func (g *guest) hears(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	if !slices.Equal(g.heard, want) {
		t.Errorf("heard %q, want %q", g.heard, want)
	}
	g.heard = nil
}

func (b *beach) runs(want int32) {
	b.t.Helper()
	synctest.Wait()
	if n := b.running.Load(); n != want {
		b.t.Errorf("%d watchers run, want %d", n, want)
	}
}

// A watcher runs while a client may be told, and each client hears of what it has subscribed to. All goroutines end: a
// synctest bubble fails if one remains.
func TestWatcherRunsWhileSomebodyListens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBeach(t)
		b.runs(0)
		one, two, lists := b.guest("note://1", "note://2"), b.guest("note://2"), b.guest()
		lists.hearLists()
		b.runs(1)
		for _, id := range []string{"1", "2", "3", ""} {
			b.changes <- id
		}
		one.hears(t, "note://1", "note://2")
		two.hears(t, "note://2")
		lists.hears(t, "")
		if !one.unsubscribe("note://2") || one.unsubscribe("note://2") || one.unsubscribe("note://9") {
			t.Error("unsubscribing is wrong about what was subscribed to")
		}
		b.changes <- "2"
		one.hears(t)
		two.hears(t, "note://2")
		one.end()
		two.end()
		b.runs(1)
		lists.end()
		lists.end() // has no effect
		b.runs(0)
		again := b.guest("note://1")
		b.runs(1)
		again.end()
		b.runs(0)
		if b.starts.Load() != 2 || b.hub.held != 0 || len(b.hub.sources["note"].told) != 0 {
			t.Errorf("%d starts, %d bytes held", b.starts.Load(), b.hub.held)
		}
	})
}

// A client that does not read delays neither the watcher nor others, and hears of each resource once.
func TestSlowClientDelaysNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBeach(t)
		slow, quick := b.guest(), b.guest("note://1")
		slow.slow = make(chan struct{})
		slow.follow(t, "note://1")
		slow.follow(t, "note://2")
		slow.hearLists()
		for range 1000 {
			for _, id := range []string{"1", "2", ""} {
				b.changes <- id
			}
			quick.hears(t, "note://1")
		}
		if n := len(slow.queue); n != 3 {
			t.Errorf("%d notifications wait", n)
		}
		close(slow.slow)
		slow.hears(t, "note://1", "note://2", "", "note://1") // the first was being sent
		gone := b.guest("note://1")
		gone.deaf.Store(true)
		b.changes <- "1"
		b.changes <- "1"
		gone.hears(t)
		gone.deaf.Store(false)
		gone.wake()
		gone.hears(t, "note://1")
		for _, g := range []*guest{slow, quick, gone} {
			g.end()
		}
	})
}

// A watcher that fails is started again, with a bounded pace, and only while a client listens.
func TestWatcherThatFails(t *testing.T) {
	for name, watch := range map[string]func(context.Context) error{
		"error":  func(context.Context) error { return errors.New("no disk") },
		"panic":  func(context.Context) error { panic("no disk") },
		"goexit": func(context.Context) error { runtime.Goexit(); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBeach(t)
				b.watch.Store(&watch)
				began := time.Now()
				g := b.guest("note://1")
				if waited := time.Since(began); waited != 0 {
					t.Errorf("a subscription waited %s", waited)
				}
				for range 50 { // subscribing again does not start it sooner
					b.guest("note://1").end()
				}
				time.Sleep(firstPause - 1)
				if n := b.starts.Load(); n != 1 {
					t.Errorf("%d starts in the first second", n)
				}
				time.Sleep(time.Hour)
				if n := b.starts.Load(); n < 60 || n > 70 {
					t.Errorf("%d starts in an hour", n)
				}
				b.watch.Store(nil)
				time.Sleep(lastPause)
				b.changes <- "1"
				g.hears(t, "note://1")
				g.end()
				b.runs(0)
				n := b.starts.Load()
				time.Sleep(time.Hour)
				if b.starts.Load() != n {
					t.Error("a watcher was started for nobody")
				}
				if log := b.log.String(); !strings.Contains(log, "level=ERROR") || !strings.Contains(log, "resource=note") {
					t.Errorf("log %s", log)
				}
			})
		})
	}
}

// A watcher that has ended, such as one whose channel was closed, is started again for the next client.
func TestWatcherThatEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBeach(t)
		over := func(context.Context) error { return nil }
		b.watch.Store(&over)
		g := b.guest("note://1")
		time.Sleep(time.Hour)
		if n := b.starts.Load(); n != 1 {
			t.Errorf("%d starts", n)
		}
		b.watch.Store(nil)
		other := b.guest("note://2")
		time.Sleep(firstPause)
		b.runs(1)
		b.changes <- "1"
		g.hears(t, "note://1")
		g.end()
		other.end()
	})
}

// There is one watcher, even if one ignores the end of its context, and a client does not wait for it for long.
func TestStubbornWatcher(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBeach(t)
		release := make(chan struct{})
		stubborn := func(context.Context) error { <-release; return nil }
		b.watch.Store(&stubborn)
		began := time.Now()
		g := b.guest("note://1")
		if waited := time.Since(began); waited != startTime {
			t.Errorf("a subscription waited %s", waited)
		}
		g.end()
		next := b.guest("note://1")
		b.runs(1)
		b.watch.Store(nil)
		close(release)
		b.runs(1)
		b.changes <- "1"
		next.hears(t, "note://1")
		if n := b.starts.Load(); n != 2 {
			t.Errorf("%d starts", n)
		}
		next.end()
	})
}

func TestSubscriptionLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBeach(t)
		g := b.guest()
		for i := range maxSubscribed {
			g.follow(t, fmt.Sprintf("note://%d", i))
		}
		s := b.hub.sources["note"]
		if err := g.subscribe("note://x", s); err != errTooMany {
			t.Errorf("one more: %v", err)
		}
		if err := g.subscribe("note://7", s); err != nil {
			t.Errorf("one again: %v", err)
		}
		g.unsubscribe("note://7")
		g.follow(t, "note://x")
		long := strings.Repeat("x", 8000)
		var all []*guest
		var refused bool
		for i := 0; i < 20 && !refused; i++ {
			other := b.guest()
			all = append(all, other)
			for j := 0; j < maxSubscribed && !refused; j++ {
				refused = other.subscribe(fmt.Sprintf("note://%d-%s", j, long), s) == errAllTooMany
			}
		}
		if !refused || b.hub.held > maxHeld {
			t.Errorf("the clients hold %d bytes", b.hub.held)
		}
		for _, other := range append(all, g) {
			other.end()
		}
		if err := g.subscribe("note://1", s); err == nil || b.hub.held != 0 {
			t.Errorf("after the end: %v, %d bytes", err, b.hub.held)
		}
	})
}

// A caller hears nothing of what it may not read.
func TestHiddenResource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBeach(t)
		b.policy.Hidden = map[string]bool{"note": true}
		if b.hub.watches(handler.Caller{}) {
			t.Error("a hidden resource is advertised")
		}
		g := b.guest()
		g.hearLists()
		b.runs(0)
		g.end()
	})
}
