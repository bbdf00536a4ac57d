package crateuri_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
)

func ExampleParse() {
	u, err := crateuri.Parse("crate://serde_json/1.0.96/items/serde_json/value/enum.Value.html#method.pointer")
	fmt.Println(u.Crate, u.Version, u.Root, u.Page(), u.Fragment, err)
	_, err = crateuri.Parse("crate://serde_json/1.0.96/docs")
	fmt.Println(err)
	// Output:
	// serde_json 1.0.96 items serde_json/value/enum.Value.html method.pointer <nil>
	// invalid URI "crate://serde_json/1.0.96/docs": unknown path "docs" after the version; use readme, items or src
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ address, because string }{
		{"", "use a URI such as crate://serde/latest/readme"},
		{"\x00", "use a URI such as"},
		{"file:///etc/passwd", "use a URI such as"},
		{"serde", `use "crate://serde"`},
		{"serde/1/items", `use "crate://serde/1/items"`},
		{"serde_json@1", `use "crate://serde_json/1"`},
		{"serde_json = \"1\"", "use a URI such as"},
		{"serde-json::value::Value", `use "crate://serde-json/latest/items/serde_json::value::Value"`},
		{"crate:serde", `use "crate://serde"`},
		{"crate:/serde/1.0", `use "crate://serde/1.0"`},
		{"crates://serde/1", "use a URI such as"},
		{"https://github.com/serde-rs/json.git", `use crates_search with query "json", or crate://json`},
		{"https://doc.rust-lang.org/std/", `use crates_search with query "std"`},
		{"https://docs.rs/", "use a URI such as"},
		{"https://docs.rs/crate", "use crates_search"},
		{"https://docs.rs/a%2F..%2Fb", "invalid crate name"},
		{"https://docs.rs/a/1/../b", "is not allowed"},
		{"crate://serde_json@1/readme", `use "crate://serde_json/1/readme"`},
		{"crate://", "invalid crate name"},
		{"crate:///", "invalid crate name"},
		{"crate:///etc/passwd", "invalid crate name"},
		{"crate://../serde", "invalid crate name"},
		{"crate://..", "invalid crate name"},
		{"crate://-serde", "invalid crate name"},
		{"crate://_serde", "invalid crate name"},
		{"crate://ser de", "invalid crate name"},
		{"crate://serde\nx", "invalid crate name"},
		{"crate://ser%64e", "invalid crate name"},
		{"crate://größe", "invalid crate name"},
		{"crate://" + strings.Repeat("a", 65), "invalid crate name"},
		{"crate://serde.rs/1", "invalid crate name"},
		{"crate://root@serde/1", "a user name or a port"},
		{"crate://root:pass@serde/1", "a user name or a port"},
		{"crate://serde:80/1", "a user name or a port"},
		{"crate://[::1]/1", "a user name or a port"},
		{"crate://serde?x=1", `unknown query parameter "x"`},
		{"crate://serde/1?after=1", `unknown query parameter "after"`},
		{"crate://serde/1/items?x", `unknown query parameter "x"`},
		{"crate://serde/1/items/a/x.html?q=y", `unknown query parameter "q"`},
		{"crate://serde/1/src/a.rs?after=1", `unknown query parameter "after"`},
		{"crate://serde/1/items?q=%zz", "invalid query"},
		{"crate://serde/1/items?q=a%00", "control character"},
		{"crate://serde/1/items?q=" + strings.Repeat("a", 1025), "at most 1024 bytes"},
		{"crate://serde//1", "is empty"},
		{"crate://serde/1//items", "is empty"},
		{"crate://serde/1/items//x.html", "is empty"},
		{"crate://serde/..", "is not allowed"},
		{"crate://serde/.", "is not allowed"},
		{"crate://serde/%2e%2E/items", "is not allowed"},
		{"crate://serde/1/items/../x", "is not allowed"},
		{"crate://serde/1/items/%2E%2E/x", "is not allowed"},
		{"crate://serde/1/src/a/./b.rs", "is not allowed"},
		{"crate://serde/1/src/..%2f..%2fetc", "encoded slash or a backslash"},
		{"crate://serde/1/src/a%2Fb.rs", "encoded slash or a backslash"},
		{`crate://serde/1/src/..\..\x`, "encoded slash or a backslash"},
		{"crate://serde/1/src/..%5c..%5cx", "encoded slash or a backslash"},
		{"crate://serde/1/items/a%00b", "control character"},
		{"crate://serde/1/items/a\x00b", "control character"},
		{"crate://serde/1/items/a%0Ab", "control character"},
		{"crate://serde/1/items/a%7Fb", "control character"},
		{"crate://serde/1/items/%ff", "not UTF-8"},
		{"crate://serde/1/items/\xc3", "not UTF-8"},
		{"crate://serde/1/items/%", "two hexadecimal digits"},
		{"crate://serde/1/items/%zz", "two hexadecimal digits"},
		{"crate://serde/1/items/x.html#%2", "two hexadecimal digits"},
		{"crate://serde/1/items/x.html#a%00", "control character"},
		{"crate://serde/1/items/x.html#" + strings.Repeat("a", 1025), "at most 1024 bytes"},
		{"crate://serde/" + strings.Repeat("1", 129), "invalid version"},
		{"crate://serde/1%2F../items", "encoded slash"},
		{"crate://serde/1;rm", "invalid version"},
		{"crate://serde/$HOME/items", "invalid version"},
		{"crate://serde/größe", "invalid version"},
		{"crate://serde/latest/README.md", `use "crate://serde/latest/readme"`},
		{"serde_json/latest/readme", `use "crate://serde_json/latest/readme"`},
		{"serde/1/items/serde/de/index.html", `use "crate://serde/1/items/serde/de/index.html"`},
		{"crate://serde/1/docs", "use readme, items or src"},
		{"crate://serde/1/serde/de/index.html", `use "crate://serde/1/items/serde/de/index.html"`},
		{"crate://serde/1/serde::Serialize", `use "crate://serde/1/items/serde::Serialize"`},
		{"crate://serde/1/0", "use readme, items or src"},
		{"crate://serde/1/readme/x", `use "crate://serde/1/readme"`},
		{"crate://serde/1/src/a.rs#L0", "as in #10-40"},
		{"crate://serde/1/src/a.rs#L9-L3", "as in #10-40"},
		{"crate://serde/1/src/a.rs#40-10", "as in #10-40"},
		{"crate://serde/1/items/" + strings.Repeat("a", 5000), "at most 4096 bytes"},
	} {
		u, err := crateuri.Parse(c.address)
		switch {
		case err == nil:
			t.Errorf("%q is read as %+v", c.address, u)
		case !errors.Is(err, crateuri.ErrURI) || !strings.Contains(err.Error(), c.because):
			t.Errorf("%q: %v, want it to say %q", c.address, err, c.because)
		case len(err.Error()) > 600 || !utf8.ValidString(err.Error()):
			t.Errorf("%q: the message is long or garbled: %q", c.address, err)
		}
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		address string
		want    crateuri.URI
		page    string
		written string // the written form if it differs from address
	}{
		{"crate://serde", crateuri.URI{Crate: "serde"}, "", ""},
		{"crate://serde///", crateuri.URI{Crate: "serde"}, "", "crate://serde"},
		{"CRATE://Serde/1.0.0/", crateuri.URI{Crate: "Serde", Version: "1.0.0"}, "", "crate://Serde/1.0.0"},
		{"crate://7zip-rs/latest", crateuri.URI{Crate: "7zip-rs", Version: "latest"}, "", ""},
		{"crate://a/1.0.0-rc.1+build.5", crateuri.URI{Crate: "a", Version: "1.0.0-rc.1+build.5"}, "", ""},
		{"crate://a/%5E1.2", crateuri.URI{Crate: "a", Version: "^1.2"}, "", ""},
		{"crate://a/^1.2", crateuri.URI{Crate: "a", Version: "^1.2"}, "", "crate://a/%5E1.2"},
		{"crate://a/%3E=1,%20%3C2/readme", crateuri.URI{Crate: "a", Version: ">=1, <2", Root: crateuri.Readme}, "", ""},
		{"crate://a/*/README/", crateuri.URI{Crate: "a", Version: "*", Root: crateuri.Readme}, "", "crate://a/*/readme"},
		{"crate://a/1/Items", crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Items}, "", "crate://a/1/items"},
		{"crate://a/1/items#x", crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Items}, "", "crate://a/1/items"},
		{"crate://a/1/SRC", crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Sources}, "", "crate://a/1/src"},
		{"crate://a/1/items/a/b/", crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Items, Path: "a/b"}, "a/b/index.html", "crate://a/1/items/a/b"},
		{"crate://a/1/items/a/index.html#", crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Items, Path: "a/index.html"}, "a/index.html", "crate://a/1/items/a/index.html"},
		{"crate://a/1/items/a/struct.Größe.html", crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Items, Path: "a/struct.Größe.html"}, "a/struct.Größe.html", "crate://a/1/items/a/struct.Gr%C3%B6%C3%9Fe.html"},
		{"crate://a/1/items/a/fn.%E6%96%99%E7%90%86.html", crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Items, Path: "a/fn.料理.html"}, "a/fn.料理.html", ""},
		{"crate://a/1/items/a/x.html#impl-Index%3CI%3E-for-X", crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Items, Path: "a/x.html", Fragment: "impl-Index<I>-for-X"}, "a/x.html", ""},
		{"crate://a/1/items/%252e%252e", crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Items, Path: "%2e%2e"}, "%2e%2e/index.html", ""},
		{"crate://a/1/src/a/lib.rs", crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Sources, Path: "a/lib.rs"}, "src/a/lib.rs.html", ""},
		{"crate://a/1/src/a/lib.rs.html#10-40", crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Sources, Path: "a/lib.rs.html", Fragment: "10-40"}, "src/a/lib.rs.html", ""},
		{" crate://serde\n", crateuri.URI{Crate: "serde"}, "", "crate://serde"},
		{"crate://a?after=1.0.0-rc.1%2B5", crateuri.URI{Crate: "a", After: "1.0.0-rc.1+5"}, "", ""},
		{"crate://a/1/src?after=200", crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Sources, After: "200"}, "", ""},
		{"crate://a/1/items?kinds=Method,Struct&q=x%20y&after=20", crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Items, Search: "x y", Kinds: "Method,Struct", After: "20"}, "",
			"crate://a/1/items?q=x+y&kinds=Method,Struct&after=20"},
		{"crate://a/1/items/a/x.html?after=9#y", crateuri.URI{Crate: "a", Version: "1", Root: crateuri.Items, Path: "a/x.html", After: "9", Fragment: "y"}, "a/x.html", ""},
		{"https://docs.rs/serde_json/latest/serde_json/fn.from_str.html", crateuri.URI{Crate: "serde_json", Version: "latest", Root: crateuri.Items, Path: "serde_json/fn.from_str.html"},
			"serde_json/fn.from_str.html", "crate://serde_json/latest/items/serde_json/fn.from_str.html"},
		{"https://docs.rs/serde_json/1.0.1/serde_json/enum.Value.html?x=y#method.pointer", crateuri.URI{Crate: "serde_json", Version: "1.0.1", Root: crateuri.Items, Path: "serde_json/enum.Value.html", Fragment: "method.pointer"},
			"serde_json/enum.Value.html", "crate://serde_json/1.0.1/items/serde_json/enum.Value.html#method.pointer"},
		{"https://docs.rs/serde_json/1/serde_json/?search=from+str", crateuri.URI{Crate: "serde_json", Version: "1", Root: crateuri.Items, Search: "from str"}, "", "crate://serde_json/1/items?q=from+str"},
		{"https://docs.rs/tea-time", crateuri.URI{Crate: "tea-time", Version: "latest", Root: crateuri.Items, Path: "tea_time"}, "tea_time/index.html", "crate://tea-time/latest/items/tea_time"},
		{"http://docs.rs/a/~1/x86_64-pc-windows-msvc/a/b/", crateuri.URI{Crate: "a", Version: "~1", Root: crateuri.Items, Path: "a/b"}, "a/b/index.html", "crate://a/~1/items/a/b"},
		{"https://docs.rs/a/1.0.0/src/a/lib.rs.html#3-9", crateuri.URI{Crate: "a", Version: "1.0.0", Root: crateuri.Sources, Path: "a/lib.rs.html", Fragment: "3-9"}, "src/a/lib.rs.html", "crate://a/1.0.0/src/a/lib.rs.html#3-9"},
		{"https://docs.rs/crate/a-b/1.0.0/source/src/c/d.rs", crateuri.URI{Crate: "a-b", Version: "1.0.0", Root: crateuri.Sources, Path: "a_b/c/d.rs"}, "src/a_b/c/d.rs.html", "crate://a-b/1.0.0/src/a_b/c/d.rs"},
		{"https://docs.rs/crate/a/1.0.0/features", crateuri.URI{Crate: "a", Version: "1.0.0"}, "", "crate://a/1.0.0"},
		{"https://crates.io/crates/a", crateuri.URI{Crate: "a"}, "", "crate://a"},
		{"https://lib.rs/crates/a", crateuri.URI{Crate: "a"}, "", "crate://a"},
	} {
		u, err := crateuri.Parse(c.address)
		if err != nil || u != c.want {
			t.Errorf("%s: %+v, %v, want %+v", c.address, u, err, c.want)
			continue
		}
		if u.Page() != c.page {
			t.Errorf("%s: page %q, want %q", c.address, u.Page(), c.page)
		}
		written := c.written
		if written == "" {
			written = c.address
		}
		if u.String() != written {
			t.Errorf("%s is written as %s, want %s", c.address, u, written)
		}
	}
}

