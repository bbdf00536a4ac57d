package callstate

import (
	"encoding/json"
	"maps"
)

// Restore sets the results by key that tool.Once returned in earlier runs.
func (c *Call) Restore(results map[string]json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.results = maps.Clone(results)
}

// Use returns the stored result of a key, or nil if no result is stored. It returns false if tool.Once has already
// used the key in this run.
func (c *Call) Use(key string) (json.RawMessage, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.used[key] {
		return nil, false
	}
	if c.used == nil {
		c.used = map[string]bool{}
	}
	c.used[key] = true
	return c.results[key], true
}

// Store stores the result of a key. Without a result, the key can be used again.
func (c *Call) Store(key string, result json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if result == nil {
		delete(c.used, key)
		return
	}
	if c.results == nil {
		c.results = map[string]json.RawMessage{}
	}
	c.results[key] = result
}

// Results returns all stored results, or nil if no result is stored.
func (c *Call) Results() map[string]json.RawMessage {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.results)
}
