// Package kitchen provides a crate that uses every kind of item that rustdoc documents, and its documentation
// from three versions of rustdoc, for tests.
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

// Generations returns the versions of rustdoc whose pages differ in structure.
func Generations() []string { return []string{"1.63", "1.85", "1.95"} }

// Archive returns the documentation for the crate from a version of rustdoc, zipped in the same way as on
// docs.rs.
func Archive(t testing.TB, generation string) fs.FS {
	t.Helper()
	data := Zip(t, generation)
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return archive
}

// Zip returns the bytes of the archive from a version of rustdoc.
func Zip(t testing.TB, generation string) []byte {
	t.Helper()
	data, err := archives.ReadFile("testdata/rustdoc-" + generation + ".zip")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Sources returns the source files of the crate. In an archive, they are below src/kitchen.
func Sources(t testing.TB) fs.FS {
	t.Helper()
	files, err := fs.Sub(sources, "crate/src")
	if err != nil {
		t.Fatal(err)
	}
	return files
}
