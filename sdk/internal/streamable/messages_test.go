package streamable

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
)

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// fails reports a response that is not a JSON-RPC error with this status and code.
func (r reply) fails(t *testing.T, name string, status, code int) {
	t.Helper()
	var m struct {
		Version string `json:"jsonrpc"`
		Error   struct {
			Code    int
			Message string
		}
	}
	if r.status != status || r.header.Get("Content-Type") != typeJSON || json.Unmarshal([]byte(r.body), &m) != nil ||
		m.Version != "2.0" || m.Error.Code != code || m.Error.Message == "" || len(r.body) > 600 {
		t.Errorf("%s: %d %v %.600s, want %d with code %d", name, r.status, r.header, r.body, status, code)
	}
}

func TestIDsOverHTTP(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		session := s.open()
		for _, id := range []string{`0`, `-1`, `1.0`, `1e3`, `9007199254740993`, `1e400`, `""`, `"\u00e9\n"`, `"` + strings.Repeat("x", 10000) + `"`} {
			want := `{"jsonrpc":"2.0","id":` + id + `,"result":`
			for name, r := range map[string]*http.Request{"2026-07-28": modern(id, "echo"), "a session": post(olderCall(id, "echo"), sessionHeaders(session)...)} {
				if got := s.do(r); got.status != http.StatusOK || !strings.HasPrefix(got.body, want) {
					t.Errorf("in %s the id %.40s came back as %d %.80s", name, id, got.status, got.body)
				}
			}
		}
	})
}

func TestInvalidBodies(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		for _, tc := range []struct {
			name, body string
			code       int
		}{
			{"nothing", "", -32700},
			{"text", "hello", -32700},
			{"cut off", `{"jsonrpc":"2.0","id":1,"meth`, -32700},
			{"text after the message", ping + "x", -32700},
			{"two messages", ping + ping, -32700},
			{"not UTF-8", `{"jsonrpc":"2.0","id":1,"method":"` + "\xff" + `"}`, -32700},
			{"U+00A0 before it", "\u00a0" + ping, -32700},
			{"U+2028 after it", ping + "\u2028", -32700},
			{"a vertical tab after it", ping + "\v", -32700},
			{"a form feed before it", "\f" + ping, -32700},
			{"10,001 levels", nestedPing(10_001), -32700},
			{"a batch", "[" + ping + "]", -32600},
			{"a number", "7", -32600},
			{"an empty object", "{}", -32600},
			{"a null id", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, -32600},
			{"a fraction as id", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, -32600},
			{"an object as id", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600},
			{"JSON-RPC 1.0", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, -32600},
			{"the method twice", `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`, -32600},
			{"the tool twice", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","name":"slow"}}`, -32600},
			{"the method in capitals", `{"jsonrpc":"2.0","id":1,"METHOD":"ping"}`, -32600},
		} {
			s.do(post(tc.body)).fails(t, tc.name, http.StatusBadRequest, tc.code)
		}
	})
}

// nestedPing returns a ping with the given number of nesting levels.
func nestedPing(levels int) string {
	levels -= 2 // the message and its params are the first two levels
	return `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":` + strings.Repeat("[", levels) + strings.Repeat("]", levels) + `}}`
}

func TestAcceptedBodies(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		for name, body := range map[string]string{
			"white space of JSON": " \t\r\n" + ping + "\n\r\t ", "a byte order mark": "\xef\xbb\xbf" + ping, "10,000 levels": nestedPing(10_000),
		} {
			if r := s.do(post(body)); r.status != http.StatusOK || r.body != `{"jsonrpc":"2.0","id":1,"result":{}}` {
				t.Errorf("%s: %d %s", name, r.status, r.body)
			}
		}
		for name, body := range map[string]string{
			"a notification": `{"jsonrpc":"2.0","method":"notifications/unheard_of"}`, "one with wrong params": `{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}`,
			"a response": `{"jsonrpc":"2.0","id":99,"result":{}}`, "an error": `{"jsonrpc":"2.0","error":{"code":-32700,"message":"what?"}}`,
		} {
			if r := s.do(post(body)); r.status != http.StatusAccepted || r.body != "" {
				t.Errorf("%s: %d %s", name, r.status, r.body)
			}
		}
	})
}

