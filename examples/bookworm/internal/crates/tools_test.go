package crates_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/bookworm/internal/crates"
	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
	"github.com/jptool/jptool/sdk/fault"
)

func TestToolsRefuse(t *testing.T) {
	s := open(t)
	kit := s.kit(t)
	for _, c := range []struct {
		tool, arguments string
		code            fault.Code
		want            string
	}{
		{"crates_search", `{}`, fault.InvalidInput, "argument query"},
		{"crates_search", `{"query":""}`, fault.InvalidInput, "argument query"},
		{"crates_search", `{"query":"  "}`, fault.InvalidInput, "query: must contain"},
		{"crate_search_items", `{"crate_name":"","query":"x"}`, fault.InvalidInput, "argument crate_name"},
		{"crate_search_items", `{"crate_name":"tea-time","query":" "}`, fault.InvalidInput, "query: must contain"},
		{"crate_search_items", `{"crate_name":"tea-time","query":"x","kinds":["Strukt"]}`, fault.InvalidInput, `"Struct"`},
		{"crate_search_items", `{"crate_name":"tea-time","query":"x","crate_version":"one"}`, fault.InvalidInput, "invalid version "},
		{"crate_search_items", `{"crate_name":"tea-time","query":"x","crate_version":"1.2.3.4"}`, fault.InvalidInput, "invalid version "},
		{"crate_search_items", `{"crate_name":"coffee","query":"x"}`, fault.NotFound, `no crate named "coffee"`},
		{"crate_resource", `{"uri":""}`, fault.InvalidInput, "argument uri"},
		{"crate_resource", `{"uri":"https://example.com/tea-time"}`, fault.InvalidInput, `use crates_search with query "tea-time", or crate://tea-time`},
		{"crate_resource", `{"uri":"tea-time::Teapot"}`, fault.InvalidInput, `use "crate://tea-time/latest/items/tea_time::Teapot"`},
		{"crate_resource", `{"uri":"crate://tea-time/1.2.0/items?kinds=Strukt"}`, fault.InvalidInput, `unknown kind "Strukt"`},
		{"crate_search_items", `{"crate_name":"tea-time@1","query":"x"}`, fault.InvalidInput, `use "tea-time", and "1" as crate_version`},
		{"crate_versions", `{"crate_name":"tea-time@1"}`, fault.InvalidInput, `use "tea-time"`},
		{"crate_resource", `{"uri":"crate://"}`, fault.InvalidInput, "invalid crate name"},
		{"crate_resource", `{"uri":"crate://tea-time/latest/docs"}`, fault.InvalidInput, "use readme, items or src"},
		{"crate_resource", `{"uri":"crate://tea-time/latest/items/tea_time/struct.Cup.html"}`, fault.NotFound, `no item tea_time/struct.Cup.html; use crate_search_items with query "Cup"`},
		{"crate_resource", `{"uri":"crate://tea-time/latest/items/tea_time/struct.Teapot.html#method.smash"}`, fault.NotFound, "no part"},
		{"crate_resource", `{"uri":"crate://tea-time/latest/src/tea_time/cup.rs"}`, fault.NotFound, "no source file"},
		{"crate_resource", `{"uri":"crate://coffee"}`, fault.NotFound, "no crate"},
		{"crate_resource", `{"uri":"crate://coffee/1"}`, fault.NotFound, "no crate"},
		{"crate_versions", `{"crate_name":"a  b"}`, fault.InvalidInput, `crate_name: "a  b" is not a crate name; use crates_search with query "a b"`},
		{"crate_readme", `{"crate_name":"tea-time","crate_version":"v1.2.0"}`, fault.InvalidInput, `invalid version "v1.2.0"; use "1.2.0"`},
		{"crate_search_items", `{"crate_name":"std","query":"Vec"}`, fault.NotFound, "https://doc.rust-lang.org/std/"},
		{"crate_resource", `{"uri":"crate://tea-time/1/items/tea_time::Teapot#method.smash"}`, fault.NotFound, `has no part "method.smash"; read crate://tea-time/1.2.0/items/tea_time/struct.Teapot.html`},
		{"crate_versions", `{"crate_name":"coffee-pot"}`, fault.NotFound, `no crate named "coffee-pot"; use crates_search with query "coffee pot"`},
		{"crate_versions", `{"crate_name":"tea"}`, fault.NotFound, `no crate named "tea"; a search returned tea-time`},
		{"crate_readme", `{"crate_name":"coffee"}`, fault.NotFound, "no crate"},
		{"crate_readme", `{"crate_name":"tea-time","crate_version":"~~1"}`, fault.InvalidInput, "invalid version "},
	} {
		out := kit.Call(c.tool, json.RawMessage(c.arguments))
		if out.Code != c.code || !strings.Contains(out.Message, c.want) || out.Transient {
			t.Errorf("%s %s: %s: %s (transient %t)\n%.200s", c.tool, c.arguments, out.Code, out.Message, out.Transient, out.Text)
		}
	}
}

