//go:build !unix

package files

import (
	"io/fs"
	"os"
)

// nonblock is zero because opening a file does not block on these systems.
const nonblock = 0

// acquire takes a lock by creating the lock file. If it returns fs.ErrExist, another process has the lock.
func acquire(path string) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return func() { _ = os.Remove(path) }, f.Close()
}

// keepOwner does nothing, because a new file has the owner of the directory.
func keepOwner(*os.Root, string, fs.FileInfo) error { return nil }
