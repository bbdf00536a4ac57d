package engine

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// followed returns the tasks of the caller among those that it wants to hear of.
func (r *Request) followed(ids []string) (own []string, err *rpc.Error) {
	b := r.session.engine.board
	switch {
	case len(ids) == 0 || b == nil:
		return nil, nil
	case !r.Message.Tasks:
		return nil, errNeedsTasks
	}
	for _, id := range ids {
		if _, err := b.lookUp(&r.span, id, r.caller); err == nil {
			own = append(own, id)
		} else if err != errNoTask {
			return nil, err
		}
	}
	return own, nil
}

// follow sends the state of tasks, and each change of it, until the request ends.
func (r *Request) follow(ids []string, meta json.RawMessage) {
	b := r.session.engine.board
	wake := b.watch(ids)
	defer b.unwatch(ids, wake)
	// Tasks can also change in other processes.
	check := time.NewTicker(time.Second)
	defer check.Stop()
	sent := map[string]time.Time{} // when the state that was sent last had changed
	ids = slices.Clone(ids)
	for {
		ids = slices.DeleteFunc(ids, func(id string) bool { return b.tell(r, id, r.caller, meta, sent) })
		select {
		case <-r.span.Done():
			return
		case <-wake:
		case <-check.C:
		}
	}
}

// tell sends the state of a task if it has changed, and reports whether it cannot change again.
func (b *board) tell(r *Request, id string, caller handler.Caller, meta json.RawMessage, sent map[string]time.Time) bool {
	t, refused := b.lookUp(context.WithoutCancel(&r.span), id, caller)
	if refused != nil {
		return refused == errNoTask // it has expired
	}
	if sent[id].Equal(t.Updated) {
		return false
	}
	sent[id] = t.Updated
	params, err := rpc.Encoded(rpc.AppenderFunc(func(w *rpc.Writer) {
		w.Begin('{').Name("_meta").Bytes(meta)
		t.AppendMembers(w, true)
		w.End('}')
	}))
	if err != nil || r.Notify(rpc.NoteTask, json.RawMessage(params)) != nil {
		r.Stop() // the client can subscribe again
		return false
	}
	return t.Ended()
}

// watch returns a channel that receives when one of the tasks has changed in this process.
func (b *board) watch(ids []string) chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	wake := make(chan struct{}, 1)
	for _, id := range ids {
		if b.watchers[id] == nil {
			b.watchers[id] = map[chan struct{}]struct{}{}
		}
		b.watchers[id][wake] = struct{}{}
	}
	return wake
}

func (b *board) unwatch(ids []string, wake chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range ids {
		if delete(b.watchers[id], wake); len(b.watchers[id]) == 0 {
			delete(b.watchers, id)
		}
	}
}

// wake wakes those who watch a task.
func (b *board) wake(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for wake := range b.watchers[id] {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
}
