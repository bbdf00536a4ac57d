package sdk_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// connect returns go-sdk's client of a server process.
func connect(t *testing.T, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	return connectTo(t, &mcp.CommandTransport{Command: command(t)}, "", o)
}

// connectTo connects go-sdk's client over a transport, in the given version or, if version is "",
// in the client's newest version.
func connectTo(t *testing.T, transport mcp.Transport, version string, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
	session, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	return session
}

// runClient runs a scenario with go-sdk's client, which repeats the call for each round by itself.
func runClient(t *testing.T, s scenario) ending {
	return runClientOver(t, &mcp.CommandTransport{Command: command(t, s.args...)}, "", s)
}

func runClientOver(t *testing.T, transport mcp.Transport, version string, s scenario) ending {
	asked := 0
	session := connectTo(t, transport, version, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			reply := new(mcp.ElicitResult)
			err := json.Unmarshal([]byte(s.next(t, asked, "", req.Params.Message)), reply)
			asked++
			return reply, err
		},
	})
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: s.tool, Arguments: json.RawMessage(s.arguments)})
	const unfit = "does not match requested schema"
	if err != nil && strings.Contains(err.Error(), unfit) {
		// The client checks answers itself and aborts the call, so that the server does not ask again.
		return ending{code: "invalid_answer", asked: len(s.steps)}
	}
	if err != nil {
		t.Fatal(err)
	}
	if text, ok := res.Content[0].(*mcp.TextContent); ok && strings.Contains(text.Text, unfit) {
		// An older client reports this to the server, which then has no answer.
		return ending{code: "invalid_answer", asked: len(s.steps)}
	}
	return endingOf(t, res, asked)
}

func endingOf(t *testing.T, res *mcp.CallToolResult, asked int) ending {
	t.Helper()
	data, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	var r result
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return r.ending(asked)
}

// A program can handle the rounds of a call itself, in place of go-sdk's client.
func TestClientThatKeepsTheRounds(t *testing.T) {
	session := connect(t, &mcp.ClientOptions{
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return nil, errors.New("the client must not ask anyone itself")
		},
	})
	params := &mcp.CallToolParams{Name: "stage", Arguments: json.RawMessage(`{"hunks":["a","b"]}`)}
	for _, id := range []string{"stage-a", "stage-b"} {
		res, err := session.CallTool(t.Context(), params)
		if err != nil {
			t.Fatal(err)
		}
		if res.InputRequests[id] == nil || res.RequestState == "" {
			t.Fatalf("the result does not ask %s: %+v", id, res)
		}
		params.RequestState = res.RequestState
		params.InputResponses = mcp.InputResponseMap{id: &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": true}}}
	}
	res, err := session.CallTool(t.Context(), params)
	if err != nil {
		t.Fatal(err)
	}
	if got := endingOf(t, res, 0); got.text != "staged a,b" {
		t.Errorf("ended with %+v", got)
	}
}

func TestClientListsAndCalls(t *testing.T) {
	session := connect(t, nil)
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) < 10 {
		t.Fatalf("tools %+v, %v", tools, err)
	}
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "names", Arguments: map[string]any{}})
	if err != nil || endingOf(t, res, 0).text != `["Ada","Bo"]` || res.StructuredContent == nil {
		t.Errorf("result %+v, %v", res, err)
	}
	res, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "stage", Arguments: map[string]any{"hunks": []string{"a"}}})
	if err != nil || endingOf(t, res, 0).code != "input_unavailable" {
		t.Errorf("a client without elicitation: %+v, %v", res, err)
	}
}