func TestTools(t *testing.T) {
	s := open(t)
	kit := s.kit(t)
	for _, c := range []struct {
		tool, arguments string
		want            []string
	}{
		{"crates_search", `{"query":"clock"}`, []string{"<Crate>", "<name>tea-time</name>\n  <version>1.2.0</version>"}},
		{"crates_search", `{"query":"coffee"}`, []string{"No crates match"}},
		{"crate_versions", `{"crate_name":"tea-time"}`, []string{"crate://tea-time/1.2.0\n<CrateVersion>\n  <num>1.2.0</num>", "crate://tea-time/0.9.0\n"}},
		{"crate_readme", `{"crate_name":"tea-time"}`, []string{"# tea-time\n\nBrew tea **by the clock**."}},
		{"crate_search_items", `{"crate_name":"tea-time","query":"Teapot"}`, []string{
			"tea-time latest is version 1.2.0.", "crate://tea-time/1.2.0/items/tea_time/struct.Teapot.html\n<Item>\n  <path>tea_time::Teapot</path>\n  <kind>Struct</kind>",
			"<src_resource>crate://tea-time/1.2.0/src/tea_time/lib.rs.html#99-103</src_resource>", "<path>tea_time::Teapot::fill</path>"}},
		{"crate_search_items", `{"crate_name":"tea-time","query":"teapot::fill","kinds":["method"],"crate_version":"^1"}`, []string{
			"<docs_resource>crate://tea-time/1.2.0/items/tea_time/struct.Teapot.html#method.fill</docs_resource>"}},
		{"crate_search_items", `{"crate_name":"tea-time","query":"teapot","kinds":"[]"}`, []string{"<kind>Struct</kind>"}},
		{"crate_search_items", `{"crate_name":"tea-time","query":"coffee"}`, []string{"No items match"}},
		{"crate_resource", `{"uri":"crate://tea-time/"}`, []string{"<num>1.1.0</num>"}},
		{"crate_resource", `{"uri":"crate://tea-time/1.2.0/"}`, []string{"<CrateMetadata>", "<num>1.2.0</num>", "<published_by>brewer</published_by>"}},
		{"crate_resource", `{"uri":"crate://tea-time/1.1"}`, []string{"<num>1.2.0</num>"}},
		{"crate_resource", `{"uri":"crate://tea-time/=1.1/README"}`, []string{"Brew tea"}},
		{"crate_resource", `{"uri":"crate://tea-time/latest/items"}`, []string{"<path>tea_time::Teapot</path>", "<path>tea_time::water::BOILING</path>"}},
		{"crate_resource", `{"uri":"crate://tea-time/latest/src"}`, []string{"<url>crate://tea-time/1.2.0/src/tea_time/blend.rs.html</url>"}},
		{"crate_resource", `{"uri":"crate://tea-time/1.2.0/items/tea_time/struct.Teapot.html#method.fill"}`, []string{"<path>tea_time::Teapot::fill</path>"}},
		{"crate_resource", `{"uri":"https://docs.rs/tea-time/latest/tea_time/struct.Teapot.html#method.fill"}`, []string{"<path>tea_time::Teapot::fill</path>"}},
		{"crate_resource", `{"uri":"crate://tea-time/1.2.0/items/tea_time::Teapot::fill"}`, []string{"<docs_resource>crate://tea-time/1.2.0/items/tea_time/struct.Teapot.html#method.fill</docs_resource>"}},
		{"crate_resource", `{"uri":"crate://tea-time/1.2.0/items/struct.Teapot"}`, []string{"<path>tea_time::Teapot</path>"}},
		{"crate_resource", `{"uri":"crate://tea-time/1.2.0/items?q=teapot&kinds=method"}`, []string{"<path>tea_time::Teapot::fill</path>"}},
		{"crate_resource", `{"uri":"crate://tea-time/1.2.0/items?kinds=fn"}`, []string{"<kind>Function</kind>"}},
		{"crate_search_items", `{"crate_name":"tea-time","query":"e","kinds":["fn"]}`, []string{"<kind>Function</kind>"}},
		{"crate_resource", `{"uri":"crate://tea-time/1.2.0/src/tea_time/water.rs.html#3-4"}`, []string{"\n/// A temperature in degrees Celsius.\npub type Celsius = f32;\n", "Lines 3 to 4 of"}},
		{"crate_resource", `{"uri":"crate://tea-time/1.2.0/src/tea_time/water.rs#L3-L4"}`, []string{"/// A temperature in degrees Celsius.\npub type Celsius = f32;", "Lines 3 to 4 of"}},
	} {
		text := kit.Call(c.tool, json.RawMessage(c.arguments)).OK(t)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s %s: %q is not in\n%.3000s", c.tool, c.arguments, want, text)
			}
		}
		if !strings.Contains(c.arguments, "/src/") {
			checkWellFormed(t, text)
		}
	}
	// The test uses 1.2.0 and 1.1.0, and downloads each once.
	if gets, _ := s.downloads(); gets != 1 {
		t.Errorf("%d downloads", gets)
	}
}

