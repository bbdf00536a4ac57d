package tasks

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// maxMemory is the maximum size in bytes of the data in a store in memory.
const maxMemory = 256 << 20

// memory is a store in the memory of a process.
type memory struct {
	mu     sync.Mutex
	tasks  map[string]*held
	due    map[string]*held // those that will be due
	owners map[string]int
	size   int
	swept  time.Time // when expired tasks were last deleted
}

// held is a task in memory. A zero time means never.
type held struct {
	Task
	at, ends time.Time
}

// NewMemory returns a store in the memory of this process. It holds up to 256 MiB.
func NewMemory() Store {
	return &memory{tasks: map[string]*held{}, due: map[string]*held{}, owners: map[string]int{}}
}

func (m *memory) Create(_ context.Context, t Task, limit int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sweep(m.owners[t.Owner] >= limit || m.size+len(t.Data) > maxMemory)
	switch {
	case m.tasks[t.ID] != nil:
		return ErrConflict
	case m.owners[t.Owner] >= limit || m.size+len(t.Data) > maxMemory:
		return ErrFull
	}
	h := &held{Task: t}
	if t.Life > 0 {
		h.ends = time.Now().Add(t.Life)
	}
	h.Version, h.Life = 1, 0
	m.tasks[t.ID] = h
	m.owners[t.Owner]++
	m.size += len(t.Data)
	m.plan(h, t.Due)
	return nil
}

func (m *memory) Get(_ context.Context, id string) (Task, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if h := m.find(id); h != nil {
		return h.Task, nil
	}
	return Task{}, ErrNotFound
}

func (m *memory) Update(_ context.Context, t Task) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	h := m.find(t.ID)
	switch {
	case h == nil:
		return ErrNotFound
	case h.Version != t.Version:
		return ErrConflict
	}
	m.size += len(t.Data) - len(h.Data)
	h.Data = t.Data
	h.Version++
	m.plan(h, t.Due)
	return nil
}

func (m *memory) Due(_ context.Context, limit int) ([]Task, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sweep(false)
	now := time.Now()
	var late []*held
	for _, h := range m.due {
		if !now.Before(h.at) {
			late = append(late, h)
		}
	}
	slices.SortFunc(late, func(a, b *held) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.ID, b.ID)) })
	var all []Task
	for _, h := range late[:min(len(late), limit)] {
		all = append(all, Task{ID: h.ID, Version: h.Version})
	}
	return all, nil
}

func (m *memory) Delete(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if h := m.tasks[id]; h != nil {
		m.drop(h)
	}
	return nil
}

func (m *memory) Count(_ context.Context, owner string) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sweep(true)
	return m.owners[owner], nil
}

func (m *memory) Close() error { return nil }

// find returns a task that has not expired, or nil.
func (m *memory) find(id string) *held {
	h := m.tasks[id]
	if h != nil && !h.ends.IsZero() && !time.Now().Before(h.ends) {
		m.drop(h)
		return nil
	}
	return h
}

// plan sets when a task is due.
func (m *memory) plan(h *held, due time.Duration) {
	h.Due = 0
	if due == 0 {
		delete(m.due, h.ID)
		return
	}
	h.at = time.Now().Add(due)
	m.due[h.ID] = h
}

func (m *memory) drop(h *held) {
	delete(m.tasks, h.ID)
	delete(m.due, h.ID)
	m.size -= len(h.Data)
	if m.owners[h.Owner]--; m.owners[h.Owner] == 0 {
		delete(m.owners, h.Owner)
	}
}

// sweep deletes expired tasks: all of them now, or at most once a minute.
func (m *memory) sweep(all bool) {
	now := time.Now()
	if !all && now.Sub(m.swept) < time.Minute {
		return
	}
	m.swept = now
	for _, h := range m.tasks {
		if !h.ends.IsZero() && !now.Before(h.ends) {
			m.drop(h)
		}
	}
}
