// Package locks asks questions while it holds locks.
package locks

import (
	"context"
	"errors"
	"sync"

	"example.com/m/locks/box"

	"github.com/jptool/jptool/sdk/elicit"
)

type Questions struct{ Sure elicit.Confirm }

type Notes struct {
	mu     sync.Mutex
	rw     sync.RWMutex
	shared *sync.Mutex
	each   map[string]*sync.Mutex
	box    box.Box
	names  map[string]bool
}

type embedded struct {
	sync.Mutex
	names map[string]bool
}

var global sync.Mutex

func sure(ctx context.Context, ask Questions) error {
	if ok, err := ask.Sure.Ask(ctx, "Sure?"); err != nil || !ok {
		return err
	}
	return nil
}

func (s *Notes) deferred(ctx context.Context, ask Questions, n string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	ok, err := ask.Sure.Ask(ctx, "Sure?") // want `JP728: the question is asked while locks.Notes.mu is locked \(at line 40\), so other calls that need the lock wait for the user; unlock it before the question, and check the state again after the answer`
	if err != nil || !ok {
		return err
	}
	delete(s.names, n)
	return nil
}

func (s *Notes) plain(ctx context.Context, ask Questions) error {
	s.mu.Lock()
	err := sure(ctx, ask) // want `JP728: .* locks.Notes.mu is locked`
	s.mu.Unlock()
	return err
}

func (s *Notes) reads(ctx context.Context, ask Questions) error {
	s.rw.RLock()
	defer s.rw.RUnlock()
	return sure(ctx, ask) // want `JP728: .* locks.Notes.rw is locked`
}

func (s *Notes) writes(ctx context.Context, ask Questions) error {
	s.rw.Lock()
	defer func() { s.rw.Unlock() }()
	return sure(ctx, ask) // want `JP728: .* locks.Notes.rw is locked`
}

func (s *Notes) pointer(ctx context.Context, ask Questions) error {
	s.shared.Lock()
	defer s.shared.Unlock()
	return sure(ctx, ask) // want `JP728: .* locks.Notes.shared is locked`
}

func (s *Notes) table(ctx context.Context, ask Questions, n string) error {
	mu := s.each[n]
	mu.Lock()
	defer mu.Unlock()
	return sure(ctx, ask) // want `JP728: .* locks.Notes.each is locked`
}

func (s *Notes) lockOf(n string) *sync.Mutex { return s.each[n] }

func (s *Notes) fromCall(ctx context.Context, ask Questions, n string) error {
	s.lockOf(n).Lock()
	defer s.lockOf(n).Unlock()
	return sure(ctx, ask) // want `JP728: .* while locks.Notes.lockOf\(\) is locked`
}

func (e *embedded) promoted(ctx context.Context, ask Questions) error {
	e.Lock()
	defer e.Unlock()
	return sure(ctx, ask) // want `JP728: .* locks.embedded.Mutex is locked`
}

func variable(ctx context.Context, ask Questions) error {
	global.Lock()
	defer global.Unlock()
	return sure(ctx, ask) // want `JP728: .*locks.global is locked`
}

var state struct {
	sync.RWMutex
	names map[string]bool
}

func anonymous(ctx context.Context, ask Questions) error {
	state.RLock()
	defer state.RUnlock()
	return sure(ctx, ask) // want `JP728: .*locks.state.RWMutex is locked`
}

func given(ctx context.Context, ask Questions, mu *sync.Mutex) error {
	mu.Lock()
	defer mu.Unlock()
	return sure(ctx, ask) // want `JP728: the question is asked while mu is locked`
}

func literals(ctx context.Context, ask Questions) error {
	with := func(f func() error) error {
		global.Lock()
		defer global.Unlock()
		return f()
	}
	return with(func() error { return sure(ctx, ask) }) // want `JP728: the function calls`
}

func (s *Notes) tries(ctx context.Context, ask Questions) error {
	if !s.mu.TryLock() {
		return errors.New("busy")
	}
	defer s.mu.Unlock()
	return sure(ctx, ask) // want `JP728: `
}

func (s *Notes) methodValue(ctx context.Context, ask Questions) error {
	lock, unlock := s.mu.Lock, s.mu.Unlock
	lock()
	defer unlock()
	return sure(ctx, ask) // want `JP728: `
}

func (s *Notes) locker(ctx context.Context, ask Questions) error {
	var l sync.Locker = &s.mu
	l.Lock()
	defer l.Unlock()
	return sure(ctx, ask) // want `JP728: `
}

func (s *Notes) readLocker(ctx context.Context, ask Questions) error {
	l := s.rw.RLocker()
	l.Lock()
	defer l.Unlock()
	return sure(ctx, ask) // want `JP728: `
}

func (s *Notes) lock() { s.mu.Lock() }

func (s *Notes) unlock() { s.mu.Unlock() }

func (s *Notes) helper(ctx context.Context, ask Questions) error {
	s.lock()
	defer s.unlock()
	return sure(ctx, ask) // want `JP728: .* locks.Notes.mu is locked`
}

func (s *Notes) hold() func() {
	s.mu.Lock()
	return s.mu.Unlock
}

func (s *Notes) returned(ctx context.Context, ask Questions) error {
	defer s.hold()()
	return sure(ctx, ask) // want `JP728: `
}

