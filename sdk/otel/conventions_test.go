package otel_test

import (
	"slices"
	"strings"
	"testing"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
)

// The attributes of spans of servers in model/mcp/spans.yaml and model/mcp/common.yaml of the conventions, and those of
// the metric in model/mcp/metrics.yaml, with those that every request has.
var (
	metricKeys = []string{
		"error.type", "gen_ai.operation.name", "gen_ai.prompt.name", "gen_ai.tool.name", "jsonrpc.protocol.version",
		"mcp.method.name", "mcp.protocol.version", "network.protocol.name", "network.protocol.version",
		"network.transport", "rpc.response.status_code", ownKey,
	}
	spanKeys = append(slices.Clip(metricKeys),
		"client.address", "client.port", "jsonrpc.request.id", "mcp.resource.uri", "mcp.session.id")
	always = []string{"mcp.method.name", "network.transport"}
)

// ownKey is the only attribute that is not in the conventions.
const ownKey = "jptool.fault.code"

// checkConventions checks what was received against the rules of the conventions.
func checkConventions(t *testing.T, r *receiver) {
	t.Helper()
	for _, s := range r.spans {
		get := func(key string) string { return valueOf(s.Attributes, key) }
		for _, a := range s.Attributes {
			if !slices.Contains(spanKeys, a.Key) {
				t.Errorf("%s has the attribute %s", s.Name, a.Key)
			}
		}
		for _, key := range append(slices.Clip(always), "jsonrpc.request.id") {
			if get(key) == "" {
				t.Errorf("%s has no %s", s.Name, key)
			}
		}
		name := get("mcp.method.name")
		if target := get("gen_ai.tool.name") + get("gen_ai.prompt.name"); target != "" {
			name += " " + target
		}
		if s.Name != name || s.Kind != spans.Span_SPAN_KIND_SERVER {
			t.Errorf("the span %s of kind %s must be %s of kind server", s.Name, s.Kind, name)
		}
		if isCall := get("mcp.method.name") == "tools/call"; isCall != (get("gen_ai.operation.name") == "execute_tool") {
			t.Errorf("%s has the operation %q", s.Name, get("gen_ai.operation.name"))
		}
		failed := get("error.type") != ""
		if failed != (s.Status.GetCode() == spans.Status_STATUS_CODE_ERROR) {
			t.Errorf("%s has the error %q and the status %s", s.Name, get("error.type"), s.Status.GetCode())
		}
		switch status := get("rpc.response.status_code"); status {
		case "":
		case "-32700", "-32600", "-32601", "-32602", "-32002":
			if failed {
				t.Errorf("%s: %s is an error of the client", s.Name, status)
			}
		default:
			if get("error.type") != status {
				t.Errorf("%s: error.type %q, want %s", s.Name, get("error.type"), status)
			}
		}
	}
	for point := range r.points {
		words := strings.Fields(point)
		if words[0] != "mcp.server.operation.duration" || words[1] != "s" {
			t.Errorf("metric %s", point)
		}
		for _, word := range words[2:] {
			if key, _, _ := strings.Cut(word, "="); !slices.Contains(metricKeys, key) {
				t.Errorf("the metric has the attribute %s", key)
			}
		}
		for _, key := range always {
			if !strings.Contains(point, " "+key+"=") {
				t.Errorf("the metric has no %s: %s", key, point)
			}
		}
	}
	if len(r.spans) == 0 || len(r.points) == 0 {
		t.Error("nothing was received")
	}
}

func valueOf(list []*common.KeyValue, key string) string {
	for _, a := range list {
		if a.Key == key {
			return a.Value.GetStringValue()
		}
	}
	return ""
}
