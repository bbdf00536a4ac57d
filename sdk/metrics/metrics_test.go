package metrics_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/metrics"
)

const token = "a-secret-of-some-length"

// run runs the fixture as a program with the given flags, and returns the address of its MCP.
func run(t *testing.T, flags ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(token), 0o600); err != nil {
		t.Fatal(err)
	}
	s := fixture.NewServer(&fixture.Fixture{})
	metrics.Use(s)
	ctx, cancel := context.WithCancel(context.Background())
	log, w := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- s.Run(ctx, append([]string{"--http", "127.0.0.1:0", "--http-token-file", file}, flags...),
			&sdk.Streams{In: http.NoBody, Out: discard{}, Err: w})
	}()
	t.Cleanup(func() {
		cancel()
		if status := <-ended; status != 0 {
			t.Errorf("the server ended with status %d", status)
		}
		w.Close()
	})
	for lines := bufio.NewScanner(log); lines.Scan(); {
		if m := regexp.MustCompile(`url=(http://\S+)/mcp`).FindStringSubmatch(lines.Text()); m != nil {
			go io.Copy(io.Discard, log)
			return m[1]
		}
	}
	t.Fatal("the server does not serve")
	return ""
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }

func get(t *testing.T, url, token string) (int, string) {
	t.Helper()
	return do(t, http.MethodGet, url, token, "")
}

func do(t *testing.T, method, url, token, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		req.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(data)
}

func call(t *testing.T, url, tool, arguments string) {
	t.Helper()
	status, answer := do(t, http.MethodPost, url+"/mcp", token, fmt.Sprintf(
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments))
	if status != http.StatusOK {
		t.Fatalf("the call: status %d: %s", status, answer)
	}
}

func TestMetricsBesideTheProbes(t *testing.T) {
	url := run(t, "--http-stateless")
	call(t, url, "echo", `{"text":"x"}`)
	call(t, url, "fail", `{"how":"coded"}`)
	if status, _ := get(t, url+"/metrics", ""); status != http.StatusUnauthorized {
		t.Errorf("without the token: status %d", status)
	}
	status, text := get(t, url+"/metrics", token)
	if status != http.StatusOK || !strings.Contains(text, "go_goroutines") || !strings.Contains(text, "process_") {
		t.Errorf("status %d: %.300s", status, text)
	}
	for _, want := range []string{
		`mcp_server_operation_duration_seconds_count{error_type="",gen_ai_operation_name="execute_tool",gen_ai_prompt_name="",` +
			`gen_ai_tool_name="echo",jptool_fault_code="",mcp_method_name="tools/call",mcp_protocol_version="2025-11-25",` +
			`network_protocol_name="http",network_protocol_version="1.1",network_transport="tcp",rpc_response_status_code=""} 1`,
		`error_type="tool_error",gen_ai_operation_name="execute_tool",gen_ai_prompt_name="",gen_ai_tool_name="fail",jptool_fault_code="overheated"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}

func TestMetricsAtAnAddressOfTheirOwn(t *testing.T) {
	address := freeAddress(t)
	url := run(t, "--metrics-address", address)
	if status, text := get(t, "http://"+address+"/metrics", ""); status != http.StatusOK || !strings.Contains(text, "go_goroutines") {
		t.Errorf("at the address: status %d: %.300s", status, text)
	}
	for _, path := range []string{"/metrics", "/other"} {
		if status, _ := get(t, url+path, token); status != http.StatusNotFound {
			t.Errorf("at %s of MCP: status %d", path, status)
		}
	}
	if status, _ := get(t, "http://"+address+"/mcp", ""); status != http.StatusNotFound {
		t.Errorf("MCP at the address: status %d", status)
	}
}

func TestInvalidAddress(t *testing.T) {
	s := fixture.NewServer(&fixture.Fixture{})
	metrics.Use(s)
	var log strings.Builder
	status := s.Run(t.Context(), []string{"--metrics-address", "9090"}, &sdk.Streams{In: http.NoBody, Out: discard{}, Err: &log})
	if want := `error: invalid --metrics-address "9090": must be HOST:PORT, such as 127.0.0.1:9090`; status != sdk.ExitUsage || !strings.Contains(log.String(), want) {
		t.Errorf("status %d: %s", status, log.String())
	}
}

// freeAddress returns an address that nothing listens to.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
