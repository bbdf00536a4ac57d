package tool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool/internal/callstate"
)

// A OnceOption changes what [Once] does.
type OnceOption int

// AtMostOnce makes [Once] fail with [ErrUnknown] instead of running f again, if an earlier process ended while f ran.
// Use it for an effect that must not happen twice, in a system that does not accept an idempotency key.
const AtMostOnce OnceOption = 1

// ErrUnknown is wrapped by the error of [Once] with [AtMostOnce] if an earlier run of f may have had its effect.
var ErrUnknown = errors.New("the outcome is unknown")

// Once runs f once in a logical call and returns its result. When the handler runs again after a
// question has been answered, it returns the stored result. Use it for work before a question that
// must not happen twice or that takes a long time. The result is stored as JSON, and every run,
// including the first, receives the decoded JSON. So the values of unexported fields are lost. A
// second use of a key in one run is an internal fault. Errors from f are not stored, so f may run
// again after an error.
//
// The result is stored in this process, or encrypted by the client. A JP local tool is a new process
// for each run, so f runs again there. The result of a call that is a task is in the task's store before Once
// returns, so a process that takes over the task does not run f again. If the first process ended while f ran, f runs
// again, unless [AtMostOnce] is given; a system that accepts an idempotency key should receive [OnceKey].
func Once[T any](ctx context.Context, key string, f func(context.Context) (T, error), options ...OnceOption) (T, error) {
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
		keeper := m.Given().Keeper
		if keeper != nil && slices.Contains(options, AtMostOnce) {
			if err := begin(keeper, key); err != nil {
				return result, err
			}
		}
		done, err := f(ctx)
		if err != nil {
			if keeper != nil && ctx.Err() == nil && slices.Contains(options, AtMostOnce) {
				if failed := keeper.Keep(key, nil); failed != nil { // f may run again
					return done, errors.Join(err, failed)
				}
			}
			return done, err
		}
		data, err := json.Marshal(done)
		if err != nil {
			return done, fault.Wrap(fmt.Errorf("encoding: %w", err), fault.Internal, "the result of tool.Once %q cannot be encoded as JSON", key)
		}
		if keeper != nil {
			if err := keeper.Keep(key, data); err != nil {
				return result, fault.Wrap(err, fault.Unavailable, "the result of tool.Once %q cannot be stored", key)
			}
		}
		stored = data
	}
	if err := json.Unmarshal(stored, &result); err != nil {
		return result, fault.Wrap(err, fault.Internal, "cannot decode the stored result of tool.Once %q", key)
	}
	return result, nil
}

func begin(keeper callstate.Keeper, key string) error {
	again, err := keeper.Begin(key)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "the begin of tool.Once %q cannot be stored", key)
	}
	if again {
		err := fault.Wrap(ErrUnknown, fault.Internal, "the server stopped while it did %q, so it is not known whether that was done", key)
		err.Details = map[string]any{"once": key, "outcome": "unknown"}
		return err
	}
	return nil
}

// OnceKey returns an idempotency key for the effect of [Once] with the given key: 32 hexadecimal digits, which are the
// same in each run of the call, and different in other calls. A JP host does not identify calls, so there they differ
// from run to run. OnceKey returns "" outside a tool call.
func OnceKey(ctx context.Context, key string) string {
	m, ok := question.State(ctx).(*callstate.Call)
	if !ok {
		return ""
	}
	given := m.Given()
	origin := given.Origin
	if origin == "" {
		origin = given.ID
	}
	digest := sha256.Sum256([]byte("jptool once\x00" + origin + "\x00" + key))
	return hex.EncodeToString(digest[:16])
}
