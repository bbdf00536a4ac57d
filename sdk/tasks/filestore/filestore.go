// Package filestore stores tasks in files, for the processes of one user on one machine.
//
// A program that imports it accepts --tasks-store file:DIR. Each task is a file. The directory must be used for
// nothing else, and only its owner may have access to it.
package filestore

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/jptool/jptool/sdk/tasks"
)

// Use adds the store to a server, which is a *sdk.Server.
func Use(server interface{ TaskStore(string, tasks.Opener) }) { server.TaskStore("file", Open) }

// Open opens the store with an address: "file:", and a directory that this user alone may read. It creates the
// directory if it does not exist.
func Open(_ context.Context, address string) (tasks.Store, error) {
	return open(strings.TrimPrefix(address, "file:"))
}

// Names in the directory of a store.
const (
	mark   = "jptool-tasks" // says that the directory is a store
	taskIn = "tasks"        // a file for each task
	// dueIn has an empty file for each task that will be due, with that time as its modification time. The file
	// exists before the task has the time, and as long as it has it; what counts is the time in the task.
	dueIn   = "due"
	ownerIn = "owners" // a directory for each owner, with an empty file for each task
	lockIn  = "locks"
)

// locks is the number of locks of each kind. A lock is for several tasks or owners.
const locks = 64

// A store is a directory. It uses the clock of the machine.
type store struct {
	dir   string
	mu    sync.Mutex
	swept time.Time // when expired tasks were last deleted
}

// A head is the first line of a file. Times are in nanoseconds since 1970; 0 means never.
type head struct {
	Owner   string `json:"owner"`
	Version int64  `json:"version"`
	Due     int64  `json:"due,omitempty"`
	Ends    int64  `json:"ends,omitempty"`
}

func (h head) expired() bool { return h.Ends > 0 && h.Ends <= time.Now().UnixNano() }

// open opens the store in a directory, which it creates if necessary.
func open(dir string) (tasks.Store, error) {
	if dir == "" {
		return nil, errors.New("the directory is missing: write file:DIR")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if shared := info.Mode().Perm() & 0o077; shared != 0 && os.PathSeparator == '/' {
		return nil, fmt.Errorf("other users have access to the directory %q: run chmod 700 on it", dir)
	}
	if _, err := os.Lstat(filepath.Join(dir, mark)); err != nil {
		if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 && !areOwn(entries) {
			return nil, cmp.Or(err, fmt.Errorf("the directory %q has other files: name a new directory", dir))
		}
	}
	for _, sub := range []string{taskIn, dueIn, ownerIn, lockIn} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return nil, err
		}
	}
	return &store{dir: dir}, os.WriteFile(filepath.Join(dir, mark), []byte("1\n"), 0o600)
}

// areOwn reports whether another process is creating the directory at the same time.
func areOwn(entries []fs.DirEntry) bool {
	return !slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return !slices.Contains([]string{mark, taskIn, dueIn, ownerIn, lockIn}, e.Name())
	})
}

func (s *store) path(in, name string) string { return filepath.Join(s.dir, in, name) }

// lock locks what the names of a kind share with others, for all processes.
func (s *store) lock(kind, name string) (unlock func(), err error) {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // never fails
	l := flock.New(s.path(lockIn, kind+"-"+strconv.Itoa(int(h.Sum32()%locks))), flock.SetPermissions(0o600))
	if err := l.Lock(); err != nil {
		return nil, err
	}
	return func() { _ = l.Close() }, nil // closing the file unlocks it
}

// read returns a task that has not expired.
func (s *store) read(id string) (head, []byte, error) {
	if !tasks.ValidID(id) {
		return head{}, nil, tasks.ErrNotFound
	}
	text, err := os.ReadFile(s.path(taskIn, id))
	if errors.Is(err, fs.ErrNotExist) {
		return head{}, nil, tasks.ErrNotFound
	}
	if err != nil {
		return head{}, nil, err
	}
	line, data, _ := bytes.Cut(text, []byte("\n"))
	var h head
	if err := json.Unmarshal(line, &h); err != nil {
		return head{}, nil, fmt.Errorf("the file of task %s is damaged: %w", id, err)
	}
	if h.expired() {
		return h, nil, tasks.ErrNotFound
	}
	return h, data, nil
}

// write replaces a task. The caller holds its lock.
func (s *store) write(id string, h head, data []byte, due time.Duration) error {
	h.Due = 0
	if due > 0 {
		at := time.Now().Add(due)
		h.Due = at.UnixNano()
		if err := s.touch(s.path(dueIn, id), at); err != nil {
			return err
		}
	}
	line, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if err := s.replace(id, slices.Concat(line, []byte("\n"), data)); err != nil {
		return err
	}
	if due == 0 {
		return remove(s.path(dueIn, id))
	}
	return nil
}

// replace writes the file of a task in one step. It survives a loss of power.
func (s *store) replace(id string, text []byte) (err error) {
	temporary := s.path(taskIn, "."+id)
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(temporary, s.path(taskIn, id))
	}
	return err
}

func (s *store) touch(path string, at time.Time) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Chtimes(path, at, at)
}

