package question

import (
	"context"
	"sync/atomic"

	"github.com/jptool/jptool/sdk/fault"
)

// A Bare is the session of a run without questions. Most runs have no questions.
type Bare struct {
	// Tool is the name of the tool; Memo is as in [Run].
	Tool string
	Memo any

	broken atomic.Pointer[fault.Error] // set if a question was asked
}

// With returns a context in which asking ends the run with an error.
func (b *Bare) With(ctx context.Context) context.Context {
	return context.WithValue(ctx, sessionKey{}, b)
}

// End returns the outcome of a run whose handler returned err.
func (b *Bare) End(err error) error {
	if broken := b.broken.Load(); broken != nil {
		return broken
	}
	return err
}

// refuse returns the error for a question that the tool does not declare.
func (b *Bare) refuse(q Question) error {
	b.broken.CompareAndSwap(nil, fault.New(fault.Internal, "%s", undeclared(b.Tool, q.ID)))
	return b.broken.Load()
}
