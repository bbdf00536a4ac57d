package rustdoc_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
)

const crateDocs = `A kitchen with one of everything that rustdoc writes a page or a section for.

See [@Pot@](DOCSstruct.Pot.html), [the simmering](DOCSstruct.Pot.html#method.simmer), [@recipes::Recipe@](DOCSstruct.Recipe.html) and the [Rust book](https://doc.rust-lang.org/book/).

## Utensils & \<tools>

|name|@a\|b@|use|
|---|---|---|
|pot|1|cooking|
|pan|2|*frying*|

- [x] washed
- [ ] dried

  1. by hand
  2. by air

@@@@rust
let pot = kitchen::Pot::new(3);
assert!(pot.litres < 4 && pot.litres > 2);

println!("@@@");
@@@@

@@@toml
[dependencies]
kitchen = "1" # a comment
@@@

@@@text
plain_text *not* emphasised
@@@

@@@rust
let x: u8 = 256;
@@@

A footnote[1](DOCSindex.html#fn1), ~~nothing~~ something, snake_case_names, 2 * 3 * 4, a_ and \_b, **bold** Vec\<T> -> T, a [link] not, 1. no list, #hash, # no heading, a | b, back\\slash, !wow, https://example.org/a_b and ]]> with & and @]]>@.

> Quoted, twice.

* * *

1. At the foot.NBSP[↩](DOCSindex.html#fnref1)`

func TestMarkdown(t *testing.T) {
	want := strings.NewReplacer("NBSP", "\u00a0", "@", "`", "DOCS", "crate://kitchen/1.0.0/items/kitchen/").Replace(crateDocs)
	eachGeneration(t, func(t *testing.T, d *rustdoc.Docs, old bool) {
		for _, page := range []string{"kitchen", "kitchen/index.html", "kitchen/"} {
			it, err := d.Item(parse(t, "crate://kitchen/1.0.0/items/"+page))
			if err != nil {
				t.Fatal(err)
			}
			got := it.Documentation
			if old { // old versions link to another name of Recipe and keep an escaped pipe
				got = strings.ReplaceAll(strings.ReplaceAll(got, "struct.Rezept", "struct.Recipe"), `a\\|b`, `a\|b`)
			}
			if got != want {
				t.Errorf("%s: got\n%q\nwant\n%q", page, got, want)
			}
		}
	})
}

// show returns the converted documentation of a page with the given HTML.
func show(t *testing.T, docs string) string {
	t.Helper()
	page := `<section id="main-content" class="content"><details class="toggle top-doc"><div class="docblock">` + docs + `</div></details></section>`
	d := open(t, fstest.MapFS{"kitchen/index.html": {}, "kitchen/a/struct.Pot.html": {Data: []byte(page)}})
	it, err := d.Item(parse(t, "crate://kitchen/latest/items/kitchen/a/struct.Pot.html"))
	if err != nil {
		t.Fatal(err)
	}
	return it.Documentation
}

func TestMarkdownOfDocumentation(t *testing.T) {
	for _, c := range []struct{ html, want string }{
		{``, ``},
		{`<p>a <b> c</p>`, `a **c**`},
		{`<h2 id="x"><a href="#x">X</a></h2><h3 id="y"><a class="doc-anchor" href="#y">§</a>Y</h3>`, "## X\n\n### Y"},
		{`<div class="example-wrap ignore"><a href="#" class="tooltip" title="not tested">ⓘ</a><pre class="rust rust-example-rendered"><code>a
<span>b</span></code></pre><a class="test-arrow" href="https://play">Run</a></div>`, "```rust\na\nb\n```"},
		{`<div class="information"><div class="tooltip ignore">ⓘ</div></div><pre class="rust"><code>a</code></pre>`, "```rust\na\n```"},
		{`<pre class="language-json"><code>{}</code></pre>`, "```json\n{}\n```"},
		{`<pre><code class="language-sh">$ x</code></pre>`, "```sh\n$ x\n```"},
		{`<p>2<sup>8</sup><sup id="fnref1"><a href="#fn1">1</a></sup></p>`, "2^8[1](crate://kitchen/latest/items/kitchen/a/struct.Pot.html#fn1)"},
		{`<p>a &lt; b &gt; c &lt;/p&gt; &lt;!-- &amp;amp;</p>`, `a < b > c \</p> \<!-- &amp;`},
		{`<p>a [b] c</p><p>a [b](c) d[0]</p>`, "a [b] c\n\na \\[b](c) d[0]"},
		{`<p>` + strings.Repeat("[", 100_000) + `</p>`, strings.Repeat("[", 100_000)},
		{`<p>&gt; no quotation</p>`, `\> no quotation`},
		{`<p>_a_ a_b __c__</p>`, `\_a_ a_b \_\_c\__`},
		{`<script>x</script><style>y</style><noscript>z</noscript><svg><path d=""/></svg><iframe src="x"></iframe><p>text</p>`, "text"},
	} {
		if got := show(t, c.html); got != c.want {
			t.Errorf("%.200s: got %.200q, want %.200q", c.html, got, c.want)
		}
	}
}

func TestLinks(t *testing.T) {
	const items, src = "crate://kitchen/latest/items/kitchen/", "crate://kitchen/latest/src/kitchen/"
	for href, want := range map[string]string{
		"struct.Pan.html":                    items + "a/struct.Pan.html",
		"../struct.Pan.html#method.fry":      items + "struct.Pan.html#method.fry",
		"../../kitchen/index.html":           items + "index.html",
		"b/":                                 items + "a/b/index.html",
		"#method.fry":                        items + "a/struct.Pot.html#method.fry",
		"#":                                  items + "a/struct.Pot.html",
		"struct.Gr%C3%B6%C3%9Fe.html":        items + "a/struct.Gr%C3%B6%C3%9Fe.html",
		"struct.Größe.html":                  items + "a/struct.Gr%C3%B6%C3%9Fe.html",
		"x.html#impl-A%3CB%3E":               items + "a/x.html#impl-A%3CB%3E",
		"../../src/kitchen/lib.rs.html#1":    src + "lib.rs.html#1",
		"../../../../serde/1.0/serde/x.html": "https://docs.rs/serde/1.0/serde/x.html",
		"../../../../../../../etc/passwd":    "https://docs.rs/etc/passwd",
		"/serde/latest":                      "https://docs.rs/serde/latest",
		"//example.org/x":                    "https://example.org/x",
		"https://example.org/?a=b#c":         "https://example.org/?a=b#c",
		"http://example.org":                 "http://example.org",
		"mailto:someone@example.org":         "mailto:someone@example.org",
	} {
		if got := show(t, `<p><a href="`+href+`" title="struct kitchen::Pan">pan</a></p>`); got != "[pan]("+want+")" {
			t.Errorf("%s: got %s, want %s", href, got, want)
		}
	}
	for _, href := range []string{"../../../1.0/x.html", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "%zz", "vbscript:x", "crate::pan::Pan", "struct@Pan::"} {
		if got := show(t, `<p><a href="`+href+`">pan</a></p>`); got != "pan" {
			t.Errorf("%s: got %s", href, got)
		}
	}
	if got := show(t, `<p><img src="../pot.png" alt="a pot" onerror="x()"></p>`); got != "![a pot]("+items+"pot.png)" {
		t.Errorf("image: %s", got)
	}
}
