package otel_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	metrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	traces "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/otel"
)

// A receiver receives what a server exports by OTLP over HTTP.
type receiver struct {
	mu     sync.Mutex
	spans  []*spans.Span
	points map[string]uint64 // the number of values by metric, unit and attributes
}

// receive starts a receiver and makes it the endpoint in the environment.
func receive(t *testing.T) *receiver {
	r := &receiver{points: map[string]uint64{}}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.URL)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	var m metrics.ExportMetricsServiceRequest
	var s traces.ExportTraceServiceRequest
	switch req.URL.Path {
	case "/v1/traces":
		err = proto.Unmarshal(body, &s)
	case "/v1/metrics":
		err = proto.Unmarshal(body, &m)
	}
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	for _, resource := range s.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			r.spans = append(r.spans, scope.Spans...)
		}
	}
	for _, resource := range m.ResourceMetrics {
		for _, scope := range resource.ScopeMetrics {
			for _, metric := range scope.Metrics {
				for _, p := range metric.GetHistogram().GetDataPoints() {
					r.points[metric.Name+" "+metric.Unit+" "+attributes(p.Attributes)] += p.Count
				}
			}
		}
	}
}

func attributes(list []*common.KeyValue) string {
	var all []string
	for _, a := range list {
		value := fmt.Sprint(a.Value.GetStringValue())
		if _, ok := a.Value.Value.(*common.AnyValue_StringValue); !ok {
			value = strings.TrimSpace(a.Value.String())
		}
		switch a.Key {
		case "client.address", "client.port", "mcp.session.id":
			value = "…"
		}
		all = append(all, a.Key+"="+value)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// text renders the spans in the order of their begin. Traces and spans have short names.
func (r *receiver) text() string {
	slices.SortStableFunc(r.spans, func(a, b *spans.Span) int {
		return cmp.Compare(a.StartTimeUnixNano, b.StartTimeUnixNano)
	})
	names := map[string]string{}
	name := func(id []byte, prefix string) string {
		if len(id) == 0 {
			return "-"
		}
		if names[string(id)] == "" {
			names[string(id)] = fmt.Sprint(prefix, len(names)+1)
		}
		return names[string(id)]
	}
	var b strings.Builder
	for _, s := range r.spans {
		fmt.Fprintf(&b, "%s %s in %s under %s: %s\n", strings.TrimPrefix(s.Kind.String(), "SPAN_KIND_"),
			name(s.SpanId, "span"), name(s.TraceId, "trace"), name(s.ParentSpanId, "span"), s.Name)
		fmt.Fprintf(&b, "    %s\n", attributes(s.Attributes))
		if s.Status.GetCode() != 0 {
			fmt.Fprintf(&b, "    status %s %q\n", strings.TrimPrefix(s.Status.Code.String(), "STATUS_CODE_"), s.Status.Message)
		}
		for _, e := range s.Events {
			fmt.Fprintf(&b, "    event %s: %s\n", e.Name, attributes(e.Attributes))
		}
		for _, l := range s.Links {
			fmt.Fprintf(&b, "    link %s in %s\n", name(l.SpanId, "span"), name(l.TraceId, "trace"))
		}
	}
	return b.String()
}

// A client sends requests over HTTP.
type client struct {
	t    testing.TB
	url  string
	meta string // further members of _meta
}

const clientTrace = `,"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01","tracestate":"a=b"`

// serve serves the fixture with telemetry over HTTP.
func serve(t testing.TB, use func(*sdk.Server)) *client {
	s := fixture.NewServer(&fixture.Fixture{})
	use(s)
	front, err := s.Handler(t.Context(), sdk.Options{StateKeys: strings.Repeat("A", 43) + "="}, sdk.HTTPOptions{Stateless: true})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(front)
	t.Cleanup(server.Close)
	return &client{t: t, url: server.URL}
}

// send sends a request and returns its result.
func (c *client) send(method, name, params string, header ...string) map[string]any {
	c.t.Helper()
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}` + c.meta + `}`
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":%q,"params":{%s%s}}`, method, params, meta)
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.url, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": method,
	} {
		req.Header.Set(name, value)
	}
	if name != "" {
		req.Header.Set("Mcp-Name", name)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	var answer struct{ Result map[string]any }
	_ = json.Unmarshal(data, &answer) // a refusal need not have a result
	return answer.Result
}

// call calls a tool.
func (c *client) call(tool, arguments, more string, header ...string) map[string]any {
	c.t.Helper()
	return c.send("tools/call", tool, fmt.Sprintf(`"name":%q,"arguments":%s%s,`, tool, arguments, more), header...)
}

// stage calls a tool that asks once, in two rounds.
func (c *client) stage() {
	c.t.Helper()
	first := c.call("stage", `{"hunks":["a"]}`, "")
	state, _ := first["requestState"].(string)
	if state == "" {
		c.t.Fatalf("the tool does not ask: %v", first)
	}
	var id string
	for id = range first["inputRequests"].(map[string]any) {
		break
	}
	last := c.call("stage", `{"hunks":["a"]}`,
		fmt.Sprintf(`,"requestState":%q,"inputResponses":{%q:{"action":"accept","content":{"answer":true}}}`, state, id))
	if last["resultType"] != "complete" {
		c.t.Fatalf("the last round: %v", last)
	}
}

func TestGoldenSpans(t *testing.T) {
	r := receive(t)
	var shutdown func(context.Context) error
	c := serve(t, func(s *sdk.Server) { shutdown = otel.Use(s) })
	c.send("server/discover", "", "")
	c.send("tools/list", "", "")
	c.call("echo", `{"text":"x"}`, "")
	c.call("echo", `{"text":"x"}`, "", "Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	c.call("fail", `{"how":"coded"}`, "")
	c.call("fail", `{"how":"panic"}`, "")
	c.call("no such tool", `{}`, "")
	c.send("no/such/method", "", "")
	c.stage()
	c.meta = clientTrace
	c.call("echo", `{"text":"x"}`, "")
	c.call("echo", `{"text":"x"}`, "", "Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	c.stage()
	if err := shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := r.text() + "\n"
	for _, line := range slices.Sorted(keys(r.points)) {
		got += fmt.Sprintf("%s: %d\n", line, r.points[line])
	}
	path := filepath.Join("testdata", "spans.txt")
	if os.Getenv("JPTOOL_UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, []byte(got)) {
		t.Errorf("the spans differ from %s; JPTOOL_UPDATE=1 rewrites it:\n%s", path, got)
	}
	checkConventions(t, r)
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}
