package engine

import (
	"crypto/sha256"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
)

// memory keeps the results of [tool.Once] for hosts that run a tool again without
// saying so. The run that follows a question is known by the scope of its call and its
// answers: those of the run that asked, and one more, to that question. Of two calls that
// are equal in all of that no one can tell which is answered, so that neither gets back
// what it did.
type memory struct {
	mu    sync.Mutex
	calls map[[sha256.Size]byte]*waiting
	// blind is until when nothing is recalled, since not every call that waits is known.
	blind time.Time
}

// waiting is what calls that wait for the same answer did.
type waiting struct {
	once    map[string]json.RawMessage // of the first
	calls   int
	expires time.Time
}

// mostRemembered bounds the memory: calls whose answer never comes stay in it for
// [stateLife]. With more of them nothing is recalled for as long.
const mostRemembered = 1000

// A run is one of a call in a scope, with the answers to questions that the tool
// declares. Hosts send others, too, and not always the same.
type run struct {
	scope   []byte
	answers map[string]question.Answer
}

// declared returns the answers to questions of a tool.
func declared(t *manifest.Tool, answers map[string]question.Answer) map[string]question.Answer {
	answers = maps.Clone(answers)
	maps.DeleteFunc(answers, func(id string, _ question.Answer) bool {
		return !slices.ContainsFunc(t.Questions, func(q manifest.Question) bool {
			return id == q.ID || strings.HasPrefix(id, q.ID+"-")
		})
	})
	return answers
}

// keep remembers what a run did once before it asked a question, which may be nothing.
func (m *memory) keep(r run, id string, once map[string]json.RawMessage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if now.Before(m.blind) {
		return
	}
	maps.DeleteFunc(m.calls, func(_ [sha256.Size]byte, w *waiting) bool { return !now.Before(w.expires) })
	if len(m.calls) >= mostRemembered {
		m.calls, m.blind = nil, now.Add(stateLife)
		return
	}
	if m.calls == nil {
		m.calls = map[[sha256.Size]byte]*waiting{}
	}
	key := r.key(id)
	w := m.calls[key]
	if w == nil {
		w = &waiting{once: once}
		m.calls[key] = w
	}
	w.calls++
	w.expires = now.Add(stateLife)
}

// recall returns what the run before r did once, and forgets it. It returns nothing where
// several calls wait for the same answer, until all of them have had one.
func (m *memory) recall(r run, log *slog.Logger) map[string]json.RawMessage {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.calls) == 0 {
		return nil
	}
	for answered := range r.answers {
		before := run{scope: r.scope, answers: maps.Clone(r.answers)}
		delete(before.answers, answered)
		key := before.key(answered)
		w := m.calls[key]
		if w == nil {
			continue
		}
		if w.calls > 1 {
			w.once = nil
			log.Info("several equal calls wait for the same answer: work in tool.Once runs again", "question", answered, "calls", w.calls)
		}
		if w.calls--; w.calls == 0 {
			delete(m.calls, key)
		}
		if time.Now().Before(w.expires) {
			return w.once
		}
		return nil
	}
	return nil
}

// key is the digest of a run and the question it asked.
func (r run) key(asked string) [sha256.Size]byte {
	h := sha256.New()
	part := func(data []byte) {
		sum := sha256.Sum256(data)
		h.Write(sum[:])
	}
	part(r.scope)
	part([]byte(asked))
	for _, id := range slices.Sorted(maps.Keys(r.answers)) {
		part([]byte(id))
		part(r.answers[id].Content)
	}
	return [sha256.Size]byte(h.Sum(nil))
}
