// Package kitchen is a crate with one of everything that rustdoc documents, and its
// documentation by three generations of rustdoc, for tests.
package kitchen

import (
	"archive/zip"
	"bytes"
	"embed"
	"io/fs"
	"testing"
)

//go:embed testdata/*.zip
var archives embed.FS

//go:embed crate/src
var sources embed.FS

// Generations are the releases of rustdoc that differ in how their pages are made.
func Generations() []string { return []string{"1.63", "1.85", "1.95"} }

// Archive returns the crate's documentation by one of the generations, packed as docs.rs does.
func Archive(t testing.TB, generation string) fs.FS {
	t.Helper()
	data, err := archives.ReadFile("testdata/rustdoc-" + generation + ".zip")
	if err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return archive
}

// Sources returns the source files that were documented, below the folder that is src/kitchen
// in an archive.
func Sources(t testing.TB) fs.FS {
	t.Helper()
	files, err := fs.Sub(sources, "crate/src")
	if err != nil {
		t.Fatal(err)
	}
	return files
}
