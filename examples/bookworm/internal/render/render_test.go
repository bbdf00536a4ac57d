package render_test

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
	"github.com/jptool/jptool/examples/bookworm/internal/index"
	"github.com/jptool/jptool/examples/bookworm/internal/registry"
	"github.com/jptool/jptool/examples/bookworm/internal/render"
	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
)

func show(a render.Answer) {
	for _, r := range a.Resources {
		fmt.Printf("%s %s\n%s\n", r.URI, r.MIMEType, r.Text)
	}
	for _, remark := range a.Remarks {
		fmt.Println(remark)
	}
}

func ExampleItems() {
	value := rustdoc.Item{
		Kind: rustdoc.Enum, Path: "serde_json::Value", Declaration: "pub enum Value {\n    Null,\n\n    Array(Vec<Value>),\n}",
		Documentation: "# Value\n\nAny JSON\nvalue.\n\nIn detail.", Page: "serde_json/enum.Value.html", Source: "src/serde_json/value/mod.rs.html", Lines: "115-175",
	}
	next := rustdoc.Item{Kind: rustdoc.Method, Path: "serde_json::Iter::next", Declaration: "fn next(&mut self) -> Option<&Value>", Trait: "Iterator", Page: "serde_json/struct.Iter.html", Fragment: "method.next"}
	search := crateuri.URI{Crate: "serde_json", Version: "1", Root: crateuri.Items, Search: "value"}
	show(render.Items(search, index.Result{Total: 3, Hits: []index.Hit{{Item: value, Also: []string{"serde_json::value::Value"}}, {Item: next}}}, 0))
	// Output:
	// crate://serde_json/1/items/serde_json/enum.Value.html text/xml
	// <Item>
	//   <path>serde_json::Value</path>
	//   <kind>Enum</kind>
	//   <type_info>
	//     <![CDATA[
	//     pub enum Value {
	//         Null,
	//
	//         Array(Vec<Value>),
	//     }
	//     ]]>
	//   </type_info>
	//   <documentation>Any JSON value.</documentation>
	//   <docs_resource>crate://serde_json/1/items/serde_json/enum.Value.html</docs_resource>
	//   <src_resource>crate://serde_json/1/src/serde_json/value/mod.rs.html#115-175</src_resource>
	//   <also_at>serde_json::value::Value</also_at>
	// </Item>
	// crate://serde_json/1/items/serde_json/struct.Iter.html#method.next text/xml
	// <Item>
	//   <path>serde_json::Iter::next</path>
	//   <kind>Method</kind>
	//   <type_info><![CDATA[fn next(&mut self) -> Option<&Value>]]></type_info>
	//   <docs_resource>crate://serde_json/1/items/serde_json/struct.Iter.html#method.next</docs_resource>
	//   <from_trait>Iterator</from_trait>
	// </Item>
	// Showing 1 to 2 of 3 items.
	// The next part is at crate://serde_json/1/items?q=value&after=2
}

func ExampleList() {
	list := crateuri.URI{Crate: "a", Version: "1.0.0", Root: crateuri.Items}
	items := []index.Hit{{Item: rustdoc.Item{Kind: rustdoc.Struct, Path: "a::B", Page: "a/struct.B.html"}}, {Item: rustdoc.Item{Kind: rustdoc.Method, Path: "a::B::c", Page: "a/struct.B.html", Fragment: "method.c"}}}
	show(render.List(list.Next(7), index.Result{Hits: items, Total: 9}, 0))
	// Output:
	// crate://a/1.0.0/items?after=7 text/xml
	// <Items>
	//   <Item><path>a::B</path><kind>Struct</kind><docs_resource>crate://a/1.0.0/items/a/struct.B.html</docs_resource></Item>
	//   <Item><path>a::B::c</path><kind>Method</kind><docs_resource>crate://a/1.0.0/items/a/struct.B.html#method.c</docs_resource></Item>
	// </Items>
	// Showing 8 to 9 of 9 items.
}

