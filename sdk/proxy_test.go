//go:build linux && programs

package sdk_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// modernCall returns the headers of a tool call in the newest version.
func modernCall(tool string) []string {
	return []string{"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool}
}

// modernBody returns the body of a tool call in the newest version, with additional members of
// _meta.
func modernBody(tool, arguments, more string) string {
	meta := strings.TrimSuffix(modernMeta, "}") + more + "}"
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":%s}}`, tool, arguments, meta)
}

// forEachProxy runs a test behind each of the proxies.
func forEachProxy(t *testing.T, test func(*testing.T, *proxyRig)) {
	for name := range proxies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, startBehindProxy(t, name))
		})
	}
}

// One process asks questions, and another receives the answers. When the first process is killed, the other
// finishes the call and serves all further calls.
func TestProxyWhenTheProcessThatAskedIsKilled(t *testing.T) {
	forEachProxy(t, func(t *testing.T, p *proxyRig) {
		const arguments = `{"hunks":["a"]}`
		r, _ := p.round(t, "stage", arguments, "", "")
		one, _ := p.waitForLog(t, "asks stage/a")
		p.processes[one].stop()
		if _, end := p.round(t, "stage", arguments, r.State, accepted); end.text() != "staged a" {
			t.Errorf("the other process ended with %+v", end)
		}
		for range 4 {
			if got := overHTTP(t, scenarioNamed(t, "one question"), p.service); got.text != "staged a" {
				t.Errorf("a later call ended with %+v", got)
			}
		}
	})
}

// If a process is killed while it runs a call, the other process does not repeat the call, whether or not the
// client's connection is new.
func TestProxyWhenACallIsKilled(t *testing.T) {
	for _, used := range []bool{false, true} {
		t.Run(fmt.Sprintf("used=%t", used), func(t *testing.T) {
			forEachProxy(t, func(t *testing.T, p *proxyRig) { testKillDuringCall(t, p, used) })
		})
	}
}

func testKillDuringCall(t *testing.T, p *proxyRig, used bool) {
	if used {
		p.round(t, "echo", `{"text":"a"}`, "", "")
		p.waitForLog(t, "end")
	}
	req := p.request(t.Context(), t, modernBody("wait", "{}", ""), modernCall("wait")...)
	ended := make(chan string, 1)
	go func() {
		resp, err := p.client().Do(req)
		if err != nil {
			ended <- err.Error()
			return
		}
		resp.Body.Close()
		ended <- resp.Status
	}()
	process, _ := p.waitForLog(t, "begin wait")
	p.processes[process].stop()
	if got := <-ended; got != "502 Bad Gateway" && !(used && strings.HasSuffix(got, "EOF")) {
		t.Errorf("the call ended with %s", got)
	}
	p.round(t, "echo", `{"text":"a"}`, "", "")
	if _, all := p.waitForLog(t, "end"); strings.Contains(strings.Join(all, ""), "wait") {
		t.Errorf("the call was run again: %q", all)
	}
}

// Clients with sessions can be asked: each session stays with the process that opened it.
func TestProxySessions(t *testing.T) {
	forEachProxy(t, func(t *testing.T, p *proxyRig) {
		s := scenarioNamed(t, "three dependent questions")
		used := make(map[int]bool)
		for range 4 {
			transport := &mcp.StreamableClientTransport{Endpoint: p.url, HTTPClient: p.client()}
			got := runClientOver(t, transport, "2025-11-25", s)
			if want := (ending{s.text, s.code, len(s.steps)}); got != want {
				t.Errorf("ended with %+v, want %+v", got, want)
			}
			process, _ := p.waitForLog(t, "end")
			used[process] = true
		}
		if len(used) != p.sessions {
			t.Errorf("%d processes have sessions, want %d", len(used), p.sessions)
		}
	})
}

// A client whose session ended with its process is notified, and opens another session.
func TestProxyWhenTheProcessOfASessionIsKilled(t *testing.T) {
	forEachProxy(t, func(t *testing.T, p *proxyRig) {
		call := func(id string) int {
			status, _ := p.post(t, callOf(1, "echo", `{"text":"a"}`), "MCP-Protocol-Version", "2025-11-25", "Mcp-Session-Id", id)
			return status
		}
		id, _ := p.session(t, "")
		if status := call(id); status != http.StatusOK {
			t.Fatalf("in the session: status %d", status)
		}
		process, _ := p.waitForLog(t, "end")
		p.processes[process].stop()
		if status := call(id); status != http.StatusNotFound {
			t.Errorf("in a session that is gone: status %d", status)
		}
		id, _ = p.session(t, "")
		if status := call(id); status != http.StatusOK {
			t.Errorf("in the next session: status %d", status)
		}
	})
}

