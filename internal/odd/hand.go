package odd

import (
	"fmt"
	"strings"

	"github.com/jptool/jptool/internal/phrase"
)

// byHand returns calls that each have one unusual part.
func byHand(g Generation) []Message {
	var all []Message
	add := func(name, text string) { all = append(all, Message{name, text}) }
	whole := func(name, old, by string) {
		add(name, g.fill(strings.Replace(`{"jsonrpc":"2.0","id":@id,"method":"tools/call","params":{`+good+`}}`, old, by, 1)))
	}
	whole("a valid call", "", "")
	for _, id := range ids {
		whole("id "+id, "@id", id)
	}
	for _, e := range envelopes {
		whole(e.name, e.old, e.by)
	}
	for _, name := range names {
		add("tool "+phrase.Clip(name, maxShown), g.call(`"name":`+name+`,"arguments":{"text":"safe"}@meta`))
	}
	for _, a := range arguments {
		add("arguments "+phrase.Clip(a, maxShown), g.call(`"name":"echo","arguments":`+a+`@meta`))
	}
	for _, a := range mirrored {
		add("mirrored "+phrase.Clip(a, maxShown), g.call(`"name":"mirror","arguments":{"counts":{},"names":[],`+a+`}@meta`))
	}
	for _, m := range metas {
		add("_meta "+phrase.Clip(m, maxShown), g.call(`"name":"echo","arguments":{"text":"safe"},"_meta":`+m))
	}
	for _, m := range inMeta {
		add("in _meta "+phrase.Clip(m, maxShown), g.call(`"name":"echo","arguments":{"text":"safe"},"_meta":{@in`+m+`}`))
	}
	for _, p := range params {
		add("params "+phrase.Clip(p, maxShown), g.call(p))
	}
	for depth := range deep {
		n := 10 << (3 * depth)
		value := strings.Repeat("[", n) + strings.Repeat("]", n)
		add(fmt.Sprintf("an argument %d levels deep", n), g.call(`"name":"echo","arguments":{"text":`+value+`}@meta`))
		add(fmt.Sprintf("_meta %d levels deep", n), g.call(`"name":"echo","arguments":{"text":"safe"},"_meta":{@in"example.org/x":`+value+`}`))
	}
	return all
}

// deep is the number of depths to try. The first depth is ten, and each further depth is eight times the
// previous one.
const deep = 5

// maxShown is the maximum number of characters of a value in the name of its case.
const maxShown = 120

var ids = []string{
	"0", "-1", "-0", "1.0", "1.5", "1e3", "1E3", "1e400", "1e-3", "9007199254740993", "9223372036854775807", "9223372036854775808",
	"9007199254740993000000", "1e30", `""`, `"a"`, `"41"`, `"\u0041"`, `"\u0000"`, `"é"`, `"\ud800"`, `"` + strings.Repeat("x", 10_000) + `"`,
	"null", "true", "{}", "[41]", "01", "+1", ".5", "0x10", `41,"id":42`, `41,"ID":42`,
}

