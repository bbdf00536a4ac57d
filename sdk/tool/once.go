package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"sync"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
)

// Once runs f once in a logical call and returns its result, also in the runs that
// follow when a question has been answered. Work before a question belongs into
// it: what must not happen twice, and what takes long. The result crosses runs as
// JSON, so that T must come back from its own encoding. Each use in a run has a key of
// its own; a second use of one key is an internal fault. An error of f is not kept, and
// f may be tried again.
//
// Where it is carried depends on the caller's protocol: in this process, or in
// state that the client keeps and cannot read. A JP local tool is a new process
// every time, and then f runs again.
func Once[T any](ctx context.Context, key string, f func(context.Context) (T, error)) (T, error) {
	var result T
	m, ok := question.Memo(ctx).(*memo)
	if !ok {
		return result, fault.New(fault.Internal, "tool.Once %q was called outside a tool call", key)
	}
	// Two uses of one key at once must not both run.
	one := m.slot(key)
	one.Lock()
	defer one.Unlock()
	if one.used {
		return result, fault.New(fault.Internal, "tool.Once %q was used twice in one run: give each use a key of its own", key)
	}
	if one.value != nil {
		one.used = true
		if err := json.Unmarshal(one.value, &result); err != nil {
			return result, fault.Wrap(err, fault.Internal, "the result of tool.Once %q does not come back from its JSON", key)
		}
		return result, nil
	}
	result, err := f(ctx)
	if err != nil {
		return result, err
	}
	data, err := json.Marshal(result)
	if err != nil {
		return result, fault.Wrap(fmt.Errorf("encoding: %w", err), fault.Internal, "the result of tool.Once %q has no JSON", key)
	}
	one.value, one.used = data, true
	return result, nil
}

// A memo keeps the results of Once through one run.
type memo struct {
	mu    sync.Mutex
	slots map[string]*slot
}

type slot struct {
	sync.Mutex
	value json.RawMessage
	used  bool // in this run
}

// carry puts the results of an earlier run into a new memo.
func (m *memo) carry(results map[string]json.RawMessage) {
	for key, value := range results {
		m.slot(key).value = value
	}
}

func (m *memo) slot(key string) *slot {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.slots == nil {
		m.slots = map[string]*slot{}
	}
	if m.slots[key] == nil {
		m.slots[key] = &slot{}
	}
	return m.slots[key]
}

// results returns what there is, nil for nothing.
func (m *memo) results() map[string]json.RawMessage {
	m.mu.Lock()
	slots := maps.Clone(m.slots)
	m.mu.Unlock()
	var all map[string]json.RawMessage
	for key, s := range slots {
		s.Lock()
		if s.value != nil {
			if all == nil {
				all = make(map[string]json.RawMessage, len(slots))
			}
			all[key] = s.value
		}
		s.Unlock()
	}
	return all
}