func ExampleMetadata() {
	m := &registry.Metadata{Name: "itoa", Description: "Fast integers\nand more", Keywords: []string{"integer", "no_std"}, Categories: []string{"Value formatting"}}
	v := registry.Version{Num: "1.0.6", CreatedAt: "2023-03-03T20:10:11Z", Downloads: 12, License: "MIT OR Apache-2.0", PublishedBy: "dtolnay"}
	show(render.Metadata(crateuri.Of("itoa", "1"), m, v, 0))
	// Output:
	// crate://itoa/1 text/xml
	// <CrateMetadata>
	//   <name>itoa</name>
	//   <description>
	//     Fast integers
	//     and more
	//   </description>
	//   <keywords>integer</keywords>
	//   <keywords>no_std</keywords>
	//   <categories>Value formatting</categories>
	//   <num>1.0.6</num>
	//   <created_at>2023-03-03T20:10:11Z</created_at>
	//   <downloads>12</downloads>
	//   <license>MIT OR Apache-2.0</license>
	//   <published_by>dtolnay</published_by>
	//   <yanked>false</yanked>
	// </CrateMetadata>
}

func ExampleCrates() {
	show(render.Crates([]registry.Crate{{Name: "itoa", Version: "1.0.6", Description: "a & b", Downloads: 3}}, 0))
	_, versions := render.Versions(crateuri.Of("itoa", ""), []registry.Version{{Num: "1.0.6", CreatedAt: "2023-03-03T20:10:11Z", MSRV: "1.36"}}, 0)
	show(versions)
	show(render.Sources(crateuri.URI{Crate: "itoa", Version: "1", Root: crateuri.Sources}, []crateuri.URI{crateuri.Of("itoa", "1").Source("itoa/lib.rs.html", "")}, 0))
	// Output:
	// crate://itoa/1.0.6/ text/xml
	// <Crate>
	//   <name>itoa</name>
	//   <version>1.0.6</version>
	//   <description><![CDATA[a & b]]></description>
	//   <downloads>3</downloads>
	// </Crate>
	// crate://itoa/1.0.6 text/xml
	// <CrateVersion>
	//   <num>1.0.6</num>
	//   <created_at>2023-03-03T20:10:11Z</created_at>
	//   <downloads>0</downloads>
	//   <yanked>false</yanked>
	//   <msrv>1.36</msrv>
	// </CrateVersion>
	// crate://itoa/1/src text/xml
	// <Resources>
	//   <url>crate://itoa/1/src/itoa/lib.rs.html</url>
	// </Resources>
}

func TestNothing(t *testing.T) {
	_, versions := render.Versions(crateuri.Of("a", ""), nil, 0)
	for want, a := range map[string]render.Answer{
		"Every version of a is yanked.": versions,
		"no source files":               render.Sources(crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Sources}, nil, 0),
		"README of a 1 is empty":        render.Readme(crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Readme}, "", 0),
		"There are 3 items. The first are at crate://a/1/items?q=x": render.Items(crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Items, Search: "x", After: "3"}, index.Result{Total: 3}, 0),
	} {
		if text := strings.Join(a.Remarks, " "); len(a.Remarks) != 1 || !strings.Contains(text, want) {
			t.Errorf("%q, want %q", a.Remarks, want)
		}
	}
}

// fields parses an element with an XML parser.
func fields(t *testing.T, text string) map[string]string {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	all, stack := map[string]string{}, []string{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%v in\n%.2000s", err, text)
		}
		switch token := token.(type) {
		case xml.StartElement:
			stack = append(stack, token.Name.Local)
			if len(stack) > 2 {
				t.Fatalf("the element %s is inside %s", token.Name.Local, stack)
			}
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			if len(stack) == 2 {
				all[stack[1]] += string(token)
			}
		}
	}
}

