package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk"
)

// Every door answers alike, apart from what the versions of MCP lack.
func TestOffers(t *testing.T) {
	all := doors(t, func() *sdk.Server { return notebook(0) })
	for _, tc := range []struct{ method, params, want string }{
		{"resources/read", `"uri":"notes://about"`, `"contents":[{"uri":"notes://about","mimeType":"text/plain","text":"A notebook."}]`},
		{"resources/read", `"uri":"notes://place"`, `"contents":[{"uri":"notes://place","mimeType":"application/json","text":"{\"name\":\"here\",\"x\":3}"}]`},
		{"resources/read", `"uri":"notes://raw"`, `"contents":[{"uri":"notes://raw","mimeType":"application/octet-stream","blob":"AAE="},` +
			`{"uri":"notes://raw/2","mimeType":"text/plain","text":"two"}]`},
		{"resources/read", `"uri":"note://a"`, `"contents":[{"uri":"note://a","mimeType":"text/markdown","text":"# a"}]`},
		{"resources/read", `"uri":"note://a","arguments":{"id":"b"}`, `"text":"# a"`},
		{"resources/read", `"uri":"note://a%2Fb"`, `"uri":"note://a%2Fb","mimeType":"text/markdown","text":"# a/b"`},
		{"resources/read", `"uri":"book://Go/pages/12"`, `"text":"Go 12"`},
		{"resources/read", `"uri":"book://Go/pages/x"`, `"code":-32602,"message":"argument number: expected an integer, got the string \"x\""`},
		{"resources/read", `"uri":"book://Go/pages/x"`, `"data":{"uri":"book://Go/pages/x","code":"invalid_input"`},
		{"resources/read", `"uri":"book://Go/pages/12.0"`, `there is no resource \"book://Go/pages/12.0\"; did you mean \"book://Go/pages/12\"?`},
		{"resources/read", `"uri":"book://Go/pages/1e0"`, `"code":"not_found","details":{"nearest":"book://Go/pages/1"}`},
		{"resources/read", `"uri":"book://Go/pages/%207"`, `did you mean \"book://Go/pages/7\"?`},
		{"resources/read", `"uri":"book://Go/pages/%37"`, `"message":"there is no resource`},
		{"resources/read", `"uri":"note://down"`, `"code":-32603,"message":"the store is down","data":{"uri":"note://down","code":"unavailable","recoverable":false,"transient":true}`},
		{"resources/read", `"uri":"note://panic"`, `"code":-32603,"message":"the resource crashed; see`},
		{"resources/read", `"uri":7`, `"code":-32602,"message":"invalid params: \"uri\" must be a string, the URI of a resource"`},
		{"resources/read", ``, `"code":-32602,"message":"invalid params: \"uri\" must be a string, the URI of a resource"`},
		{"prompts/get", `"name":"summarize","arguments":{"id":"a","words":"3","long":"true"}`, `"description":"Summarizes.","messages":[{"role":"user","content":{"type":"text","text":"short 3 true"}},` +
			`{"role":"assistant","content":{"type":"resource","resource":{"uri":"note://a","text":"# a"}}},`},
		{"prompts/get", `"name":"summarize"`, `"code":-32602,"message":"argument id: expected a string, got nothing"`},
		{"prompts/get", `"name":"summarize","arguments":{"id":"none"}`, `"code":-32602,"message":"there is no note \"none\"","data":{"code":"not_found"`},
		{"prompts/get", `"name":"summarise"`, `"code":-32602,"message":"there is no prompt \"summarise\"; did you mean \"summarize\"?","data":{"code":"not_found","details":{"nearest":"summarize"}`},
		{"prompts/get", `"name":"summarize","arguments":{"id":"a","stile":"long"}`, `"_meta":{"computer.jp/warnings":["argument stile is unknown`},
		{"prompts/get", `"name":7`, `"code":-32602,"message":"invalid params: \"name\" must be a string, the name of a prompt"`},
		{"prompts/list", ``, `"prompts":[{"name":"summarize",`},
		{"prompts/list", ``, `"description":"Summarizes.","arguments":[{"name":"id","description":"The note.","required":true},{"name":"style"},{"name":"words"`},
		{"prompts/list", `"cursor":"x"`, `"code":-32602`},
		{"resources/list", ``, `"resources":[{"uri":"notes://about","name":"about",`},
		{"resources/list", ``, `{"uri":"notes://place","name":"place","description":"Where it is."},`},
		{"resources/list", `"cursor":"x"`, `"code":-32602`},
		{"resources/templates/list", ``, `{"uriTemplate":"book://{title}/pages/{number}","name":"page","mimeType":"text/markdown"},`},
	} {
		for name, ask := range all {
			if got := ask(t, tc.method, tc.params); !strings.Contains(got, tc.want) {
				t.Errorf("%s: %s {%s}:\n%s want %s", name, tc.method, tc.params, got, tc.want)
			}
		}
	}
	for name, ask := range all {
		modern := strings.HasSuffix(name, "2026-07-28")
		check := func(method, params, want string, has bool) {
			t.Helper()
			if got := ask(t, method, params); strings.Contains(got, want) != has {
				t.Errorf("%s: %s {%s}: %s; %s is in it: %t", name, method, params, got, want, !has)
			}
		}
		check("resources/read", `"uri":"notes://about"`, `"ttlMs":5000,"cacheScope":"public"`, modern)
		check("resources/read", `"uri":"notes://about"`, `"resultType":"complete"`, modern)
		check("resources/read", `"uri":"note://none"`, `"code":-32002,`, !modern)
		check("resources/read", `"uri":"note://none"`, `"code":-32602,`, modern)
		check("resources/read", `"uri":"other://7"`, `"code":-32602,"message":"there is no resource \"other://7\"","data":{"uri":"other://7","code":"not_found"`, modern)
		check("resources/list", ``, `"ttlMs":0,"cacheScope":"public"`, modern)
		check("prompts/list", ``, `"ttlMs":0,"cacheScope":"public"`, modern)
		check("resources/templates/list", ``, `"ttlMs":0,"cacheScope":"public"`, modern)
		_, version, _ := strings.Cut(strings.Replace(name, "http stateless", "http", 1), " ")
		check("resources/list", ``, `"title":"About"`, version >= "2025-06-18")
		check("resources/list", ``, `"_meta":{"a":1}`, version >= "2025-06-18")
		check("resources/list", ``, `"icons":[{"src":"https://example.com/i.png"}]`, version >= "2025-11-25")
		check("prompts/get", `"name":"summarize","arguments":{"id":"a"}`, `"type":"audio"`, version >= "2025-03-26")
		check("prompts/get", `"name":"summarize","arguments":{"id":"a"}`, `"type":"resource_link"`, version >= "2025-06-18")
		check("prompts/get", `"name":"summarize","arguments":{"id":"a"}`, `"uri":"note://a","name":"a","size":3`, version >= "2025-06-18")
		check("prompts/list", ``, `{"name":"words","title":"Number of words"}`, version >= "2025-06-18")
	}
}