func (s *Notes) returnedVariable(ctx context.Context, ask Questions) error {
	unlock := s.hold()
	defer unlock()
	return sure(ctx, ask) // want `JP728: `
}

func lockIt(mu *sync.Mutex) { mu.Lock() }

func (s *Notes) parameter(ctx context.Context, ask Questions) error {
	lockIt(&s.mu)
	defer s.mu.Unlock()
	return sure(ctx, ask) // want `JP728: `
}

func (s *Notes) branch(ctx context.Context, ask Questions, n string) error {
	s.mu.Lock()
	if !s.names[n] {
		s.mu.Unlock()
		return errors.New("no such note")
	}
	err := sure(ctx, ask) // want `JP728: `
	s.mu.Unlock()
	return err
}

func (s *Notes) loop(ctx context.Context, ask Questions) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n := range s.names {
		if ok, err := ask.Sure.For(n).Ask(ctx, "Sure?"); err != nil || !ok { // want `JP728: ` `JP714: `
			return err
		}
	}
	return nil
}

func (s *Notes) literal(ctx context.Context, ask Questions) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return func() error { return sure(ctx, ask) }() // want `JP728: `
}

func (s *Notes) locked(f func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return f()
}

func (s *Notes) inLocked(ctx context.Context, ask Questions) error {
	return s.locked(func() error { return sure(ctx, ask) }) // want `JP728: locked calls a function that asks a question while a lock is held, so other calls that need the lock wait for the user`
}

func (s *Notes) otherPackage(ctx context.Context, ask Questions) error {
	s.box.Lock()
	defer s.box.Unlock()
	return sure(ctx, ask) // want `JP728: .* box.Box.mu is locked`
}

func (s *Notes) inOtherPackage(ctx context.Context, ask Questions) error {
	return s.box.Do(func() error { return sure(ctx, ask) }) // want `JP728: Do calls a function`
}

func (s *Notes) together(ctx context.Context, ask Questions) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var yes bool
	err := elicit.Together(ctx, ask.Sure.Into(&yes, "Sure?")) // want `JP728: `
	if err != nil || !yes {
		return err
	}
	return nil
}

// The following code has no findings.

func (s *Notes) unlockedFirst(ctx context.Context, ask Questions, n string) error {
	s.mu.Lock()
	known := s.names[n]
	s.mu.Unlock()
	if !known {
		return errors.New("no such note")
	}
	if ok, err := ask.Sure.Ask(ctx, "Sure?"); err != nil || !ok {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.names, n)
	return nil
}

func (s *Notes) relocked(ctx context.Context, ask Questions) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mu.Unlock()
	err := sure(ctx, ask)
	s.mu.Lock()
	return err
}

func (s *Notes) has(n string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.names[n]
}

func (s *Notes) balanced(ctx context.Context, ask Questions, n string) error {
	if !s.has(n) || len(s.box.Names()) > 0 {
		return errors.New("no such note")
	}
	return sure(ctx, ask)
}

func (s *Notes) helperUnlocks(ctx context.Context, ask Questions) error {
	s.lockOf("x").Lock()
	s.lockOf("x").Unlock()
	s.lock()
	s.unlock()
	unlock := s.hold()
	unlock()
	s.box.Lock()
	s.box.Unlock()
	return sure(ctx, ask)
}

func (s *Notes) unlockedInLiteral(ctx context.Context, ask Questions, n string) error {
	known := func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.names[n]
	}()
	release := func() { s.mu.Unlock() }
	s.mu.Lock()
	release()
	if !known {
		return nil
	}
	return sure(ctx, ask)
}

func (s *Notes) onlyIfFree(ctx context.Context, ask Questions) error {
	if s.mu.TryLock() {
		s.mu.Unlock()
		return nil
	}
	return sure(ctx, ask)
}

func (s *Notes) branches(ctx context.Context, ask Questions, n string) error {
	s.rw.RLock()
	if s.names[n] {
		s.rw.RUnlock()
		return sure(ctx, ask)
	}
	s.rw.RUnlock()
	return nil
}

func (s *Notes) loopUnlocks(ctx context.Context, ask Questions, names []string) error {
	for _, n := range names {
		s.mu.Lock()
		known := s.names[n]
		s.mu.Unlock()
		if !known {
			continue
		}
		if ok, err := ask.Sure.For(n).Ask(ctx, "Sure?"); err != nil || !ok {
			return err
		}
	}
	return nil
}

func (s *Notes) lockedWork(ctx context.Context, ask Questions, n string) error {
	if err := sure(ctx, ask); err != nil {
		return err
	}
	return s.locked(func() error {
		delete(s.names, n)
		return nil
	})
}

func ownLock(ctx context.Context, ask Questions) error {
	var mu sync.Mutex
	mu.Lock()
	defer mu.Unlock()
	return sure(ctx, ask)
}

func ownStruct(ctx context.Context, ask Questions) error {
	var state struct {
		mu sync.Mutex
		n  int
	}
	state.mu.Lock()
	defer state.mu.Unlock()
	state.n++
	return sure(ctx, ask)
}

func (s *Notes) condition(ctx context.Context, ask Questions) error {
	var once sync.Once
	once.Do(func() { s.names = map[string]bool{} })
	return sure(ctx, ask)
}