func TestBodiesThatAreTooLong(t *testing.T) {
	const limit = 1 << 16
	testInBubble(t, engine.Options{MaxMessage: limit}, Options{}, func(t *testing.T, s *server) {
		fits := ping + strings.Repeat(" ", limit-len(ping))
		for _, tc := range []struct {
			name, body string
			status     int
		}{
			{"as long as may be", fits, http.StatusOK},
			{"a byte more", fits + " ", http.StatusRequestEntityTooLarge},
			{"much more", strings.Repeat(fits, 20), http.StatusRequestEntityTooLarge},
		} {
			for _, told := range []bool{true, false} {
				r := post(tc.body)
				if !told {
					r.Body, r.ContentLength = io.NopCloser(strings.NewReader(tc.body)), -1
				}
				got := s.do(r)
				if tc.status == http.StatusOK {
					if got.status != tc.status {
						t.Errorf("%s, length told %t: %d %s", tc.name, told, got.status, got.body)
					}
					continue
				}
				got.fails(t, fmt.Sprintf("%s, length told %t", tc.name, told), tc.status, -32600)
			}
		}
	})
}

func TestHTTPRequestsOutsideMCP(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		session := s.open()
		for _, tc := range []struct {
			name   string
			r      *http.Request
			status int
		}{
			{"PUT", request(http.MethodPut, ping), http.StatusMethodNotAllowed},
			{"GET without a session", request(http.MethodGet, ""), http.StatusMethodNotAllowed},
			{"DELETE in 2026-07-28", request(http.MethodDelete, "", headerVersion, "2026-07-28", headerSession, session), http.StatusMethodNotAllowed},
			{"GET of a session that is not open", request(http.MethodGet, "", sessionHeaders("x")...), http.StatusNotFound},
			{"DELETE of one", request(http.MethodDelete, "", sessionHeaders("x")...), http.StatusNotFound},
			{"POST to one", post(ping, sessionHeaders("x")...), http.StatusNotFound},
			{"GET that takes no stream", request(http.MethodGet, "", sessionHeaders(session, "Accept", typeJSON)...), http.StatusNotAcceptable},
			{"POST that takes pictures", post(ping, "Accept", "image/png"), http.StatusNotAcceptable},
			{"a form", post(ping, "Content-Type", "application/x-www-form-urlencoded"), http.StatusUnsupportedMediaType},
			{"no type", post(ping, "Content-Type", ""), http.StatusUnsupportedMediaType},
			{"a compressed body", post(ping, "Content-Encoding", "gzip"), http.StatusUnsupportedMediaType},
			{"an event that there was not", request(http.MethodGet, "", sessionHeaders(session, headerLastEvent, "7_1")...), http.StatusBadRequest},
			{"an event beyond all integers", request(http.MethodGet, "", sessionHeaders(session, headerLastEvent, "0_9223372036854775807")...), http.StatusBadRequest},
			{"an unknown event", request(http.MethodGet, "", sessionHeaders(session, headerLastEvent, "x")...), http.StatusBadRequest},
			{"a page of another site", post(ping, "Origin", "https://evil.example"), http.StatusForbidden},
		} {
			r := s.do(tc.r)
			r.fails(t, tc.name, tc.status, -32600)
			if allow := r.header.Get("Allow"); (allow != "") != (tc.status == http.StatusMethodNotAllowed) {
				t.Errorf("%s: Allow is %q", tc.name, allow)
			}
		}
	})
}

// A version that the server does not support is rejected for every method (MCP 2025-06-18, Protocol Version
// Header).
func TestUnsupportedVersions(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		session := s.open()
		for _, version := range []string{"1999-01-01", "2099-01-01", "x"} {
			for method, body := range map[string]string{http.MethodPost: ping, http.MethodGet: "", http.MethodDelete: ""} {
				r := request(method, body, headerVersion, version, headerSession, session, "Accept", typeJSON)
				s.do(r).fails(t, method+" "+version, http.StatusBadRequest, -32022)
			}
		}
	})
}

