package mcpbridge

import (
	"crypto/sha256"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/manifest"
	"github.com/jptool/jptool/sdk/tool"
)

// memory keeps the results of [tool.Once] for hosts that run a tool again without
// saying so. The run that follows a question is known by its arguments and its
// answers: those of the run that asked, and one more, to that question.
type memory struct {
	mu    sync.Mutex
	calls map[[sha256.Size]byte]remembered
}

type remembered struct {
	once    map[string]json.RawMessage
	expires time.Time
}

// mostRemembered bounds the memory: calls whose answer never comes stay in it for
// [stateLife].
const mostRemembered = 1000

// A run is a call of a tool with the answers to questions that the tool declares.
// Hosts send others, too, and not always the same.
type run struct {
	tool      string
	arguments json.RawMessage
	answers   map[string]elicit.Answer
}

func runOf(t *manifest.Tool, r tool.Request) run {
	out := run{tool: t.Name, arguments: r.Arguments, answers: maps.Clone(r.Answers)}
	maps.DeleteFunc(out.answers, func(id string, _ elicit.Answer) bool {
		return !slices.ContainsFunc(t.Questions, func(q manifest.Question) bool {
			return id == q.ID || strings.HasPrefix(id, q.ID+"-")
		})
	})
	return out
}

// keep remembers what a run did once before it asked question.
func (m *memory) keep(r run, question string, once map[string]json.RawMessage, now time.Time) {
	if len(once) == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.calls, func(_ [sha256.Size]byte, c remembered) bool { return !now.Before(c.expires) })
	if m.calls == nil || len(m.calls) >= mostRemembered {
		m.calls = map[[sha256.Size]byte]remembered{}
	}
	m.calls[r.key(question)] = remembered{once: once, expires: now.Add(stateLife)}
}

// recall returns what the run before r did once, and forgets it.
func (m *memory) recall(r run, now time.Time) map[string]json.RawMessage {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.calls) == 0 {
		return nil
	}
	for answered := range r.answers {
		before := run{tool: r.tool, arguments: r.arguments, answers: maps.Clone(r.answers)}
		delete(before.answers, answered)
		key := before.key(answered)
		if c, ok := m.calls[key]; ok {
			delete(m.calls, key)
			if now.Before(c.expires) {
				return c.once
			}
		}
	}
	return nil
}

// key is the digest of a run and the question it asked.
func (r run) key(question string) [sha256.Size]byte {
	h := sha256.New()
	part := func(data []byte) {
		sum := sha256.Sum256(data)
		h.Write(sum[:])
	}
	part([]byte(r.tool))
	part(canonical(r.arguments))
	part([]byte(question))
	for _, id := range slices.Sorted(maps.Keys(r.answers)) {
		part([]byte(id))
		part(r.answers[id].Content)
	}
	return [sha256.Size]byte(h.Sum(nil))
}
