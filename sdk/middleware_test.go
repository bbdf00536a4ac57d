package sdk_test

import (
	"bufio"
	"context"
	"errors"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gosdk"
	"github.com/jptool/jptool/sdk/tool"
)

// Middleware that a program adds to go-sdk's server sees the calls to every tool, whenever it is added, so
// permission checks cannot be bypassed.
func TestMiddlewareOfGoSDK(t *testing.T) {
	deny := func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "tools/call" {
				return nil, errors.New("denied by the program")
			}
			return next(ctx, method, req)
		}
	}
	for _, when := range []string{"before", "after a call"} {
		s := fixture.NewServer(&fixture.Fixture{})
		if when == "before" {
			gosdk.Server(s).AddReceivingMiddleware(deny)
		}
		ours, theirs := net.Pipe()
		served := make(chan error, 1)
		go func() { served <- s.Serve(t.Context(), theirs, sdk.Options{}) }()
		in := bufio.NewReader(ours)
		send := func(line string) string {
			if _, err := ours.Write([]byte(line + "\n")); err != nil {
				t.Fatal(err)
			}
			answer, err := in.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			return answer
		}
		send(initialize + `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
		if when != "before" {
			if got := send(callOf(1, "echo", `{"text":"x"}`)); !strings.Contains(got, `"text":"x"`) {
				t.Fatalf("without middleware: %s", got)
			}
			gosdk.Server(s).AddReceivingMiddleware(deny)
		}
		for range 3 {
			if got := send(callOf(2, "echo", `{"text":"x"}`)); !strings.Contains(got, "denied by the program") {
				t.Errorf("added %s: %s", when, got)
			}
		}
		ours.Close()
		if err := <-served; err != nil {
			t.Errorf("serving ended with %v", err)
		}
	}
}

// A client that canceled a call may use its id again while the handler of the canceled call is still running.
func TestReusedIDOfACanceledCall(t *testing.T) {
	started, ending := make(chan string, 1), make(chan struct{})
	for name, s := range map[string]*sdk.Server{
		"plain": fixture.NewServer(&fixture.Fixture{Started: started, Ending: ending}), "extended": extend(fixture.NewServer(&fixture.Fixture{Started: started, Ending: ending})),
	} {
		ours, theirs := net.Pipe()
		served := make(chan error, 1)
		go func() { served <- s.Serve(t.Context(), theirs, sdk.Options{}) }()
		in := bufio.NewReader(ours)
		send := func(line string) {
			if _, err := ours.Write([]byte(line + "\n")); err != nil {
				t.Fatal(err)
			}
		}
		answered := func(text string) {
			t.Helper()
			if answer, err := in.ReadString('\n'); err != nil || !strings.Contains(answer, text) {
				t.Errorf("%s: %v, %s, want %s", name, err, answer, text)
			}
		}
		send(initialize + `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
		answered(`"protocolVersion"`)
		send(callOf(5, "hang", `{"until_end":true}`))
		<-started
		send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`)
		for _, text := range []string{"first", "second"} {
			send(callOf(5, "echo", `{"text":"`+text+`"}`))
			answered(`"text":"` + text + `"`)
		}
		ours.Close()
		if err := <-served; err != nil {
			t.Errorf("%s: serving ended with %v", name, err)
		}
	}
	close(ending)
}

// If the code of a program stops waiting for the response to its own request, the client learns that the
// request is canceled, and the session continues.
func TestRequestOfTheProgramIsCanceled(t *testing.T) {
	s := fixture.NewServer(&fixture.Fixture{})
	gosdk.Server(s).AddPrompt(&mcp.Prompt{Name: "impatient"}, func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		ctx, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
		_, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Well?", RequestedSchema: map[string]any{"type": "object"}})
		return nil, err
	})
	ours, theirs := net.Pipe()
	go s.Serve(t.Context(), theirs, sdk.Options{})
	in := bufio.NewReader(ours)
	lacks := func(got string, texts []string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(got, text) })
	}
	for _, step := range [][]string{
		{initialize + `{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`, `"protocolVersion"`},
		{`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"impatient"}}`, `"method":"elicitation/create"`, `"method":"notifications/cancelled","params":{"reason":"the call has ended","requestId":1}`, `"id":1,"error"`},
		{`{"jsonrpc":"2.0","id":2,"method":"ping"}`, `"id":2`},
	} {
		if _, err := ours.Write([]byte(step[0] + "\n")); err != nil {
			t.Fatal(err)
		}
		for got := ""; lacks(got, step[1:]); {
			line, err := in.ReadString('\n')
			if err != nil {
				t.Fatalf("%v after %s", err, got)
			}
			got += line
		}
	}
	ours.Close()
}

type userKey struct{}

// Values that the program's HTTP middleware adds to the context reach tools, interceptors and handlers of resources.
func TestContextOfTheProgramsHTTPMiddleware(t *testing.T) {
	for name, extended := range map[string]bool{"plain": false, "extended": true} {
		t.Run(name, func(t *testing.T) {
			seen := make(chan any, 2)
			server := fixture.NewServer(&fixture.Fixture{})
			server.Intercept(func(ctx context.Context, _ *tool.Round, next func(context.Context) error) error {
				seen <- ctx.Value(userKey{})
				return next(ctx)
			})
			if extended {
				gosdk.Server(server).AddResource(&mcp.Resource{Name: "card", URI: "test://card"}, func(ctx context.Context, _ *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
					seen <- ctx.Value(userKey{})
					return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "test://card", Text: "x"}}}, nil
				})
			}
			h, err := server.Handler(t.Context(), sdk.Options{}, sdk.HTTPOptions{})
			if err != nil {
				t.Fatal(err)
			}
			front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), userKey{}, "ann")))
			}))
			defer front.Close()
			s := service{url: front.URL}
			messages := []string{callOf(1, "names", "{}")}
			if extended {
				messages = append(messages, `{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"test://card"}}`)
			}
			for _, m := range messages {
				if status, body := s.post(t, m, "Mcp-Protocol-Version", "2025-11-25"); status != http.StatusOK || <-seen != "ann" {
					t.Errorf("%s: %d %s", m, status, body)
				}
			}
		})
	}
}

// An error without a code from a resource or from middleware is logged, and only the process that started the
// server gets its text.
func TestErrorsOfResources(t *testing.T) {
	for uri, tc := range map[string]struct {
		err       error
		http      string
		stdio     string
		loggedFor string // "" if the client gets the whole error
	}{
		"test://secret":  {errors.New("password hunter2"), `"message":"internal error; see the server's log for incident `, `"code":-32603,"message":"password hunter2"`, "hunter2"},
		"test://absent":  {fault.New(fault.NotFound, "no card"), `"code":-32602,"message":"not_found: no card"`, `"code":-32602,"message":"not_found: no card"`, "no card"},
		"test://caused":  {fault.Wrap(errors.New("hunter2"), fault.Unavailable, "try later"), `"message":"unavailable: try later"`, `"message":"unavailable: try later"`, "try later"},
		"test://outside": {errors.New("password hunter2"), `"message":"internal error; see the server's log for incident `, `"code":-32603,"message":"password hunter2"`, "hunter2"},
		"test://refused": {fault.New(fault.PermissionDenied, "not you"), `"message":"permission_denied: not you"`, `"message":"permission_denied: not you"`, "not you"},
		"test://theirs":  {mcp.ResourceNotFoundError("test://theirs"), `"message":"Resource not found"`, `"message":"Resource not found"`, ""},
	} {
		server := fixture.NewServer(&fixture.Fixture{})
		gosdk.Server(server).AddResource(&mcp.Resource{Name: "card", URI: uri}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return nil, tc.err
		})
		gosdk.Server(server).AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				if strings.HasPrefix(method, "resources/") && (uri == "test://outside" || uri == "test://refused") {
					return nil, tc.err
				}
				return next(ctx, method, req)
			}
		})
		var log lockedBuffer
		o := sdk.Options{Log: slog.New(slog.NewTextHandler(&log, nil))}
		read := `{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"` + uri + `"}}`
		h, err := server.Handler(t.Context(), o, sdk.HTTPOptions{})
		if err != nil {
			t.Fatal(err)
		}
		front := httptest.NewServer(h)
		_, body := service{url: front.URL}.post(t, read, "Mcp-Protocol-Version", "2025-11-25")
		_, list := service{url: front.URL}.post(t, `{"jsonrpc":"2.0","id":3,"method":"resources/list"}`, "Mcp-Protocol-Version", "2025-11-25")
		front.Close()
		if got := string(body); !strings.Contains(got, tc.http) || strings.Contains(got+string(list), "hunter2") {
			t.Errorf("%s over HTTP: %s, %s, want %s", uri, got, list, tc.http)
		}
		if !strings.Contains(log.String(), tc.loggedFor) {
			t.Errorf("%s is not logged: %s", uri, &log)
		}
		ours, theirs := net.Pipe()
		go server.Serve(t.Context(), theirs, o)
		in := bufio.NewReader(ours)
		for _, m := range []string{initialize + `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, read} {
			if _, err := ours.Write([]byte(m + "\n")); err != nil {
				t.Fatal(err)
			}
			line, err := in.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if m == read && !strings.Contains(line, tc.stdio) {
				t.Errorf("%s over stdio: %s, want %s", uri, line, tc.stdio)
			}
		}
		ours.Close()
	}
}

// Middleware of a program may fail in any way. The request fails, and the server continues.
func TestMiddlewareThatFails(t *testing.T) {
	_, meta := eras["requests"](t)
	for name, fail := range map[string]func() (mcp.Result, error){
		"panics":                     func() (mcp.Result, error) { panic("hunter2") },
		"calls Goexit":               func() (mcp.Result, error) { runtime.Goexit(); return nil, nil },
		"returns nothing":            func() (mcp.Result, error) { return nil, nil },
		"returns a nil pointer":      func() (mcp.Result, error) { return (*mcp.CallToolResult)(nil), nil },
		"returns an invalid result":  func() (mcp.Result, error) { return &mcp.CallToolResult{StructuredContent: math.NaN()}, nil },
		"returns a result and error": func() (mcp.Result, error) { return &mcp.CallToolResult{}, errors.New("failed") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, method := range []string{"tools/call", "resources/list", "resources/read"} {
				s := fixture.NewServer(&fixture.Fixture{})
				gosdk.Server(s).AddResource(&mcp.Resource{Name: "card", URI: "test://card"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
					return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "test://card", Text: "x"}}}, nil
				})
				var failing atomic.Bool
				gosdk.Server(s).AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
					return func(ctx context.Context, m string, req mcp.Request) (mcp.Result, error) {
						if m == method && failing.Load() {
							return fail()
						}
						return next(ctx, m, req)
					}
				})
				request := `{"jsonrpc":"2.0","id":2,"method":"` + method + `","params":{"name":"echo","arguments":{"text":"x"},"uri":"test://card"}}`
				check := func(door, answer string) {
					t.Helper()
					if got := strings.Contains(answer, `"code":-32603`); got != failing.Load() || !got && !strings.Contains(answer, `"result"`) || strings.Contains(answer, "hunter2") {
						t.Errorf("%s %s: %s", door, method, answer)
					}
				}
				o := sdk.Options{Log: slog.New(slog.DiscardHandler)}
				h, err := s.Handler(t.Context(), o, sdk.HTTPOptions{})
				if err != nil {
					t.Fatal(err)
				}
				front := httptest.NewServer(h)
				defer front.Close()
				ours, theirs := net.Pipe()
				defer ours.Close()
				go s.Serve(t.Context(), theirs, o)
				in := bufio.NewReader(ours)
				_ = ours.SetDeadline(time.Now().Add(10 * time.Second))
				send := func(line string) string {
					if _, err := ours.Write([]byte(line + "\n")); err != nil {
						t.Fatal(err)
					}
					answer, err := in.ReadString('\n')
					if err != nil {
						t.Fatalf("%s: %v", method, err)
					}
					return answer
				}
				send(initialize + `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
				for _, now := range []bool{false, true, true, false} {
					failing.Store(now)
					_, body := service{url: front.URL}.post(t, request, "Mcp-Protocol-Version", "2025-11-25")
					check("over HTTP", string(body))
					check("over a pipe", send(request))
					check("without a session", send(strings.Replace(request, `"name"`, `"_meta":{`+meta+`},"name"`, 1)))
				}
			}
		})
	}
}

