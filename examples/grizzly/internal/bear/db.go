// Package bear reads the notes database of Bear, the note-taking app.
//
// [Open] does not access the disk. Each call opens the library, reads it in one transaction and closes it, so
// the library may appear, be replaced, or be in use by Bear at any time. The package does not write to the library or
// its directory, and does not write text of notes to any other file. While Bear is running, the package uses Bear's
// lock files as SQLite prescribes, but only reads them. If no process has the library open, it creates no lock files.
//
// POSIX locks belong to the process, so two DBs for the same file in one process can release each other's locks:
// create one DB and share it.
package bear

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Options configures a [DB]. The zero value is suitable for a user's library.
type Options struct {
	// Wait is the maximum time that a call waits for Bear to finish writing. Zero means 5 seconds.
	Wait time.Duration
}

const defaultWait = 5 * time.Second

// DB is a library of notes. It is safe for concurrent use.
type DB struct {
	opt Options
	src source
}

// Open returns the library at path. It does not access the file: if the library is missing, calls fail with
// [ErrNoLibrary]. Open fails if the path is empty or is not a valid file path.
func Open(path string, opt Options) (*DB, error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return nil, fmt.Errorf("invalid library path %q: must not be empty or contain a zero byte", path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("library path: %w", err)
	}
	if opt.Wait == 0 {
		opt.Wait = defaultWait
	}
	return &DB{opt: opt, src: source{path: abs}}, nil
}

// DefaultPath returns the path of Bear's library on macOS. It returns [ErrNoLibrary] if the user has no home
// directory.
func DefaultPath() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", ErrNoLibrary.withCause(errors.New("no home directory"))
	}
	return filepath.Join(home, "Library", "Group Containers", "9K33E3U3T4.net.shinyfrog.bear",
		"Application Data", "database.sqlite"), nil
}
