package abuse

import (
	"strings"

	"github.com/jptool/jptool/bench/internal/request"
)

// framing returns lines that are not valid messages, or unusual forms of valid messages.
func framing(era request.Era) []Case {
	good := call(era)
	const null = "null"
	return []Case{
		{"framing", "truncated object", `{"jsonrpc":"2.0","id":41,"method":`, null, Failure},
		{"framing", "words", "hello, server", null, Failure},
		{"framing", "number", "42", null, Failure},
		{"framing", "string", `"tools/call"`, null, Failure},
		{"framing", "null", "null", null, Failure},
		{"framing", "empty object", "{}", null, Failure},
		{"framing", "empty batch", "[]", null, Failure},
		{"framing", "batch", "[" + good + "]", null, Failure},
		{"framing", "two values", good + good, null, Failure},
		{"framing", "trailing comma", strings.TrimSuffix(good, "}") + ",}", null, Failure},
		{"framing", "single quotes", strings.ReplaceAll(good, `"`, "'"), null, Failure},
		{"framing", "comment", "/* hello */ " + good, null, Failure},
		{"framing", "not a number", swap(era, `"limit":20`, `"limit":NaN`), null, Failure},
		{"framing", "leading zero", swap(era, `"limit":20`, `"limit":020`), null, Failure},
		{"framing", "control character", swap(era, "harbour", "har\x01bour"), null, Failure},
		{"framing", "NUL byte", swap(era, "harbour", "har\x00bour"), null, Failure},
		{"framing", "deeply nested array", strings.Repeat("[", 20000) + strings.Repeat("]", 20000), null, Failure},
		{"framing", "20 MB line", strings.Repeat("x", 20_000_000), null, Failure},
		{"framing", "empty line", "", "", Silence},
		{"framing", "white space", " \t ", "", Silence},
		{"framing", "space before", "  " + good, "41", Result},
		{"framing", "space after", good + "  ", "41", Result},
		{"framing", "tab after", good + "\t", "41", Result},
		{"framing", "carriage return", good + "\r", "41", Result},
	}
}

// envelopes returns JSON messages that are not valid JSON-RPC, or are unusual but valid.
func envelopes(era request.Era) []Case {
	const withID = `"id":41`
	const method = `"method":"tools/call"`
	e := func(name, old, by, id string, want Want) Case {
		return Case{"envelope", name, swap(era, old, by), id, want}
	}
	return []Case{
		e("missing version", `"jsonrpc":"2.0",`, "", "41", Failure),
		e("version 1.0", `"2.0"`, `"1.0"`, "41", Failure),
		e("version as a number", `"2.0"`, `2.0`, "41", Failure),
		e("missing method", method+",", "", "41", Failure),
		e("method as a number", method, `"method":7`, "41", Failure),
		e("method in uppercase", `"method"`, `"METHOD"`, "41", Failure),
		e("unknown method", "tools/call", "tools/dance", "41", Failure),
		e("duplicate method", method, method+","+method, "41", Failure),
		e("duplicate params", method, method+`,"params":{}`, "41", Failure),
		e("null id", withID, `"id":null`, "null", Failure),
		e("boolean id", withID, `"id":true`, "null", Failure),
		e("id as an object", withID, `"id":{}`, "null", Failure),
		e("id as an array", withID, `"id":[41]`, "null", Failure),
		e("zero id", withID, `"id":0`, "0", Result),
		e("negative id", withID, `"id":-7`, "-7", Result),
		e("id beyond 2^53", withID, `"id":9007199254740993`, "9007199254740993", Result),
		e("id with a fraction", withID, `"id":1.5`, "1.5", Anything),
		e("empty id", withID, `"id":""`, `""`, Result),
		e("id as a string", withID, `"id":"a-41"`, `"a-41"`, Result),
		e("additional member", withID, withID+`,"extra":{"a":1}`, "41", Result),
		{"envelope", "params as a string", `{"jsonrpc":"2.0","id":41,"method":"tools/call","params":"x"}`, "41", Failure},
		{"envelope", "params as an array", `{"jsonrpc":"2.0","id":41,"method":"tools/call","params":[1]}`, "41", Failure},
		{"envelope", "missing params", `{"jsonrpc":"2.0","id":41,"method":"tools/call"}`, "41", Failure},
		{"envelope", "response without a request", `{"jsonrpc":"2.0","id":41,"result":{}}`, "", Silence},
		{"envelope", "error response without a request", `{"jsonrpc":"2.0","id":41,"error":{"code":1,"message":"x"}}`, "", Silence},
		{"envelope", "unknown notification", `{"jsonrpc":"2.0","method":"notifications/dance"}`, "", Silence},
		{"envelope", "cancellation of an unknown call", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":999}}`, "", Silence},
		{"envelope", "cancellation without an id", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}`, "", Silence},
	}
}
