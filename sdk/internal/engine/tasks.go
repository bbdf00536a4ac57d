package engine

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tasks"
)

// Defaults of [TaskOptions].
const (
	DefaultLease     = 10 * time.Second
	DefaultTaskQuota = 10000
)

// TaskOptions configures the tasks of an [Engine].
type TaskOptions struct {
	Store tasks.Store
	// Shared means that other processes use the store, or that it outlives this one, so that a task can move.
	Shared bool
	// Lease is the time after which another process runs a task whose process does not answer.
	Lease time.Duration
	// Quota is the maximum number of tasks of a caller.
	Quota int
}

// A board holds the tasks of an engine.
type board struct {
	TaskOptions
	engine *Engine
	begin  sync.Once     // starts the search for tasks to take over
	over   chan struct{} // closed when the board is closed

	mu       sync.Mutex
	jobs     map[string]*longRun // the tasks that run in this process, by id
	closed   bool
	watchers map[string]map[chan struct{}]struct{} // by task
}

// newBoard returns the board of an engine, or nil if no tool has tasks or tasks are off.
func newBoard(e *Engine, o *TaskOptions) *board {
	if o == nil {
		return nil
	}
	for _, t := range e.contracts {
		if t.Task.Mode != "" {
			return &board{
				TaskOptions: *o, engine: e, over: make(chan struct{}), jobs: map[string]*longRun{},
				watchers: map[string]map[chan struct{}]struct{}{},
			}
		}
	}
	return nil
}

// start begins to take over tasks whose process has ended.
func (b *board) start() {
	if b != nil && b.Shared {
		b.begin.Do(func() { go b.sweep() })
	}
}

// Errors about tasks. They end the context of a run, or say why it must not change its task.
var (
	errLost     = errors.New("another process has taken over the task")
	errFinished = errors.New("the task has ended")
	errClosing  = errors.New("the server is shutting down")
)

// patience limits the time for a request to the store.
const patience = 5 * time.Second

func (b *board) purpose(id string) []byte {
	return []byte("jptool task 1\x00" + b.engine.Contract.Name + "\x00" + id)
}

// owner returns the owner of the tasks of a caller in the store.
func (b *board) owner(subject string) string {
	digest := sha256.Sum256([]byte(b.engine.Contract.Name + "\x00" + subject))
	return hex.EncodeToString(digest[:16])
}

// sealed returns a task as the store keeps it.
func (b *board) sealed(t *wires.Task) ([]byte, error) {
	plain, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	// The store deletes the task earlier.
	ends := t.Created.Add(time.Duration(t.TTL)*time.Millisecond + 24*time.Hour)
	return []byte(b.engine.wires.Ring().Seal(plain, b.purpose(t.ID), ends)), nil
}

// load returns a task. Data that this server has not sealed is ErrNotFound.
func (b *board) load(ctx context.Context, id string) (*wires.Task, tasks.Task, error) {
	held, err := b.Store.Get(ctx, id)
	if err != nil {
		return nil, held, err
	}
	plain, err := b.engine.wires.Ring().Open(string(held.Data), b.purpose(id))
	t := new(wires.Task)
	if err != nil || json.Unmarshal(plain, t) != nil {
		return nil, held, tasks.ErrNotFound
	}
	return t, held, nil
}

// create stores a new task, which this process runs. It sets the id and the times.
func (b *board) create(ctx context.Context, t *wires.Task) error {
	t.ID, t.Created = rand.Text(), time.Now()
	t.Updated = t.Created
	data, err := b.sealed(t)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return b.Store.Create(ctx, tasks.Task{
		ID: t.ID, Owner: b.owner(t.Caller.Subject), Data: data, Due: b.lease(),
		Life: time.Duration(t.TTL) * time.Millisecond,
	}, b.Quota)
}

// lease returns the time after which the store offers a task of this process to others; 0 means never.
func (b *board) lease() time.Duration {
	if b.Shared {
		return b.Lease
	}
	return 0
}

// update changes a task and returns it. change returns when the task is due. It can run several times, and its error
// prevents the update.
func (b *board) update(id string, change func(*wires.Task) (due time.Duration, err error)) (*wires.Task, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		t, held, err := b.load(ctx, id)
		if err != nil {
			return nil, err
		}
		if err = b.replace(ctx, t, held, change); !errors.Is(err, tasks.ErrConflict) {
			return t, err
		}
	}
}

// replace changes a task that was loaded.
func (b *board) replace(
	ctx context.Context, t *wires.Task, held tasks.Task, change func(*wires.Task) (time.Duration, error),
) (err error) {
	status, message, requests := t.Status, t.Message, len(t.Requests)
	if held.Due, err = change(t); err != nil {
		return err
	}
	visible := t.Status != status || t.Message != message || len(t.Requests) != requests
	if visible {
		t.Updated = time.Now()
	}
	if held.Data, err = b.sealed(t); err != nil {
		return err
	}
	if err = b.Store.Update(ctx, held); err == nil && visible {
		b.wake(t.ID)
	}
	return err
}

// sweep takes over tasks until the board is closed.
func (b *board) sweep() {
	every := time.NewTicker(min(max(b.Lease/4, 50*time.Millisecond), 5*time.Second))
	defer every.Stop()
	for {
		b.takeOver()
		select {
		case <-every.C:
		case <-b.over:
			return
		}
	}
}

// takeOver runs the tasks whose lease has ended, as far as the limit of concurrent calls permits.
func (b *board) takeOver() {
	const batch = 64
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	late, err := b.Store.Due(ctx, batch)
	if err != nil {
		b.engine.Log.Warn("the store of tasks cannot be read", "error", err)
		return
	}
	for _, held := range late {
		if !b.engine.calls.try() {
			return
		}
		t, err := b.claim(ctx, held)
		if err != nil || t.Status != wires.Working {
			b.engine.calls.done()
			if err != nil && !errors.Is(err, tasks.ErrConflict) && !errors.Is(err, tasks.ErrNotFound) {
				b.engine.Log.Warn("a task cannot be taken over", "task", held.ID, "error", err)
			}
			continue
		}
		b.resume(t, true)
	}
}

// maxRuns is the maximum number of times that a task is taken over while it does not ask. A task that ends every
// process that runs it would otherwise end all of them again and again.
const maxRuns = 100

// claim makes this process the one that runs a task that is due.
func (b *board) claim(ctx context.Context, due tasks.Task) (*wires.Task, error) {
	t, held, err := b.load(ctx, due.ID)
	if err != nil {
		return nil, err
	}
	held.Version = due.Version // fails if another process was faster
	return t, b.replace(ctx, t, held, func(t *wires.Task) (time.Duration, error) {
		if t.Status != wires.Working {
			return 0, nil
		}
		if t.Runs++; t.Runs > maxRuns {
			fail(t, rpc.CodeInternal, fault.Internal, "the server stopped too often while it ran the tool")
			return 0, nil
		}
		t.Runner = rand.Text()
		return b.lease(), nil
	})
}

// close cancels the runs of tasks. Their goroutines release the tasks.
func (b *board) close() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	b.closed = true
	close(b.over)
	for _, j := range b.jobs {
		j.cancel(errClosing)
	}
}

// end closes the store.
func (b *board) end() {
	if b == nil {
		return
	}
	if err := b.Store.Close(); err != nil {
		b.engine.Log.Warn("the store of tasks cannot be closed", "error", err)
	}
}

// offers reports whether callers can use a tool: one that requires tasks needs a board.
func (o *Options) offers(t *manifest.Tool) bool {
	return o.Tasks != nil || t.Task.Mode != manifest.TaskRequired
}
