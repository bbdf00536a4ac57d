package sdk_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// eras are clients of both MCP generations. Each entry opens the connection and returns the _meta
// of the client's requests.
var eras = map[string]func(*testing.T, ...string) (p *process, meta string){
	"sessions": func(t *testing.T, args ...string) (*process, string) { return start(t, args...), "" },
	"requests": func(t *testing.T, args ...string) (*process, string) {
		return launch(t, args...), strings.TrimSuffix(strings.TrimPrefix(modernMeta, "{"), "}")
	},
}

// checkAlive fails the test unless the server answers an ordinary call.
func (p *process) checkAlive(meta string) {
	p.t.Helper()
	p.send(`{"jsonrpc":"2.0","id":"alive","method":"tools/call","params":{"name":"echo","arguments":{"text":"still here"},"_meta":{` + meta + `}}}`)
	if r := p.recv(); string(r.ID) != `"alive"` || r.Result.text() != "still here" {
		p.t.Fatalf("after it a call is answered %.300s", r.raw)
	}
}

func TestHostileLines(t *testing.T) {
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	nested := strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000)
	for _, tc := range []struct {
		name, line string
		id         string
		codes      []int // 0 means a result
	}{
		{"64 MiB", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 64<<20) + `"}`, "null", []int{-32600}},
		{"64 MiB of nothing", strings.Repeat(" ", 64<<20), "null", []int{-32600}},
		{"arrays 100,000 deep", deep, "null", []int{-32700}},
		{"objects 100,000 deep", nested, "null", []int{-32700}},
		{"arguments 100,000 deep", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":` + deep + `},"_meta":{META}}}`, "null", []int{-32700}},
		{"_meta 100,000 deep", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","_meta":{"x":` + deep + `}}}`, "null", []int{-32700}},
		{"half a character", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"text\":\"\xc3\"},\"_meta\":{META}}}", "null", []int{-32700}},
		{"a character of Latin-1", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xe9\"}", "null", []int{-32700}},
		{"an overlong character", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc0\xaf\"}", "null", []int{-32700}},
		{"UTF-16", "\xff\xfe{\x00}\x00", "null", []int{-32700}},
		{"a tool of 1 MiB", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + strings.Repeat("x", 1<<20) + `","_meta":{META}}}`, "1", []int{-32602}},
		{"a call that has a result", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"},"_meta":{META}},"result":{}}`, "1", []int{-32600}},
		{"a call that has an error", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"},"_meta":{META}},"error":null}`, "1", []int{-32600}},
		{"an id that is no integer", `{"jsonrpc":"2.0","id":1.5,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"},"_meta":{META}}}`, "null", []int{-32600}},
		{"a method of 1 MiB", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 1<<20) + `","params":{"_meta":{META}}}`, "1", []int{-32601}},
		{"the method in capitals", `{"jsonrpc":"2.0","id":1,"METHOD":"tools/call","params":{"name":"echo","arguments":{"text":"x"},"_meta":{META}}}`, "1", []int{-32600}},
		{"params in capitals", `{"jsonrpc":"2.0","id":1,"method":"tools/call","PARAMS":{"name":"echo","arguments":{"text":"x"},"_meta":{META}}}`, "1", []int{-32600, -32602}},
		{"the name in capitals", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"NAME":"echo","arguments":{"text":"x"},"_meta":{META}}}`, "1", []int{-32602}},
		{"no params", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, "1", []int{-32602}},
		{"a tool that is no text", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":null,"_meta":{META}}}`, "1", []int{-32602}},
		{"invalid _meta", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":"x"}}`, "1", []int{-32602}},
		{"a name twice in _meta", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25","io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, "1", []int{-32600}},
		{"an invalid version", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":7}}}`, "1", []int{-32602}},
		{"a version of the past", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1.0"}}}`, "1", []int{-32022}},
		{"a version of 1 MiB", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"` + strings.Repeat("x", 1<<20) + `"}}}`, "1", []int{-32022}},
		{"arguments in capitals", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","ARGUMENTS":{"text":"x"},"_meta":{META}}}`, "1", []int{0}},
		{"an argument in capitals", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"TEXT":"x"},"_meta":{META}}}`, "1", []int{0}},
	} {
		for era, open := range eras {
			t.Run(tc.name+", "+era, func(t *testing.T) {
				p, meta := open(t)
				p.checkAlive(meta)
				p.send(strings.Replace(tc.line, "META", meta, 1))
				r := p.recv()
				code := 0
				if r.Error != nil {
					code = r.Error.Code
				}
				if string(r.ID) != tc.id || !slices.Contains(tc.codes, code) || r.Error == nil && !r.Result.IsError || len(r.raw) > 1000 {
					t.Errorf("answer %.500s, want id %s and code %v", r.raw, tc.id, tc.codes)
				}
				p.checkAlive(meta)
				if runtime.GOOS == "linux" {
					if peak := p.status("VmHWM"); peak > 300<<10 { // the race detector uses most of this memory
						t.Errorf("it took %d KiB", peak)
					}
				}
			})
		}
	}
}

// Whatever _meta contains, the call is answered, and the answer is never an internal error.
func TestMetaOfWrongShape(t *testing.T) {
	shapes := map[string]string{
		"string": `"x"`, "array": `[1]`, "null": `null`, "number": `7`, "true": `true`, "empty": `{}`,
		"deep":    `{"x":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`,
		"twice":   `{"a":1,"a":2}`,
		"15 MiB":  `{"x":"` + strings.Repeat("x", 15<<20) + `"}`,
		"answers": `{"answers":7,"options":[],"name":1}`, "answers null": `{"answers":null,"options":null}`,
		"unknown": `{"unheard":{"of":1}}`, "another tool": `{"name":"fail","arguments":{"how":"panic"}}`,
	}
	for era, open := range eras {
		for _, flag := range []string{"", "--jp", "--jp=blocks"} {
			t.Run(era+" "+flag, func(t *testing.T) {
				args := []string{}
				if flag != "" {
					args = append(args, flag)
				}
				p, meta := open(t, args...)
				for name, shape := range shapes {
					if len(shape) > 1<<20 && flag != "" {
						continue // such large values take too long
					}
					metas := map[string]string{
						"tool": `{"computer.jp/tool":` + shape + `,META}`, "context": `{"computer.jp/context":` + shape + `,META}`,
					}
					if len(shape) < 1<<20 {
						metas["both"] = `{"computer.jp/context":` + shape + `,"computer.jp/tool":` + shape + `,META}`
					}
					if name != "another tool" && len(shape) < 1<<20 {
						metas["all"] = shape
					}
					for where, m := range metas {
						m = strings.Replace(strings.Replace(m, "META", meta, 1), ",}", "}", 1)
						p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"mine"},"_meta":` + m + `}}`)
						r := p.recv()
						if string(r.ID) != "1" || r.Error != nil && r.Error.Code != -32602 && r.Error.Code != -32600 || len(r.raw) > 2000 {
							t.Errorf("%s as %s: %.300s", where, name, r.raw)
						}
						if r.Error == nil && !r.Result.IsError && !strings.Contains(r.Result.text(), "mine") {
							t.Errorf("%s as %s overrules the arguments: %.300s", where, name, r.raw)
						}
					}
				}
			})
		}
	}
}