// envelopes holds changes to a valid call: the text in by replaces the text in old.
var envelopes = []struct{ name, old, by string }{
	{"missing version", `"jsonrpc":"2.0",`, ""},
	{"version 1.0", `"2.0"`, `"1.0"`},
	{"version as a number", `"2.0"`, `2.0`},
	{"null version", `"2.0"`, `null`},
	{"version with spaces", `"2.0"`, `" 2.0 "`},
	{"version escaped", `"2.0"`, `"\u0032.0"`},
	{"duplicate version", `"jsonrpc":"2.0"`, `"jsonrpc":"2.0","jsonrpc":"2.0"`},
	{"version in uppercase", `"jsonrpc"`, `"JSONRPC"`},
	{"missing id", `"id":@id,`, ""},
	{"missing method", `"method":"tools/call",`, ""},
	{"method as a number", `"tools/call"`, "7"},
	{"null method", `"tools/call"`, "null"},
	{"empty method", `"tools/call"`, `""`},
	{"method in uppercase", `"tools/call"`, `"TOOLS/CALL"`},
	{"method with a space", `"tools/call"`, `"tools/call "`},
	{"method with an escaped slash", `"tools/call"`, `"tools\/call"`},
	{"method with an escaped letter", `"tools/call"`, `"\u0074ools/call"`},
	{"duplicate method", `"method":"tools/call"`, `"method":"tools/list","method":"tools/call"`},
	{"an additional method in uppercase", `"method":"tools/call"`, `"method":"tools/call","METHOD":"tools/list"`},
	{"an escaped method name", `"method"`, `"\u006dethod"`},
	{"an additional method with an escaped name", `"method":"tools/call"`, `"method":"tools/call","\u006dethod":"tools/list"`},
	{"an additional result", `"id":@id`, `"id":@id,"result":{}`},
	{"an additional error", `"id":@id`, `"id":@id,"error":{"code":1,"message":"x"}`},
	{"an additional null error", `"id":@id`, `"id":@id,"error":null`},
	{"an additional member", `"id":@id`, `"id":@id,"extra":{"a":[1e999]}`},
	{"a duplicate additional member", `"id":@id`, `"id":@id,"extra":1,"extra":2`},
	{"an empty name", `"id":@id`, `"id":@id,"":1`},
	{"duplicate params", `"method"`, `"params":{"name":"names","arguments":{}},"method"`},
	{"duplicate params, the valid ones first", `}}`, `}},"params":{"name":"names","arguments":{}}`},
	{"additional params in uppercase", `"method"`, `"PARAMS":{"name":"names"},"method"`},
	{"a leading space", `{"jsonrpc"`, ` {"jsonrpc"`},
	{"a leading tab", `{"jsonrpc"`, "\t{\"jsonrpc\""},
	{"a leading byte order mark", `{"jsonrpc"`, "\ufeff{\"jsonrpc\""},
	{"a leading comment", `{"jsonrpc"`, `/* x */{"jsonrpc"`},
	{"spaces around punctuation", `,"method":`, ` , "method" : `},
	{"a batch", `{"jsonrpc"`, `[{"jsonrpc"`},
	{"a duplicate comma", `"method":"tools/call",`, `"method":"tools/call",,`},
	{"a name without quotes", `"method"`, `method`},
	{"single quotes", `"tools/call"`, `'tools/call'`},
	{"a NUL byte", "safe", "sa\x00fe"},
	{"a control character", "safe", "sa\x01fe"},
	{"invalid UTF-8", "safe", "sa\xff\xfefe"},
	{"overlong UTF-8", "safe", "sa\xc0\xaffe"},
	{"a truncated message", `,"arguments":{"text":"safe"}@meta}}`, ""},
	{"a leading object", `{"jsonrpc"`, `{}{"jsonrpc"`},
}

// names holds values for the name of a tool, as JSON.
var names = []string{
	`"names"`, `"mirror"`, `"no_such_tool"`, `""`, `" "`, `"ECHO"`, `"echo "`, `" echo"`, `"ech\u006f"`, `"echo\u0000"`, `"еcho"`, `"\ud800"`, `"../echo"`,
	`"` + strings.Repeat("x", 5000) + `"`, "7", "null", "true", "{}", `["echo"]`, `"echo","name":"names"`, `"names","name":"echo"`, `"echo","Name":"names"`,
	`"echo","\u006eame":"names"`, `"echo","NAME":7`,
}

// arguments holds arguments for calls to the echo tool.
var arguments = []string{
	"null", "{}", "[]", `"x"`, "7", "true", `"{\"text\":\"safe\"}"`, `{"text":"safe"},"arguments":{"text":"other"}`, `{"text":"safe"},"Arguments":{"text":"other"}`,
	`{"text":null}`, `{"text":7}`, `{"text":true}`, `{"text":{}}`, `{"text":[]}`, `{"text":["safe"]}`, `{"TEXT":"safe"}`, `{"text ":"safe"}`, `{"text":"safe","text":"other"}`,
	`{"text":"safe","\u0074ext":"other"}`, `{"text":"safe","Text":"other"}`, `{"text":"safe","unknown":1}`, `{"text":"safe","":1}`, `{"tex":"safe"}`,
	`{"text":"safe","times":2}`, `{"text":"safe","times":"2"}`, `{"text":"safe","times":2.0}`, `{"text":"safe","times":2e0}`, `{"text":"safe","times":2.5}`,
	`{"text":"safe","times":0}`, `{"text":"safe","times":-0}`, `{"text":"safe","times":101}`, `{"text":"safe","times":1e400}`, `{"text":"safe","times":null}`,
	`{"text":"safe","times":true}`, `{"text":"safe","times":[2]}`, `{"text":"safe","times":9223372036854775808}`, `{"text":"safe","times":"two"}`, `{"text":"safe","times":" 2"}`,
	`{"text":"\ud800"}`, `{"text":"\udc00\ud800"}`, `{"text":"\u0000"}`, `{"text":"\u2028"}`, `{"text":"\ud83d\ude00"}`, `{"text":"` + strings.Repeat("x", 100_001) + `"}`,
	`{"text":""}`, `{"text":"{\"type\":\"needs_input\"}"}`, `{"text":"safe",}`, `{"text":NaN}`, `{"text":"safe","times":02}`, `{ "text" : "safe" }`,
}

