package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

const (
	updated = `"method":"notifications/resources/updated"`
	listed  = `"method":"notifications/resources/list_changed"`
	acked   = `"method":"notifications/subscriptions/acknowledged"`
)

func TestSubscribeInSessions(t *testing.T) {
	for name, open := range map[string]func(p *pier) *wire{
		"stdio 2024-11-05": func(p *pier) *wire { return p.stdio("2024-11-05") },
		"stdio 2025-11-25": func(p *pier) *wire { return p.stdio("2025-11-25") },
		"http 2025-11-25":  func(p *pier) *wire { return p.http(sdk.Options{}, sdk.HTTPOptions{}).session() },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPier(t)
			w := open(p)
			w.call(1, "resources/subscribe", `"uri":"note://1"`, `"result":{}`)
			w.call(2, "resources/subscribe", `"uri":"note://1"`, `"result":{}`) // again
			w.call(3, "resources/subscribe", `"uri":"note://a%2Fb"`, `"result":{}`)
			p.change("1")
			w.recv(updated, `"params":{"uri":"note://1"}`)
			p.change("2") // nobody subscribed
			p.change("a/b")
			w.recv(updated, `"params":{"uri":"note://a%2Fb"}`)
			p.change("")
			if got := w.recv(listed); strings.Contains(got, "params") {
				t.Errorf("got %s", got)
			}
			w.call(4, "resources/unsubscribe", `"uri":"note://1"`, `"result":{}`)
			w.call(5, "resources/unsubscribe", `"uri":"note://1"`, `"result":{}`)
			p.change("1")
			p.change("a/b")
			w.recv(updated, `"params":{"uri":"note://a%2Fb"}`)
			for params, want := range map[string]string{
				`"uri":"nope://1"`:      `"code":-32002,`,
				`"uri":"note://a/b"`:    `"code":-32002,`,
				`"uri":"note://%61"`:    `"code":-32002,`, // is note://a
				`"uri":"notes://about"`: `"code":-32602,"message":"invalid params: resource \"notes://about\" does not report changes; read it again instead"`,
				`"uri":7`:               `"code":-32602,`,
				``:                      `"code":-32602,`,
				`"uri":"note://` + strings.Repeat("x", 8<<10) + `"`: `"code":-32602,"message":"invalid params: \"uri\" is longer than 8192 bytes"`,
			} {
				w.call(6, "resources/subscribe", params, want)
			}
			w.close()
			p.quiet()
		})
	}
}

func TestListen(t *testing.T) {
	t.Run("stdio", func(t *testing.T) {
		p := newPier(t)
		w := p.stdio("2026-07-28")
		w.call(1, "server/discover", "", `"resources":{"listChanged":true,"subscribe":true}`)
		w.ask(2, "subscriptions/listen", `"notifications":{"resourceSubscriptions":["note://1","note://1","nope://1","notes://about"],"toolsListChanged":true}`)
		w.recv(acked, `"params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2},"notifications":{"resourceSubscriptions":["note://1"]}}`)
		w.ask(3, "subscriptions/listen", `"notifications":{"resourcesListChanged":true}`)
		w.recv(acked, `"_meta":{"io.modelcontextprotocol/subscriptionId":3},"notifications":{"resourcesListChanged":true}`)
		p.change("1")
		w.recv(updated, `"params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2},"uri":"note://1"}`)
		p.change("")
		w.recv(listed, `"params":{"_meta":{"io.modelcontextprotocol/subscriptionId":3}}`)
		w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
		w.call(4, "resources/read", `"uri":"note://1"`) // after the cancellation
		p.change("1")
		p.change("")
		w.recv(listed)
		w.ask(5, "subscriptions/listen", `"notifications":{"promptsListChanged":true,"resourceSubscriptions":[]}`)
		w.recv(acked, `"notifications":{}`)
		w.recv(`"id":5,"result":{`, `"io.modelcontextprotocol/subscriptionId":5`, `"resultType":"complete"`)
		w.close()
		p.quiet()
	})
	t.Run("http", func(t *testing.T) {
		p := newPier(t)
		h := p.http(sdk.Options{}, sdk.HTTPOptions{})
		one, two := h.listen(1, `{"resourceSubscriptions":["note://1","note://2"]}`), h.listen(1, `{"resourceSubscriptions":["note://2"],"resourcesListChanged":true}`)
		one.recv(acked, `["note://1","note://2"]`)
		two.recv(acked, `"resourcesListChanged":true`)
		p.change("1")
		one.recv(updated, `"uri":"note://1"`)
		p.change("2")
		one.recv(updated, `"uri":"note://2"`)
		two.recv(updated, `"uri":"note://2"`)
		one.close() // without a word
		p.change("")
		two.recv(listed, `"io.modelcontextprotocol/subscriptionId":1`)
		h.end()
		two.recv(`"id":1,"result":{`, `"io.modelcontextprotocol/subscriptionId":1`, `"resultType":"complete"`)
		if _, open := <-two.lines; open {
			t.Error("something follows the result")
		}
		p.quiet()
	})
}