func TestNotificationFlood(t *testing.T) {
	for era, open := range eras {
		t.Run(era, func(t *testing.T) {
			p, meta := open(t)
			for _, kind := range []string{"unheard_of", "cancelled", "progress", "initialized", "roots/list_changed"} {
				line := `{"jsonrpc":"2.0","method":"notifications/` + kind + `","params":{"requestId":9,"progressToken":9,"progress":1,"_meta":{` + meta + `}}}` + "\n"
				batch := strings.Repeat(line, 1000)
				for range 5 {
					p.send(strings.TrimSuffix(batch, "\n"))
				}
			}
			p.checkAlive(meta)
			if runtime.GOOS == "linux" {
				if peak := p.status("VmHWM"); peak > 160<<10 {
					t.Errorf("it took %d KiB", peak)
				}
			}
		})
	}
}

func TestCancelStorm(t *testing.T) {
	for _, limit := range []string{"5", "2000"} {
		t.Run(limit, func(t *testing.T) {
			p := start(t, "--max-calls", limit)
			const calls = 1000
			for i := range calls {
				p.send(callOf(i, "wait", `{}`))
			}
			for i := range calls {
				p.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, i))
			}
			p.checkAlive("") // fails if a canceled call is answered
			p.in.Close()
			for p.out.Scan() {
				t.Errorf("a canceled call is answered: %s", p.out.Text())
			}
		})
	}
}

