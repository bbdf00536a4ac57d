// Package stray asks questions where asking is an error.
package stray

import (
	"context"
	"sync"
	"time"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/tool"
)

type Questions struct{ Go elicit.Confirm }

func (q Questions) all(ctx context.Context) error {
	if ok, err := q.Go.Ask(ctx, "Go?"); err != nil || !ok {
		return err
	}
	return nil
}

func goroutines(ctx context.Context, ask Questions) {
	go func() { // want `JP702: a question is asked in a goroutine`
		_ = ask.all(ctx) // want `JP711: `
	}()
	go ask.all(ctx) // want `JP702: `
	var group sync.WaitGroup
	group.Go(func() { _ = ask.all(ctx) })                    // want `JP702: ` `JP711: `
	time.AfterFunc(time.Second, func() { _ = ask.all(ctx) }) // want `JP702: ` `JP711: `
	context.AfterFunc(ctx, func() { _ = ask.all(ctx) })      // want `JP702: ` `JP711: `
	group.Wait()
}

func given(ctx context.Context, ask Questions) {
	start(func() { _ = ask.all(ctx) })                  // want `JP702: ` `JP711: `
	together(nil, func() error { return ask.all(ctx) }) // want `JP702: `
	startAll(func() {}, func() { _ = ask.all(ctx) })    // want `JP702: ` `JP711: `
}

func start(f func()) {
	done := make(chan bool)
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

func together(fs ...func() error) {
	var group sync.WaitGroup
	for _, f := range fs {
		group.Go(func() {
			if f != nil {
				_ = f()
			}
		})
	}
	group.Wait()
}

func pooled(ctx context.Context, ask Questions, pool interface{ Go(func()) }) {
	pool.Go(func() { _ = ask.all(ctx) }) // want `JP702: ` `JP711: `
}

func startAll(first, second func()) {
	start(first)
	start(second)
}

// The following code has no findings.

func wellStarted(ctx context.Context, ask Questions) error {
	start(func() {})
	return ask.all(ctx)
}

func beside(ctx context.Context, ask Questions) error {
	yes, err := ask.Go.Ask(ctx, "Go?")
	if err != nil {
		return err
	}
	work := tool.Branch(ctx)
	done := make(chan bool)
	go func() { done <- yes && work.Err() == nil }()
	<-done
	return ask.all(ctx)
}

func each(ctx context.Context, ask Questions) error {
	run := func(f func() error) error { return f() }
	return run(func() error { return ask.all(ctx) })
}
