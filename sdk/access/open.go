package access

import (
	"cmp"
	"io"
	"io/fs"
	"os"

	"github.com/jptool/jptool/sdk/fault"
)

// MaxReadFile is the maximum size in bytes of a file that ReadFile returns. Read larger files in pieces, using
// Open.
const MaxReadFile = 64 << 20

const openFlags = os.O_RDONLY | os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREATE | os.O_EXCL | os.O_SYNC | os.O_TRUNC

// Open opens a file or directory for reading. For anything else, such as a pipe, it returns a
// [fault.InvalidInput] error. Errors of the returned file contain its path on disk.
func (f *FS) Open(path string) (*os.File, error) { return f.OpenFile(path, os.O_RDONLY, 0) }

// Create creates or truncates a file and opens it for writing.
func (f *FS) Create(path string) (*os.File, error) {
	return f.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
}

// OpenFile opens a file as os.OpenFile does. perm applies to a file that is created and may contain
// permission bits only. OpenFile requires read, unless it opens for writing only; to write, it requires
// update if the file exists, otherwise create. If only create is granted, it never opens an existing file,
// and if only update is granted, it never creates a file, whatever changes in the meantime.
func (f *FS) OpenFile(path string, flag int, perm fs.FileMode) (*os.File, error) {
	mode := flag & (os.O_RDONLY | os.O_WRONLY | os.O_RDWR)
	writes := mode == os.O_WRONLY || mode == os.O_RDWR
	if flag&^openFlags != 0 || mode == os.O_WRONLY|os.O_RDWR || perm&^0o777 != 0 || !writes && flag&(os.O_TRUNC|os.O_CREATE|os.O_APPEND) != 0 {
		return nil, fault.New(fault.Internal, "OpenFile: invalid flags %#x or mode %v", flag, perm)
	}
	makes := func(p place) bool {
		return flag&os.O_CREATE != 0 && (p.missing > 0 || flag&os.O_EXCL != 0)
	}
	needs := func(p place) (c []Capability) {
		if mode != os.O_WRONLY {
			c = append(c, Read)
		}
		switch {
		case makes(p):
			c = append(c, Create)
		case writes:
			c = append(c, Update)
		}
		return c
	}
	var file *os.File
	err := f.do(path, true, needs, func(s entry) (err error) {
		if !makes(s.place) {
			file, err = s.openOld(flag)
			return err
		}
		file, err = s.dir.OpenFile(s.name, flag|os.O_EXCL, perm) // neither follows a link nor opens an existing file
		if os.IsExist(err) && flag&os.O_EXCL == 0 {
			return errChanged
		}
		return err
	})
	return file, err
}

// openOld opens an existing file. It checks the file again after opening it, since os.Root follows
// a link that replaced it.
func (s entry) openOld(flag int) (*os.File, error) {
	before, err := s.stat()
	if err != nil {
		return nil, err
	}
	writes := flag&(os.O_WRONLY|os.O_RDWR) != 0
	switch mode := before.Mode(); {
	case mode.IsDir() && writes:
		return nil, refuse(isDirectory, s.given)
	case !mode.IsDir() && !mode.IsRegular():
		return nil, refuse(special, s.given)
	}
	file, err := s.dir.OpenFile(s.name, flag&^(os.O_CREATE|os.O_EXCL|os.O_TRUNC)|openWithoutWaiting, 0)
	if err != nil {
		return nil, err
	}
	after, err := file.Stat()
	if err != nil || !os.SameFile(before, after) {
		err = errChanged
	} else if flag&os.O_TRUNC != 0 {
		err = file.Truncate(0)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// ReadFile returns the content of a file. It returns a [fault.InvalidInput] error if the file is larger than
// [MaxReadFile] bytes.
func (f *FS) ReadFile(path string) ([]byte, error) {
	file, err := f.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, systemError(err, path)
	}
	if info.IsDir() {
		return nil, refuse(isDirectory, path)
	}
	data, err := io.ReadAll(io.LimitReader(file, MaxReadFile+1))
	if err != nil {
		return nil, systemError(err, path)
	}
	if len(data) > MaxReadFile {
		return nil, refuse(tooLarge, path)
	}
	return data, nil
}

// WriteFile creates a file with the given content, or replaces the content of a file in place. The directory must
// exist. An error while writing leaves the file incomplete. To replace a file atomically, write another file in
// the same directory and move it with [FS.Rename].
func (f *FS) WriteFile(path string, data []byte, perm fs.FileMode) error {
	file, err := f.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, perm)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return systemError(cmp.Or(err, file.Close()), path)
}
