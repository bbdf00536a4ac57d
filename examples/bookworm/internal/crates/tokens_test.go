package crates_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer/codec"

	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
	"github.com/jptool/jptool/sdk/jptest"
)

// No answer has more than 25,000 tokens, regardless of the responses from crates.io and of the
// options.
func TestAnswersFitModels(t *testing.T) {
	var all []cratestest.Crate
	for i := range 10 {
		c := cratestest.Sample("1.2.0")
		c.Name, c.Description = fmt.Sprint("tea-", i), "tea "+strings.Repeat("𐀀𐀁 ", 20_000)
		for v := range 3000 {
			c.Versions = append(c.Versions, cratestest.Version{Num: fmt.Sprintf("1.1.%d-alpha.%d", v, v*7919)})
		}
		c.Versions[0].Readme = "<p>" + strings.Repeat("𐀀😀 a1+/", 20_000) + "</p>"
		all = append(all, c)
	}
	count := codec.NewO200kBase()
	kit := open(t, all...).kitOn(t, jptest.MCP, map[string]any{"max_response_bytes": 16 << 20})
	for _, call := range []struct{ tool, arguments string }{
		{"crates_search", `{"query":"tea"}`},
		{"crate_versions", `{"crate_name":"tea-1"}`},
		{"crate_readme", `{"crate_name":"tea-1","crate_version":"1.2.0"}`},
		{"crate_search_items", `{"crate_name":"tea-1","crate_version":"1.2.0","query":"e"}`},
		{"crate_resource", `{"uri":"crate://tea-1"}`},
		{"crate_resource", `{"uri":"crate://tea-1/1.2.0"}`},
		{"crate_resource", `{"uri":"crate://tea-1/1.2.0/items"}`},
		{"crate_resource", `{"uri":"crate://tea-1/1.2.0/src"}`},
		{"crate_resource", `{"uri":"crate://tea-1/1.2.0/src/tea_time/lib.rs"}`},
	} {
		out := kit.Call(call.tool, json.RawMessage(call.arguments))
		for _, text := range []string{out.OK(t), string(out.Structured)} {
			if tokens, err := count.Count(text); err != nil || tokens > 25_000 {
				t.Errorf("%s %s: %d bytes, %d tokens: %.300s", call.tool, call.arguments, len(text), tokens, text)
			}
		}
	}
}
