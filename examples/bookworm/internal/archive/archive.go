// Package archive reads documentation directly from the zip files that docs.rs serves.
//
// It unpacks nothing, so a name in an archive never becomes the name of a file.
package archive

import (
	"archive/zip"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// bzip2Method is the compression method of older docs.rs archives (APPNOTE.TXT of the zip format, 4.4.5).
const bzip2Method = 12

// Limits restrict the content of an archive.
type Limits struct {
	// Members is the maximum number of files, and Directory is the maximum size of the central directory in
	// bytes.
	Members   int
	Directory int64
	// Member is the maximum size of one file after decompression, and Total is the maximum size of all files, in
	// bytes.
	Member, Total int64
	// Ratio is the maximum ratio of decompressed to compressed size, for the archive and for each file. It only
	// applies to sizes above Unrated bytes.
	Ratio, Unrated int64
}

// Standard returns limits that fit all known docs.rs archives.
func Standard() Limits {
	return Limits{Members: 200_000, Directory: 32 << 20, Member: 64 << 20, Total: 4 << 30, Ratio: 200, Unrated: 16 << 20}
}

// A BadError reports an archive that cannot be used: it is not a zip file, is damaged, or exceeds the limits.
type BadError struct {
	Reason string
	Err    error
}

// Error describes the problem.
func (e *BadError) Error() string { return "the archive cannot be used: " + e.Reason }

// Unwrap returns the cause.
func (e *BadError) Unwrap() error { return e.Err }

// An Archive is a file system with the files in a zip file. It implements [fs.ReadFileFS], [fs.ReadDirFS] and
// [fs.StatFS] and is safe for concurrent use.
type Archive struct {
	zip    *zip.Reader
	files  map[string]*zip.File
	limits Limits
}

// Open reads the list of files in a zip file of size bytes. It returns a [BadError] for a malicious or truncated
// archive.
func Open(r io.ReaderAt, size int64, limits Limits) (*Archive, error) {
	list := &budget{ReaderAt: r, left: limits.Directory}
	z, err := zip.NewReader(list, size)
	switch {
	case list.left < 0:
		return nil, &BadError{Reason: "the list of files is too long"}
	case errors.Is(err, zip.ErrInsecurePath):
		return nil, &BadError{Reason: "a file name refers to a path outside the archive", Err: err}
	case err != nil:
		return nil, &BadError{Reason: "it is not a complete zip file", Err: err}
	}
	list.open = true
	z.RegisterDecompressor(bzip2Method, func(r io.Reader) io.ReadCloser { return io.NopCloser(bzip2.NewReader(r)) })
	a := &Archive{zip: z, files: make(map[string]*zip.File, len(z.File)), limits: limits}
	if err := a.check(size); err != nil {
		return nil, err
	}
	return a, nil
}

// check applies the limits and checks that all names are valid for fs.FS.
func (a *Archive) check(size int64) error {
	if len(a.zip.File) > a.limits.Members {
		return &BadError{Reason: fmt.Sprintf("it has %d files; the limit is %d", len(a.zip.File), a.limits.Members)}
	}
	total := uint64(0)
	for _, f := range a.zip.File {
		name := strings.TrimSuffix(f.Name, "/")
		if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\\x00") {
			return &BadError{Reason: fmt.Sprintf("invalid file name %.60q", f.Name)}
		}
		if mode := f.Mode(); mode.IsDir() {
			continue
		} else if !mode.IsRegular() {
			return &BadError{Reason: fmt.Sprintf("%.60q is neither a file nor a directory", f.Name)}
		}
		switch f.Method {
		case zip.Store, zip.Deflate, bzip2Method:
		default:
			return &BadError{Reason: fmt.Sprintf("%.60q uses unsupported compression method %d", f.Name, f.Method)}
		}
		if a.files[name] != nil {
			return &BadError{Reason: fmt.Sprintf("it has two files named %.60q", f.Name)}
		}
		if f.UncompressedSize64 > uint64(a.limits.Member) || a.isBomb(f.UncompressedSize64, f.CompressedSize64) {
			return &BadError{Reason: fmt.Sprintf("%.60q would expand to %d bytes, which exceeds the limit", f.Name, f.UncompressedSize64)}
		}
		a.files[name] = f
		total += f.UncompressedSize64 // cannot overflow, because the sum is at most Members times Member
	}
	if total > uint64(a.limits.Total) || a.isBomb(total, uint64(size)) {
		return &BadError{Reason: fmt.Sprintf("its files would expand to %d bytes, which exceeds the limit", total)}
	}
	return nil
}

func (a *Archive) isBomb(unpacked, packed uint64) bool {
	return unpacked > uint64(a.limits.Unrated) && unpacked/uint64(a.limits.Ratio) > packed
}

// Open opens a file or a directory.
func (a *Archive) Open(name string) (fs.File, error) {
	f, err := a.zip.Open(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid) {
		return nil, damaged(name, err)
	}
	return f, err
}

// ReadDir lists a directory. It returns a [BadError] if the archive has two entries with the same name in the
// directory.
func (a *Archive) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(a.zip, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid) {
		return nil, damaged(name, err)
	}
	return entries, err
}

// Stat describes a file or a directory without reading it.
func (a *Archive) Stat(name string) (fs.FileInfo, error) {
	if f := a.files[name]; f != nil && fs.ValidPath(name) {
		return f.FileInfo(), nil
	}
	f, err := a.Open(name)
	if err != nil {
		return nil, err
	}
	return f.Stat()
}

// ReadFile returns the content of a file. It returns a [BadError] if the content does not match its checksum.
func (a *Archive) ReadFile(name string) ([]byte, error) {
	f := a.files[name]
	if f == nil || !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	r, err := f.Open()
	if err != nil {
		return nil, damaged(name, err)
	}
	defer r.Close()
	// The declared size is within the limits, and at most one more byte is read.
	data := make([]byte, 0, f.UncompressedSize64+1)
	for {
		if len(data) == cap(data) {
			return nil, damaged(name, errors.New("longer than declared"))
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, damaged(name, err)
		}
	}
}

func damaged(name string, err error) error {
	return &BadError{Reason: fmt.Sprintf("%q is damaged", name), Err: err}
}

// budget limits the number of bytes that can be read from a file while the archive is opened.
type budget struct {
	io.ReaderAt
	left int64
	open bool
}

// ReadAt reads until the budget is used up.
func (b *budget) ReadAt(p []byte, off int64) (int, error) {
	if !b.open {
		if b.left -= int64(len(p)); b.left < 0 {
			return 0, errors.New("read limit exceeded")
		}
	}
	return b.ReaderAt.ReadAt(p, off)
}
