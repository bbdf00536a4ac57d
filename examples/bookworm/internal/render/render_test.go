package render_test

import (
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
		Documentation: "Any JSON value.", Page: "serde_json/enum.Value.html", Source: "src/serde_json/value/mod.rs.html", Lines: "115-175",
	}
	next := rustdoc.Item{Kind: rustdoc.Method, Path: "serde_json::Iter::next", Declaration: "fn next(&mut self) -> Option<&Value>", Trait: "Iterator", Page: "serde_json/struct.Iter.html", Fragment: "method.next"}
	show(render.Items(crateuri.Of("serde_json", "1"), index.Result{Total: 3, Hits: []index.Hit{{Item: value, Also: []string{"serde_json::value::Value"}}, {Item: next}}}, 0))
	// Output:
	// crate://serde_json/1/items/serde_json/enum.Value.html application/xml
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
	// crate://serde_json/1/items/serde_json/struct.Iter.html#method.next application/xml
	// <Item>
	//   <path>serde_json::Iter::next</path>
	//   <kind>Method</kind>
	//   <type_info><![CDATA[fn next(&mut self) -> Option<&Value>]]></type_info>
	//   <docs_resource>crate://serde_json/1/items/serde_json/struct.Iter.html#method.next</docs_resource>
	//   <from_trait>Iterator</from_trait>
	// </Item>
	// Showing 2 of 3 items that match. Search for more of the name, or for some kinds only, to see the others.
}

func ExampleMetadata() {
	m := &registry.Metadata{Name: "itoa", Description: "Fast integers\nand more", Keywords: []string{"integer", "no_std"}, Categories: []string{"Value formatting"}}
	v := registry.Version{Num: "1.0.6", CreatedAt: "2023-03-03T20:10:11Z", Downloads: 12, License: "MIT OR Apache-2.0", PublishedBy: "dtolnay"}
	show(render.Metadata(crateuri.Of("itoa", "1"), m, v, 0))
	// Output:
	// crate://itoa/1 application/xml
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
	show(render.Versions("itoa", []registry.Version{{Num: "1.0.6", CreatedAt: "2023-03-03T20:10:11Z", MSRV: "1.36"}}, 0))
	show(render.Sources(crateuri.URI{Crate: "itoa", Version: "1", Root: crateuri.Sources}, []crateuri.URI{crateuri.Of("itoa", "1").Source("itoa/lib.rs.html", "")}, 0))
	// Output:
	// crate://itoa/1.0.6/ application/xml
	// <Crate>
	//   <name>itoa</name>
	//   <version>1.0.6</version>
	//   <description><![CDATA[a & b]]></description>
	//   <downloads>3</downloads>
	// </Crate>
	// crate://itoa/1.0.6 application/xml
	// <CrateVersion>
	//   <num>1.0.6</num>
	//   <created_at>2023-03-03T20:10:11Z</created_at>
	//   <downloads>0</downloads>
	//   <yanked>false</yanked>
	//   <msrv>1.36</msrv>
	// </CrateVersion>
	// crate://itoa/1/src application/xml
	// <Resources>
	//   <url>crate://itoa/1/src/itoa/lib.rs.html</url>
	// </Resources>
}

