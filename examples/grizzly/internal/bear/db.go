// Package bear reads the notes database of Bear, the note-taking app.
//
// A [DB] is opened without touching the disk; each call opens the library anew,
// reads it in one transaction and lets go of it, so that a library which
// appears, is replaced or is in use by Bear needs no care from the caller.
// Nothing is ever written: not to the library, not beside it, and no text of a
// note to any other file. While Bear is running, its own lock files are used as
// SQLite prescribes, read-only; while nobody has the library open, none are made.
//
// Two DBs on one file in one process can release each other's locks, as POSIX
// locks belong to the process: make one DB and share it.
package bear

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Options adjusts a [DB]. The zero value is right for a person's library.
type Options struct {
	// Wait is how long a call waits for Bear to finish writing, 5 seconds when zero.
	Wait time.Duration
	// IndexBytes bounds the memory that the word index may take, 256 MiB when
	// zero. A library that needs more is scanned; negative means always.
	IndexBytes int64
}

const (
	defaultWait       = 5 * time.Second
	defaultIndexBytes = 256 << 20
)

// DB is a library of notes. It is safe for concurrent use.
type DB struct {
	opt   Options
	src   source
	words *wordIndex
}

// Open prepares reading the library at path. It does not look at the file: a
// missing library is [ErrNoLibrary] of the call that needs it. The error is
// about the path itself, when it is empty or no file can have it.
func Open(path string, opt Options) (*DB, error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return nil, fmt.Errorf("library path %q: empty or with a zero byte", path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("library path: %w", err)
	}
	if opt.Wait == 0 {
		opt.Wait = defaultWait
	}
	if opt.IndexBytes == 0 {
		opt.IndexBytes = defaultIndexBytes
	}
	return &DB{opt: opt, src: source{path: abs}, words: newWordIndex(opt.IndexBytes)}, nil
}

// Close gives back the memory of the word index. Calls that are under way end first.
// A DB can be used again after Close.
func (db *DB) Close() error { return db.words.close() }

// DefaultPath is where Bear keeps its library on macOS. The error is
// [ErrNoLibrary] when the person has no home folder.
func DefaultPath() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", ErrNoLibrary.because(errors.New("no home folder"))
	}
	return filepath.Join(home, "Library", "Group Containers", "9K33E3U3T4.net.shinyfrog.bear",
		"Application Data", "database.sqlite"), nil
}
