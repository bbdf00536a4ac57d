package jphost_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"

	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/jphost"
)

func Example() {
	ctx := context.Background()
	ours, theirs := net.Pipe()
	go new(session).serve(theirs, askInOrder("confirm")) // serves any server; to start a command, see Start

	h, err := jphost.Connect(ctx, ours, jphost.Options{Root: "/path/to/workspace"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer h.Close()

	yes := func(_ context.Context, q jpdoc.Question) (json.RawMessage, error) {
		fmt.Println("asked:", q.Text)
		return json.RawMessage("true"), nil
	}
	reply, err := h.Call(ctx, "note_delete", json.RawMessage(`{"title":"Old"}`), yes)
	fmt.Println(reply.Kind, reply.Text, reply.Rounds, err)
	// Output:
	// asked: confirm?
	// ok confirm=true 2 <nil>
}

func ExampleReadResult() {
	result := json.RawMessage(`{"content":[{"type":"text","text":"[\"success\",\"ready\"]"}]}`)
	reply := jphost.ReadResult(result, jphost.Today)
	fmt.Println(reply.Rule, reply.Kind, reply.Text)
	// Output:
	// outcome ok ready
}
