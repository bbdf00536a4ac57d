package index_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
	"github.com/jptool/jptool/examples/bookworm/internal/index"
	"github.com/jptool/jptool/examples/bookworm/internal/kitchen"
	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
)

// search returns the results of a search, in order.
func search(t *testing.T, ix *index.Index, text string, kinds ...rustdoc.Kind) string {
	t.Helper()
	r, err := ix.Search(t.Context(), index.Query{Text: text, Kinds: kinds})
	if err != nil {
		t.Fatal(err)
	}
	return list(r)
}

func list(r index.Result) string {
	var all []string
	for _, h := range r.Hits {
		line := string(h.Kind) + " " + h.Path
		if h.Trait != "" {
			line += " by " + h.Trait
		}
		if len(h.Also) > 0 {
			line += " also " + strings.Join(h.Also, " ")
		}
		all = append(all, line)
	}
	if r.Total > len(r.Hits) {
		all = append(all, fmt.Sprintf("%d in all", r.Total))
	}
	return strings.Join(all, " | ")
}

func equal(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("\n got %s\nwant %s", strings.ReplaceAll(got, " | ", "\n     "), strings.ReplaceAll(want, " | ", "\n     "))
	}
}

func TestSearch(t *testing.T) {
	for _, g := range kitchen.Generations() {
		ix := build(t, kitchen.Archive(t, g))
		for _, c := range []struct {
			text  string
			kinds []rustdoc.Kind
			want  string
		}{
			{"no such thing", nil, ""},
			{"Kettle", nil, ""},
			{"Pot", []rustdoc.Kind{rustdoc.Variant}, ""},
			{"_", []rustdoc.Kind{rustdoc.Struct}, ""}, // _ is not a wildcard
			{"only_here", nil, "Method kitchen::Undocumented::only_here"},
			{"onlyXhere", nil, ""},
			{"Thing", nil, "Struct kitchen::match::Thing | Function kitchen::match::thing"},
			{"thing", nil, "Struct kitchen::match::Thing | Function kitchen::match::thing"},
			{"THING", []rustdoc.Kind{rustdoc.Function}, "Function kitchen::match::thing"},
			{"cup", nil, "Struct kitchen::measure::Cup | Method kitchen::measure::Cup::fill | Method kitchen::measure::Cup::millilitres | Method kitchen::measure::Cup::clone by Clone"},
			{"fill", nil, "Method kitchen::measure::Cup::fill | Method kitchen::measure::Litre::fill | Method kitchen::measure::Teaspoon::fill | Method kitchen::measure::Tablespoon::fill"},
			{"recipe", nil, "Struct kitchen::Recipe also kitchen::recipes::Recipe | Module kitchen::recipes | Method kitchen::Recipe::step also kitchen::recipes::Recipe::step | Field kitchen::Recipe::steps also kitchen::recipes::Recipe::steps"},
			{"kitchen::recipes::Recipe", []rustdoc.Kind{rustdoc.Struct}, "Struct kitchen::recipes::Recipe"},
			{"Recipe::step", nil, "Method kitchen::Recipe::step also kitchen::recipes::Recipe::step | Field kitchen::Recipe::steps also kitchen::recipes::Recipe::steps"},
			{"Pot::new", nil, "Method kitchen::Pot::new | Method kitchen::Pot::new"},
			{"mishap::BROKEN", nil, "Variant kitchen::Mishap::Broken | Field kitchen::Mishap::Broken::pieces | Field kitchen::Mishap::Broken::repaired"},
			{"cook", []rustdoc.Kind{rustdoc.Trait, rustdoc.Method}, "Trait kitchen::Cook | Method kitchen::Cook::cook | Method kitchen::Spoon::cook by Cook | Method kitchen::Cook::clean | Method kitchen::Cook::serve | Method kitchen::Cook::taste"},
			{"cook clean", nil, "Method kitchen::Cook::clean"},
			{"cook%clean", nil, "Method kitchen::Cook::clean"},
			{"clean cook", nil, ""},
			{"Po%", []rustdoc.Kind{rustdoc.Struct, rustdoc.Type, rustdoc.AssocConst, rustdoc.Field, rustdoc.AssocType},
				"Struct kitchen::Pot | Type kitchen::Pots | AssocConst kitchen::Pot::MAX | Field kitchen::Pot::lid | Field kitchen::Pot::litres | AssocConst kitchen::Pot::UNDOCUMENTED | AssocType kitchen::Pot::Item by Iterator | AssocType kitchen::Pot::Target by Deref"},
			{"%poon", nil, "Struct kitchen::Spoon | Struct kitchen::measure::Teaspoon | Struct kitchen::measure::Tablespoon"},
			{"%poon%", []rustdoc.Kind{rustdoc.Struct}, "Struct kitchen::Spoon | Struct kitchen::measure::Teaspoon | Struct kitchen::measure::Tablespoon"},
			{"kitchen::S%", []rustdoc.Kind{rustdoc.Struct, rustdoc.Constant, rustdoc.Derive}, "Struct kitchen::Spoon | Constant kitchen::SALT | Derive kitchen::Stir | Struct kitchen::src::Sieve"},
			{"größe", nil, "Struct kitchen::Größe | Field kitchen::Größe::wért | Method kitchen::Größe::ändern"},
			{"GRÖSSE", nil, ""},
			{"ÄNDERN", nil, "Method kitchen::Größe::ändern"},
			{"料理", nil, "Function kitchen::料理する"},
			{"Измерения", nil, "Module kitchen::измерения | Function kitchen::измерения::hello"},
			{"sieve", nil, "Struct kitchen::src::Sieve | Field kitchen::src::Sieve::mesh"},
			{"implement", nil, "Function kitchen::implementors::implement | Module kitchen::implementors"},
			{"", []rustdoc.Kind{rustdoc.Union, rustdoc.Static, rustdoc.TraitAlias, rustdoc.ForeignType, rustdoc.Primitive, rustdoc.Keyword, rustdoc.Derive, rustdoc.Attribute},
				"Union kitchen::Bits | Primitive kitchen::never | ForeignType kitchen::Opaque | TraitAlias kitchen::Careful | Derive kitchen::Stir | Keyword kitchen::match | Static kitchen::FLAMES | Static kitchen::COUNTER | Attribute kitchen::seasoned"},
			{"  %  ", []rustdoc.Kind{rustdoc.Macro}, "Macro kitchen::mix"},
		} {
			if got := search(t, ix, c.text, c.kinds...); got != c.want {
				t.Errorf("%s: %q", g, c.text)
				equal(t, got, c.want)
			}
		}
	}
}

