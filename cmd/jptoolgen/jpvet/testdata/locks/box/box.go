// Package box has a lock.
package box

import "sync"

type Box struct {
	mu    sync.Mutex
	names []string
}

// Lock locks the box.
func (b *Box) Lock() { b.mu.Lock() }

// Unlock unlocks the box.
func (b *Box) Unlock() { b.mu.Unlock() }

// Do calls f while the box is locked.
func (b *Box) Do(f func() error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return f()
}

// Names returns the names.
func (b *Box) Names() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.names
}