// events starts a request that is answered with a stream, and returns its lines.
func (p *proxyRig) events(ctx context.Context, t *testing.T, body string, header ...string) *bufio.Scanner {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	t.Cleanup(cancel)
	resp, err := p.transport.RoundTrip(p.request(ctx, t, body, header...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return bufio.NewScanner(resp.Body)
}

// readUntil reads a stream up to a line that contains text.
func readUntil(t *testing.T, lines *bufio.Scanner, text string) {
	t.Helper()
	for lines.Scan() {
		if strings.Contains(lines.Text(), text) {
			return
		}
	}
	t.Fatalf("the stream ends without %s: %v", text, lines.Err())
}

// An event arrives immediately: in this test, the call cannot end before its question is answered.
func TestProxyDoesNotBufferEvents(t *testing.T) {
	forEachProxy(t, func(t *testing.T, p *proxyRig) {
		id, _ := p.session(t, "")
		header := []string{"MCP-Protocol-Version", "2025-11-25", "Mcp-Session-Id", id}
		lines := p.events(t.Context(), t, callOf(1, "stage", `{"hunks":["a"]}`), header...)
		readUntil(t, lines, `"method":"elicitation/create"`)
		question := regexp.MustCompile(`"id":("[^"]*"|\d+)`).FindStringSubmatch(lines.Text())
		if status, body := p.post(t, `{"jsonrpc":"2.0","id":`+question[1]+`,"result":{"action":"accept","content":{"answer":true}}}`, header...); status != http.StatusAccepted {
			t.Fatalf("the answer: status %d: %s", status, body)
		}
		readUntil(t, lines, "staged a")
	})
}

// A call ends when its client disconnects, before and after its response has become a stream. A call that is
// silent for a long time keeps its stream alive.
func TestProxyWhenTheClientGoes(t *testing.T) {
	forEachProxy(t, func(t *testing.T, p *proxyRig) {
		ctx, gone := context.WithCancel(t.Context())
		req := p.request(ctx, t, modernBody("wait", "{}", ""), modernCall("wait")...)
		ended := make(chan error, 1)
		go func() {
			_, err := p.transport.RoundTrip(req)
			ended <- err
		}()
		p.waitForLog(t, "begin wait")
		gone()
		if err := <-ended; err == nil {
			t.Error("the call was answered")
		}
		p.waitForLog(t, "end canceled")

		ctx, gone = context.WithCancel(t.Context())
		lines := p.events(ctx, t, modernBody("wait", "{}", ""), modernCall("wait")...)
		readUntil(t, lines, ": alive")
		gone()
		p.waitForLog(t, "end canceled")
	})
}

func TestProxyRefusals(t *testing.T) {
	forEachProxy(t, func(t *testing.T, p *proxyRig) {
		long := `,"x":"` + strings.Repeat("x", 4<<20) + `"`
		for _, tc := range []struct {
			name, more string
			header     []string
			status     int
			text       string
		}{
			{"a call", "", nil, http.StatusOK, "hello"},
			{"a long body", long, nil, http.StatusOK, "hello"},
			{"another host", "", []string{"Host", "evil.example"}, http.StatusForbidden, `"evil.example\" is not allowed; the server's operator can allow it with --http-host`},
			{"another token", "", []string{"Authorization", "Bearer " + strings.ToUpper(proxySecret)}, http.StatusUnauthorized, ""},
			{"a page of another origin", "", []string{"Origin", "https://evil.example"}, http.StatusForbidden, "--http-origin"},
			{"a page of the server", "", []string{"Origin", "https://" + proxyName}, http.StatusOK, "hello"},
		} {
			status, body := p.post(t, modernBody("echo", `{"text":"hello"}`, tc.more), append(modernCall("echo"), tc.header...)...)
			if status != tc.status || !strings.Contains(string(body), tc.text) {
				t.Errorf("%s: status %d, want %d: %.300s", tc.name, status, tc.status, body)
			}
		}
	})
}

// A body that exceeds the maximum message size is rejected before it has arrived.
func TestProxyRefusesLongBodies(t *testing.T) {
	forEachProxy(t, func(t *testing.T, p *proxyRig) {
		conn, err := tls.Dial(p.network, p.address, &tls.Config{RootCAs: p.roots, ServerName: proxyName})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
			proxyName, proxySecret, 16<<20+1)
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("%s", resp.Status)
		}
	})
}