// A program gets fields and a model gets resources, and both have the same number of entries.
func TestTypedResults(t *testing.T) {
	c := open(t).tools(t)
	opt := crates.AnswerOptions{MaxResponseBytes: 1 << 18}
	found, err := c.SearchCrates(t.Context(), crates.SearchInput{Query: "clock"}, opt)
	if err != nil || len(found.Crates) != 1 || found.Crates[0].Name != "tea-time" || found.Crates[0].Version != "1.2.0" || len(found.Blocks()) != 1 {
		t.Errorf("found %+v, %v", found, err)
	}
	for limit, want := range map[int]int{1 << 18: 3, 1: 1} {
		opt.MaxResponseBytes = limit
		all, err := c.Versions(t.Context(), crates.VersionsInput{CrateName: "tea-time"}, crates.CrateQuestions{}, opt)
		if err != nil || all.Name != "tea-time" || len(all.Versions) != want || all.Versions[0].Num != "1.2.0" {
			t.Errorf("in %d bytes: %+v, %v", limit, all, err)
		}
	}
}

// Every answer has a limit and mentions what it omits.
func TestLimits(t *testing.T) {
	many := cratestest.Sample("1.2.0")
	for i := range 100 {
		many.Versions = append(many.Versions, cratestest.Version{Num: "1.1." + strings.Repeat("1", i+1)[:min(i+1, 9)] + "-a." + strings.Repeat("1", i+1)})
	}
	many.Versions[0].Readme = "<p>" + strings.Repeat("long ", 2000) + "</p>"
	const limit = 2048
	kit := open(t, many).kit(t, map[string]any{"max_response_bytes": limit})
	for tool, arguments := range map[string]string{
		"crate_versions":     `{"crate_name":"tea-time"}`,
		"crate_readme":       `{"crate_name":"tea-time"}`,
		"crate_search_items": `{"crate_name":"tea-time","query":"e"}`,
		"crate_resource":     `{"uri":"crate://tea-time/1.2.0/src/tea_time/lib.rs"}`,
	} {
		text := kit.Call(tool, json.RawMessage(arguments)).OK(t)
		if len(text) > limit || !strings.Contains(text, "The next part is at crate://") {
			t.Errorf("%s: %d bytes\n%.3000s", tool, len(text), text)
		}
	}
}
