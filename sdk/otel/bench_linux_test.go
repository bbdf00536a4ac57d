package otel_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"
	"time"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/otel"
)

// BenchmarkCall measures a call over stateless HTTP through a connection, with that of its client: without Use, with Use and no exporter, and
// with spans and the metric.
func BenchmarkCall(b *testing.B) {
	for name, use := range map[string]func(*sdk.Server){
		"without": func(*sdk.Server) {},
		"off":     func(s *sdk.Server) { otel.Use(s) },
		"on": func(s *sdk.Server) {
			otel.UseProviders(s,
				sdktrace.NewTracerProvider(sdktrace.WithBatcher(tracetest.NewNoopExporter())),
				sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewManualReader())))
		},
	} {
		b.Run(name, func(b *testing.B) {
			s := fixture.NewServer(&fixture.Fixture{})
			use(s)
			front, err := s.Handler(b.Context(), sdk.Options{}, sdk.HTTPOptions{Stateless: true})
			if err != nil {
				b.Fatal(err)
			}
			server := httptest.NewServer(front)
			defer server.Close()
			body := []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"},` +
				`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}` +
				clientTrace + `}}}`)
			b.ReportAllocs()
			began := cpu()
			for b.Loop() {
				send(b.Context(), b, server.URL, body)
			}
			b.ReportMetric(float64(cpu()-began)/float64(b.N), "cpu-ns/op")
		})
	}
}

// cpu returns the CPU time of the process, which other processes change less than the time on the clock.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func send(ctx context.Context, b *testing.B, url string, body []byte) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "echo",
	} {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != http.StatusOK {
		b.Fatal(resp.Status, err)
	}
	resp.Body.Close()
}
