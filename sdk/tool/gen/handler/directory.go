package handler

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jptool/jptool/internal/causes"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
)

const (
	maxFile    = 16 << 20 // maximum size of a file that is read as a resource, in bytes
	pageFiles  = 100      // maximum number of files on a page
	pageVisits = 10_000   // maximum number of directory entries that are looked at for a page
	maxDepth   = 100      // maximum depth of directories that are listed
)

// isFilePath reports whether a path can be that of a file in a directory. Backslashes separate names on Windows.
func isFilePath(name string) bool {
	return fs.ValidPath(name) && name != "." && !strings.ContainsAny(name, "\x00\\")
}

// readFile returns the file of a directory that the offer names.
func (r *Run) readFile(dir fs.FS) (content.Resource, error) {
	name := ""
	if len(r.Offer.Values) > 0 {
		name = r.Offer.Values[0].Text
	}
	none := fault.New(fault.NotFound, "there is no file %.200q", name)
	if dir := strings.TrimSuffix(name, "/"); name == "" || dir != name && isFilePath(dir) {
		none.Message += `; the URI of a file does not end with a slash, and resources/list has the files`
		return content.Resource{}, none
	}
	if !isFilePath(name) {
		return content.Resource{}, none
	}
	f, err := dir.Open(name)
	if causes.Is(err, fs.ErrNotExist) || causes.Is(err, fs.ErrInvalid) || fault.CodeOf(err) == fault.NotFound {
		return content.Resource{}, none
	}
	if err != nil {
		return content.Resource{}, err
	}
	defer f.Close() // it was only read
	info, err := f.Stat()
	switch {
	case err != nil:
		return content.Resource{}, err
	case info.IsDir():
		return content.Resource{}, fault.New(fault.NotFound, "%.200q is a directory; read one of its files, which resources/list has", name)
	case !info.Mode().IsRegular():
		return content.Resource{}, none
	case info.Size() > maxFile:
		return content.Resource{}, tooLarge(info.Size())
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return content.Resource{}, err
	case len(data) > maxFile:
		return content.Resource{}, tooLarge(int64(len(data)))
	}
	part := content.At(r.Offer.URI, data)
	part.MIMEType = content.File("/", name, data).MIMEType // the URI may not have the form of a path
	return part, nil
}

func tooLarge(size int64) error {
	return fault.New(fault.PermissionDenied, "the file has at least %d bytes, more than the limit of %d bytes for a resource", size, maxFile)
}

// A listedFile is a file in the list of a directory.
type listedFile struct {
	Variables   map[string]string `json:"variables"`
	Name        string            `json:"name"`
	MIMEType    string            `json:"mimeType,omitempty"`
	Size        int64             `json:"size"`
	Annotations struct {
		LastModified string `json:"lastModified,omitempty"`
	} `json:"annotations,omitzero"`
}

// errFull ends a walk whose page is full.
var errFull = errors.New("the page is full")

// A walk collects a page of the files of a directory, in the order of their paths, compared name by name.
type walk struct {
	dir    fs.FS
	files  []listedFile
	field  string // the variable with the path
	visits int
	last   string // the path of the last file that was looked at, or of the last directory, with a slash
}

// listFiles returns a page of the files of a directory, in the form of [Listing].
func (r *Run) listFiles(dir fs.FS) (Result, error) {
	w := &walk{dir: dir, field: r.Offer.Variable}
	var after []string
	if r.Offer.After != "" {
		after = strings.Split(r.Offer.After, "/")
	}
	err := w.walk(".", after, 0)
	page := map[string]any{"items": slices.Concat([]listedFile{}, w.files)}
	switch {
	case err == errFull:
		page["next_cursor"] = w.last
	case err != nil:
		return Result{}, err
	}
	text, err := json.Marshal(page)
	var result Result
	result.Structured = string(text)
	return result, err
}

// walk visits the entries of a directory that come after a path.
func (w *walk) walk(dir string, after []string, depth int) error {
	if depth > maxDepth {
		return nil
	}
	entries, err := fs.ReadDir(w.dir, dir)
	if err != nil && dir != "." { // it is gone, or the caller may not read it
		return nil
	}
	for _, e := range entries {
		var rest []string
		if len(after) > 0 {
			switch order := cmp.Compare(e.Name(), after[0]); {
			case order < 0 || order == 0 && (!e.IsDir() || len(after) == 2 && after[1] == ""):
				continue
			case order == 0:
				rest = after[1:]
			}
		}
		name := path.Join(dir, e.Name())
		if w.visits++; w.visits > pageVisits || len(w.files) == pageFiles {
			return errFull
		}
		if e.IsDir() {
			if err := w.walk(name, rest, depth+1); err != nil {
				return err
			}
			w.last = name + "/"
			continue
		}
		w.add(name, e)
		w.last = name
	}
	return err
}

// add adds a file to the page, unless it cannot be read as a resource.
func (w *walk) add(name string, e fs.DirEntry) {
	if !e.Type().IsRegular() || !isFilePath(name) || !utf8.ValidString(name) {
		return
	}
	info, err := e.Info()
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	f := listedFile{Variables: map[string]string{w.field: name}, Name: name, Size: info.Size()}
	if t := content.File("/", name, []byte("text")).MIMEType; t != "text/plain" { // the type depends on the name
		f.MIMEType = t
	}
	f.Annotations.LastModified = content.Annotations{LastModified: info.ModTime()}.Modified()
	w.files = append(w.files, f)
}
