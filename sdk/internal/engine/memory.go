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

// memory stores results of [tool.Once] for hosts that run a tool again without saying so. A run
// that follows questions is recognized by the scope of its call and by its answers, which are the
// answers of the run that asked plus answers to some of its questions. If two calls have the same
// scope and answers, memory cannot tell which of them is being answered, so neither gets its
// results back.
type memory struct {
	mu    sync.Mutex
	calls []*waitingCall // oldest first
	// blind is the time until which no results are returned, because some pending calls were not
	// stored.
	blind time.Time
}

// A waitingCall holds the stored work of a call that waits for answers.
type waitingCall struct {
	key     [sha256.Size]byte // of the run, and the questions that it asked
	asked   []string
	once    map[string]json.RawMessage
	expires time.Time
}

// mostRemembered is the maximum number of calls. Calls whose answer never arrives expire after
// [stateLife]. When the limit is exceeded, no results are returned for that time.
const mostRemembered = 1000

// A run identifies one run of a call: its scope and the answers to declared questions. Hosts may
// also send other answers, which can differ from run to run.
type run struct {
	scope   []byte
	answers map[string]question.Answer
}

// declared returns the answers to questions that the tool declares.
func declared(t *manifest.Tool, answers map[string]question.Answer) map[string]question.Answer {
	answers = maps.Clone(answers)
	maps.DeleteFunc(answers, func(id string, _ question.Answer) bool {
		return !slices.ContainsFunc(t.Questions, func(q manifest.Question) bool {
			return id == q.ID || strings.HasPrefix(id, q.ID+"-")
		})
	})
	return answers
}

// keep stores the work that a run did before it asked questions. A run without work is stored, too.
func (m *memory) keep(r run, asked []string, once map[string]json.RawMessage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if now.Before(m.blind) {
		return
	}
	m.calls = slices.DeleteFunc(m.calls, func(w *waitingCall) bool { return !now.Before(w.expires) })
	if len(m.calls) >= mostRemembered {
		m.calls, m.blind = nil, now.Add(stateLife)
		return
	}
	m.calls = append(m.calls, &waitingCall{r.key(asked), asked, once, now.Add(stateLife)})
}

// recall removes and returns the work of the run before r. If several calls wait for the same
// answers it returns nothing until all have been answered.
func (m *memory) recall(r run, log *slog.Logger) map[string]json.RawMessage {
	m.mu.Lock()
	defer m.mu.Unlock()
	var found []*waitingCall
	for _, w := range m.calls {
		before := run{scope: r.scope, answers: maps.Clone(r.answers)}
		for _, id := range w.asked {
			delete(before.answers, id)
		}
		if len(before.answers) < len(r.answers) && before.key(w.asked) == w.key && time.Now().Before(w.expires) {
			found = append(found, w)
		}
	}
	if len(found) == 0 {
		return nil
	}
	m.calls = slices.DeleteFunc(m.calls, func(w *waitingCall) bool { return w == found[0] })
	if len(found) > 1 {
		for _, w := range found {
			w.once = nil
		}
		log.Info("identical calls wait for the same answers: work in tool.Once runs again", "questions", found[0].asked)
	}
	return found[0].once
}

// key returns a digest of the run and the questions that it asked.
func (r run) key(asked []string) [sha256.Size]byte {
	h := sha256.New()
	part := func(data []byte) {
		sum := sha256.Sum256(data)
		h.Write(sum[:])
	}
	part(r.scope)
	part([]byte(strings.Join(asked, "\x00")))
	for _, id := range slices.Sorted(maps.Keys(r.answers)) {
		part([]byte(id))
		part(r.answers[id].Content)
	}
	return [sha256.Size]byte(h.Sum(nil))
}
