// Package disk reads files for another package.
package disk

import (
	"os"
	"path/filepath"
)

// Request names a file.
type Request struct {
	Dir, Name string
	Note      string
}

// Read reads a file.
func Read(r Request) ([]byte, error) { return os.ReadFile(filepath.Join(r.Dir, r.Name)) }

// ReadLocal reads a file with a local name.
func ReadLocal(name string) ([]byte, error) {
	if !filepath.IsLocal(name) {
		return nil, os.ErrInvalid
	}
	return os.ReadFile(name)
}