// A notification that middleware fails to send does not end the process.
func TestSendingMiddlewareThatPanics(t *testing.T) {
	s := fixture.NewServer(&fixture.Fixture{})
	m, sent := gosdk.Server(s), make(chan string, 10)
	card := func(name string) {
		m.AddResource(&mcp.Resource{Name: name, URI: "test://" + name}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return nil, nil
		})
	}
	card("first")
	m.AddSendingMiddleware(func(mcp.MethodHandler) mcp.MethodHandler {
		return func(_ context.Context, method string, _ mcp.Request) (mcp.Result, error) {
			sent <- method
			panic("hunter2")
		}
	})
	ours, theirs := net.Pipe()
	defer ours.Close()
	go s.Serve(t.Context(), theirs, sdk.Options{Log: slog.New(slog.DiscardHandler)})
	in := bufio.NewReader(ours)
	_ = ours.SetDeadline(time.Now().Add(10 * time.Second))
	for i, line := range []string{
		initialize + `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/list"}`, `{"jsonrpc":"2.0","id":2,"method":"resources/list"}`,
	} {
		if _, err := ours.Write([]byte(line + "\n")); err != nil {
			t.Fatal(err)
		}
		if answer, err := in.ReadString('\n'); err != nil || !strings.Contains(answer, `"result"`) {
			t.Fatalf("%s, %v", answer, err)
		}
		if i == 1 { // the session with go-sdk's server is open
			card("second")
			if method := <-sent; method != "notifications/resources/list_changed" {
				t.Errorf("sent %s", method)
			}
		}
	}
}