func TestTextCannotBreakOut(t *testing.T) {
	for _, evil := range []string{
		"</documentation><path>forged</path>", "]]>", "]]]]>>", "<![CDATA[", "a\n</documentation>\n]]></Item><Item>", "x]]\n>", "&lt;", "&#0;", "\x00\x1b", "\xff\n\xfe", "<!--\n-->", "\r\n\r", "\n\n", " ",
	} {
		it := rustdoc.Item{Kind: rustdoc.Kind(evil), Path: evil, Declaration: evil, Documentation: evil, Trait: evil, Page: evil, Fragment: evil, Source: evil, Lines: evil}
		a := render.Items(crateuri.Of("a", "1"), index.Result{Total: 1, Hits: []index.Hit{{Item: it, Also: []string{evil}}}}, 0)
		f := fields(t, a.Resources[0].Text)
		want := strings.Join(strings.Fields(strings.Map(func(r rune) rune {
			if r < ' ' && r != '\n' && r != '\r' || r == utf8.RuneError {
				return utf8.RuneError
			}
			return r
		}, evil)), " ")
		if got := strings.Join(strings.Fields(f["documentation"]), " "); got != want {
			t.Errorf("%q is read as %q, want %q", evil, got, want)
		}
	}
}

// size returns the number of bytes of an answer with the URIs of its resources.
func size(a render.Answer) int {
	n := 0
	for _, r := range a.Resources {
		n += len(r.URI) + len("\n\n\n") + len(r.Text)
	}
	for _, remark := range a.Remarks {
		n += len(remark) + len("\n")
	}
	return n
}

// next returns the URI that an answer names for its next part.
func next(t *testing.T, a render.Answer) (u crateuri.URI, more bool) {
	t.Helper()
	for _, remark := range a.Remarks {
		address, found := strings.CutPrefix(remark, "The next part is at ")
		if !found {
			continue
		}
		u, err := crateuri.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		return u, true
	}
	return u, false
}

// Every row of a list can be reached and is on exactly one page.
func TestPages(t *testing.T) {
	var hits []index.Hit
	var pages []crateuri.URI
	var versions []registry.Version
	const total = 400
	for i := range total {
		doc := strings.Repeat("a line with <markup> & ümläuts\n", i)
		path := fmt.Sprintf("a::B%d", i)
		hits = append(hits, index.Hit{Also: []string{path, path, path, path, path},
			Item: rustdoc.Item{Kind: rustdoc.Struct, Path: path, Declaration: doc, Documentation: doc, Page: fmt.Sprintf("a/struct.B%d.html", i)}})
		pages = append(pages, crateuri.Of("a", "1").Source(fmt.Sprintf("a/b%d.rs.html", i), ""))
		versions = append(versions, registry.Version{Num: fmt.Sprintf("1.0.%d", total-i), CreatedAt: "2023-03-03T20:10:11Z"})
	}
	result := func(u crateuri.URI) index.Result {
		return index.Result{Total: total, Hits: hits[u.Offset():min(u.Offset()+20, total)]}
	}
	for name, list := range map[string]struct {
		show func(crateuri.URI, int) render.Answer
		row  string
		uri  crateuri.URI
	}{
		"search":   {func(u crateuri.URI, limit int) render.Answer { return render.Items(u, result(u), limit) }, "<path>", crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Items, Search: "b"}},
		"items":    {func(u crateuri.URI, limit int) render.Answer { return render.List(u, result(u), limit) }, "<path>", crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Items}},
		"sources":  {func(u crateuri.URI, limit int) render.Answer { return render.Sources(u, pages, limit) }, "<url>", crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Sources}},
		"versions": {func(u crateuri.URI, limit int) render.Answer { _, a := render.Versions(u, versions, limit); return a }, "<num>", crateuri.Of("a", "")},
	} {
		for _, limit := range []int{1024, 5000, 0} {
			seen := map[string]bool{}
			for u, more := list.uri, true; more; {
				a := list.show(u, limit)
				if most := cmp.Or(limit, render.DefaultLimit); size(a) > most {
					t.Fatalf("%s in %d bytes: %d bytes at %s", name, limit, size(a), u)
				}
				for _, r := range a.Resources {
					for _, row := range strings.Split(r.Text, list.row)[1:] {
						row, _, _ = strings.Cut(row, "<")
						if seen[row] {
							t.Fatalf("%s: %s is there twice", name, row)
						}
						seen[row] = true
					}
				}
				u, more = next(t, a)
			}
			if len(seen) != total {
				t.Errorf("%s in %d bytes: %d rows", name, limit, len(seen))
			}
		}
	}
}

