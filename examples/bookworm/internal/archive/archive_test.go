package archive_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jptool/jptool/examples/bookworm/internal/archive"
	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
	"github.com/jptool/jptool/examples/bookworm/sample"
)

func open(data []byte) (*archive.Archive, error) {
	return archive.Open(bytes.NewReader(data), int64(len(data)), archive.Standard())
}

func TestOpenRefusesHostileArchives(t *testing.T) {
	hostile := cratestest.Hostile()
	delete(hostile, "no documentation") // this archive is valid, but lacks documentation
	for name, data := range hostile {
		a, err := open(data)
		if err == nil {
			_, err = a.ReadFile("tea_time/index.html")
		}
		if err == nil { // the name of a file is also the name of a directory
			err = errors.Join(list(a, "."), list(a, "tea_time/water"))
		}
		var bad *archive.BadError
		if !errors.As(err, &bad) {
			t.Errorf("%s: %v, want a BadError", name, err)
		}
	}
}

func list(a *archive.Archive, dir string) error {
	_, err := a.ReadDir(dir)
	return err
}

// An archive that contains more entries than it declares must not exhaust memory.
func TestOpenReadsNoEndlessList(t *testing.T) {
	data := cratestest.Zip(map[string]string{"a/index.html": "x", "a/b.html": "y"})
	limits := archive.Standard()
	limits.Directory = 40
	_, err := archive.Open(bytes.NewReader(data), int64(len(data)), limits)
	if err == nil || !strings.Contains(err.Error(), "list of files is too long") {
		t.Errorf("%v", err)
	}
}

func TestArchiveIsAFileSystem(t *testing.T) {
	a, err := open(sample.Docs)
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(a, "tea_time/index.html", "src/tea_time/lib.rs.html"); err != nil {
		t.Error(err)
	}
	page, err := a.ReadFile("tea_time/struct.Teapot.html")
	if err != nil || !bytes.Contains(page, []byte("A pot, and what is in it")) {
		t.Errorf("%v, %d bytes", err, len(page))
	}
	for _, name := range []string{"", "/", "tea_time", "../x", "tea_time/../src-files.js", "/src-files.js", "none"} {
		if _, err := a.ReadFile(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// packedByBzip2 is a zip file from another program. It contains a/index.html with the text "hello, bzip2" and a
// line break, compressed with method 12 (bzip2).
const packedByBzip2 = "UEsDBC4AAAAMAAAAIVzRj/pxNwAAAA0AAAAMAAAAYS9pbmRleC5odG1sQlpoOTFBWSZTWbEj3kMAAANZgAAQQAQQABJkwBAgADEDQNAgAaaRA6tsgoT4u5IpwoSFiR7yGFBLAQIuAy4AAAAMAAAAIVzRj/pxNwAAAA0AAAAMAAAAAAAAAAAAAACAAQAAAABhL2luZGV4Lmh0bWxQSwUGAAAAAAEAAQA6AAAAYQAAAAAA"

func TestBzip2(t *testing.T) {
	data, err := base64.StdEncoding.DecodeString(packedByBzip2)
	if err != nil {
		t.Fatal(err)
	}
	a, err := open(data)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := a.ReadFile("a/index.html"); err != nil || string(got) != "hello, bzip2\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// A file whose bytes were changed on disk is distinguished from a missing file.
func TestBrokenFile(t *testing.T) {
	data := bytes.Clone(sample.Docs)
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	name := "tea_time/struct.Teapot.html"
	for _, f := range z.File {
		if f.Name == name {
			at, err := f.DataOffset()
			if err != nil {
				t.Fatal(err)
			}
			clear(data[at+50 : at+100])
		}
	}
	a, err := open(data)
	if err != nil {
		t.Fatal(err)
	}
	var bad *archive.BadError
	if _, err := a.ReadFile(name); !errors.As(err, &bad) {
		t.Errorf("%v", err)
	}
}

func extract(t *testing.T, a *archive.Archive, dir string) error {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	return a.Extract(context.Background(), root)
}

func TestExtract(t *testing.T) {
	a, err := open(sample.Docs)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := extract(t, a, dir); err != nil {
		t.Fatal(err)
	}
	want, err := a.ReadFile("tea_time/index.html")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "tea_time", "index.html")); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v, %d bytes", err, len(got))
	}
	if err := extract(t, a, dir); !errors.Is(err, fs.ErrExist) {
		t.Errorf("the second time: %v", err)
	}
}

// A link in the target directory does not redirect the files.
func TestExtractFollowsNoLinkOut(t *testing.T) {
	a, err := open(sample.Docs)
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{"src", "tea_time", "help.html"} {
		dir, outside := t.TempDir(), t.TempDir()
		if err := os.Symlink(filepath.Join(outside, "x"), filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
		if err := extract(t, a, dir); err == nil {
			t.Errorf("through the link %s: no error", link)
		}
		if entries, err := os.ReadDir(outside); err != nil || len(entries) > 0 {
			t.Errorf("through the link %s: %v, %v", link, entries, err)
		}
	}
}
