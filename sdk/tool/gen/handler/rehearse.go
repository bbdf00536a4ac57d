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

type rehearsalKey struct{}

// Rehearse returns a context for tests. A call with this context reports a handler that does not
// ask the same questions when it runs again, because protocols that run handlers again would mix up
// its answers. Each run that ends with a question is repeated once, with the results of [tool.Once].
// Each run of a call must first repeat the questions that were answered before, in order, with the
// same ids and messages.
func Rehearse(ctx context.Context, report func(problem string)) context.Context {
	return context.WithValue(ctx, rehearsalKey{}, &rehearsal{report: report, before: map[string][]question.Question{}})
}

type rehearsal struct {
	report func(problem string)

	mu     sync.Mutex
	before map[string][]question.Question // the questions of a run, under the key of the next run
}

// run runs a handler, and runs it again if it asks.
func (h *rehearsal) run(ctx context.Context, t *Tool, call *call, read decodedInput) (Result, error) {
	var asked, again []question.Question
	observe := func(all *[]question.Question) context.Context {
		return question.Observe(ctx, func(q question.Question) {
			if _, try := question.Try(q.ID); try == 1 { // a later run shows which answers are invalid
				*all = append(*all, q)
			}
		})
	}
	result, err := t.execute(observe(&asked), call, read)
	pending, asks := err.(*question.Pending)
	if !asks {
		if err == nil { // a fault may occur before the questions are asked
			h.follows(t, &call.request, asked)
		}
		return result, err
	}
	h.follows(t, &call.request, asked, pending.IDs()...)
	second := t.newCall(call.request)
	second.request.Once, second.fields = call.state.Results(), call.fields
	_, ended := t.execute(observe(&again), second, read)
	if tool.Asks(ended) == nil {
		again = append(again, question.Question{Message: fmt.Sprintf("the run ended with %v", ended)})
	}
	h.compare(t.name, "when it ran again with the same answers", asked, again)
	return result, err
}

// follows compares a run with the previous run of its call. The run ends with the pending questions.
func (h *rehearsal) follows(t *Tool, r *Request, asked []question.Question, pending ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	key := func(ids ...string) string {
		for id := range r.Answers {
			if t.questions.Has(id) { // a host may send answers to other questions
				ids = append(ids, id)
			}
		}
		slices.Sort(ids)
		return t.name + "\x00" + string(r.Arguments) + "\x00" + strings.Join(ids, "\x00")
	}
	h.compare(t.name, "in the next run", h.before[key()], asked)
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
