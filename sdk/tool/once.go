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

// Once runs f once in a logical call and returns its result. When the handler runs again after a
// question has been answered, it returns the stored result. Use it for work before a question that
// must not happen twice or that takes long. The result is stored as JSON, from which T must decode
// unchanged. A second use of a key in one run is an internal fault. Errors of f are not stored, so
// f may run again after an error.
//
// The result is stored in this process, or encrypted by the client. A JP local tool is a new process
// for each run, so f runs again there.
func Once[T any](ctx context.Context, key string, f func(context.Context) (T, error)) (T, error) {
	var result T
	m, ok := question.Memo(ctx).(*memo)
	if !ok {
		return result, fault.New(fault.Internal, "tool.Once %q was called outside a tool call", key)
	}
	// Two concurrent uses of one key must not both run.
	one := m.slot(key)
	one.Lock()
	defer one.Unlock()
	if one.used {
		return result, fault.New(fault.Internal, "tool.Once %q was used twice in one run: use a different key for each", key)
	}
	if one.value != nil {
		one.used = true
		err := json.Unmarshal(one.value, &result)
		if err != nil {
			err = fault.Wrap(err, fault.Internal, "cannot decode the stored result of tool.Once %q", key)
		}
		return result, err
	}
	result, err := f(ctx)
	if err != nil {
		return result, err
	}
	data, err := json.Marshal(result)
	if err != nil {
		return result, fault.Wrap(fmt.Errorf("encoding: %w", err), fault.Internal, "the result of tool.Once %q cannot be encoded as JSON", key)
	}
	one.value, one.used = data, true
	return result, nil
}

// A memo stores the results of Once during a run.
type memo struct {
	mu    sync.Mutex
	slots map[string]*slot
}

type slot struct {
	sync.Mutex
	value json.RawMessage
	used  bool // used in this run
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

// results returns the stored results, or nil if nothing is stored.
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