func TestSearchSaysHowManyThereAre(t *testing.T) {
	ix := build(t, largeArchive(300))
	r, err := ix.Search(t.Context(), index.Query{Text: "method_2"})
	if err != nil || len(r.Hits) != index.DefaultLimit || r.Total != 300 {
		t.Errorf("%d of %d, %v", len(r.Hits), r.Total, err)
	}
	r, err = ix.Search(t.Context(), index.Query{Limit: 10_000})
	if err != nil || len(r.Hits) != r.Total || r.Total != ix.Len() {
		t.Errorf("%d of %d of %d, %v", len(r.Hits), r.Total, ix.Len(), err)
	}
}

func TestHits(t *testing.T) {
	ix := build(t, kitchen.Archive(t, "1.95"))
	q := index.Query{Text: "Pot::litres", Release: crateuri.Of("kitchen", "^1")}
	r, err := ix.Search(t.Context(), q)
	if err != nil || len(r.Hits) != 1 {
		t.Fatal(r, err)
	}
	h := r.Hits[0]
	equal(t, h.Documentation, "How much fits in, in [litres](crate://kitchen/%5E1/items/kitchen/measure/struct.Litre.html).")
	equal(t, h.Declaration, "litres: T")
	equal(t, h.Page+"#"+h.Fragment, "kitchen/struct.Pot.html#structfield.litres")
	equal(t, h.Source, "src/kitchen/lib.rs.html")
	q.Brief = true
	if r, err = ix.Search(t.Context(), q); err != nil || r.Hits[0].Documentation != "" || r.Hits[0].Declaration != "litres: T" {
		t.Errorf("brief: %+v, %v", r, err)
	}
}

// Items with the same name from one line of a macro are the same item only if their types are equal.
func TestSameItems(t *testing.T) {
	item := func(source, declaration string, methods ...string) *fstest.MapFile {
		html := `<div class="main-heading"><h1>Struct</h1><a class="src" href="` + source + `">Source</a></div><pre class="rust item-decl">` + declaration + `</pre>`
		for _, m := range methods {
			html += `<section id="method.` + m + `" class="method"><a class="src" href="` + source + `">Source</a><h4>pub fn ` + m + `()</h4></section>`
		}
		return page(html)
	}
	ix := build(t, fstest.MapFS{
		"kitchen/index.html":            page(""),
		"kitchen/struct.A.html":         item("../src/kitchen/lib.rs.html#1", "pub struct A;", "new"),
		"kitchen/struct.B.html":         item("../src/kitchen/lib.rs.html#1", "pub struct B;", "new", "new-1"),
		"kitchen/deep/struct.A.html":    item("../../src/kitchen/lib.rs.html#1", "pub struct A;", "new"),
		"kitchen/deep/er/struct.A.html": item("../../../src/kitchen/lib.rs.html#1", "pub struct A;", "new"),
		"kitchen/other/struct.A.html":   item("../../src/kitchen/lib.rs.html#2", "pub struct A;"),
		"kitchen/none/struct.A.html":    page(`<pre class="rust item-decl">pub struct A;</pre>`),
		"kitchen/none/a/struct.A.html":  page(`<pre class="rust item-decl">pub struct A;</pre>`),
	})
	equal(t, search(t, ix, "A", rustdoc.Struct), "Struct kitchen::A also kitchen::deep::A kitchen::deep::er::A | Struct kitchen::none::A | Struct kitchen::other::A | Struct kitchen::none::a::A")
	equal(t, search(t, ix, "new"), "Method kitchen::A::new also kitchen::deep::A::new kitchen::deep::er::A::new | Method kitchen::B::new | Method kitchen::B::new")
	equal(t, search(t, ix, "deep::A"), "Struct kitchen::deep::A | Method kitchen::deep::A::new")
}

func TestHints(t *testing.T) {
	ix := build(t, kitchen.Archive(t, "1.95"))
	for text, want := range map[string]string{
		"pot::Cup":    "[{Cup 4} {pot 21}]",
		"Recepi":      "[{Recipe 4}]",
		"Pot.new":     "[{Pot::new 2}]",
		"fn fill(x)":  "[{fill 4}]",
		"Cu*":         "[{Cu% 4}]",
		"qq":          "[]",
		"Ümlaut xyz!": "[]",
	} {
		if got := fmt.Sprint(ix.Hints(index.Query{Text: text})); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
