package wires

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
// that follows questions has the same scope and the same answers as the run that asked them, plus
// answers to some of these questions. If two calls have the same scope and answers, memory cannot
// distinguish them, so neither gets its results back.
type memory struct {
	mu    sync.Mutex
	calls []*waitingCall // oldest first
	blind time.Time      // the end of the time in which nothing is returned, because some calls were not stored
}

// A waitingCall holds the stored work of a call that waits for answers.
type waitingCall struct {
	key     [sha256.Size]byte // of the run, and the questions that it asked
	asked   []string
	once    map[string]json.RawMessage
	expires time.Time
}

// maxRemembered is the maximum number of calls. If it is exceeded, no results are returned for
// [stateLife], after which all of them have expired.
const maxRemembered = 1000

// A waiting identifies one run of a call: its scope and the answers to declared questions. Hosts may
// send other answers, which differ from run to run.
type waiting struct {
	scope   []byte
	answers map[string]question.Answer
}

// declaredAnswers returns the answers to questions that the tool declares.
func declaredAnswers(t *manifest.Tool, answers map[string]question.Answer) map[string]question.Answer {
	answers = maps.Clone(answers)
	maps.DeleteFunc(answers, func(id string, _ question.Answer) bool {
		return !slices.ContainsFunc(t.Questions, func(q manifest.Question) bool {
			return id == q.ID || strings.HasPrefix(id, q.ID+"-")
		})
	})
	return answers
}

// keep stores the work that a run did before it asked questions, even if the run did no such work.
func (m *memory) keep(r waiting, asked []string, once map[string]json.RawMessage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if now.Before(m.blind) {
		return
	}
	m.calls = slices.DeleteFunc(m.calls, func(w *waitingCall) bool { return !now.Before(w.expires) })
	if len(m.calls) >= maxRemembered {
		m.calls, m.blind = nil, now.Add(stateLife)
		return
	}
	m.calls = append(m.calls, &waitingCall{r.key(asked), asked, once, now.Add(stateLife)})
}

// recall removes and returns the work of the run before r, or nothing while several calls wait for
// the same answers.
func (m *memory) recall(r waiting, log *slog.Logger) map[string]json.RawMessage {
	m.mu.Lock()
	defer m.mu.Unlock()
	var found []*waitingCall
	for _, w := range m.calls {
		before := waiting{scope: r.scope, answers: maps.Clone(r.answers)}
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
		if slices.ContainsFunc(found, func(w *waitingCall) bool { return len(w.once) > 0 }) {
			log.Info("identical calls are waiting for answers: functions passed to tool.Once run again", "questions", found[0].asked)
		}
		for _, w := range found {
			w.once = nil
		}
	}
	return found[0].once
}

// key returns a digest of the run and the questions that it asked.
func (r waiting) key(asked []string) [sha256.Size]byte {
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
