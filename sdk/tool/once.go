package tool

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool/internal/callstate"
)

// Once runs f once in a logical call and returns its result. When the handler runs again after a
// question has been answered, it returns the stored result. Use it for work before a question that
// must not happen twice or that takes a long time. The result is stored as JSON, and every run,
// including the first, receives the decoded JSON. So the values of unexported fields are lost. A
// second use of a key in one run is an internal fault. Errors from f are not stored, so f may run
// again after an error.
//
// The result is stored in this process, or encrypted by the client. A JP local tool is a new process
// for each run, so f runs again there.
func Once[T any](ctx context.Context, key string, f func(context.Context) (T, error)) (T, error) {
	var result T
	m, ok := question.State(ctx).(*callstate.Call)
	if !ok {
		return result, fault.New(fault.Internal, "tool.Once %q was called outside a tool call", key)
	}
	stored, ok := m.Use(key)
	if !ok {
		return result, fault.New(fault.Internal, "tool.Once %q was used twice in one run: use a different key for each", key)
	}
	if stored == nil {
		defer func() { m.Store(key, stored) }()
		done, err := f(ctx)
		if err != nil {
			return done, err
		}
		if stored, err = json.Marshal(done); err != nil {
			return done, fault.Wrap(fmt.Errorf("encoding: %w", err), fault.Internal, "the result of tool.Once %q cannot be encoded as JSON", key)
		}
	}
	if err := json.Unmarshal(stored, &result); err != nil {
		return result, fault.Wrap(err, fault.Internal, "cannot decode the stored result of tool.Once %q", key)
	}
	return result, nil
}
