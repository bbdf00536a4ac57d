//go:build unix

package files

import (
	"io/fs"
	"os"
	"syscall"
)

// nonblock prevents blocking when a pipe is opened.
const nonblock = syscall.O_NONBLOCK

// acquire takes the lock on a file. The system releases the lock when the process exits for any reason. If
// acquire returns fs.ErrExist, another process has the lock.
func acquire(path string) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW|nonblock, 0o600)
	if err != nil {
		return nil, err
	}
	mine, err := f.Stat()
	if err == nil {
		err = check(path, path, mine)
	}
	if err == nil && syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		err = fs.ErrExist
	}
	if err == nil { // the process that had the lock may have removed the file
		if now, gone := os.Lstat(path); gone != nil || !os.SameFile(now, mine) {
			err = fs.ErrExist
		}
	}
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return func() {
		_ = os.Remove(path)
		_ = f.Close() // nothing was written
	}, nil
}

// keepOwner sets the owner and the group of a new file in a root to those of the file that it will
// replace.
func keepOwner(root *os.Root, part string, of fs.FileInfo) error {
	made, err := root.Lstat(part)
	if err != nil {
		return err
	}
	was, _ := of.Sys().(*syscall.Stat_t)
	is, _ := made.Sys().(*syscall.Stat_t)
	if was == nil || is == nil || was.Uid == is.Uid && was.Gid == is.Gid {
		return nil
	}
	return root.Chown(part, int(was.Uid), int(was.Gid))
}
