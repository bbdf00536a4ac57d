package access

import (
	"io"
	"io/fs"
	"os"

	"github.com/jptool/jptool/sdk/fault"
)

// MaxReadFile is the size in bytes of the largest file that ReadFile returns. Larger
// ones are read piece by piece, through Open.
const MaxReadFile = 64 << 20

// openFlags are those of os that OpenFile takes.
const openFlags = os.O_RDONLY | os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREATE | os.O_EXCL | os.O_SYNC | os.O_TRUNC

// Open opens a file or directory to read. What is neither, such as a pipe, is a
// [fault.InvalidInput]. The errors of the file itself hold its path on disk.
func (f *FS) Open(path string) (*os.File, error) { return f.OpenFile(path, os.O_RDONLY, 0) }

// Create makes a file, or empties the one that is there, and opens it to write.
func (f *FS) Create(path string) (*os.File, error) {
	return f.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
}

// OpenFile opens a file as os.OpenFile does; perm is of a file that is made, and
// holds permission bits alone. It asks for read unless it only writes, and to write
// for create when the file is to be made, else for update. One that is granted
// create alone never opens what is there, and one that is granted update alone
// never makes a file, whatever happens meanwhile.
func (f *FS) OpenFile(path string, flag int, perm fs.FileMode) (*os.File, error) {
	way := flag & (os.O_RDONLY | os.O_WRONLY | os.O_RDWR)
	writes := way == os.O_WRONLY || way == os.O_RDWR
	if flag&^openFlags != 0 || way == os.O_WRONLY|os.O_RDWR || perm&^0o777 != 0 || !writes && flag&(os.O_TRUNC|os.O_CREATE|os.O_APPEND) != 0 {
		return nil, fault.New(fault.Internal, "a file was to be opened with flags %#x and mode %v", flag, perm)
	}
	makes := func(p place) bool {
		return flag&os.O_CREATE != 0 && (p.missing > 0 || flag&os.O_EXCL != 0)
	}
	needs := func(p place) (c []Capability) {
		if way != os.O_WRONLY {
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
	err := f.do(path, true, needs, func(dir *os.Root, name string, p place) (err error) {
		if makes(p) {
			file, err = openNew(dir, name, flag, perm)
		} else {
			file, err = openOld(dir, name, flag, p)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return file, nil
}

// openNew makes a file. O_EXCL neither follows a link nor takes what is there.
func openNew(dir *os.Root, name string, flag int, perm fs.FileMode) (*os.File, error) {
	file, err := dir.OpenFile(name, flag|os.O_EXCL, perm)
	if err != nil && os.IsExist(err) && flag&os.O_EXCL == 0 {
		return nil, errChanged
	}
	return file, err
}

// openOld opens what is there. It is judged again once it is open and before it is
// touched, since os.Root would follow a link that took its place.
func openOld(dir *os.Root, name string, flag int, p place) (*os.File, error) {
	before, err := p.there(dir, name)
	if err != nil {
		return nil, err
	}
	writes := flag&(os.O_WRONLY|os.O_RDWR) != 0
	switch mode := before.Mode(); {
	case mode.IsDir() && writes:
		return nil, refuse(isDirectory, p.given)
	case !mode.IsDir() && !mode.IsRegular():
		return nil, refuse(special, p.given)
	}
	file, err := dir.OpenFile(name, flag&^(os.O_CREATE|os.O_EXCL|os.O_TRUNC)|openWithoutWaiting, 0)
	if err != nil {
		return nil, err
	}
	after, err := file.Stat()
	if err != nil || !os.SameFile(before, after) {
		file.Close()
		return nil, errChanged
	}
	if flag&os.O_TRUNC != 0 {
		if err := file.Truncate(0); err != nil {
			file.Close()
			return nil, err
		}
	}
	return file, nil
}

// ReadFile returns what a file holds. More than [MaxReadFile] bytes are a
// [fault.InvalidInput].
func (f *FS) ReadFile(path string) ([]byte, error) {
	file, err := f.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, system(err, path)
	}
	if info.IsDir() {
		return nil, refuse(isDirectory, path)
	}
	data, err := io.ReadAll(io.LimitReader(file, MaxReadFile+1))
	if err != nil {
		return nil, system(err, path)
	}
	if len(data) > MaxReadFile {
		return nil, refuse(tooLarge, path)
	}
	return data, nil
}

// WriteFile makes a file that holds data, or replaces what a file holds. The
// directory must be there. An error while writing leaves the file as far as it got.
func (f *FS) WriteFile(path string, data []byte, perm fs.FileMode) error {
	file, err := f.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, perm)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return system(err, path)
	}
	return nil
}
