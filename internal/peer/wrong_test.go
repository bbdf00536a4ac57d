package peer

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// tolerable is the maximum time until a wrong response is reported.
const tolerable = 5 * time.Second

// A rogueServer serves over a stream. It responds correctly, except to one method.
type rogueServer struct {
	at   string // the method, or "" for none
	line string // the response, in which $ID is the id of the request; "" means that the server exits
	hang bool   // whether the server does not write a line break, and waits
}

func (r rogueServer) serve(stream io.ReadWriteCloser) {
	defer stream.Close()
	in := bufio.NewScanner(stream)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var m struct {
			ID     jsontext.Value `json:"id"`
			Method string         `json:"method"`
			Params jsontext.Value `json:"params"`
		}
		if json.Unmarshal(in.Bytes(), &m) != nil || m.ID == nil || m.Method == "" {
			continue
		}
		if m.Method == r.at {
			if r.line == "" {
				return
			}
			_, _ = io.WriteString(stream, strings.ReplaceAll(r.line, "$ID", string(m.ID)))
			if !r.hang {
				_, _ = io.WriteString(stream, "\n")
			}
			continue
		}
		result := map[string]string{
			"initialize": `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"r","version":"1"}}`,
			"tools/list": `{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`,
			"tools/call": `{"content":[{"type":"text","text":"fine"}]}`,
		}[m.Method]
		if result == "" {
			_, _ = fmt.Fprintf(stream, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`+"\n", m.ID)
			continue
		}
		_, _ = fmt.Fprintf(stream, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result)
	}
}

// use opens a session, reads the list of tools and calls a tool. It returns what a person would see.
func use(t *testing.T, o Options, open func(Options) (*Session, error)) (seen string) {
	var notes []string
	silence := max(o.Limits.Silence, time.Second)
	o.Limits = DefaultLimits()
	o.Limits.Silence, o.Limits.Grace, o.Limits.Message, o.Limits.Pages = silence, time.Millisecond, 1<<20, 10
	o.Note = func(text string) { notes = append(notes, text) }
	begin := time.Now()
	defer func() {
		if took := time.Since(begin); took > tolerable {
			t.Errorf("it took %v", took)
		}
	}()
	s, err := open(o)
	if err == nil {
		defer s.Close()
		var tools []Tool
		if tools, _, err = s.Tools(t.Context()); err == nil {
			var r *Result
			if r, err = s.Call(t.Context(), Call{Tool: "t"}); err == nil {
				seen = fmt.Sprintf("%d tools, %d blocks", len(tools), len(r.Content))
			}
		}
	}
	if err != nil {
		seen = "error: " + err.Error()
	}
	return strings.Join(append(notes, seen), "; ")
}

// Every wrong response over a stream is reported soon, with its cause; a response that is only written in an unusual
// way is accepted.
func TestWrongResponses(t *testing.T) {
	const ok, call, list, initialize, discover = "1 tools, 1 blocks", "tools/call", "tools/list", "initialize", "server/discover"
	fine := `"result":{"content":[{"type":"text","text":"x"}]}`
	result := func(result string) string { return `{"jsonrpc":"2.0","id":$ID,"result":` + result + `}` }
	failed := func(err string) string { return `{"jsonrpc":"2.0","id":$ID,"error":` + err + `}` }
	deep := strings.Repeat("[", 200) + strings.Repeat("]", 200)
	for _, tc := range []struct{ at, line, want string }{
		// Ids.
		{call, `{"jsonrpc":"2.0","id":$ID.0,` + fine + `}`, ok},
		{call, `{"jsonrpc":"2.0","id":$IDe0,` + fine + `}`, ok},
		{call, `{"jsonrpc":"2.0","id":"$ID",` + fine + `}`, `it has the id "4"`},
		{call, `{"jsonrpc":"2.0","id":null,` + fine + `}`, "it has the id null"},
		{call, `{"jsonrpc":"2.0",` + fine + `}`, "it has no id"},
		{call, `{"jsonrpc":"2.0","id":999,` + fine + `}`, "it has the id 999"},
		{call, `{"jsonrpc":"2.0","id":-1,` + fine + `}`, "it has the id -1"},
		{call, `{"jsonrpc":"2.0","id":1.5,` + fine + `}`, "it has the id 1.5"},
		{call, `{"jsonrpc":"2.0","id":[$ID],` + fine + `}`, "it has the id [4]"},
		{call, `{"jsonrpc":"2.0","id":true,` + fine + `}`, "it has the id true"},
		{call, `{"jsonrpc":"2.0","id":3,` + fine + `}`, "it has the id 3"},
		{call, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad request"}}`, "bad request"},
		{call, `{"jsonrpc":"2.0","error":{"code":-32700,"message":"bad request"}}`, "the response has no id"},
		{list, `{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"unknown"}}`, "unknown"},
		{initialize, `{"jsonrpc":"2.0","id":"$ID","result":{}}`, `it has the id "2"`},
		{discover, `{"jsonrpc":"2.0","id":"$ID","error":{"code":-32601,"message":"no"}}`, ok},
		// Text that is not JSON.
		{call, result(`{"content":[],"structuredContent":{"mean":NaN}}`), "invalid character 'N'"},
		{call, result(`{"content":[],"structuredContent":-Infinity}`), "invalid character 'I'"},
		{call, result(`{"content":[],}`), "invalid character '}'"},
		{call, result(`{"content":[]`), "unexpected EOF"},
		{call, `{"jsonrpc":"2.0","id":$ID,"res`, "unexpected EOF"},
		{call, `{"jso`, "unexpected EOF"},
		{call, `{'jsonrpc': '2.0', 'id': $ID, 'result': {}}`, `invalid character '\''`},
		{call, "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": $ID\n}", "it is not valid JSON"},
		{call, result("{}") + result("{}"), "after top-level value"},
		{call, result("{\"a\":\"\xff\"}"), "invalid UTF-8"},
		{call, `{"jsonrpc":"2.0","id":$ID,"id":$ID,"result":{}}`, "duplicate object member name"},
		{call, `{"jsonrpc":"2.0","id":$ID,"result":{"a":1,"a":2}}`, "duplicate object member name"},
		{call, `Content-Length: 50` + "\r\n\r\n" + `{"jsonrpc":"2.0","id":"x","result":{}}`, `it has the id "x"`},
		{discover, `{"jsonrpc":"2.0","id":$ID,"result":NaN}`, ok},
		{initialize, `{"jsonrpc":"2.0","id":$ID,"result":NaN}`, "invalid character 'N'"},
		{list, `{"jsonrpc":"2.0","id":$ID,"result":{"tools":[NaN]}}`, "invalid character 'N'"},
		{initialize, "usage: server [serve]", `it wrote a line that is not a message: "usage: server [serve]"`},
		// Envelopes.
		{call, `[{"jsonrpc":"2.0","id":$ID,` + fine + `}]`, "a list of messages"},
		{call, `{"jsonrpc":"2.0","id":$ID}`, "neither a result nor an error"},
		{call, `{"jsonrpc":"2.0","id":$ID,` + fine + `,"error":null}`, ok},
		{call, `{"id":$ID,` + fine + `}`, ok},
		{call, failed(`"no luck"`), "no luck"},
		{call, failed(`{"code":"E1","message":"no luck"}`), "no luck"},
		{call, failed(`{"code":-32000.0,"message":"no luck"}`), "no luck (-32000)"},
		{call, failed(`{"code":1}`), "it has no message (1)"},
		{call, failed(`{"code":1,"message":{"text":"no luck"}}`), "no luck"},
		{call, failed(`[1]`), "[1]"},
		{call, failed(`7`), "7"},
		{call, result("null"), "its result is null, not an object"},
		{call, result(`"x"`), "its result is a string, not an object"},
		{call, result("[1]"), "its result is a list, not an object"},
		{call, result("7"), "its result is a number, not an object"},
		{call, result("[]"), "1 tools, 0 blocks"},
		{call, result("{}"), "1 tools, 0 blocks"},
		// Results of calls.
		{call, result(`{"content":null}`), "1 tools, 0 blocks"},
		{call, result(`{"content":"x"}`), `"content" is a string, not a list`},
		{call, result(`{"content":{"type":"text"}}`), `"content" is an object, not a list`},
		{call, result(`{"content":["x"]}`), `"content.0" is a string, not an object`},
		{call, result(`{"content":[{"type":"text","text":7}]}`), `"content.0.text" is a number, not a string`},
		{call, result(`{"content":[],"isError":"true"}`), `"isError" is a string, not true or false`},
		{call, result(`{"content":[],"_meta":[]}`), "1 tools, 0 blocks"},
		{call, result(`{"content":[],"_meta":7}`), `"_meta" is a number, not an object`},
		{call, result(`{"content":[],"structuredContent":[1]}`), "1 tools, 0 blocks"},
		{call, result(`{"content":[{"type":"text","text":"\ud83d"}]}`), ok},
		{call, result(`{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create"}}}`), "the client declared that it cannot ask"},
		{call, result(`{"a":` + deep + `}`), "levels of nesting"},
		{call, result(`{"a":"` + strings.Repeat("x", 1<<20) + `"}`), "a message of more than 1 MiB"},
		// Unusual, but right.
		{call, "\ufeff" + `{"jsonrpc":"2.0","id":$ID,` + fine + `}`, ok},
		{call, `  {"jsonrpc":"2.0","id":$ID,` + fine + "}\r", ok},
		{call, "listening on port 1\n" + `{"jsonrpc":"2.0","id":$ID,` + fine + `}`, ok},
		{call, `{"level":"info","msg":"x"}` + "\n" + `{"jsonrpc":"2.0","id":$ID,` + fine + `}`, ok},
		{call, `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}` + "\n" + `{"jsonrpc":"2.0","id":$ID,` + fine + `}`, ok},
		{call, `{"jsonrpc":"2.0","id":3,"result":{}}` + "\n" + `{"jsonrpc":"2.0","id":$ID,` + fine + `}`, ok},
		{call, `{"jsonrpc":"2.0","id":7,"method":"ping"}` + "\n" + `{"jsonrpc":"2.0","id":$ID,` + fine + `}`, ok},
		{call, `{"jsonrpc":"2.0","id":"q","method":"sampling/createMessage"}` + "\n" + `{"jsonrpc":"2.0","id":$ID,` + fine + `}`, ok},
		{call, `{"jsonrpc":"2.0","method":"notifications/x","params":[]}` + "\n" + `{"jsonrpc":"2.0","id":$ID,` + fine + `}`, ok},
		{list, `{"jsonrpc":"2.0","id":$ID,"result":{"tools":[{"name":"t"}]}}` + "\n" + `{"jsonrpc":"2.0","id":$ID,"result":{"tools":[]}}`, ok},
		// Silence and exits.
		{discover, "", ok}, {initialize, "", "exited"}, {list, "", "exited"}, {call, "", "exited"},
		{call, "# nothing", "did not respond within 1s"},
		{call, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":99,"progress":1}}`, "did not respond within 1s"},
		// Handshakes.
		{initialize, result(`{}`), "it has no protocolVersion"},
		{initialize, result(`[]`), "it has no protocolVersion"},
		{initialize, result(`{"protocolVersion":2025}`), `"protocolVersion" is a number, not a string`},
		{initialize, result(`{"protocolVersion":"2099-01-01","capabilities":{}}`), `"2099-01-01"`},
		{initialize, result(`{"protocolVersion":"1.0"}`), `"1.0"`},
		{initialize, result(`{"protocolVersion":"2025-11-25","capabilities":[]}`), ok},
		{initialize, result(`{"protocolVersion":"2025-11-25"}`), ok},
		{initialize, result(`{"protocolVersion":"2025-11-25","capabilities":null}`), ok},
		{initialize, result(`{"protocolVersion":"2025-11-25","capabilities":"all"}`), `"capabilities" is a string, not an object; it was ignored; ` + ok},
		{initialize, result(`{"protocolVersion":"2025-11-25","capabilities":{"tools":[],"logging":false},"serverInfo":[]}`), ok},
		{initialize, result(`{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":7,"version":1.5}}`), `"serverInfo.version" is a number`},
		{initialize, result(`{"protocolVersion":"2025-11-25","capabilities":{},"instructions":["x"]}`), `"instructions" is a list, not a string`},
		{initialize, failed(`{"code":-32602,"message":"unsupported protocol version"}`), "unsupported protocol version"},
		{discover, result(`{"supportedVersions":"2026-07-28"}`), ok}, {discover, result(`[]`), ok}, {discover, result(`7`), ok},
		{discover, result(`{"supportedVersions":[7]}`), ok}, {discover, failed(`"no"`), ok},
		// Lists.
		{list, result(`{}`), `it has no list "tools"`},
		{list, result(`{"tools":null}`), `"tools" is null, not a list`},
		{list, result(`{"tools":"t"}`), `"tools" is a string, not a list`},
		{list, result(`{"tools":{"t":{}}}`), `"tools" is an object, not a list`},
		{list, result(`{"tools":{}}`), "0 tools, 1 blocks"},
		{list, result(`{"tools":[{"name":"t","annotations":[]}]}`), ok},
		{list, result(`{"tools":[{"name":"t","title":3}]}`), `"t": "title" is a number, not a string; it was ignored; ` + ok},
		{list, result(`{"tools":[{"name":"t","annotations":{"readOnlyHint":"yes"}}]}`), `"annotations.readOnlyHint" is a string, not true or false`},
		{list, result(`{"tools":[{"name":7},{"name":"t"}]}`), "entry 1 was skipped: it has no name; " + ok},
		{list, result(`{"tools":[7,null,"x",[],{"name":"t"}]}`), "entry 1 was skipped: it is a number, not an object"},
		{list, result(`{"tools":[{"name":"t"}],"nextCursor":7}`), "nextCursor is a number, not a string; " + ok},
		{list, result(`{"tools":[{"name":"t"}],"nextCursor":null}`), ok}, {list, result(`{"tools":[{"name":"t"}],"nextCursor":""}`), ok},
		{list, result(`{"tools":[],"nextCursor":"again"}`), "the same as that of the current page"},
		{list, result(`{"tools":[],"_meta":[]}`), "0 tools"},
		{list, failed(`{"code":-32603,"message":"no database"}`), "no database"},
	} {
		t.Run(fmt.Sprintf("%s %.60s", tc.at, tc.line), func(t *testing.T) {
			t.Parallel()
			seen := use(t, Options{}, func(o Options) (*Session, error) {
				return open(t.Context(), o, func() (transport, error) {
					ours, theirs := net.Pipe()
					go rogueServer{at: tc.at, line: tc.line}.serve(theirs)
					return NewLines(ours, o.Limits.Message), nil
				})
			})
			if !strings.Contains(seen, tc.want) || strings.HasPrefix(seen, "error") && strings.HasPrefix(tc.want, "1 tools") {
				t.Errorf("%s: %s, want %q", tc.line, seen, tc.want)
			}
		})
	}
	t.Run("without a line break", func(t *testing.T) {
		t.Parallel()
		seen := use(t, Options{Limits: Limits{Silence: patient}}, func(o Options) (*Session, error) {
			ours, theirs := net.Pipe()
			go rogueServer{at: call, line: result("{}"), hang: true}.serve(theirs)
			return Connect(t.Context(), ours, o)
		})
		if !strings.Contains(seen, "no line break") {
			t.Error(seen)
		}
	})
}
