// Package storetest tests implementations of [tasks.Store].
package storetest

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jptool/jptool/sdk/tasks"
)

// Run tests stores. open returns a store without tasks. If shared is not nil, it returns another store that shares its
// tasks with the first one, as another process would.
func Run(t *testing.T, open func(t *testing.T) tasks.Store, shared func(t *testing.T, first tasks.Store) tasks.Store) {
	t.Run("Lifecycle", func(t *testing.T) { lifecycle(t, open(t)) })
	t.Run("Due", func(t *testing.T) { due(t, open(t)) })
	t.Run("Life", func(t *testing.T) { life(t, open(t)) })
	t.Run("Quota", func(t *testing.T) { quota(t, open(t)) })
	t.Run("OddIDs", func(t *testing.T) { oddIDs(t, open(t)) })
	second := func(t *testing.T, first tasks.Store) tasks.Store { return first }
	if shared != nil {
		second = shared
	}
	t.Run("Race", func(t *testing.T) {
		one := open(t)
		race(t, one, second(t, one))
	})
}

const many = 1 << 20

// newTask returns a task with a random id.
func newTask(owner string) tasks.Task {
	return tasks.Task{ID: rand.Text(), Owner: owner + "-0123456789abcdef", Data: []byte("data\n\x00\xff")}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wants(t *testing.T, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Fatalf("got error %v, want %v", got, want)
	}
}

func lifecycle(t *testing.T, s tasks.Store) {
	ctx, one := t.Context(), newTask("a")
	must(t, s.Create(ctx, one, many))
	wants(t, s.Create(ctx, one, many), tasks.ErrConflict)
	got, err := s.Get(ctx, one.ID)
	must(t, err)
	if got.ID != one.ID || got.Owner != one.Owner || string(got.Data) != string(one.Data) {
		t.Fatalf("got %+v, want %+v", got, one)
	}
	first := got
	got.Data = []byte("other")
	must(t, s.Update(ctx, got))
	wants(t, s.Update(ctx, got), tasks.ErrConflict)
	wants(t, s.Update(ctx, first), tasks.ErrConflict)
	if got, err = s.Get(ctx, one.ID); err != nil || string(got.Data) != "other" || got.Version == first.Version {
		t.Fatalf("got %+v, %v", got, err)
	}
	must(t, s.Delete(ctx, one.ID))
	must(t, s.Delete(ctx, one.ID))
	_, err = s.Get(ctx, one.ID)
	wants(t, err, tasks.ErrNotFound)
	wants(t, s.Update(ctx, got), tasks.ErrNotFound)
}

func due(t *testing.T, s tasks.Store) {
	ctx, now, later, never := t.Context(), newTask("a"), newTask("a"), newTask("a")
	now.Due, later.Due = time.Nanosecond, time.Hour
	for _, one := range []tasks.Task{now, later, never} {
		must(t, s.Create(ctx, one, many))
	}
	dueIs(t, s, now.ID)
	for _, step := range []struct {
		id   string
		due  time.Duration
		want []string
	}{
		{now.ID, time.Hour, nil},
		{now.ID, time.Nanosecond, []string{now.ID}},
		{now.ID, 0, nil},
		{never.ID, time.Nanosecond, []string{never.ID}},
	} {
		got, err := s.Get(ctx, step.id)
		must(t, err)
		got.Due = step.due
		must(t, s.Update(ctx, got))
		dueIs(t, s, step.want...)
	}
	must(t, s.Delete(ctx, never.ID))
	dueIs(t, s)
}

// dueIs waits until exactly the given tasks are due.
func dueIs(t *testing.T, s tasks.Store, want ...string) {
	t.Helper()
	var got []string
	for until := time.Now().Add(10 * time.Second); time.Now().Before(until); {
		late, err := s.Due(t.Context(), 10)
		must(t, err)
		got = nil
		for _, one := range late {
			got = append(got, one.ID)
			if held, err := s.Get(t.Context(), one.ID); err != nil || held.Version != one.Version {
				t.Fatalf("a due task has version %d, and then %d, %v", one.Version, held.Version, err)
			}
		}
		if slices.Equal(got, want) {
			return
		}
	}
	t.Fatalf("due are %q, want %q", got, want)
}

