package files

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// maxTries is the maximum number of attempts to update a file. An attempt fails if another program writes the file.
const maxTries = 20

// maxWait is the maximum time that an update waits for other updates to the file.
const maxWait = 10 * time.Second

// Updated describes the effect of [Update].
type Updated struct {
	// At is the path of the file with symbolic links followed.
	At string
	// Backup is the path of the copy of the previous content, or "" if the file was not copied.
	Backup string
	// Changed reports whether the file was written.
	Changed bool
}

// Update replaces the content of a file with the result of edit. The argument old is nil if the file does not
// exist. Updates by several processes are serialized, so no update is lost. The previous content is saved next
// to the file with the suffix .bak, or .bak.1 and so on if an earlier backup has different content. Missing
// directories are created.
func Update(ctx context.Context, path string, limit int64, edit func(old []byte) ([]byte, error)) (Updated, error) {
	at, err := Resolve(path)
	if err != nil {
		return Updated{}, err
	}
	old, err := contents(at, limit)
	if err != nil {
		return Updated{}, err
	}
	if text, err := edit(old); err != nil || old != nil && bytes.Equal(text, old) {
		return Updated{At: at}, err
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return Updated{}, err
	}
	unlock, err := Lock(ctx, at)
	if err != nil {
		return Updated{}, err
	}
	defer unlock()
	for range maxTries {
		if done, err := update(at, limit, edit); !errors.Is(err, errAgain) {
			return done, err
		}
	}
	return Updated{}, fmt.Errorf("another program keeps changing %q; try again later", at)
}

// errAgain reports that another program has written the file during an update.
var errAgain = errors.New("the file has changed")

// update makes one attempt.
func update(at string, limit int64, edit func(old []byte) ([]byte, error)) (Updated, error) {
	old, err := contents(at, limit)
	if err != nil {
		return Updated{}, err
	}
	text, err := edit(old)
	if err != nil || old != nil && bytes.Equal(text, old) {
		return Updated{At: at}, err
	}
	done := Updated{At: at, Changed: true}
	if old != nil {
		if done.Backup, err = backUp(at, old); err != nil {
			return Updated{}, err
		}
	}
	if now, err := contents(at, limit); err != nil || !bytes.Equal(now, old) {
		return Updated{}, cmp.Or(err, errAgain)
	}
	_, err = Write(at, text, 0o644)
	return done, err
}

// contents returns the content of a file, or nil if the file does not exist.
func contents(at string, limit int64) ([]byte, error) {
	data, err := Read(at, limit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && data == nil:
		data = []byte{}
	}
	return data, err
}

// backUp writes a copy next to a file, with the same mode, and returns the path of the copy.
func backUp(at string, data []byte) (string, error) {
	info, err := os.Stat(at)
	if err == nil {
		err = writable(at, at, info, os.OpenFile)
	}
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

// Lock waits until no other process holds the lock on a file. The lock is a file in the same directory.
func Lock(ctx context.Context, at string) (unlock func(), err error) {
	path := filepath.Join(filepath.Dir(at), "."+filepath.Base(at)+".lock")
	for deadline := time.Now().Add(maxWait); ; {
		unlock, err := acquire(path)
		if err == nil {
			return unlock, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("writing %s: %w", at, reason(err))
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("%s is being written by another jptoolgen; if no other jptoolgen is running, remove %s", at, path)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}