// A server ends every subscription in good order.
func TestDrainEndsSubscriptions(t *testing.T) {
	p := newPier(t)
	h := p.http(sdk.Options{}, sdk.HTTPOptions{})
	w := h.session()
	w.call(1, "resources/subscribe", `"uri":"note://1"`, `"result":{}`)
	h.end()
	p.quiet()

	p = newPier(t)
	ours, theirs := net.Pipe()
	served := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { served <- p.Serve(ctx, theirs, sdk.Options{Log: slog.New(slog.DiscardHandler)}) }()
	lines := make(chan string, 100)
	go pump(ours, lines, "")
	if _, err := io.WriteString(ours, request("subscriptions/listen", `"notifications":{"resourceSubscriptions":["note://1"]}`, "2026-07-28")+"\n"); err != nil {
		t.Fatal(err)
	}
	<-lines
	cancel()
	if got := <-lines; !strings.Contains(got, `"id":7,"result":{`) {
		t.Errorf("the end is %s", got)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
	p.quiet()
}

// Changes while the client of a session is not connected reach it later, once for each resource.
func TestChangesWhileDisconnected(t *testing.T) {
	p := newPier(t)
	h := p.http(sdk.Options{}, sdk.HTTPOptions{})
	resp := h.post(fmt.Sprintf(opening, "2025-11-25"))
	resp.Body.Close()
	header := []string{"Mcp-Session-Id", resp.Header.Get("Mcp-Session-Id"), "Mcp-Protocol-Version", "2025-11-25"}
	for _, uri := range []string{"note://1", "note://2"} {
		h.post(request("resources/subscribe", `"uri":"`+uri+`"`, "2025-11-25"), header...).Body.Close()
	}
	for range 100 {
		p.change("1")
		p.change("2")
	}
	w := &wire{t: t, lines: make(chan string, 100)}
	h.connect(w, header)
	w.recv(updated, `"uri":"note://1"`)
	w.recv(updated, `"uri":"note://2"`)
	p.change("2")
	w.recv(updated, `"uri":"note://2"`)
}

// With several processes, a client would not hear of the changes that another process sees.
func TestReplicasDoNotSubscribe(t *testing.T) {
	key := strings.Repeat("A", 43) + "="
	for name, h := range map[string]*host{
		"stateless": newPier(t).http(sdk.Options{}, sdk.HTTPOptions{Stateless: true}),
		"keys":      newPier(t).http(sdk.Options{StateKeys: key}, sdk.HTTPOptions{}),
	} {
		t.Run(name, func(t *testing.T) {
			h.t = t
			resp := h.post(fmt.Sprintf(opening, "2025-11-25"))
			data, _ := io.ReadAll(resp.Body)
			if strings.Contains(string(data), "subscribe") || !strings.Contains(string(data), `"resources":{}`) {
				t.Errorf("initialize: %s", data)
			}
			resp = h.post(request("resources/subscribe", `"uri":"note://1"`, "2025-11-25"), "Mcp-Session-Id", resp.Header.Get("Mcp-Session-Id"), "Mcp-Protocol-Version", "2025-11-25")
			if data, _ = io.ReadAll(resp.Body); !strings.Contains(string(data), `"code":-32601`) {
				t.Errorf("subscribe: %s", data)
			}
			w := h.listen(1, `{"resourceSubscriptions":["note://1"],"resourcesListChanged":true}`)
			w.recv(acked, `"notifications":{}`)
			w.recv(`"result":{`)
			if n := h.watchers.Load(); n != 0 {
				t.Errorf("%d watchers run", n)
			}
		})
	}
}

// Requests that make no sense are refused, and the server goes on.
func TestHostileSubscriptions(t *testing.T) {
	p := newPier(t)
	w := p.stdio("2026-07-28")
	many, _ := json.Marshal(make([]string, 1001))
	for filter, want := range map[string]string{
		`7`:                             `"notifications\" must be an object`,
		`null`:                          `"notifications\" must be an object`,
		`[]`:                            `"notifications\" must be an object`,
		`{"toolsListChanged":1}`:        `toolsListChanged\" must be true or false`,
		`{"resourceSubscriptions":"x"}`: `resourceSubscriptions\" must be a list of URIs`,
		`{"resourceSubscriptions":[1]}`: `resourceSubscriptions\" must be a list of URIs`,
		`{"resourceSubscriptions":{}}`:  `resourceSubscriptions\" must be a list of URIs`,
		`{"resourceSubscriptions":` + string(many) + `}`: `at most 1000 resources`,
	} {
		w.call(1, "subscriptions/listen", `"notifications":`+filter, `"code":-326`, want)
	}
	w.call(1, "subscriptions/listen", "", `"code":-32602`)
	w.ask(2, "subscriptions/listen", `"notifications":{"resourceSubscriptions":["","note://\u0000","note://`+strings.Repeat("x", 1<<20)+`","`+strings.Repeat("y", 1<<20)+`"]}`)
	w.recv(acked, `"notifications":{}`)
	w.recv(`"id":2,"result"`)
	for i := range 200 { // more than a client may have, and than reading waits for
		w.ask(100+i, "subscriptions/listen", `"notifications":{"resourceSubscriptions":["note://1"]}`)
	}
	begun, refused := 0, 0
	for range 200 {
		if line := w.recv(); strings.Contains(line, acked) {
			begun++
		} else if strings.Contains(line, "at most 128 subscriptions/listen requests") {
			refused++
		}
	}
	if begun != 128 || refused != 72 {
		t.Errorf("%d subscriptions began, %d were refused", begun, refused)
	}
	p.change("1")
	for range begun {
		w.recv(updated)
	}
	for i := range 200 {
		w.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, 100+i))
	}
	p.quiet()
	w.call(3, "resources/read", `"uri":"note://1"`, `"text":"1"`)
	h := newPier(t).http(sdk.Options{}, sdk.HTTPOptions{})
	resp := h.post(request("subscriptions/listen", `"notifications":{"resourcesListChanged":true}`, "2026-07-28"),
		"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen", "Accept", "application/json")
	if data, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusBadRequest || !strings.Contains(string(data), "a subscription is a stream of events") {
		t.Errorf("without a stream: %d %s", resp.StatusCode, data)
	}
}

