package gosdk_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gosdk"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

type none = handler.None

// A subscription has the resources of the contract and those that the program added, and is acknowledged once.
func TestSubscriptionToBoth(t *testing.T) {
	changed := make(chan string)
	contract := &manifest.Server{
		Format: 1, Name: "both", Clients: manifest.JP, Unknown: manifest.Ignore, Tools: []manifest.Tool{},
		Resources: []manifest.Resource{{URI: "own://a", Name: "a", Watches: true}, {URI: "own://still", Name: "still"}},
	}
	read := func(context.Context, *tool.Call, none, none, none) (string, error) { return "", nil }
	codec := handler.Codec[none, none, none, string]{Kind: handler.Resource, Result: handler.Text[string]}
	s := sdk.NewServer(contract, handler.New("still", codec, read), handler.New("a", codec, read).Watched(
		func(ctx context.Context, ready func(), notify func(json.RawMessage, bool)) error {
			ready()
			for {
				select {
				case <-ctx.Done():
					return nil
				case what := <-changed:
					notify(nil, what == "list")
				}
			}
		}))
	options := gosdk.Options(s)
	options.SubscribeHandler = func(context.Context, *mcp.SubscribeRequest) error { return nil }
	options.UnsubscribeHandler = func(context.Context, *mcp.UnsubscribeRequest) error { return nil }
	added := gosdk.Server(s)
	added.AddResource(&mcp.Resource{URI: "added://b", Name: "b"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{}, nil
	})
	ours, theirs := net.Pipe()
	served := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { served <- s.Serve(ctx, theirs, sdk.Options{Log: slog.New(slog.DiscardHandler)}) }()
	lines := bufio.NewScanner(ours)
	send := func(message string) {
		t.Helper()
		if _, err := io.WriteString(ours, message+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	recv := func(texts ...string) {
		t.Helper()
		if !lines.Scan() {
			t.Fatalf("the stream has ended; want %q", texts)
		}
		for _, text := range texts {
			if !strings.Contains(lines.Text(), text) {
				t.Fatalf("got %s\nwant %q", lines.Text(), texts)
			}
		}
	}
	const id, meta = `"io.modelcontextprotocol/subscriptionId":"x"`,
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	listen := func(filter string) {
		send(`{"jsonrpc":"2.0","id":"x","method":"subscriptions/listen","params":{"notifications":` + filter + `,` + meta + `}}`)
	}
	const acked, updated = `"method":"notifications/subscriptions/acknowledged"`, `"method":"notifications/resources/updated"`
	stop := func() {
		send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x"}}`)
		send(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`)
		recv(`"id":1,"result"`)
	}

	listen(`{"resourceSubscriptions":["own://a","own://still","added://b"],"resourcesListChanged":true}`)
	recv(acked, id, `"resourceSubscriptions":["own://a","added://b"]`, `"resourcesListChanged":true`)
	changed <- "content"
	recv(updated, id, `"uri":"own://a"`)
	go func() { // writes to the pipe, from which recv reads
		_ = added.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: "added://b"})
	}()
	recv(updated, id, `"uri":"added://b"`)
	changed <- "list"
	recv(`"method":"notifications/resources/list_changed"`, id)
	stop()
	listen(`{"resourceSubscriptions":["own://a"]}`) // go-sdk has nothing to tell
	recv(acked, id, `"notifications":{"resourceSubscriptions":["own://a"]}`)
	changed <- "content"
	recv(updated, id, `"uri":"own://a"`)
	stop()
	listen(`{"resourceSubscriptions":["added://b"]}`)
	recv(acked, id, `"notifications":{"resourceSubscriptions":["added://b"]}`)
	cancel()
	recv(`"id":"x","result":{`, id)
	if lines.Scan() {
		t.Errorf("something follows the result: %s", lines.Text())
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// The resources of a session are those of the contract and those that the program added.
func TestSubscribeToBoth(t *testing.T) {
	changed := make(chan bool)
	contract := &manifest.Server{
		Format: 1, Name: "both", Clients: manifest.JP, Unknown: manifest.Ignore, Tools: []manifest.Tool{},
		Resources: []manifest.Resource{{URI: "own://a", Name: "a", Watches: true}},
	}
	s := sdk.NewServer(contract, handler.New("a", handler.Codec[none, none, none, string]{Kind: handler.Resource, Result: handler.Text[string]},
		func(context.Context, *tool.Call, none, none, none) (string, error) { return "", nil }).Watched(
		func(ctx context.Context, ready func(), notify func(json.RawMessage, bool)) error {
			ready()
			for {
				select {
				case <-ctx.Done():
					return nil
				case <-changed:
					notify(nil, false)
				}
			}
		}))
	asked := make(chan string, 10)
	options := gosdk.Options(s)
	options.SubscribeHandler = func(_ context.Context, r *mcp.SubscribeRequest) error { asked <- "+" + r.Params.URI; return nil }
	options.UnsubscribeHandler = func(_ context.Context, r *mcp.UnsubscribeRequest) error { asked <- "-" + r.Params.URI; return nil }
	gosdk.Server(s).AddResource(&mcp.Resource{URI: "added://b", Name: "b"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{}, nil
	})
	ours, theirs := net.Pipe()
	go func() { _ = s.Serve(t.Context(), theirs, sdk.Options{Log: slog.New(slog.DiscardHandler)}) }()
	updates := make(chan string, 10)
	client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, &mcp.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { updates <- r.Params.URI },
	})
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: ours, Writer: ours}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	for _, uri := range []string{"own://a", "added://b"} {
		if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
			t.Error(err)
		}
	}
	changed <- true
	if got := <-updates; got != "own://a" {
		t.Errorf("told about %s", got)
	}
	for _, uri := range []string{"own://a", "added://b"} {
		if err := session.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: uri}); err != nil {
			t.Error(err)
		}
	}
	if a, b := <-asked, <-asked; a != "+added://b" || b != "-added://b" || len(asked) > 0 {
		t.Errorf("go-sdk was asked %s, %s", a, b)
	}
}