func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (s *store) Create(_ context.Context, t tasks.Task, limit int) error {
	if !tasks.ValidID(t.ID) || !tasks.ValidID(t.Owner) {
		return fmt.Errorf("invalid id %q or owner %q", t.ID, t.Owner)
	}
	unlock, err := s.lock("owner", t.Owner)
	if err != nil {
		return err
	}
	defer unlock()
	if n, err := s.count(t.Owner, limit); err != nil || n >= limit {
		return cmp.Or(err, tasks.ErrFull)
	}
	free, err := s.lock("task", t.ID)
	if err != nil {
		return err
	}
	defer free()
	if _, _, err := s.read(t.ID); !errors.Is(err, tasks.ErrNotFound) {
		return cmp.Or(err, tasks.ErrConflict)
	}
	h := head{Owner: t.Owner, Version: 1}
	if t.Life > 0 {
		h.Ends = time.Now().Add(t.Life).UnixNano()
	}
	if err := os.MkdirAll(s.path(ownerIn, t.Owner), 0o700); err != nil {
		return err
	}
	// An entry without a task, which a crash leaves, is removed when the tasks of the owner are counted.
	if err := s.touch(s.path(ownerIn, filepath.Join(t.Owner, t.ID)), time.Now()); err != nil {
		return err
	}
	return s.write(t.ID, h, t.Data, t.Due)
}

func (s *store) Get(_ context.Context, id string) (tasks.Task, error) {
	h, data, err := s.read(id)
	if err != nil {
		return tasks.Task{}, err
	}
	return tasks.Task{ID: id, Owner: h.Owner, Data: data, Version: h.Version}, nil
}

func (s *store) Update(_ context.Context, t tasks.Task) error {
	if !tasks.ValidID(t.ID) {
		return tasks.ErrNotFound
	}
	unlock, err := s.lock("task", t.ID)
	if err != nil {
		return err
	}
	defer unlock()
	h, _, err := s.read(t.ID)
	switch {
	case err != nil:
		return err
	case h.Version != t.Version:
		return tasks.ErrConflict
	}
	h.Version++
	return s.write(t.ID, h, t.Data, t.Due)
}

func (s *store) Due(ctx context.Context, limit int) ([]tasks.Task, error) {
	if err := s.sweep(ctx); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(s.path(dueIn, ""))
	if err != nil {
		return nil, err
	}
	type late struct {
		tasks.Task
		at int64
	}
	var all []late
	now := time.Now()
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || info.ModTime().After(now) {
			continue // removed, or not due
		}
		h, _, err := s.read(e.Name())
		switch {
		case errors.Is(err, tasks.ErrNotFound), err == nil && h.Due == 0:
			if err := s.forget(e.Name()); err != nil {
				return nil, err
			}
		case err == nil && h.Due <= now.UnixNano():
			all = append(all, late{tasks.Task{ID: e.Name(), Version: h.Version}, h.Due})
		}
	}
	slices.SortFunc(all, func(a, b late) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.ID, b.ID)) })
	var first []tasks.Task
	for _, l := range all[:min(len(all), limit)] {
		first = append(first, l.Task)
	}
	return first, nil
}

// forget removes the file in dueIn of a task that is never due, or that does not exist.
func (s *store) forget(id string) error {
	unlock, err := s.lock("task", id)
	if err != nil {
		return err
	}
	defer unlock()
	if h, _, err := s.read(id); err == nil && h.Due > 0 {
		return nil // it has changed
	}
	return remove(s.path(dueIn, id))
}

// sweep deletes expired tasks, at most once a minute.
func (s *store) sweep(ctx context.Context) error {
	s.mu.Lock()
	wait := time.Since(s.swept) < time.Minute
	if !wait {
		s.swept = time.Now()
	}
	s.mu.Unlock()
	if wait {
		return nil
	}
	entries, err := os.ReadDir(s.path(taskIn, ""))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if h, _, err := s.read(e.Name()); errors.Is(err, tasks.ErrNotFound) && h.expired() {
			if err := s.Delete(ctx, e.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *store) Delete(_ context.Context, id string) error {
	if !tasks.ValidID(id) {
		return nil
	}
	unlock, err := s.lock("task", id)
	if err != nil {
		return err
	}
	defer unlock()
	h, _, err := s.read(id)
	if err != nil && !errors.Is(err, tasks.ErrNotFound) {
		return err
	}
	// The task is removed first: what a crash leaves of the rest has no effect.
	err = remove(s.path(taskIn, id))
	if err == nil {
		err = remove(s.path(dueIn, id))
	}
	if err == nil && tasks.ValidID(h.Owner) {
		err = remove(s.path(ownerIn, filepath.Join(h.Owner, id)))
		_ = os.Remove(s.path(ownerIn, h.Owner)) // fails unless this was the last task
	}
	return err
}

func (s *store) Count(_ context.Context, owner string) (int, error) { return s.count(owner, 0) }

// count returns the number of tasks of an owner. Only if there may be limit or more, it does not count expired tasks.
func (s *store) count(owner string, limit int) (int, error) {
	if !tasks.ValidID(owner) {
		return 0, nil
	}
	entries, err := os.ReadDir(s.path(ownerIn, owner))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil || len(entries) < limit {
		return len(entries), err
	}
	n := 0
	for _, e := range entries {
		_, _, err := s.read(e.Name())
		switch {
		case !errors.Is(err, tasks.ErrNotFound):
			n++
		case limit > 0: // the owner is locked, so no task is being created
			if err := remove(s.path(ownerIn, filepath.Join(owner, e.Name()))); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

func (s *store) Close() error { return nil }