// Interceptors see each resource to which a client subscribes, and can refuse it.
func TestInterceptedSubscriptions(t *testing.T) {
	var seen []string
	guard := func(ctx context.Context, r *tool.Round, next func(context.Context) error) error {
		seen = append(seen, fmt.Sprintf("%s %s %s %s %t", r.Kind, r.Name, r.URI, r.Action, r.Contract != nil))
		if r.URI == "note://secret" {
			return fault.New(fault.PermissionDenied, "not yours")
		}
		return next(ctx)
	}
	p := newPier(t)
	p.Intercept(guard)
	w := p.stdio("2025-11-25")
	w.call(1, "resources/subscribe", `"uri":"note://secret"`, `"error":{`, "permission_denied: not yours")
	w.call(2, "resources/subscribe", `"uri":"note://1"`, `"result":{}`)
	p = newPier(t)
	p.Intercept(guard)
	w = p.stdio("2026-07-28")
	w.ask(3, "subscriptions/listen", `"notifications":{"resourceSubscriptions":["note://secret","note://2"]}`)
	w.recv(acked, `["note://2"]`)
	want := "resource note note://secret subscribe true,resource note note://1 subscribe true," +
		"resource note note://secret subscribe true,resource note note://2 subscribe true"
	if got := strings.Join(seen, ","); got != want {
		t.Errorf("interceptors saw %s", got)
	}
}
