package callstate

import (
	"encoding/json"
	"maps"
	"sync"
)

// A Memo holds the results of tool.Once in a run, by key.
type Memo struct {
	mu      sync.Mutex
	results map[string]json.RawMessage
	used    map[string]bool // in this run
}

// Restore adds the results of earlier runs.
func (m *Memo) Restore(results map[string]json.RawMessage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.results = maps.Clone(results)
}

// Use returns the stored result of a key, or nil if no result is stored. It returns false if the run has already
// used the key.
func (m *Memo) Use(key string) (json.RawMessage, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used[key] {
		return nil, false
	}
	if m.used == nil {
		m.used = map[string]bool{}
	}
	m.used[key] = true
	return m.results[key], true
}

// Store stores the result of a key. Without a result, the key can be used again.
func (m *Memo) Store(key string, result json.RawMessage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if result == nil {
		delete(m.used, key)
		return
	}
	if m.results == nil {
		m.results = map[string]json.RawMessage{}
	}
	m.results[key] = result
}

// Results returns all stored results, or nil if no result is stored.
func (m *Memo) Results() map[string]json.RawMessage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.results)
}
