package sdk_test

import (
	"bufio"
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/gosdk"
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

// If the code of a program stops waiting for the response to a request of its own, the client learns that the
// request is canceled, and the session goes on.
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