// The most specific range of Accept decides, and a weight of 0 excludes a kind of response.
func TestAccept(t *testing.T) {
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		for accept, want := range map[string]string{
			"*/*": typeJSON, "application/*": typeJSON, "text/*": typeStream, "APPLICATION/JSON": typeJSON,
			typeJSON + ";q=0.1, " + typeStream: typeJSON, typeJSON + ";q=x": typeJSON, typeJSON + ", " + typeJSON + ";q=0": typeJSON,
			typeJSON + ";q=0, " + typeStream: typeStream, typeJSON + "; v=1; Q=0.000, */*": typeStream, "*/*, application/*;q=0": typeStream,
			"*/*;q=0, " + typeStream: typeStream, typeStream + ";q=0, */*": typeJSON, "application/*;q=0, " + typeJSON: typeJSON,
			typeJSON + ";q=0": "", "*/*;q=0": "", "text/*;q=0.0," + typeJSON + ";q=0": "", "image/png": "", "*": "", ",": "",
		} {
			r := s.do(post(ping, "Accept", accept))
			if want == "" {
				r.fails(t, accept, http.StatusNotAcceptable, -32600)
			} else if r.status != http.StatusOK || r.header.Get("Content-Type") != want {
				t.Errorf("%q: %d %s, want %s", accept, r.status, r.header.Get("Content-Type"), want)
			}
		}
	})
}

// Headers must match the message.
func TestMismatchedHeaders(t *testing.T) {
	const rain = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weather","arguments":{"city":"Zürich","days":3},"_meta":` + modernMeta + `}}`
	fits := []string{headerVersion, "2026-07-28", headerMethod, "tools/call", headerName, "weather", "Mcp-Param-City", "=?base64?WsO8cmljaA==?=", "Mcp-Param-Days", "3"}
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		for _, tc := range []struct {
			name   string
			change []string
			code   int
		}{
			{name: "all fit"},
			{name: "the name in Base64", change: []string{headerName, "=?base64?d2VhdGhlcg==?="}},
			{name: "an integer of another form", change: []string{"Mcp-Param-Days", "3.0"}},
			{"no version", []string{headerVersion, ""}, -32020},
			{"an older version", []string{headerVersion, "2025-11-25"}, -32020},
			{"a version that is not spoken", []string{headerVersion, "2099-01-01"}, -32022},
			{"no method", []string{headerMethod, ""}, -32020},
			{"another method", []string{headerMethod, "tools/list"}, -32020},
			{"no name", []string{headerName, ""}, -32020},
			{"another name", []string{headerName, "echo"}, -32020},
			{"another name in Base64", []string{headerName, "=?base64?ZWNobw==?="}, -32020},
			{"a name in Base64 that cannot be read", []string{headerName, "=?base64?!?="}, -32020},
			{"no argument", []string{"Mcp-Param-City", ""}, -32020},
			{"another argument", []string{"Mcp-Param-City", "Bern"}, -32020},
			{"an argument in Base64 that cannot be read", []string{"Mcp-Param-City", "=?base64?!?="}, -32020},
			{"another integer", []string{"Mcp-Param-Days", "4"}, -32020},
		} {
			r := s.do(post(rain, append(fits[:len(fits):len(fits)], tc.change...)...))
			if tc.code != 0 {
				r.fails(t, tc.name, http.StatusBadRequest, tc.code)
			} else if r.status != http.StatusOK || !strings.Contains(r.body, `"text":"rain"`) {
				t.Errorf("%s: %d %s", tc.name, r.status, r.body)
			}
		}
		for _, name := range []string{headerVersion, headerMethod, headerName, "Mcp-Param-City", "Content-Type", "Origin", "Authorization"} {
			for _, own := range []int{0, 1} {
				r := post(rain, fits...)
				values := []string{"other", "other"}
				values[own] = r.Header.Get(name)
				r.Header[name] = values
				s.do(r).fails(t, name+" twice", http.StatusBadRequest, -32020)
			}
		}
		inString := strings.Replace(rain, `{"city":"Zürich","days":3}`, `"{\"city\":\"Zürich\",\"days\":3}"`, 1)
		s.do(post(inString, append(fits[:len(fits):len(fits)], "Mcp-Param-City", "Bern")...)).fails(t, "arguments in a string", http.StatusBadRequest, -32020)
		if r := s.do(post(inString, fits...)); r.status != http.StatusOK {
			t.Errorf("arguments in a string: %d %s", r.status, r.body)
		}
		bare := strings.Replace(rain, `"city":"Zürich",`, "", 1)
		s.do(post(bare, fits...)).fails(t, "a header without an argument", http.StatusBadRequest, -32020)
		if r := s.do(post(bare, append(fits[:len(fits):len(fits)], "Mcp-Param-City", "")...)); r.status != http.StatusOK {
			t.Errorf("neither header nor argument: %d %s", r.status, r.body)
		}
	})
}

