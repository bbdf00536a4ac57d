package handler_test

import (
	"context"
	"log/slog"
	"testing"
	"unsafe"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/decode"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// Observers see the begin and the end of each run, and what one sets for the context of the run reaches the handler.
func TestObserve(t *testing.T) {
	type key struct{}
	fails := fault.New(fault.NotFound, "no such note")
	var given any
	note := handler.New("note", handler.Codec[handler.None, handler.None, handler.None, string]{
		Input: func(*decode.Object, *handler.None) {}, Result: handler.Text[string],
	}, func(ctx context.Context, _ *tool.Call, _, _, _ handler.None) (string, error) {
		given = ctx.Value(key{})
		return "", fails
	})
	var moments []handler.Moment
	run := &handler.Run{Surroundings: handler.Surroundings{Log: slog.New(slog.DiscardHandler)}}
	ctx := handler.Observe(t.Context(), func(e *handler.Event) {
		moments = append(moments, e.Moment)
		if e.Run != run || e.Question != nil || (e.Err != nil) != (e.Moment == handler.Ended) {
			t.Errorf("the event %d has the run %p, the question %v and the error %v", e.Moment, e.Run, e.Question, e.Err)
		}
		if e.Moment == handler.Began {
			e.Context = context.WithValue(e.Context, key{}, "set")
		} else if e.Context.Value(key{}) != "set" || fault.CodeOf(e.Err) != fault.NotFound {
			t.Errorf("the end has the context %v and the error %v", e.Context, e.Err)
		}
	})
	_, err := note.Run(ctx, run)
	if fault.CodeOf(err) != fault.NotFound || given != "set" {
		t.Errorf("the run ends with %v, and its handler received %v", err, given)
	}
	if len(moments) != 2 || moments[0] != handler.Began || moments[1] != handler.Ended {
		t.Errorf("the moments are %v", moments)
	}
}

// An observed run costs one small allocation. A pool that the race detector empties may cost another.
func TestCostOfObserver(t *testing.T) {
	if size := unsafe.Sizeof(handler.Event{}); size > 160 {
		t.Errorf("an event has %d bytes", size)
	}
	echo := handler.New("echo", handler.Codec[handler.None, handler.None, handler.None, string]{
		Input: func(*decode.Object, *handler.None) {}, Result: handler.Text[string],
	}, func(context.Context, *tool.Call, handler.None, handler.None, handler.None) (string, error) {
		return "x", nil
	})
	log := slog.New(slog.DiscardHandler)
	allocations := func(ctx context.Context) float64 {
		return testing.AllocsPerRun(100, func() {
			_, _ = echo.Run(ctx, &handler.Run{Surroundings: handler.Surroundings{ID: "1", Log: log}})
		})
	}
	alone := allocations(t.Context())
	observed := allocations(handler.Observe(t.Context(), func(*handler.Event) {}))
	if observed > alone+2 {
		t.Errorf("%v allocations without an observer, and %v with one", alone, observed)
	}
}
