package beartest_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
)

func TestCreateRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "database.sqlite")
	if err := beartest.WriteSample(path); err != nil {
		t.Fatal(err)
	}
	if err := beartest.WriteSample(path); err == nil {
		t.Error("a file in the way: no error")
	}
	if err := beartest.WriteSample(filepath.Join(path, "x")); err == nil {
		t.Error("a file for a folder: no error")
	}
}

func TestSample(t *testing.T) {
	path := filepath.Join(t.TempDir(), "database.sqlite")
	if err := beartest.WriteSample(path); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(files) != 1 {
		t.Errorf("%v, %v; want one file", files, err)
	}
	db, err := bear.Open(path, bear.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := db.Search(context.Background(), bear.Query{})
	if err != nil || r.Total != len(beartest.Sample())-1 {
		t.Errorf("%d notes, %v; want all but the one in the trash", r.Total, err)
	}
	seen := map[string]bool{}
	for _, n := range beartest.Sample() {
		if len(n.ID) != 36 || seen[n.ID] {
			t.Errorf("id %q", n.ID)
		}
		seen[n.ID] = true
	}
}

func TestGenerateIsDeterministic(t *testing.T) {
	var first []byte
	for i := range 2 {
		path := filepath.Join(t.TempDir(), fmt.Sprint(i))
		if err := beartest.Generate(path, beartest.Layout{}, 200); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && !bytes.Equal(text, first) {
			t.Error("two libraries differ")
		}
		first = text
	}
}

func ExampleWriteSample() {
	dir, err := os.MkdirTemp("", "bear")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "database.sqlite")
	if err := beartest.WriteSample(path); err != nil {
		fmt.Println(err)
		return
	}
	db, err := bear.Open(path, bear.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := db.Search(context.Background(), bear.Query{Queries: []string{"kubernetes"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range result.Matches {
		fmt.Printf("%s: line %d: %s\n", m.Title, m.Snippet.Line, m.Snippet.Text)
	}
	// Output:
	// Kubernetes: line 1: # Kubernetes
	// Cluster diary: line 4: Monday: Kubernetes upgraded on staging.
}