// mirrored holds members of the arguments of the mirror tool, which accepts values of all types.
var mirrored = []string{
	`"big":9007199254740993`, `"big":"9007199254740993"`, `"big":1e18`, `"huge":-1`, `"huge":18446744073709551615`, `"bytes":"aGk="`, `"bytes":"aGk"`, `"bytes":"a"`,
	`"raw":{"a":1e999}`, `"raw":{"a":1,"a":2}`, `"counts":{"a":1}`, `"years":{"1999":"a"}`, `"years":{"x":"a"}`, `"addr":"::1"`, `"addr":"x"`,
	`"sum":340282366920938463463374607431768211456`, `"at":"2026-01-02T03:04:05Z"`, `"at":"yesterday"`, `"for":"1h"`, `"for":7`, `"taste":"lemon"`, `"taste":"Lemon"`, `"taste":"mint"`,
	`"number":5.0`, `"flag":"true"`, `"flag":1`, `"origin":"o"`,
}

// metas holds complete values of _meta.
var metas = []string{
	"null", "7", `"x"`, "true", "[]", "{}", `{"example.org/x":1}`, `{"example.org/x":1,"example.org/x":2}`, `{},"_meta":{}`, `{"":1}`, `{},"_META":7`,
	modern + keyCapabilities + `:{"experimental":{"x":1e400}}}`, modern + keyCapabilities + `:{"elicitation":{"form":7}}}`, modern + keyCapabilities + `:{"sampling":[]}}`,
	modern + keyInfo + `:{"name":"odd","version":"1","x":1e400},` + keyCapabilities + `:{}}`, modern + keyInfo + `:{"name":"odd","icons":7},` + keyCapabilities + `:{}}`,
}

// modern is the beginning of the _meta of a 2026-07-28 request.
const modern = `{` + keyVersion + `:"2026-07-28",`

// inMeta holds members of _meta.
var inMeta = []string{
	`"n":1e999`, `"n":"\ud800"`, `"\ud800":1`, `"x":1,"x":2`, `"` + strings.Repeat("k", 5000) + `":1`,
	`"progressToken":0`, `"progressToken":"p"`, `"progressToken":""`, `"progressToken":1.5`, `"progressToken":1e400`, `"progressToken":null`, `"progressToken":true`,
	`"progressToken":{}`, `"progressToken":[1]`, `"progressToken":1,"progressToken":2`, `"progressToken":"` + strings.Repeat("p", 5000) + `"`,
	keyVersion + `:"2026-07-28"`, keyVersion + `:"2025-11-25"`, keyVersion + `:"2099-01-01"`, keyVersion + `:""`, keyVersion + `:7`, keyVersion + `:null`,
	keyInfo + `:7`, keyInfo + `:{"name":7}`, keyInfo + `:{}`, keyInfo + `:null`,
	keyCapabilities + `:7`, keyCapabilities + `:{"elicitation":7}`, keyCapabilities + `:{"sampling":7}`, keyCapabilities + `:{"elicitation":{}}`, keyCapabilities + `:null`,
	`"io.modelcontextprotocol/logLevel":"debug"`, `"io.modelcontextprotocol/logLevel":"loud"`, `"io.modelcontextprotocol/logLevel":7`,
	`"io.modelcontextprotocol/related-task":{"taskId":"x"}`, `"io.modelcontextprotocol/subscriptionId":7`, `"traceparent":7`,
	`"computer.jp/tool":"x"`, `"computer.jp/tool":7`, `"computer.jp/tool":null`, `"computer.jp/tool":[]`, `"computer.jp/tool":{}`, `"computer.jp/tool":{"answers":7}`,
	`"computer.jp/tool":{"options":[]}`, `"computer.jp/tool":{"name":"names","arguments":{}}`, `"computer.jp/tool":{},"computer.jp/tool":{"answers":7}`,
	`"computer.jp/context":"x"`, `"computer.jp/context":7`, `"computer.jp/context":null`, `"computer.jp/context":[]`, `"computer.jp/context":{}`, `"computer.jp/context":{"root":7}`,
	`"computer.jp/contract":true`, `"computer.jp/contract":7`,
}

// params holds complete members of params.
var params = []string{
	``, `"arguments":{"text":"safe"}@meta`, `"name":"echo"@meta`, `"name":"order"@meta`, `"name":"erase","arguments":{}@meta`,
	good + `,"extra":7`, good + `,"task":{"ttl":60000}`, good + `,"task":7`, good + `,"requestState":"x"`, good + `,"requestState":7`, good + `,"inputResponses":{}`, good + `,"inputResponses":7`,
	good + `,"requestState":"x","inputResponses":{"q":{"action":"accept","content":{}}}`, good + `,"cursor":"x"`, good + `,"progressToken":1`,
}
