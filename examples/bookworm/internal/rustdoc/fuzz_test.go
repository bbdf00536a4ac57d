package rustdoc_test

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/jptool/jptool/examples/bookworm/internal/kitchen"
	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
)

// FuzzPage parses random pages as items and as source files.
func FuzzPage(f *testing.F) {
	for _, generation := range kitchen.Generations() {
		archive := kitchen.Archive(f, generation)
		for _, name := range []string{"kitchen/enum.Mishap.html", "kitchen/struct.Spoon.html", "kitchen/macro.mix!.html", "src/kitchen/recipes.rs.html"} {
			data, err := fs.ReadFile(archive, name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Add([]byte(`<section id="main-content"><details class="top-doc"><div class="docblock"><table><tr><td>a<td><ul><li><pre><code>x</code></pre>|`))
	f.Fuzz(func(t *testing.T, data []byte) {
		page := &fstest.MapFile{Data: data}
		d := open(t, fstest.MapFS{"kitchen/index.html": page, "src/kitchen/lib.rs.html": page})
		items, err := d.Items("kitchen/index.html")
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range items {
			if utf8.Valid(data) && !utf8.ValidString(it.Declaration+it.Documentation+it.Path) {
				t.Errorf("broken text: %+v", it)
			}
		}
		if _, err := d.Item(parse(t, "crate://kitchen/1/items/kitchen")); err != nil && !errors.Is(err, rustdoc.ErrNotFound) {
			t.Error(err)
		}
		if _, err := d.Source(parse(t, "crate://kitchen/1/src/kitchen/lib.rs")); err != nil && !errors.Is(err, rustdoc.ErrNotFound) {
			t.Error(err)
		}
	})
}
