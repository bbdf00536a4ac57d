package jpdoc_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/jptool/jptool/internal/jpdoc"
)

// vector is a document with the verdict of JP's own code.
type vector struct {
	Name       string
	JSON       string
	Valid      bool
	Normalised string
	Roundtrip  *bool
}

func vectors(t *testing.T, file string) []vector {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var rows []vector
	for line := range bytes.Lines(data) {
		var row vector
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

// form contains the functions that read and write a type.
type form[T any] struct {
	read   func([]byte) (T, error)
	append func([]byte, T) ([]byte, error)
}

func run[T any](t *testing.T, file string, f form[T]) {
	t.Run(file, func(t *testing.T) {
		for _, row := range vectors(t, file) {
			t.Run(row.Name, func(t *testing.T) { check(t, row, f) })
		}
	})
}

func check[T any](t *testing.T, row vector, f form[T]) {
	got, err := f.read([]byte(row.JSON))
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
	written, err := f.append(nil, got)
	if err != nil {
		t.Fatalf("append: %v", err)
	}
	if string(written) != row.Normalised {
		t.Fatalf("wrote\n%s\nwant\n%s", written, row.Normalised)
	}
	if row.Roundtrip != nil && string(written) != row.JSON {
		t.Errorf("what JP wrote does not come back as it was: %s", written)
	}
	again, err := f.read(written)
	if err != nil {
		t.Fatalf("read back: %v", err)
	}
	if twice, err := f.append(nil, again); err != nil || !bytes.Equal(twice, written) {
		t.Errorf("read back %+v, %v; want %+v", again, err, got)
	}
}

func TestVectors(t *testing.T) {
	snapshot, next := jpdoc.Snapshot(), jpdoc.RFD082()
	run(t, "outcome.jsonl", form[jpdoc.Outcome]{snapshot.ReadOutcome, snapshot.AppendOutcome})
	run(t, "future_rfd082_outcome.jsonl", form[jpdoc.Outcome]{next.ReadOutcome, next.AppendOutcome})
	run(t, "question.jsonl", form[jpdoc.Question]{readQuestion, appendQuestion})
}

// The vector of a question is read and written as part of an outcome.

func readQuestion(data []byte) (jpdoc.Question, error) {
	if bytes.Contains(data, []byte(`{"Boolean":{}}`)) {
		// JP accepts this inside an outcome, but not on its own.
		return jpdoc.Question{}, errors.ErrUnsupported
	}
	o, err := jpdoc.Snapshot().ReadOutcome(slices.Concat([]byte(asking), data, []byte("}")))
	if err != nil {
		return jpdoc.Question{}, err
	}
	return *o.Question, nil
}

const asking = `{"type":"needs_input","question":`

func appendQuestion(dst []byte, q jpdoc.Question) ([]byte, error) {
	data, err := jpdoc.Snapshot().AppendOutcome(dst, jpdoc.NeedsInput(q))
	return bytes.TrimSuffix(bytes.TrimPrefix(data, []byte(asking)), []byte("}")), err
}
