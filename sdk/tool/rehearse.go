package tool

import (
	"context"
	"errors"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
)

type rehearseKey struct{}

// Rehearse returns a context whose runs report what they asked, in order. A run that ends
// in a question is run once more, and fails unless it asks the same again in the same
// order. Tests call tools with it: on wires that replay, a handler that asks otherwise
// from run to run mixes its answers up.
func Rehearse(ctx context.Context, report func(asked []question.Question)) context.Context {
	return context.WithValue(ctx, rehearseKey{}, report)
}

// rehearsed runs a handler, and once more if ctx says so and the run ends in a question.
// The second run has the results of Once of the first.
func rehearsed(ctx context.Context, memo *memo, run func(context.Context, *memo) (Result, error)) (Result, *memo, error) {
	report, ok := ctx.Value(rehearseKey{}).(func([]question.Question))
	if !ok {
		result, err := run(ctx, memo)
		return result, memo, err
	}
	var asked, again []question.Question
	result, err := run(question.Observe(ctx, func(q question.Question) { asked = append(asked, q) }), memo)
	report(asked)
	if _, asks := errors.AsType[*question.Pending](err); !asks {
		return result, memo, err
	}
	memo = newMemo(memo.results())
	_, second := run(question.Observe(ctx, func(q question.Question) { again = append(again, q) }), memo)
	if _, asks := errors.AsType[*question.Pending](second); !asks {
		return result, memo, fault.Wrap(second, fault.Internal, "the handler asked question %q, and did not when it ran again", asked[len(asked)-1].ID)
	}
	for i, q := range asked {
		if i >= len(again) || again[i].ID != q.ID || again[i].Wording() != q.Wording() {
			return result, memo, fault.New(fault.Internal, "the handler asked question %q as number %d of its run, as %q, "+
				"and another when it ran again with the same answers: %s", q.ID, i+1, q.Message, at(again, i))
		}
	}
	return result, memo, err
}

// at says which question is at i.
func at(asked []question.Question, i int) string {
	if i >= len(asked) {
		return "none"
	}
	return "question \"" + asked[i].ID + "\", as \"" + asked[i].Message + "\""
}
