package sdk_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk"
)

// mirrored contains the arguments of the measured calls.
const mirrored = `{"big":"9007199254740993","names":["a","b"],"counts":{"x":1},"taste":"lemon","number":3,"flag":true}`

// BenchmarkCall measures a call from request line to response line, over an in-memory pipe, in both generations
// of the protocol.
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
			call := []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mirror","arguments":%s%s}}`+"\n", mirrored, meta))
			b.ReportAllocs()
			for b.Loop() {
				exchange(call)
			}
		})
	}
}

// nowhere is an HTTP response writer that discards the response.
type nowhere struct{ header http.Header }

func (w *nowhere) Header() http.Header         { return w.header }
func (w *nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (w *nowhere) WriteHeader(int)             {}

// BenchmarkHandler measures a call over HTTP, without the cost of net/http.
func BenchmarkHandler(b *testing.B) {
	handler, err := fixture.NewServer(&fixture.Fixture{}).Handler(b.Context(), sdk.Options{}, sdk.HTTPOptions{})
	if err != nil {
		b.Fatal(err)
	}
	body := []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"mirror","arguments":` + mirrored + `,"_meta":` + modernMeta + `}}`)
	reader := bytes.NewReader(body)
	request := httptest.NewRequest(http.MethodPost, "/mcp", io.NopCloser(reader))
	request.ContentLength = int64(len(body))
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "mirror",
	} {
		request.Header.Set(name, value)
	}
	w := &nowhere{header: http.Header{}}
	b.ReportAllocs()
	for b.Loop() {
		reader.Reset(body)
		clear(w.header)
		handler.ServeHTTP(w, request)
	}
}
