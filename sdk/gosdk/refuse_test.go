package gosdk_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gosdk"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// What an interceptor refuses has the same error, whether it is in the contract or the program added it.
func TestRefusedByInterceptors(t *testing.T) {
	const meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	contract := &manifest.Server{
		Format: 1, Name: "both", Clients: manifest.JP, Unknown: manifest.Ignore, Tools: []manifest.Tool{},
		Resources: []manifest.Resource{{URI: "own://a", Name: "a"}},
	}
	s := sdk.NewServer(contract, handler.New("a", handler.Codec[none, none, none, string]{Kind: handler.Resource, Result: handler.Text[string]},
		func(context.Context, *tool.Call, none, none, none) (string, error) { return "", nil }))
	gosdk.Server(s).AddResource(&mcp.Resource{URI: "added://a", Name: "b"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{}, nil
	})
	codes := []fault.Code{fault.NotFound, fault.InvalidInput, fault.PermissionDenied}
	var code fault.Code
	s.Intercept(func(context.Context, *tool.Round, func(context.Context) error) error {
		return fault.New(code, "refused")
	})
	ours, theirs := net.Pipe()
	served := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { served <- s.Serve(ctx, theirs, sdk.Options{Log: slog.New(slog.DiscardHandler)}) }()
	lines := bufio.NewReader(ours)
	exchange := func(message string) string {
		t.Helper()
		if _, err := io.WriteString(ours, message+"\n"); err != nil {
			t.Fatal(err)
		}
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return line
	}
	exchange(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	for _, uri := range []string{"own://a", "added://a", "no://a"} {
		for i, want := range [][2]int{{-32002, -32602}, {-32602, -32602}, {-32603, -32603}} {
			code = codes[i]
			for generation, more := range []string{"", meta} {
				got := exchange(fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":%q%s}}`, uri, more))
				expected := fmt.Sprintf(`"code":%d,`, want[generation])
				if data := fmt.Sprintf(`"data":{"uri":%q,"code":%q,`, uri, code); !strings.Contains(got, expected) || !strings.Contains(got, data) {
					t.Errorf("%s: got %swant %s and %s", uri, got, expected, data)
				}
			}
		}
	}
	cancel()
	if err := ours.Close(); err != nil {
		t.Error(err)
	}
	<-served // serving may end with the error of the context
}