// A new version does not move the rest of the list.
func TestVersionsWhileOneIsPublished(t *testing.T) {
	list := []registry.Version{{Num: "1.3.0"}, {Num: "1.1.0"}, {Num: "1.0.0"}}
	for after, want := range map[string]string{"1.3.0": "1.1.0", "1.2.0": "1.1.0", "1.0.0": "", "x": ""} {
		shown, a := render.Versions(crateuri.URI{Crate: "a", After: after}, list, 0)
		if want == "" && (len(shown) > 0 || !strings.Contains(a.Remarks[0], "no versions before "+after)) || want != "" && shown[0].Num != want {
			t.Errorf("after %s: %v %q", after, shown, a.Remarks)
		}
	}
}

// Documentation that is too long for one result can be read in parts.
func TestOneItemThatIsTooLong(t *testing.T) {
	for _, text := range []string{strings.Repeat("x", 1<<16), strings.Repeat("ü\n", 1<<14), strings.Repeat("]]>", 1<<13), strings.Repeat("\n", 1<<14), strings.Repeat("a <b> & ü\n\n```\nc\n\nd\n```\n\n", 1<<10)} {
		it := rustdoc.Item{Kind: rustdoc.Struct, Path: "a::B", Declaration: text, Documentation: text, Page: "a/struct.B.html", Source: "src/a/lib.rs.html", Lines: "1"}
		for _, limit := range []int{1024, 20_000, 0} {
			read, u := 0, crateuri.Of("a", "1").Item("a/struct.B.html", "")
			for parts, more := 0, true; more && parts < 1000; parts++ {
				a := render.Item(u, it, limit)
				if most := cmp.Or(limit, render.DefaultLimit); size(a) > most {
					t.Fatalf("limit %d: %d bytes", limit, size(a))
				}
				f := fields(t, a.Resources[0].Text)
				if f["docs_resource"] == "" || f["path"] != "a::B" || !utf8.ValidString(a.Resources[0].Text) {
					t.Errorf("limit %d: %.300q", limit, a.Resources[0].Text)
				}
				if parts == 0 && len(a.Remarks) > 0 && !strings.Contains(a.Remarks[0], "crate://a/1/src/a/lib.rs.html#1 has all ") {
					t.Errorf("limit %d: %q", limit, a.Remarks)
				}
				if limit == 1024 && parts == 0 && len(a.Remarks) != 3 {
					t.Errorf("%q", a.Remarks)
				}
				read = u.Offset()
				if u, more = next(t, a); more && u.Offset() <= read {
					t.Fatalf("limit %d: %s follows %d", limit, u, read)
				}
			}
		}
	}
}