func TestLines(t *testing.T) {
	for fragment, want := range map[string]crateuri.Lines{
		"L10-L40":     {From: 10, To: 40},
		"L10-40":      {From: 10, To: 40},
		"10-40":       {From: 10, To: 40},
		"L7":          {From: 7, To: 7},
		"7":           {From: 7, To: 7},
		"L9999999999": {},
		"L-1":         {},
		"+1":          {},
		"main":        {},
	} {
		u, err := crateuri.Parse("crate://a/1/src/a/lib.rs.html#" + fragment)
		if err != nil || u.Lines() != want {
			t.Errorf("#%s: lines %v, %v", fragment, u.Lines(), err)
		}
	}
	base := crateuri.Of("a", "1")
	if u := base.Item("a/x.html", "1-2"); u.Lines() != (crateuri.Lines{}) {
		t.Error("an item page has lines")
	}
	l := crateuri.Lines{From: 3, To: 9}
	if u := base.Source("a/lib.rs.html", l.String()); u.Lines() != l || l.String() != "3-9" {
		t.Errorf("%s: %v", u, u.Lines())
	}
}

// Meant finds the name of a crate in text that is not itself a name.
func TestMeant(t *testing.T) {
	for text, want := range map[string]string{
		"serde_json@1": "serde_json 1", "serde_json 1.0": "serde_json 1.0", "serde==1.0.1": "serde 1.0.1", "serde_json::Value": "serde_json ", "crate://a/1/src": "a 1",
		"https://docs.rs/a": "a latest", "https://github.com/x/y": "y ", "serde/derive": "serde ", "serde_json v1.0": "serde_json 1.0", "serde json": " ", "größe": " ", "": " ", "..": " ", "a/b": "a ",
	} {
		if name, version := crateuri.Meant(text); name+" "+version != want {
			t.Errorf("%q: %q %q, want %q", text, name, version, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, address := range []string{"crate://a", "crate://a/%5E1/src/b/c.rs#L1-L2", "crate://a/1/items/x%2e.html#a%3Cb", "crate://a/1/../x", "crate://a/1/items?q=x+y&kinds=a,b&after=2", "https://docs.rs/a/1/a/fn.b.html#c", "a@1"} {
		f.Add(address)
	}
	f.Fuzz(func(t *testing.T, address string) {
		u, err := crateuri.Parse(address)
		if err != nil {
			return
		}
		again, err := crateuri.Parse(u.String())
		if err != nil && len(u.String()) <= 4096 {
			t.Fatalf("%q is written as %q, which is refused: %v", address, u, err)
		}
		if err == nil && again != u {
			t.Fatalf("%q: %+v became %+v", address, u, again)
		}
		if strings.Contains("/"+u.Page()+"/", "/../") || strings.ContainsAny(u.Page(), "\\\x00") {
			t.Fatalf("%q names the page %q", address, u.Page())
		}
	})
}
