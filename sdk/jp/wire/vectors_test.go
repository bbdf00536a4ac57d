package wire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/jptool/jptool/sdk/jp/wire"
)

// vector is one document with the verdict of JP's own code.
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

// form is how a type is read and written.
type form[T any] struct {
	read   func([]byte) (T, error)
	append func([]byte, T) ([]byte, error)
}

func infallible[T any](write func([]byte, T) []byte) func([]byte, T) ([]byte, error) {
	return func(dst []byte, v T) ([]byte, error) { return write(dst, v), nil }
}

func run[T any](t *testing.T, file string, f form[T]) {
	t.Run(file, func(t *testing.T) {
		for _, row := range vectors(t, file) {
			t.Run(row.Name, func(t *testing.T) { judge(t, row, f) })
		}
	})
}

func judge[T any](t *testing.T, row vector, f form[T]) {
	got, err := f.read([]byte(row.JSON))
	if !row.Valid {
		var e *wire.Error
		if !errors.As(err, &e) || e.Code == "" {
			t.Fatalf("read = %+v, %v; want a coded refusal", got, err)
		}
		if !reflect.ValueOf(got).IsZero() {
			t.Errorf("a refusal came with a value: %+v", got)
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
	if err != nil || !reflect.DeepEqual(again, got) {
		t.Errorf("read back %+v, %v; want %+v", again, err, got)
	}
}

func TestVectors(t *testing.T) {
	snapshot, next := wire.Snapshot(), wire.RFD082()
	run(t, "outcome.jsonl", form[wire.Outcome]{snapshot.ReadOutcome, snapshot.AppendOutcome})
	run(t, "future_rfd082_outcome.jsonl", form[wire.Outcome]{next.ReadOutcome, next.AppendOutcome})
	run(t, "question.jsonl", form[wire.Question]{snapshot.ReadQuestion, snapshot.AppendQuestion})
	run(t, "context.jsonl", form[wire.Context]{wire.ReadContext, infallible(wire.AppendContext)})
	run(t, "access.jsonl", form[wire.AccessPolicy]{wire.ReadAccess, infallible(wire.AppendAccess)})
}

func TestLooksLikeOutcome(t *testing.T) {
	for _, file := range []string{"outcome.jsonl", "future_rfd082_outcome.jsonl"} {
		for _, row := range vectors(t, file) {
			_, today := wire.Snapshot().ReadOutcome([]byte(row.JSON))
			_, next := wire.RFD082().ReadOutcome([]byte(row.JSON))
			want := today == nil || next == nil
			if got := wire.LooksLikeOutcome(row.JSON); got != want {
				t.Errorf("%s: %v, want %v", row.Name, got, want)
			}
		}
	}
	for _, text := range []string{"", "plain", " \n", "\u00a0{}", "{", `{"type":"success"}`, `["words"]`} {
		if wire.LooksLikeOutcome(text) {
			t.Errorf("%q is taken for an outcome", text)
		}
	}
}