func TestSource(t *testing.T) {
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, "line %d is 22 bytes\n", 1000+i)
	}
	text := b.String()
	for _, c := range []struct {
		fragment string
		limit    int
		first    string
		lines    int
		remarks  string
	}{
		{"", 0, "line 1000", 100, ""},
		{"main", 0, "line 1000", 100, ""},
		{"10-20", 0, "line 1009", 11, "Lines 10 to 20 of 100 are shown."},
		{"L10-L20", 0, "line 1009", 11, "Lines 10 to 20 of 100 are shown."},
		{"100", 0, "line 1099", 1, "Lines 100 to 100 of 100 are shown."},
		{"90-2000", 0, "line 1089", 11, "Lines 90 to 100 of 100 are shown."},
		{"101", 0, "", 0, "The file has 100 lines."},
		{"", 1320, "line 1000", 45, "Lines 1 to 45 of 100 are shown. The next part is at crate://a/1/src/a/lib.rs.html#46-100"},
		{"10-90", 1320, "line 1009", 45, "Lines 10 to 54 of 100 are shown. The next part is at crate://a/1/src/a/lib.rs.html#55-90"},
		{"", 8, "line 1", 0, "Line 1 has 22 bytes, of which the first 6 are shown. Lines 1 to 1 of 100 are shown. The next part is at crate://a/1/src/a/lib.rs.html#2-100"},
	} {
		u, err := crateuri.Parse("crate://a/1/src/a/lib.rs.html#" + c.fragment)
		if err != nil {
			t.Fatal(err)
		}
		a := render.Source(u, text, c.limit)
		got, remarks := a.Resources[0], strings.Join(a.Remarks, " ")
		if !strings.HasPrefix(got.Text, c.first) || strings.Count(got.Text, "\n") != c.lines || remarks != c.remarks || got.MIMEType != render.Rust {
			t.Errorf("#%s of %d: %d lines, %.20q, %q", c.fragment, c.limit, strings.Count(got.Text, "\n"), got.Text, remarks)
		}
	}
	whole := "fn main() {}" // no line break at the end
	if a := render.Source(crateuri.Of("a", "1").Source("a/lib.rs.html", ""), whole, 0); a.Resources[0].Text != whole || len(a.Remarks) > 0 {
		t.Errorf("%+v", a)
	}
	if a := render.Source(crateuri.Of("a", "1").Source("a/lib.rs.html", ""), "", 0); a.Resources[0].Text != "" {
		t.Errorf("%+v", a)
	}
}

func TestReadmeInParts(t *testing.T) {
	u := crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Readme}
	a := render.Readme(u, "# Title\n\nüber\n", 16)
	if a.Resources[0].Text != "# Title\n\n" || strings.Join(a.Remarks, " ") != "The README has 15 bytes; this part contains bytes 1 to 9. The next part is at crate://a/1/readme?after=9" {
		t.Errorf("%+v", a)
	}
	if a := render.Readme(u.Next(9), "# Title\n\nüber\n", 16); a.Resources[0].Text != "über\n" || strings.Join(a.Remarks, " ") != "The README has 15 bytes; this part contains bytes 10 to 15." {
		t.Errorf("%+v", a)
	}
	for _, limit := range []int{4, 1} {
		if a := render.Readme(u, "üüü", limit); a.Resources[0].Text != "ü" {
			t.Errorf("%+v", a)
		}
	}
	if a := render.Readme(u.Next(1), "üüü", 400); a.Resources[0].Text != "üü" {
		t.Errorf("%+v", a)
	}
	code := "text\n\n```\nfirst\n\nsecond\n```\n"
	if a := render.Readme(u, code, 28); a.Resources[0].Text != "text\n\n```\nfirst\n\n" && a.Resources[0].Text != "text\n\n" {
		t.Errorf("%q", a.Resources[0].Text)
	}
}

// A search for crates shows as many as fit.
func TestCratesThatDoNotFit(t *testing.T) {
	var crates []registry.Crate
	for i := range 10 {
		crates = append(crates, registry.Crate{Name: fmt.Sprintf("crate%d", i), Version: "1.0.0", Description: strings.Repeat("<", 100*i)})
	}
	a := render.Crates(crates, 1024)
	if size(a) > 1024 || len(a.Resources) < 2 || !strings.Contains(a.Remarks[0], fmt.Sprintf("Showing %d of 10 crates.", len(a.Resources))) {
		t.Errorf("%d bytes, %q", size(a), a.Remarks)
	}
}
