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
// must not happen twice or that takes a long time. The result is stored as JSON, so T must be
// unchanged after it has been encoded and decoded. A second use of a key in one run is an internal
// fault. Errors from f are not stored, so f may run again after an error.
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
	if stored != nil {
		err := json.Unmarshal(stored, &result)
		if err != nil {
			err = fault.Wrap(err, fault.Internal, "cannot decode the stored result of tool.Once %q", key)
		}
		return result, err
	}
	var data json.RawMessage
	defer func() { m.Store(key, data) }()
	result, err := f(ctx)
	if err != nil {
		return result, err
	}
	data, err = json.Marshal(result)
	if err != nil {
		err = fault.Wrap(fmt.Errorf("encoding: %w", err), fault.Internal, "the result of tool.Once %q cannot be encoded as JSON", key)
	}
	return result, err
}
