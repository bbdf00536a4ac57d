package index_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/jptool/jptool/examples/bookworm/internal/index"
	"github.com/jptool/jptool/examples/bookworm/internal/kitchen"
	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
)

// build builds and opens the index of an archive.
func build(t testing.TB, archive fs.FS) *index.Index {
	t.Helper()
	path := filepath.Join(t.TempDir(), "index of #100%?.sqlite")
	if err := index.Build(t.Context(), archive, "kitchen", path); err != nil {
		t.Fatal(err)
	}
	ix, err := index.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	})
	return ix
}

// entries lists a directory, to check that no temporary files are left.
func entries(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// A failingFS is a file system in which one file cannot be read.
type failingFS struct {
	fstest.MapFS
	name string
}

var errFailing = errors.New("the disk is on fire")

func (f failingFS) ReadFile(name string) ([]byte, error) {
	if name == f.name {
		return nil, errFailing
	}
	return f.MapFS.ReadFile(name)
}

func page(main string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(`<section id="main-content" class="content">` + main + `</section>`)}
}

func TestBuildRefuses(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	good := fstest.MapFS{"kitchen/index.html": page(""), "kitchen/struct.Pot.html": page(`<pre class="rust item-decl">pub struct Pot;</pre>`)}
	for name, c := range map[string]struct {
		ctx     context.Context
		archive fs.FS
		want    error
	}{
		"nothing":       {t.Context(), fstest.MapFS{}, rustdoc.ErrNotFound},
		"other pages":   {t.Context(), fstest.MapFS{"kitchen/index.html": &fstest.MapFile{Data: []byte("<p>Hello.")}}, index.ErrNoItems},
		"a broken page": {t.Context(), failingFS{good, "kitchen/struct.Pot.html"}, errFailing},
		"canceled":      {canceled, good, context.Canceled},
		"no folder":     {t.Context(), good, fs.ErrNotExist},
	} {
		dir := t.TempDir()
		dest := filepath.Join(dir, "index.sqlite")
		if name == "no folder" {
			dest = filepath.Join(dir, "none", "index.sqlite")
		}
		if err := index.Build(c.ctx, c.archive, "kitchen", dest); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if left := entries(t, dir); left != "" {
			t.Errorf("%s: %s is left behind", name, left)
		}
	}
}

func TestBuildReplacesAWholeIndex(t *testing.T) {
	dir := t.TempDir()
	dest := filepath.Join(dir, "index.sqlite")
	if err := os.WriteFile(dest, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	archive := kitchen.Archive(t, "1.95")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := index.Build(t.Context(), archive, "kitchen", dest); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if left := entries(t, dir); left != "index.sqlite" {
		t.Errorf("the folder holds %s", left)
	}
	ix, err := index.Open(dest)
	if err != nil {
		t.Fatal(err)
	}
	if ix.Len() < 100 {
		t.Errorf("%d items", ix.Len())
	}
	if err := ix.Close(); err != nil {
		t.Error(err)
	}
	if left := entries(t, dir); left != "index.sqlite" {
		t.Errorf("reading leaves %s", left)
	}
}

// Items on a malformed page are skipped. The other items in the crate are indexed.
func TestBuildPassesOverOddPages(t *testing.T) {
	archive := fstest.MapFS{
		"kitchen/index.html":         page(""),
		"kitchen/struct.Pot.html":    page(`<pre class="rust item-decl">pub struct Pot;</pre>`),
		"kitchen/struct.Deep.html":   page(strings.Repeat("<div>", 600)),
		"kitchen/struct.Broken.html": {Data: []byte("\x00\xff")},
		"kitchen/struct.Large.html":  page(strings.Repeat(" ", 32<<20)),
		"kitchen/gadget.New.html":    page(`<pre class="rust item-decl">gadget New</pre>`),
		"kitchen/a.b.c.html":         page(""),
	}
	ix := build(t, archive)
	equal(t, search(t, ix, ""), "Struct kitchen::Pot | Module kitchen | gadget kitchen::New")
}

// Unusual names in an archive do not damage the index.
func TestNamesWithMarksInThem(t *testing.T) {
	ix := build(t, fstest.MapFS{
		"kitchen/index.html":              page(""),
		"kitchen/struct.P\no\tt.html":     page(`<section id="method.f&#10;x&#9;y"><h4>fn f()</h4></section>`),
		"kitchen/gad\nget.New.html":       page(""),
		"kitchen/m\n1\tStruct/index.html": page(""),
	})
	equal(t, search(t, ix, ""), "Struct kitchen::P o t | Module kitchen | gad get kitchen::New | Module kitchen::m 1 Struct | Method kitchen::P o t::f x y")
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := index.Open(filepath.Join(dir, "none.sqlite")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	good := filepath.Join(dir, "good.sqlite")
	if err := index.Build(t.Context(), kitchen.Archive(t, "1.95"), "kitchen", good); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"empty": {}, "text": []byte(strings.Repeat("no database", 1000)), "cut off": data[:len(data)/2], "a page": data[:4096]} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if ix, err := index.Open(path); !errors.Is(err, index.ErrUnusable) {
			t.Errorf("%s: %v, %v", name, ix, err)
		}
	}
	for _, change := range []string{"PRAGMA user_version = 0", "PRAGMA user_version = 999", "DELETE FROM catalog", "DROP TABLE catalog", "UPDATE catalog SET lines = 'Struct'"} {
		path := filepath.Join(dir, "changed.sqlite")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(change); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := index.Open(path); !errors.Is(err, index.ErrUnusable) {
			t.Errorf("%s: %v", change, err)
		}
	}
}

func TestSearchFromManyGoroutines(t *testing.T) {
	ix := build(t, kitchen.Archive(t, "1.95"))
	want := search(t, ix, "fill")
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			r, err := ix.Search(t.Context(), index.Query{Text: "fill"})
			if got := list(r); err != nil || got != want {
				t.Errorf("%s, %v", got, err)
			}
		})
	}
	wg.Wait()
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ix.Search(canceled, index.Query{Text: "fill"}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// largeArchive returns an archive of n pages, each with a struct of four methods.
func largeArchive(n int) fs.FS {
	archive := fstest.MapFS{"kitchen/index.html": page("")}
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, `<div class="main-heading"><h1>Struct</h1><a class="src" href="../src/kitchen/m%d.rs.html#%d">Source</a></div><pre class="rust item-decl"><code>pub struct Type%d;</code></pre>`, i%50, i, i)
		for m := range 4 {
			fmt.Fprintf(&b, `<details class="toggle method-toggle"><summary><section id="method.method_%d" class="method"><h4 class="code-header">pub fn method_%d(&amp;self)</h4></section></summary><div class="docblock"><p>Does it %d times.</p></div></details>`, m, m, m)
		}
		archive[fmt.Sprintf("kitchen/m%d/struct.Type%d.html", i%50, i)] = page(b.String())
	}
	return archive
}

func BenchmarkSearch(b *testing.B) {
	ix := build(b, largeArchive(4000))
	b.Logf("%d items", ix.Len())
	for _, text := range []string{"", "e", "Type3999", "method_3", "nothing of the kind"} {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				if _, err := ix.Search(b.Context(), index.Query{Text: text}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkBuild(b *testing.B) {
	archive, dest := largeArchive(4000), filepath.Join(b.TempDir(), "index.sqlite")
	for b.Loop() {
		if err := index.Build(b.Context(), archive, "kitchen", dest); err != nil {
			b.Fatal(err)
		}
	}
}
