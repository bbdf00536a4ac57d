package bear

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// source finds the library's files and keeps the main file open while calls use it.
//
// Closing any descriptor of a file releases all POSIX locks of the process on the file, including SQLite's
// locks. Therefore, all calls share one descriptor, which is closed after the last call has closed
// its connection.
type source struct {
	path string

	mu   sync.Mutex
	open *handle
}

// handle is the main file, shared by calls.
type handle struct {
	file *os.File
	info fs.FileInfo
	refs int
}

// state describes the files at one point in time.
type state struct {
	real    string      // path without symbolic links; SQLite looks for the log in this directory
	main    fs.FileInfo // size, modification time and identity
	wal     fs.FileInfo // nil if there is no log
	shm     bool        // whether the shared-memory index of the log exists
	header  [100]byte   // header of the first page: format and change counter
	present int         // number of valid bytes in header
}

// equal reports whether nothing was written between two states.
func (s state) equal(t state) bool {
	return sameFile(s.main, t.main) && sameFile(s.wal, t.wal) && s.header == t.header
}

func sameFile(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// isUnused reports whether the library is in WAL mode and no process has it open. While a process has it open,
// both side files exist; otherwise, SQLite would create them.
func (s state) isUnused() bool {
	wal := s.header[18] == 2 || s.header[19] == 2 || s.wal != nil
	return wal && (s.wal == nil || !s.shm)
}

// acquire returns the handle of the main file and opens it if necessary. The caller must release the handle.
func (s *source) acquire() (*handle, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	info, err := os.Stat(s.path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, ErrNotBear.withCause(fmt.Errorf("mode %v", info.Mode()))
	}
	if s.open != nil && os.SameFile(s.open.info, info) {
		s.open.refs++
		return s.open, nil
	}
	file, err := os.Open(s.path)
	if err != nil {
		return nil, err
	}
	if info, err = file.Stat(); err != nil {
		_ = file.Close()
		return nil, err
	}
	s.open = &handle{file: file, info: info, refs: 1}
	return s.open, nil
}

func (s *source) release(h *handle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.refs--; h.refs > 0 {
		return
	}
	if s.open == h {
		s.open = nil
	}
	_ = h.file.Close() // the file was opened for reading, so no data can be lost
}

// look returns the current state of the files.
func (s *source) look(h *handle) (state, error) {
	var st state
	var err error
	if st.real, err = filepath.EvalSymlinks(s.path); err != nil {
		return state{}, err
	}
	if st.main, err = os.Stat(st.real); err != nil {
		return state{}, err
	}
	if st.wal, err = os.Stat(st.real + "-wal"); err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			return state{}, err
		}
		st.wal = nil
	}
	_, err = os.Stat(st.real + "-shm")
	st.shm = err == nil
	if st.present, err = h.file.ReadAt(st.header[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return state{}, err
	}
	return st, nil
}
