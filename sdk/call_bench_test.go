package sdk_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/internal/fixture"
)

// BenchmarkCall measures a call from line to line, over a pipe in memory, in both
// generations of the protocol.
func BenchmarkCall(b *testing.B) {
	for name, meta := range map[string]string{"session": "", "rounds": `,"_meta":` + modernMeta} {
		b.Run(name, func(b *testing.B) {
			ours, theirs := net.Pipe()
			go fixture.NewServer(&fixture.Fixture{}).Serve(b.Context(), theirs, sdk.Options{})
			lines := bufio.NewReaderSize(ours, 64<<10)
			exchange := func(line []byte) {
				if _, err := ours.Write(line); err != nil {
					b.Fatal(err)
				}
				if _, err := lines.ReadSlice('\n'); err != nil {
					b.Fatal(err)
				}
			}
			exchange([]byte(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"b","version":"1"}}}` + "\n"))
			if _, err := io.WriteString(ours, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
				b.Fatal(err)
			}
			call := []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mirror","arguments":`+
				`{"big":"9007199254740993","names":["a","b"],"counts":{"x":1},"taste":"lemon","number":3,"flag":true}%s}}`+"\n", meta))
			b.ReportAllocs()
			for b.Loop() {
				exchange(call)
			}
		})
	}
}