// In version 2026-07-28, errors have their own statuses. In earlier versions, their status is 200.
func TestStatusOfErrors(t *testing.T) {
	const meta = `"_meta":` + modernMeta
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		for _, tc := range []struct {
			name, method, params string
			code, status, older  int
		}{
			{"a method that there is not", "unheard/of", ``, -32601, http.StatusNotFound, http.StatusOK},
			{"a call without a name", "tools/call", `"arguments":{},`, -32602, http.StatusBadRequest, http.StatusOK},
			{"a tool that there is not", "tools/call", `"name":"ehco",`, -32602, http.StatusBadRequest, http.StatusOK},
		} {
			body := `{"jsonrpc":"2.0","id":1,"method":"` + tc.method + `","params":{` + tc.params
			header := []string{headerVersion, "2026-07-28", headerMethod, tc.method}
			if strings.Contains(tc.params, "ehco") {
				header = append(header, headerName, "ehco")
			}
			s.do(post(body+meta+"}}", header...)).fails(t, tc.name, tc.status, tc.code)
			s.do(post(body+`"_meta":{}}}`, headerVersion, "2025-11-25")).fails(t, tc.name+", before", tc.older, tc.code)
		}
		s.do(post(ping, headerVersion, "1999-01-01")).fails(t, "a version that is not spoken", http.StatusBadRequest, -32022)
	})
}

// Requests that the engine rejects on every transport are rejected over HTTP.
func TestInvalidRequests(t *testing.T) {
	const elder, meta = "2025-11-25", `"_meta":` + modernMeta
	testInBubble(t, engine.Options{}, Options{}, func(t *testing.T, s *server) {
		for _, tc := range []struct {
			name, version, method, params string
			status, code                  int
		}{
			{"initialize without a version", "", "initialize", `{"capabilities":{}}`, http.StatusOK, -32602},
			{"initialize with a wrong capability", "", "initialize", `{"protocolVersion":"2025-11-25","capabilities":{"elicitation":7}}`, http.StatusOK, -32602},
			{"no version in _meta", wires.Rounds, "tools/list", `{}`, http.StatusBadRequest, -32602},
			{"no capabilities in _meta", wires.Rounds, "tools/list", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`, http.StatusBadRequest, -32602},
			{"params in a list", elder, "ping", `[]`, http.StatusOK, -32602},
			{"_meta in a list", elder, "ping", `{"_meta":[]}`, http.StatusOK, -32602},
			{"a level that there is not", elder, "logging/setLevel", `{"level":"loud"}`, http.StatusOK, -32602},
			{"a capability that is not declared", elder, "prompts/list", `{}`, http.StatusOK, -32601},
			{"and in 2026-07-28", wires.Rounds, "prompts/list", `{` + meta + `}`, http.StatusNotFound, -32601},
			{"a tool with a name of 1 MiB", elder, "tools/call", `{"name":"` + strings.Repeat("x", 1<<20) + `"}`, http.StatusOK, -32602},
		} {
			r := s.do(post(`{"jsonrpc":"2.0","id":1,"method":"`+tc.method+`","params":`+tc.params+`}`, headerVersion, tc.version, headerMethod, tc.method))
			r.fails(t, tc.name, tc.status, tc.code)
			if r.header.Get(headerSession) != "" {
				t.Errorf("%s opens a session", tc.name)
			}
		}
		for name, meta := range map[string]string{
			"a token that is an object": `{"progressToken":{}}`, "a fraction": `{"progressToken":1.5}`, "no token": `null`, "other names": `{"x":[{}],"progresstoken":1}`,
		} {
			r := s.do(post(callOf("1", "echo", meta), headerVersion, elder))
			if r.status != http.StatusOK || !strings.HasPrefix(r.body, `{"jsonrpc":"2.0","id":1,"result"`) || strings.Contains(r.body, "progress") {
				t.Errorf("_meta with %s: %d %s", name, r.status, r.body)
			}
		}
	})
}