func life(t *testing.T, s tasks.Store) {
	ctx, short, long := t.Context(), newTask("a"), newTask("a")
	short.Life, short.Due, long.Life = 50*time.Millisecond, time.Nanosecond, time.Hour
	must(t, s.Create(ctx, short, many))
	must(t, s.Create(ctx, long, many))
	for until := time.Now().Add(10 * time.Second); ; {
		_, err := s.Get(ctx, short.ID)
		if errors.Is(err, tasks.ErrNotFound) {
			break
		}
		must(t, err)
		if time.Now().After(until) {
			t.Fatal("the task does not expire")
		}
	}
	wants(t, s.Update(ctx, tasks.Task{ID: short.ID, Version: 1}), tasks.ErrNotFound)
	if _, err := s.Get(ctx, long.ID); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Count(ctx, long.Owner); n != 1 || err != nil {
		t.Fatalf("the owner has %d tasks, %v; want 1", n, err)
	}
	dueIs(t, s)
}

func quota(t *testing.T, s tasks.Store) {
	ctx, limit := t.Context(), 3
	var of []tasks.Task
	for range limit {
		one := newTask("a")
		must(t, s.Create(ctx, one, limit))
		of = append(of, one)
	}
	wants(t, s.Create(ctx, newTask("a"), limit), tasks.ErrFull)
	must(t, s.Create(ctx, newTask("b"), limit))
	must(t, s.Delete(ctx, of[0].ID))
	must(t, s.Create(ctx, newTask("a"), limit))
	if n, err := s.Count(ctx, of[0].Owner); n != limit || err != nil {
		t.Fatalf("the owner has %d tasks, %v; want %d", n, err, limit)
	}
	var stored atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if s.Create(ctx, newTask("c"), limit) == nil {
				stored.Add(1)
			}
		})
	}
	all.Wait()
	if n := int(stored.Load()); n != limit {
		t.Fatalf("%d tasks were created at the same time, want %d", n, limit)
	}
}

func oddIDs(t *testing.T, s tasks.Store) {
	ids := []string{"", ".", "..", "../../etc/passwd", "a/b", "a\x00b", "*", strings.Repeat("a", 15), strings.Repeat("a", 1<<16)}
	for _, id := range ids {
		_, err := s.Get(t.Context(), id)
		wants(t, err, tasks.ErrNotFound)
		wants(t, s.Update(t.Context(), tasks.Task{ID: id}), tasks.ErrNotFound)
		must(t, s.Delete(t.Context(), id))
		if s.Create(t.Context(), tasks.Task{ID: id, Owner: newTask("a").Owner}, many) == nil && !tasks.ValidID(id) {
			must(t, s.Delete(t.Context(), id))
		}
	}
}

// race lets two processes count in one task. No update may be lost.
func race(t *testing.T, one, other tasks.Store) {
	const each = 25
	start := newTask("a")
	start.Data = nil
	must(t, one.Create(t.Context(), start, many))
	var all sync.WaitGroup
	for _, s := range []tasks.Store{one, other, one, other} {
		all.Go(func() {
			for range each {
				if err := add(t.Context(), s, start.ID); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	got, err := other.Get(t.Context(), start.ID)
	must(t, err)
	if len(got.Data) != 4*each {
		t.Fatalf("%d of %d updates were lost", 4*each-len(got.Data), 4*each)
	}
}

func add(ctx context.Context, s tasks.Store, id string) error {
	for {
		got, err := s.Get(ctx, id)
		if err != nil {
			return err
		}
		got.Data = append(slices.Clip(got.Data), '.')
		if err = s.Update(ctx, got); !errors.Is(err, tasks.ErrConflict) {
			return err
		}
	}
}