// A read and a prompt ask questions like a tool.
func TestOffersAsk(t *testing.T) {
	for _, s := range []struct{ method, subject, done string }{
		{"resources/read", `"uri":"note://locked"`, `"text":"# locked"`},
		{"prompts/get", `"name":"summarize","arguments":{"id":"locked"}`, `"text":"# locked"`},
	} {
		for name, ask := range doors(t, func() *sdk.Server { return notebook(0) }) {
			got := ask(t, s.method, s.subject)
			switch {
			case strings.HasPrefix(name, "stdio 202") && !strings.HasSuffix(name, "2026-07-28"):
				// The door answers.
			case !strings.HasSuffix(name, "2026-07-28"):
				if !strings.Contains(got, `"code":"input_unavailable"`) {
					t.Errorf("%s: %s", name, got)
				}
				continue
			default:
				var r struct {
					Result struct{ ResultType, RequestState string }
				}
				if err := json.Unmarshal([]byte(got), &r); err != nil || r.Result.ResultType != "input_required" || strings.Contains(got, "ttlMs") {
					t.Fatalf("%s: %s, %v", name, got, err)
				}
				answer := `,"requestState":"` + r.Result.RequestState + `","inputResponses":{"open":{"action":"accept","content":{"answer":true}}}`
				if other := ask(t, "resources/read", `"uri":"note://locked2"`+answer); !strings.Contains(other, `"code":-32602`) {
					t.Errorf("%s: the state of another request is accepted: %s", name, other)
				}
				got = ask(t, s.method, s.subject+answer)
				if s.method == "resources/read" && !strings.Contains(got, `"ttlMs":0,"cacheScope":"private"`) {
					t.Errorf("%s: an answered read may be cached: %s", name, got)
				}
			}
			if !strings.Contains(got, s.done) {
				t.Errorf("%s: %s", name, got)
			}
		}
	}
}