// A server has only the methods of the capabilities that it declares.
func TestUndeclaredCapabilities(t *testing.T) {
	const empty = `{META}`
	for era, open := range eras {
		t.Run(era, func(t *testing.T) {
			p, meta := open(t)
			p.checkAlive(meta)
			for method, params := range map[string]string{
				"prompts/list": empty, "prompts/get": `{"name":"x",META}`, "resources/list": empty, "resources/templates/list": empty,
				"resources/read": `{"uri":"file:///etc/passwd",META}`, "resources/subscribe": `{"uri":"file:///x",META}`,
				"completion/complete":    `{"ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"a","value":"b"},META}`,
				"sampling/createMessage": empty, "roots/list": empty, "elicitation/create": empty, "tasks/list": empty, "jptool/call": empty,
			} {
				params = strings.Replace(strings.Replace(params, "META", `"_meta":{`+meta+`}`, 1), `"_meta":{}`, `"x":1`, 1)
				p.send(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`)
				if r := p.recv(); r.Error == nil || r.Error.Code != -32601 {
					t.Errorf("%s: %.300s", method, r.raw)
				}
			}
			p.checkAlive(meta)
		})
	}
}

func TestRequestsBeforeTheSession(t *testing.T) {
	for _, method := range []string{"tools/call", "tools/list", "prompts/list", "unheard/of"} {
		p := launch(t)
		p.send(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{"name":"echo"}}`)
		if r := p.recv(); r.Error == nil || r.Error.Code != -32602 || !strings.Contains(r.Error.Message, "call initialize first") {
			t.Errorf("%s: %s", method, r.raw)
		}
		p.openSession("2025-11-25")
		p.checkAlive("")
		p.send(`{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
		if r := p.recv(); r.Error == nil || r.Error.Code != -32600 {
			t.Errorf("initialize again: %s", r.raw)
		}
		p.checkAlive("")
	}
}

func TestRequestsWithoutVersion(t *testing.T) {
	_, meta := eras["requests"](t)
	for _, method := range []string{"tools/call", "tools/list", "server/discover"} {
		p := launch(t)
		if method != "server/discover" { // server/discover is not available in a session
			p.checkAlive(meta)
		}
		p.send(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{"name":"echo","arguments":{"text":"x"}}}`)
		if r := p.recv(); r.Error == nil || r.Error.Code != -32602 || !strings.Contains(r.Error.Message, "protocolVersion") {
			t.Errorf("%s: %s", method, r.raw)
		}
		p.checkAlive(meta)
	}
}

// The author's code may panic anywhere.
func TestPanicsInAuthorCode(t *testing.T) {
	for era, open := range eras {
		for _, flag := range []string{"--log-level=error", "--jp"} {
			t.Run(era+" "+flag, func(t *testing.T) {
				p, meta := open(t, flag)
				for _, when := range []string{"read", "write", "ask", "shelf"} {
					m, glass := "{"+meta+"}", when
					if when == "shelf" {
						m = strings.Replace(`{"computer.jp/tool":{"options":{"shelf":"read"}},`+meta+"}", ",}", "}", 1)
					}
					p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fragile","arguments":{"glass":"` + glass + `"},"_meta":` + m + `}}`)
					if r := p.recv(); r.Error != nil || !r.Result.IsError || !strings.Contains(r.raw, "incident") || strings.Contains(r.raw, "secret") {
						t.Errorf("%s: %s", when, r.raw)
					}
				}
				if log := p.log(); strings.Count(log, "secret of the glass") < 4 {
					t.Errorf("the log lacks what happened:\n%s", log)
				}
			})
		}
	}
	t.Run("format", func(t *testing.T) {
		stdout, stderr, status := run(t, nil, "format", "fragile", `{"name":"fragile","arguments":{"glass":"format"}}`)
		if status != 0 || stdout != "glass: format\n" || !strings.Contains(stderr, "secret of the glass") {
			t.Errorf("status %d, %q\n%s", status, stdout, stderr)
		}
	})
}