func TestNothing(t *testing.T) {
	for name, a := range map[string]render.Answer{
		"No items":    render.Items(crateuri.Of("a", "1"), index.Result{}, 0),
		"No crates":   render.Crates(nil, 0),
		"no versions": render.Versions("a", nil, 0),
		"no source":   render.Sources(crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Sources}, nil, 0),
		"empty":       render.Readme(crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Readme}, "", 0),
	} {
		text := strings.Join(a.Remarks, " ")
		if name == "no source" {
			name = "without source files"
		}
		if len(a.Remarks) != 1 || !strings.Contains(text, name) {
			t.Errorf("%s: %q", name, a.Remarks)
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

// size returns the number of bytes of text in an answer.
func size(a render.Answer) int {
	n := 0
	for _, r := range a.Resources {
		n += len(r.Text)
	}
	return n
}

func TestLimits(t *testing.T) {
	var r index.Result
	for i := range 400 {
		doc := strings.Repeat("a line with <markup> & ümläuts\n", i)
		r.Hits = append(r.Hits, index.Hit{Item: rustdoc.Item{Kind: rustdoc.Struct, Path: fmt.Sprintf("a::B%d", i), Documentation: doc, Page: fmt.Sprintf("a/struct.B%d.html", i)}})
	}
	r.Total = 1000
	for _, limit := range []int{2000, 10_000, 100_000, 0} {
		most := limit
		if most == 0 {
			most = 262_144
		}
		a := render.Items(crateuri.Of("a", "1"), r, limit)
		total := size(a)
		for _, r := range a.Resources {
			total += len(r.URI) + len("\n\n\n")
		}
		if total > most || len(a.Resources) < 5 {
			t.Errorf("limit %d: %d items of %d bytes", limit, len(a.Resources), total)
		}
		if want := fmt.Sprintf("Showing %d of 1000 items", len(a.Resources)); len(a.Remarks) != 1 || !strings.Contains(a.Remarks[0], want) {
			t.Errorf("limit %d: %q, want %q", limit, a.Remarks, want)
		}
	}
}

func TestOneItemThatIsTooLong(t *testing.T) {
	for _, text := range []string{strings.Repeat("x", 1<<20), strings.Repeat("ü\n", 1<<18), strings.Repeat("]]>", 1<<17), strings.Repeat("\n", 1<<18)} {
		it := rustdoc.Item{Kind: rustdoc.Struct, Path: "a::B", Declaration: text, Documentation: text, Page: "a/struct.B.html", Source: "src/a/lib.rs.html", Lines: "1"}
		for _, limit := range []int{1000, 50_000, 0} {
			a := render.Item(crateuri.Of("a", "1").Item("a/struct.B.html", ""), it, limit)
			if most := max(limit, 1000); limit != 0 && size(a) > most || size(a) > 262_144 {
				t.Errorf("limit %d: %d bytes", limit, size(a))
			}
			f := fields(t, a.Resources[0].Text)
			if f["docs_resource"] == "" || f["path"] != "a::B" || !utf8.ValidString(a.Resources[0].Text) {
				t.Errorf("limit %d: %.300q", limit, a.Resources[0].Text)
			}
			if said := strings.Join(a.Remarks, " "); !strings.Contains(said, "has been shortened") || !strings.Contains(said, "crate://a/1/src/a/lib.rs.html#1") {
				t.Errorf("limit %d: %q", limit, a.Remarks)
			}
		}
	}
}

func TestSource(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
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
		{"", 0, "line 1000", 1000, ""},
		{"10-20", 0, "line 1000", 1000, ""},
		{"main", 0, "line 1000", 1000, ""},
		{"L10-L20", 0, "line 1009", 11, "Lines 10 to 20 of 1000 are shown."},
		{"L1000", 0, "line 1999", 1, "Lines 1000 to 1000 of 1000 are shown."},
		{"L990-L2000", 0, "line 1989", 11, "Lines 990 to 1000 of 1000 are shown."},
		{"L1001", 0, "", 0, "The file has 1000 lines."},
		{"", 2200, "line 1000", 100, "Lines 1 to 100 of 1000 are shown. Read on at crate://a/1/src/a/lib.rs.html#L101-L1000"},
		{"500-510", 2200, "line 1499", 100, "Lines 500 to 599 of 1000 are shown. Read on at crate://a/1/src/a/lib.rs.html#L600-L1000"},
		{"L10-L200", 2200, "line 1009", 100, "Lines 10 to 109 of 1000 are shown. Read on at crate://a/1/src/a/lib.rs.html#L110-L200"},
		{"", 5, "line ", 0, "Line 1 has 22 bytes, of which the first 5 are shown. Lines 1 to 1 of 1000 are shown. Read on at crate://a/1/src/a/lib.rs.html#L2-L1000"},
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

func TestReadmeIsCutAtALine(t *testing.T) {
	u := crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Readme}
	a := render.Readme(u, "# Title\n\nüber\n", 12)
	if a.Resources[0].Text != "# Title\n\n" || strings.Join(a.Remarks, " ") != "The README has 15 bytes, of which the first 9 are shown." {
		t.Errorf("%+v", a)
	}
	if a := render.Readme(u, "üüü", 3); a.Resources[0].Text != "ü" {
		t.Errorf("%+v", a)
	}
}

func TestLongLists(t *testing.T) {
	var crates []registry.Crate
	var versions []registry.Version
	var pages []crateuri.URI
	for i := range 5000 {
		crates = append(crates, registry.Crate{Name: fmt.Sprintf("crate%d", i), Version: "1.0.0", Description: strings.Repeat("<", 100)})
		versions = append(versions, registry.Version{Num: fmt.Sprintf("1.0.%d", i), CreatedAt: "2023-03-03T20:10:11Z"})
		pages = append(pages, crateuri.Of("a", "1").Source(fmt.Sprintf("a/b%d.rs.html", i), ""))
	}
	list := crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Sources}
	for name, a := range map[string]render.Answer{"crates": render.Crates(crates, 50_000), "versions": render.Versions("a", versions, 50_000), "sources": render.Sources(list, pages, 50_000)} {
		if size(a) > 50_000 || size(a) < 40_000 || len(a.Remarks) != 1 || !strings.Contains(a.Remarks[0], "of 5000") {
			t.Errorf("%s: %d bytes, %q", name, size(a), a.Remarks)
		}
		for _, r := range a.Resources {
			fields(t, r.Text)
		}
	}
}
