package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// mostTries is how often an update begins again when another program has written the file meanwhile.
const mostTries = 20

// mostWaiting is how long an update waits for others of the file.
const mostWaiting = 10 * time.Second

// An Updated is what an update has done.
type Updated struct {
	// At is the file, with links followed.
	At string
	// Backup is the file that has what it held before; "" if there is none.
	Backup string
	// Changed says that the file was written.
	Changed bool
}

// Update replaces what a file holds by what edit makes of it; nil stands for a file that is not there.
// Updates of several processes follow each other, and none is lost. What the file held is kept beside it, as
// .bak, or .bak.1 and so on where an earlier one holds something else. Directories are made as needed.
func Update(ctx context.Context, path string, most int64, edit func(old []byte) ([]byte, error)) (Updated, error) {
	at, err := Resolve(path)
	if err != nil {
		return Updated{}, err
	}
	old, err := contents(at, most)
	if err != nil {
		return Updated{}, err
	}
	if text, err := edit(old); err != nil || old != nil && bytes.Equal(text, old) {
		return Updated{At: at}, err
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return Updated{}, err
	}
	unlock, err := lock(ctx, at)
	if err != nil {
		return Updated{}, err
	}
	defer unlock()
	for range mostTries {
		done, again, err := update(at, most, edit)
		if err != nil || !again {
			return done, err
		}
	}
	return Updated{}, fmt.Errorf("%q is written by another program all the time: try again later", at)
}

// update is one try. It reports whether another program has written the file meanwhile.
func update(at string, most int64, edit func(old []byte) ([]byte, error)) (done Updated, again bool, err error) {
	old, err := contents(at, most)
	if err != nil {
		return Updated{}, false, err
	}
	text, err := edit(old)
	if err != nil {
		return Updated{}, false, err
	}
	done.At = at
	if old != nil && bytes.Equal(text, old) {
		return done, false, nil
	}
	if old != nil {
		if done.Backup, err = backUp(at, old); err != nil {
			return Updated{}, false, err
		}
	}
	if now, err := contents(at, most); err != nil || !bytes.Equal(now, old) {
		return Updated{}, err == nil, err
	}
	_, err = Write(at, text, 0o644)
	done.Changed = true
	return done, false, err
}

// contents returns what a file holds, nil if it is not there.
func contents(at string, most int64) ([]byte, error) {
	data, err := Read(at, most)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && data == nil:
		data = []byte{}
	}
	return data, err
}

// backUp writes a copy beside a file, with its mode, and returns the name of the copy.
func backUp(at string, data []byte) (string, error) {
	info, err := os.Stat(at)
	if err != nil {
		return "", err
	}
	root, err := os.OpenRoot(filepath.Dir(at))
	if err != nil {
		return "", err
	}
	defer root.Close()
	for n := 0; ; n++ {
		name := filepath.Base(at) + ".bak"
		if n > 0 {
			name = fmt.Sprintf("%s.%d", name, n)
		}
		err := Create(root, name, data, info.Mode().Perm())
		if errors.Is(err, fs.ErrExist) {
			if there, err := ReadIn(root, name, int64(len(data))); err != nil || !bytes.Equal(there, data) {
				continue
			}
			err = nil
		}
		return filepath.Join(filepath.Dir(at), name), err
	}
}

// lock waits until no other process updates a file. A file beside it stands for the lock.
func lock(ctx context.Context, at string) (unlock func(), err error) {
	path := filepath.Join(filepath.Dir(at), "."+filepath.Base(at)+".lock")
	for deadline := time.Now().Add(mostWaiting); ; {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			return func() { _ = os.Remove(path) }, f.Close()
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("writing %s: %w", at, reason(err))
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("%s is being written by another jptoolgen: if none runs, remove %s", at, path)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}
