package rustdoc_test

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
	"github.com/jptool/jptool/examples/bookworm/internal/kitchen"
	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
)

var release = crateuri.Of("kitchen", "^1")

func open(t *testing.T, fsys fs.FS) *rustdoc.Docs {
	t.Helper()
	d, err := rustdoc.Open(fsys, "kitchen")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// eachGeneration runs a test on the archive of each version of rustdoc.
func eachGeneration(t *testing.T, test func(t *testing.T, d *rustdoc.Docs, old bool)) {
	t.Helper()
	for _, g := range kitchen.Generations() {
		t.Run(g, func(t *testing.T) { test(t, open(t, kitchen.Archive(t, g)), g == "1.63") })
	}
}

func parse(t *testing.T, address string) crateuri.URI {
	t.Helper()
	u, err := crateuri.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestMissingItems(t *testing.T) {
	eachGeneration(t, func(t *testing.T, d *rustdoc.Docs, _ bool) {
		for _, c := range []struct{ page, because string }{
			{"kitchen/struct.Kettle.html", "crate_search_items"},
			{"kitchen/struct.pot.html", "no item"},
			{"kitchen/kettle", "no item"},
			{"other/struct.Pot.html", "no item"},
			{"settings.html", "does not describe an item"},
			{"kitchen/all.html", "crate_search_items"},
			{"kitchen/struct.Pot.html#method.fry", `has no part "method.fry"`},
			{"kitchen/struct.Pot.html#method.sim", `has no part "method.sim"`},
			{"src/kitchen/lib.rs.html", "does not describe an item"},
		} {
			it, err := d.Item(parse(t, "crate://kitchen/1/items/"+c.page))
			if !errors.Is(err, rustdoc.ErrNotFound) || !strings.Contains(err.Error(), c.because) {
				t.Errorf("%s: %+v, %v, want %q", c.page, it, err, c.because)
			}
		}
		for _, file := range []string{"kitchen/pot.rs", "kitchen", "lib.rs/x.rs", "other/pot.rs"} {
			text, err := d.Source(parse(t, "crate://kitchen/1/src/"+file))
			if !errors.Is(err, rustdoc.ErrNotFound) || !strings.Contains(err.Error(), "; use crate://kitchen/1/src to list them") {
				t.Errorf("%s: %q, %v", file, text, err)
			}
		}
	})
}

// An item is found by its path and by the name of its page without .html.
func TestItemsByPath(t *testing.T) {
	eachGeneration(t, func(t *testing.T, d *rustdoc.Docs, _ bool) {
		for path, want := range map[string]string{
			"kitchen::Pot":               "kitchen/struct.Pot.html#",
			"Pot":                        "kitchen/struct.Pot.html#",
			"kitchen/struct.Pot":         "kitchen/struct.Pot.html#",
			"struct.Pot.html":            "kitchen/struct.Pot.html#",
			"kitchen::Pot::new":          "kitchen/struct.Pot.html#method.new",
			"Pot::new()":                 "kitchen/struct.Pot.html#method.new",
			"kitchen/Pot/litres":         "kitchen/struct.Pot.html#structfield.litres",
			"Mishap::Broken":             "kitchen/enum.Mishap.html#variant.Broken",
			"Pot::MAX":                   "kitchen/struct.Pot.html#associatedconstant.MAX",
			"Pot#method.new":             "kitchen/struct.Pot.html#method.new",
			"kitchen::measure":           "kitchen/measure/index.html#",
			"kitchen::measure::Cup":      "kitchen/measure/struct.Cup.html#",
			"kitchen/measure/Cup/fill":   "kitchen/measure/struct.Cup.html#method.fill",
			"kitchen::recipes::Recipe":   "kitchen/recipes/struct.Recipe.html#",
			"kitchen::Cook::cook":        "kitchen/trait.Cook.html#tymethod.cook",
			"kitchen/measure/index.html": "kitchen/measure/index.html#",
		} {
			it, err := d.Item(parse(t, "crate://kitchen/1/items/"+path))
			if got := it.Page + "#" + it.Fragment; err != nil || got != want {
				t.Errorf("%s: %s, %v, want %s", path, got, err, want)
			}
		}
		for _, file := range []string{"kitchen/lib.rs", "lib.rs", "src/lib.rs.html", "kitchen/lib.rs.html#1-2"} {
			if text, err := d.Source(parse(t, "crate://kitchen/1/src/"+file)); err != nil || text == "" {
				t.Errorf("%s: %v", file, err)
			}
		}
	})
}

func TestInvalidArchives(t *testing.T) {
	page := &fstest.MapFile{Data: []byte("<html>")}
	for name, files := range map[string]fstest.MapFS{
		"empty":         {},
		"other targets": {"x86_64-pc-windows-msvc/kitchen/index.html": page, "x86_64-pc-windows-msvc/kitchen/all.html": page},
		"two libraries": {"one/index.html": page, "one/all.html": page, "two/index.html": page, "two/all.html": page},
		"a folder":      {"kitchen/index.html/x": page},
	} {
		if _, err := rustdoc.Open(files, "kitchen"); !errors.Is(err, rustdoc.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, c := range map[string]struct {
		files fstest.MapFS
		crate string
		lib   string
	}{
		"hyphens":        {fstest.MapFS{"serde_json/index.html": page}, "serde-json", "serde_json"},
		"another name":   {fstest.MapFS{"md5/index.html": page, "md5/all.html": page, "src/md5/lib.rs.html": page}, "md-5", "md5"},
		"another target": {fstest.MapFS{"md5/index.html": page, "md5/all.html": page, "wasm32/md5/index.html": page, "wasm32/md5/all.html": page}, "md-5", "md5"},
	} {
		lib, err := rustdoc.Library(c.files, c.crate)
		if err != nil || lib != c.lib {
			t.Errorf("%s: %q, %v", name, lib, err)
		}
	}
}

// Reading a page with any content returns an item or an error.
func TestHostilePages(t *testing.T) {
	const main = `<section id="main-content" class="content">`
	deep := strings.Repeat("<div><blockquote>", 5000)
	for name, body := range map[string]string{
		"empty":              "",
		"no content":         "<html><body>",
		"cut off":            main + `<pre class="rust item-decl"><code>pub struct`,
		"nested":             main + `<details class="top-doc"><div class="docblock">` + deep,
		"unclosed":           main + `<details class="top-doc"><div class="docblock"><p><b><a href="x">` + strings.Repeat("<i>", 900),
		"scripts":            main + `<details class="top-doc"><div class="docblock"><script>alert(1)</script><a href="javascript:alert(1)">x</a><iframe src="//x"></iframe><svg><a href="data:,">y</a></svg></div></details>`,
		"forged id":          main + `<section id="method." class="method"></section><section id="method.-1"></section><section id="method.a.b"></section>`,
		"broken percent":     main + `<section id="method.%zz" class="method"><h4>fn</h4></section>`,
		"redirect to itself": `<title>Redirection</title><meta http-equiv="refresh" content="0;URL=struct.Pot.html">`,
		"redirect out":       `<title>Redirection</title><meta http-equiv="refresh" content="0;URL=../../../../etc/passwd">`,
		"redirect nowhere":   `<title>Redirection</title>`,
		"broken text":        main + "<pre class=\"rust item-decl\">\xff\xfe\x00</pre>",
		"too large":          main + strings.Repeat(" ", 32<<20),
	} {
		d := open(t, fstest.MapFS{"kitchen/index.html": {}, "kitchen/struct.Pot.html": {Data: []byte(body)}})
		items, err := d.Items("kitchen/struct.Pot.html")
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		it, err := d.Item(parse(t, "crate://kitchen/1/items/kitchen/struct.Pot.html"))
		if (err == nil) != (len(items) > 0) || err != nil && !errors.Is(err, rustdoc.ErrNotFound) {
			t.Errorf("%s: %d items, but %v", name, len(items), err)
		}
		for _, word := range []string{"alert", "javascript", "data:", "iframe"} {
			if strings.Contains(it.Documentation, word) {
				t.Errorf("%s: %q", name, it.Documentation)
			}
		}
	}
}

func TestTooLargePage(t *testing.T) {
	big := make([]byte, 33<<20)
	d := open(t, fstest.MapFS{"kitchen/index.html": {}, "kitchen/struct.Pot.html": {Data: big}, "src/kitchen/lib.rs.html": {Data: big}})
	if _, err := d.Item(parse(t, "crate://kitchen/1/items/kitchen/struct.Pot.html")); err == nil || !strings.Contains(err.Error(), "larger than 32 MiB") {
		t.Error(err)
	}
	if _, err := d.Source(parse(t, "crate://kitchen/1/src/kitchen/lib.rs")); err == nil || !strings.Contains(err.Error(), "larger than 32 MiB") {
		t.Error(err)
	}
}

func TestSources(t *testing.T) {
	eachGeneration(t, func(t *testing.T, d *rustdoc.Docs, _ bool) {
		files := kitchen.Sources(t)
		pages, err := d.SourcePages(release)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, page := range pages {
			name := strings.TrimSuffix(strings.TrimPrefix(page.Path, "kitchen/"), ".html")
			found = append(found, name)
			data, err := fs.ReadFile(files, name)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.ReplaceAll(string(data), "\r\n", "\n")
			for _, address := range []string{page.String(), strings.TrimSuffix(page.String(), ".html"), page.String() + "#3-4"} {
				got, err := d.Source(parse(t, address))
				if err != nil || strings.TrimSuffix(got, "\n") != strings.TrimSuffix(want, "\n") {
					t.Errorf("%s: %v, got\n%s", address, err, got)
				}
			}
		}
		want := []string{"implementors/mod.rs", "lib.rs", "recipes.rs", "src/mod.rs", "измерения.rs"}
		if slices.Sort(found); !slices.Equal(found, want) {
			t.Errorf("sources %q, want %q", found, want)
		}
	})
}

func TestPagesEnd(t *testing.T) {
	d := open(t, kitchen.Archive(t, "1.95"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, err := range d.Pages(ctx) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	n := 0
	for range d.Pages(t.Context()) {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d pages", n)
	}
}
