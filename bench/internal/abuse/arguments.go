package abuse

import (
	"strings"

	"github.com/jptool/jptool/bench/internal/request"
)

// arguments returns calls with a tool or arguments that do not match the contract.
func arguments(era request.Era) []Case {
	const tool = `"name":"search_1"`
	a := func(name, old, by string, want Want) Case {
		return Case{"arguments", name, swap(era, old, by), "41", want}
	}
	return []Case{
		a("good", "", "", Result),
		a("unknown tool", tool, `"name":"dance"`, Refusal),
		a("tool in uppercase", tool, `"name":"SEARCH_1"`, Refusal),
		a("missing tool", tool+",", "", Refusal),
		a("tool as a number", tool, `"name":1`, Refusal),
		a("tool of 1 MB", tool, `"name":"`+strings.Repeat("x", 1_000_000)+`"`, Refusal),
		a("none", `"arguments":`+request.Arguments, `"arguments":{}`, Refusal),
		a("null", `"arguments":`+request.Arguments, `"arguments":null`, Refusal),
		a("missing", `"arguments":`+request.Arguments, `"title":1`, Refusal),
		a("as an array", request.Arguments, "[]", Refusal),
		a("as a string", request.Arguments, `"x"`, Refusal),
		a("as a number", request.Arguments, "7", Refusal),
		a("unknown member", `"limit":20`, `"limit":20,"colour":"red"`, Anything),
		a("member in uppercase", `"limit":20`, `"LIMIT":20`, Refusal),
		a("missing member", `"limit":20,`, "", Refusal),
		a("duplicate member", `"limit":20`, `"limit":20,"limit":30`, Refusal),
		a("duplicate nested member", `"to":"2026-06-30"`, `"to":"2026-06-30","to":"2027-01-01"`, Refusal),
		a("unknown nested member", `"zone"`, `"place"`, Refusal),
		a("too small", `"limit":20`, `"limit":0`, Refusal),
		a("too large", `"limit":20`, `"limit":101`, Refusal),
		a("far too large", `"limit":20`, `"limit":1e400`, Refusal),
		a("fraction", `"limit":20`, `"limit":20.5`, Refusal),
		a("number as a string", `"limit":20`, `"limit":"20"`, Anything),
		a("number as null", `"limit":20`, `"limit":null`, Refusal),
		a("text as a number", `"harbour lights"`, "7", Refusal),
		a("empty text", `"harbour lights"`, `""`, Refusal),
		a("unknown choice", `"kind":"note"`, `"kind":"song"`, Refusal),
		a("choice in uppercase", `"kind":"note"`, `"kind":"NOTE"`, Anything),
		a("list as a string", `["travel","letters"]`, `"travel"`, Refusal),
		a("list with null", `["travel","letters"]`, `["travel",null]`, Refusal),
		a("list as null", `["travel","letters"]`, "null", Refusal),
		a("flag as a number", `"archived":true`, `"archived":1`, Refusal),
		a("deeply nested value", `["travel","letters"]`, strings.Repeat("[", 5000)+strings.Repeat("]", 5000), Anything),
		a("lone surrogate", "harbour", `\ud800`, Anything),
		a("invalid UTF-8", "harbour", "\xff\xfe", Anything),
		a("escaped NUL", "harbour", `\u0000`, Result),
		a("whole number with a fraction", `"limit":20`, `"limit":20.0`, Anything),
	}
}

// meta returns calls with an invalid _meta.
func meta(era request.Era) []Case {
	m := func(name, value string, want Want) Case {
		line := swap(era, `"_meta":{`, `"_meta":{`+value+`,`)
		if era == request.Sessions {
			line = swap(era, `"name":"search_1"`, `"name":"search_1","_meta":{`+value+`}`)
		}
		return Case{"_meta", name, line, "41", want}
	}
	return []Case{
		m("unknown key", `"example.org/x":{"a":[1,2]}`, Result),
		m("progress token zero", `"progressToken":0`, Result),
		m("progress token as a string", `"progressToken":"p"`, Result),
		m("progress token as an object", `"progressToken":{}`, Anything),
		m("JP's tool as a string", `"computer.jp/tool":"x"`, Anything),
		m("JP's tool as null", `"computer.jp/tool":null`, Anything),
		m("JP's answers as a number", `"computer.jp/tool":{"answers":7}`, Anything),
		m("JP's context as an array", `"computer.jp/context":[]`, Anything),
		m("duplicate key", `"example.org/x":1,"example.org/x":2`, Anything),
	}
}
