// Package vectortest compares the results of reading and writing documents with the verdicts of JP's own code.
package vectortest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// A Vector is a document with the verdict of JP's own code.
type Vector struct {
	Name       string
	JSON       string
	Valid      bool
	Normalised string
	Roundtrip  *bool
}

// Read returns the vectors in a file under testdata.
func Read(t *testing.T, file string) []Vector {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var rows []Vector
	for line := range bytes.Lines(data) {
		var row Vector
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		rows = append(rows, row)
	}
	if len(rows) < 30 {
		t.Fatalf("%s has %d rows", file, len(rows))
	}
	return rows
}

// Run reads and writes the vectors in a file under testdata, and compares the results with the verdicts.
func Run[T any](t *testing.T, file string, read func([]byte) (T, error), write func([]byte, T) ([]byte, error)) {
	t.Run(file, func(t *testing.T) {
		for _, row := range Read(t, file) {
			t.Run(row.Name, func(t *testing.T) { check(t, row, read, write) })
		}
	})
}

func check[T any](t *testing.T, row Vector, read func([]byte) (T, error), write func([]byte, T) ([]byte, error)) {
	got, err := read([]byte(row.JSON))
	if !row.Valid {
		if err == nil {
			t.Fatalf("read = %+v, %v; want an error", got, err)
		}
		if !reflect.ValueOf(got).IsZero() {
			t.Errorf("the error came with a value: %+v", got)
		}
		return
	}
	if err != nil {
		t.Fatalf("refused: %v", err)
	}
	written, err := write(nil, got)
	if err != nil {
		t.Fatalf("write: %v", err)
	}
	if string(written) != row.Normalised {
		t.Fatalf("wrote\n%s\nwant\n%s", written, row.Normalised)
	}
	if row.Roundtrip != nil && string(written) != row.JSON {
		t.Errorf("wrote\n%s\nwant the document that JP wrote\n%s", written, row.JSON)
	}
	again, err := read(written)
	if err != nil {
		t.Fatalf("read back: %v", err)
	}
	if twice, err := write(nil, again); err != nil || !bytes.Equal(twice, written) {
		t.Errorf("read back %+v, %v; want %+v", again, err, got)
	}
}
