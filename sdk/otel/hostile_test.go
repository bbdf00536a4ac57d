package otel_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/internal/fixture/library"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/otel"
	"github.com/jptool/jptool/sdk/tool"
)

// record returns a function that makes a server record in memory.
func record() (*tracetest.SpanRecorder, *sdkmetric.ManualReader, func(*sdk.Server)) {
	spans, reader := tracetest.NewSpanRecorder(), sdkmetric.NewManualReader()
	return spans, reader, func(s *sdk.Server) {
		otel.UseProviders(s, sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)),
			sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)))
	}
}

// Whatever clients send, the metric has few series, and the names of spans are those of the contract.
func TestBoundedCardinality(t *testing.T) {
	spans, reader, use := record()
	c := serve(t, use)
	c.call("echo", `{"text":"x"}`, "")
	for i := range 200 {
		name := fmt.Sprint("x", i)
		c.call(name, `{}`, "")
		c.send(name, "", "")
		c.send("prompts/get", name, fmt.Sprintf(`"name":%q,`, name))
		c.send("resources/read", "x://"+name, fmt.Sprintf(`"uri":"x://%s",`, name))
		c.call("echo", fmt.Sprintf(`{"text":%q}`, name), "", "Mcp-Protocol-Version", name)
	}
	var got metricdata.ResourceMetrics
	if err := reader.Collect(t.Context(), &got); err != nil {
		t.Fatal(err)
	}
	points := got.ScopeMetrics[0].Metrics[0].Data.(metricdata.Histogram[float64]).DataPoints
	if len(points) > 8 {
		t.Errorf("the metric has %d series", len(points))
	}
	names := map[string]bool{}
	for _, s := range spans.Ended() {
		names[s.Name()] = true
	}
	if len(names) > 6 {
		t.Errorf("the spans have %d names: %v", len(names), names)
	}
}

// A context that is not one of a trace is ignored, and the call is answered.
func TestHostileContexts(t *testing.T) {
	spans, _, use := record()
	c := serve(t, use)
	for _, meta := range []string{
		`,"traceparent":7`, `,"traceparent":null`, `,"traceparent":""`, `,"traceparent":{"traceparent":"x"}`,
		`,"traceparent":"00-00000000000000000000000000000000-0000000000000000-01"`,
		`,"traceparent":"` + strings.Repeat("0", 1<<20) + `"`, `,"tracestate":"` + strings.Repeat("a=b,", 1<<18) + `"`,
		`,"baggage":"` + strings.Repeat("a=b,", 1<<18) + `"`, `,"x":"traceparent"`,
	} {
		c.meta = meta
		if r := c.call("echo", `{"text":"x"}`, ""); r["isError"] != nil || r["content"] == nil {
			t.Errorf("%.60s: %v", meta, r)
		}
	}
	for _, s := range spans.Ended() {
		if s.Parent().IsValid() {
			t.Errorf("a span has the parent %s", s.Parent().SpanID())
		}
	}
}

// own begins a span of the handler's own.
func own(ctx context.Context) (context.Context, trace.Span) {
	return trace.SpanFromContext(ctx).TracerProvider().Tracer("test").Start(ctx, "own")
}

// The span of a call in the same process is a child of the current span, and the handler's own spans are children of it.
func TestInProcess(t *testing.T) {
	spans, _, use := record()
	s := fixture.NewServer(&fixture.Fixture{})
	use(s)
	s.Intercept(func(ctx context.Context, _ *tool.Round, next func(context.Context) error) error {
		ctx, span := own(ctx)
		defer span.End()
		return next(ctx)
	})
	t.Setenv("TRACEPARENT", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	if _, err := s.Call(t.Context(), "echo", []byte(`{"text":"x"}`), sdk.Host{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Call(t.Context(), "fail", []byte(`{"how":"coded"}`), sdk.Host{}); err == nil {
		t.Fatal("no error")
	}
	var got []string
	for _, s := range spans.Ended() {
		parent := "own"
		if s.Parent().SpanID().String() == "00f067aa0ba902b7" {
			parent = "environment"
		}
		got = append(got, fmt.Sprintf("%s under %s, %s", s.Name(), parent, s.Status().Code))
	}
	want := "own under own, Unset; execute_tool echo under environment, Unset; " +
		"own under own, Unset; execute_tool fail under environment, Error"
	if strings.Join(got, "; ") != want {
		t.Errorf("got %s\nwant %s", strings.Join(got, "; "), want)
	}
}

// Over streams, questions are events of the span of the call, which a session does not need to end.
func TestStreams(t *testing.T) {
	spans, _, use := record()
	s := fixture.NewServer(&fixture.Fixture{})
	use(s)
	ours, theirs := net.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(t.Context(), theirs, sdk.Options{}) }()
	send := func(line string) {
		if _, err := io.WriteString(ours, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	go io.Copy(io.Discard, ours)
	send(`{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wait","arguments":{}}}`)
	send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
	ours.Close()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatal("the server does not end")
	}
	got := map[string]string{}
	for _, s := range spans.Ended() {
		for _, a := range s.Attributes() {
			switch a.Key {
			case "error.type":
				got[s.Name()] += " error " + a.Value.AsString()
			case "network.transport", "mcp.protocol.version":
				got[s.Name()] += " " + a.Value.AsString()
			}
		}
	}
	for name, want := range map[string]string{
		"initialize": " 2025-11-25 pipe", "notifications/initialized": " 2025-11-25 pipe",
		"tools/call wait": " 2025-11-25 pipe error canceled", "notifications/cancelled": " 2025-11-25 pipe",
	} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
}

// Without an exporter, or if the environment disables OpenTelemetry, nothing is observed.
func TestOff(t *testing.T) {
	for _, env := range []map[string]string{
		{}, {"OTEL_SDK_DISABLED": "true", "OTEL_TRACES_EXPORTER": "console"},
		{"OTEL_TRACES_EXPORTER": "none", "OTEL_METRICS_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:1"},
	} {
		for name, value := range env {
			t.Setenv(name, value)
		}
		plain, used := fixture.NewServer(&fixture.Fixture{}), fixture.NewServer(&fixture.Fixture{})
		otel.Use(used)
		if without, with := allocations(t, plain), allocations(t, used); with != without {
			t.Errorf("%v: a call allocates %v times, and %v times without telemetry", env, with, without)
		}
	}
}

// allocations returns the minimum number of allocations of a call, because the race detector empties pools at random.
func allocations(t *testing.T, s *sdk.Server) float64 {
	least := math.Inf(1)
	for range 100 {
		least = min(least, testing.AllocsPerRun(1, func() {
			if _, err := s.Call(t.Context(), "echo", []byte(`{"text":"x"}`), sdk.Host{}); err != nil {
				t.Fatal(err)
			}
		}))
	}
	return least
}

// A prompt of the contract names its span.
func TestPrompts(t *testing.T) {
	spans, _, use := record()
	s := library.NewServer(&library.Library{})
	use(s)
	front, err := s.Handler(t.Context(), sdk.Options{}, sdk.HTTPOptions{Stateless: true})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(front)
	defer server.Close()
	c := &client{t: t, url: server.URL}
	prompt := s.Contract().Prompts[0].Name
	c.send("prompts/get", prompt, fmt.Sprintf(`"name":%q,"arguments":{},`, prompt))
	if got := spans.Ended()[0].Name(); got != "prompts/get "+prompt {
		t.Errorf("the span is %q", got)
	}
}
