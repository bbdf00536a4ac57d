// Package tasks stores tasks: tool calls whose result a client fetches later (MCP extension
// io.modelcontextprotocol/tasks).
//
// A server keeps its tasks in memory unless --tasks-store names another [Store]. A program adds such a store in
// main, before it runs the server:
//
//	filestore.Use(server) // --tasks-store file:DIR
package tasks

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Errors of a [Store]. Other errors mean that the store cannot be used at present.
var (
	ErrNotFound = errors.New("the task does not exist")
	ErrConflict = errors.New("the task has changed, or exists already")
	ErrFull     = errors.New("the store accepts no further task")
)

// A Task is what a store holds of a task. The server seals Data, so a store can neither read nor change it.
type Task struct {
	// ID has 16 to 64 letters, digits, - and _.
	ID string
	// Owner identifies the caller for [Store.Create]. It has the same form as ID.
	Owner string
	// Data must not be modified after it is passed to a store or returned by one.
	Data []byte
	// Version is set by the store. Each update changes it.
	Version int64
	// Due is the time after which [Store.Due] returns the task, unless an update sets another time; 0 means never.
	// The process that runs a task holds a lease in this way. Stores do not return it.
	Due time.Duration
	// Life is the time after its creation when the store deletes the task; 0 means never. Only Create uses it.
	Life time.Duration
}

// A Store holds tasks for one server, which can consist of several processes. It measures all times with one clock.
// Its methods are safe for concurrent use. Package internal/storetest tests a store.
type Store interface {
	// Create stores a task. It returns ErrConflict if the store has a task with the same id, and ErrFull if the owner
	// has limit tasks or more, or if the store is full.
	Create(ctx context.Context, t Task, limit int) error
	// Get returns a task, or ErrNotFound.
	Get(ctx context.Context, id string) (Task, error)
	// Update replaces Data and Due. It returns ErrConflict if the task has another version, and ErrNotFound if the
	// task does not exist.
	Update(ctx context.Context, t Task) error
	// Due returns at most limit tasks that are due, oldest first, with their ids and versions only. Of several
	// processes that update a task with this version, one succeeds.
	Due(ctx context.Context, limit int) ([]Task, error)
	// Delete deletes a task if it exists.
	Delete(ctx context.Context, id string) error
	// Count returns the number of tasks of an owner.
	Count(ctx context.Context, owner string) (int, error)
	// Close releases what the store uses. Tasks that it shares with other processes remain.
	Close() error
}

// ValidID reports whether id has the form of [Task.ID].
func ValidID(id string) bool {
	return len(id) >= 16 && len(id) <= 64 && !strings.ContainsFunc(id, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// An Opener opens the store with an address. Its errors do not contain the address, which may contain a password.
type Opener func(ctx context.Context, address string) (Store, error)

// Openers are the stores that a program contains, keyed by the scheme of their addresses, such as "file".
type Openers map[string]Opener

// Open opens the store with an address: "memory", or an address with a scheme in o, such as
// "file:/var/lib/notes/tasks".
func (o Openers) Open(ctx context.Context, address string) (Store, error) {
	if address == Memory {
		return NewMemory(), nil
	}
	scheme, _, _ := strings.Cut(address, ":")
	if open := o[scheme]; open != nil {
		return open(ctx, address)
	}
	if from, ok := packages[scheme]; ok {
		return nil, fmt.Errorf("this program does not contain the store for %q: call Use of package %q in main", scheme, from)
	}
	known := append([]string{Memory}, slices.Sorted(maps.Keys(o))...)
	return nil, fmt.Errorf("unknown scheme %q (known: %s)", scheme, strings.Join(known, ", "))
}

// Memory is the address of the store of [NewMemory].
const Memory = "memory"

// packages are the packages of the stores that a program can link.
var packages = map[string]string{
	"file":    "github.com/jptool/jptool/sdk/tasks/filestore",
	"redis":   "github.com/jptool/jptool/sdk/tasks/valkeystore",
	"rediss":  "github.com/jptool/jptool/sdk/tasks/valkeystore",
	"valkey":  "github.com/jptool/jptool/sdk/tasks/valkeystore",
	"valkeys": "github.com/jptool/jptool/sdk/tasks/valkeystore",
}
