// Package snapshot reads a SQLite database at rest, including its write-ahead log, without writing to disk.
//
// A read-only connection to a database in WAL mode still creates the files -wal and -shm in its directory and
// cannot remove them. If no process has the database open, an [Image] can be read instead: one file in rollback
// mode with the content that the database would have after a checkpoint. The image takes no locks, so its user
// must check afterwards that no file changed while it was read.
package snapshot

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"
)

// Name is the name of the file in an [Image].
const Name = "library"

// ErrDamaged means that the file is not a SQLite database, or that the log has a different page size.
var ErrDamaged = errors.New("not a SQLite database")

// Image is a file system with one file, [Name]: the database as of the last commit. It implements [fs.FS] and is
// safe for concurrent use.
type Image struct {
	main, wal io.ReaderAt
	size      int64 // size of the image in bytes
	log       overlay
}

// Open returns an image of a database of size bytes and its log of walSize bytes. The log may be nil. Both
// readers must remain open as long as the image is used, because the image does not close them. The error is
// [ErrDamaged] or an error from a reader.
func Open(main io.ReaderAt, size int64, wal io.ReaderAt, walSize int64) (*Image, error) {
	m := &Image{main: main, wal: wal, size: size}
	var head [100]byte
	if _, err := main.ReadAt(head[:], 0); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, ErrDamaged
		}
		return nil, fmt.Errorf("read header: %w", err)
	}
	if string(head[:16]) != "SQLite format 3\x00" {
		return nil, ErrDamaged
	}
	if wal == nil {
		return m, nil
	}
	log, err := readWAL(wal, walSize)
	if err != nil {
		return nil, err
	}
	if log.pages == 0 {
		return m, nil
	}
	if log.pageSize != pageSize(head[:]) {
		return nil, ErrDamaged
	}
	m.log = log
	m.size = log.pages * log.pageSize
	return m, nil
}

// pageSize returns the page size in a database header, where 1 means 65536.
func pageSize(head []byte) int64 {
	if n := int64(head[16])<<8 | int64(head[17]); n != 1 {
		return n
	}
	return 65536
}

// Open implements [fs.FS]. Only [Name] exists.
func (m *Image) Open(name string) (fs.File, error) {
	if name != Name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &file{SectionReader: io.NewSectionReader(m, 0, m.size), size: m.size}, nil
}

// ReadAt implements [io.ReaderAt].
func (m *Image) ReadAt(p []byte, off int64) (int, error) {
	done := 0
	for done < len(p) && off < m.size {
		src, at, n := m.locate(off, min(int64(len(p)-done), m.size-off))
		part := p[done : done+int(n)]
		if got, err := src.ReadAt(part, at); got < len(part) {
			return done + got, err
		}
		rollbackMode(part, off)
		done += len(part)
		off += int64(len(part))
	}
	if done < len(p) {
		return done, io.EOF
	}
	return done, nil
}

// locate returns where to read the n bytes of the image at off. length is less than n if the bytes extend beyond
// the page.
func (m *Image) locate(off, n int64) (src io.ReaderAt, at, length int64) {
	if m.log.pages == 0 {
		return m.main, off, n
	}
	page, within := off/m.log.pageSize, off%m.log.pageSize
	n = min(n, m.log.pageSize-within)
	if at, ok := m.log.at[uint32(page+1)]; ok {
		return m.wal, at + within, n
	}
	return m.main, off, n
}

// rollbackMode changes the header so that it declares no log: bytes 18 and 19 are the format versions for
// writing and reading, 2 for WAL and 1 for rollback mode.
func rollbackMode(p []byte, off int64) {
	for i := int64(18); i <= 19; i++ {
		if at := i - off; at >= 0 && at < int64(len(p)) {
			p[at] = 1
		}
	}
}

type file struct {
	*io.SectionReader
	size int64
}

func (f *file) Close() error               { return nil }
func (f *file) Stat() (fs.FileInfo, error) { return info{f.size}, nil }

type info struct{ size int64 }

func (i info) Name() string     { return Name }
func (i info) Size() int64      { return i.size }
func (info) Mode() fs.FileMode  { return 0o444 }
func (info) ModTime() time.Time { return time.Time{} }
func (info) IsDir() bool        { return false }
func (info) Sys() any           { return nil }
