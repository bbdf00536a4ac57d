package handler

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool"
)

// Rehearse returns a context for tests. A call with this context reports a handler that does not
// ask the same questions when it runs again, because protocols that run handlers again would mix up
// its answers. Each run that ends with a question is repeated once, with the results of [tool.Once].
// Each run of a call must first repeat the questions that were answered before, in order, with the
// same ids and messages. A call also reports a result that was truncated.
func Rehearse(ctx context.Context, report func(problem string)) context.Context {
	h := &rehearsal{report: report, asked: map[*Run][]question.Question{}, before: map[string][]question.Question{}}
	return Observe(ctx, h.observe)
}

type rehearsal struct {
	report func(problem string)

	mu     sync.Mutex
	asked  map[*Run][]question.Question   // the questions of each running run
	before map[string][]question.Question // the questions of a run, under the key of the next run
}

func (h *rehearsal) observe(e *Event) {
	switch {
	case asksFirst(e):
		h.mu.Lock()
		defer h.mu.Unlock()
		h.asked[e.Run] = append(h.asked[e.Run], *e.Question)
	case e.Moment == Ended:
		h.end(e)
	}
}

// asksFirst reports whether an event is the first try of a question. A later run shows which answers are invalid.
func asksFirst(e *Event) bool {
	if e.Moment != Asked {
		return false
	}
	_, try := question.Try(e.Question.ID)
	return try == 1
}

func (h *rehearsal) end(e *Event) {
	h.mu.Lock()
	asked := h.asked[e.Run]
	delete(h.asked, e.Run)
	h.mu.Unlock()
	if size, budget := e.Run.Oversized(); size > 0 {
		h.report(fmt.Sprintf("%s returned %d bytes, over its budget of %d: return less, a tool.Page with smaller items, "+
			"or a link to the whole result", e.Run.Tool(), size, budget))
	}
	pending, asks := e.Err.(*question.Pending)
	if !asks {
		if e.Err == nil { // a fault may occur before the questions are asked
			h.follows(e.Run, asked)
		}
		return
	}
	h.follows(e.Run, asked, pending.IDs()...)
	var again []question.Question
	ended := e.Again(func(e *Event) {
		if asksFirst(e) {
			again = append(again, *e.Question)
		}
	})
	if tool.Asks(ended) == nil {
		again = append(again, question.Question{Message: fmt.Sprintf("the run ended with %v", ended)})
	}
	h.compare(e.Run.Tool(), "when it ran again with the same answers", asked, again)
}

// follows compares a run with the previous run of its call. The run ends with the pending questions.
func (h *rehearsal) follows(r *Run, asked []question.Question, pending ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	key := func(ids ...string) string {
		for id := range r.Answers {
			if r.of.questions.Has(id) { // a host may send answers to other questions
				ids = append(ids, id)
			}
		}
		slices.Sort(ids)
		return r.Tool() + "\x00" + string(r.Arguments) + "\x00" + strings.Join(ids, "\x00")
	}
	h.compare(r.Tool(), "in the next run", h.before[key()], asked)
	if len(pending) > 0 {
		h.before[key(pending...)] = asked
	}
}

// compare reports a run that does not begin with the questions of another run.
func (h *rehearsal) compare(name, when string, first, then []question.Question) {
	for i, q := range first {
		other := "it did not ask another question"
		if i < len(then) {
			if then[i].ID == q.ID && then[i].Wording() == q.Wording() {
				continue
			}
			if other = then[i].Message; then[i].ID != "" {
				other = fmt.Sprintf("it was %q: %s", then[i].ID, other)
			}
		}
		h.report(fmt.Sprintf("%s asks a different question when it runs again: question %d was %q: %s, and %s %s",
			name, i+1, q.ID, q.Message, when, other))
		return
	}
}
