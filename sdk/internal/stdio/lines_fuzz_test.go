package stdio_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/internal/stdio"
)

const fuzzMaxLine = 200

// A sink stores what is written to it.
type sink struct{ bytes.Buffer }

func (*sink) Close() error { return nil }

// FuzzLines sends any input to a server. Each line that encoding/json decodes as a call of ping, which needs no
// session, is answered once, with the id as written. Every other response is an error, and the output contains
// only responses.
func FuzzLines(f *testing.F) {
	for _, lines := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":0,"method":""}`,
		`{"jsonrpc":"2.0","id":1,"method":"p\ng"}`,
		`{"jsonrpc":"2.0","id":1.50e1,"method":"ping","params":{"_meta":{"computer.jp/tool":{"n":1e400}}}}`,
		`{"jsonrpc":"2.0","id":"\u0061","method":"ping","params":null}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}` + "\n" + `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}`,
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}` + "\r\n" + `{"ID":1}`,
		"\xef\xbb\xbf{}\n\n[]\n7\n" + strings.Repeat(" ", fuzzMaxLine) + "\n\xff",
		strings.Repeat("x", fuzzMaxLine+1),
		strings.Repeat("[", 30000),
		paddedCall(fuzzMaxLine), paddedCall(fuzzMaxLine) + "\n", paddedCall(fuzzMaxLine + 1), paddedCall(fuzzMaxLine+1) + "\n",
	} {
		f.Add([]byte(lines))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		out := new(sink)
		e := newEngine(t, engine.Options{MaxMessage: fuzzMaxLine}, nil)
		err := stdio.Serve(t.Context(), e, io.NopCloser(bytes.NewReader(input)), out, engine.DrainTime, func() {})
		if err != nil {
			t.Fatal(err)
		}
		answered := checkOutput(t, out.Bytes())
		used := map[string]bool{}
		for _, line := range bytes.Split(input, []byte("\n")) {
			if len(line) > fuzzMaxLine {
				continue
			}
			id, verdict := callOf(rpc.Trim(line))
			if verdict == unsure {
				return
			}
			if verdict == other {
				continue
			}
			// The server may read lines before it has answered earlier ones.
			if used[id] {
				return
			}
			used[id] = true
			if len(answered) == 0 || answered[0] != id {
				t.Fatalf("the call %s is not answered: %q", line, answered)
			}
			answered = answered[1:]
		}
		if len(answered) > 0 {
			t.Errorf("answered without a call: %q", answered)
		}
	})
}

// paddedCall returns a call of n bytes.
func paddedCall(n int) string {
	const call = `{"jsonrpc":"2.0","id":1,"method":"ping"`
	return call + strings.Repeat(" ", n-len(call)-1) + "}"
}

type verdict int

const (
	other verdict = iota
	aCall
	unsure
)

// checkOutput returns the ids of results as written, and checks that every line is valid JSON-RPC.
func checkOutput(t *testing.T, output []byte) []string {
	t.Helper()
	var ids []string
	lines := bufio.NewScanner(bytes.NewReader(output))
	for lines.Scan() {
		var r struct {
			Version string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Result  json.RawMessage `json:"result"`
			Error   *jsonrpc.Error  `json:"error"`
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil || r.Version != "2.0" || (r.Result == nil) == (r.Error == nil) {
			t.Fatalf("no response: %s (%v)", lines.Bytes(), err)
		}
		if r.Error != nil && (r.Error.Code == 0 || r.Error.Message == "") {
			t.Fatalf("no reason: %s", lines.Bytes())
		}
		if r.Result != nil {
			ids = append(ids, string(r.ID))
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return ids
}

// callOf returns the id, as written, of a call that needs no session. The verdict is unsure for calls that
// contain an error, for calls that affect later calls, and for duplicate names, because only some of them are
// rejected.
func callOf(line []byte) (id string, v verdict) {
	if !jsontext.Value(line).IsValid(jsontext.AllowDuplicateNames(true)) {
		return "", other
	}
	var m map[string]json.RawMessage
	if json.Unmarshal(line, &m) != nil {
		return "", other
	}
	if _, failed := m["error"]; failed || !jsontext.Value(line).IsValid() {
		return "", unsure
	}
	if _, answers := m["result"]; answers {
		return "", other
	}
	if id := m["id"]; len(id) > 0 && id[0] != '"' && bytes.ContainsAny(id, ".eE") {
		return "", unsure // the id may be an integer
	}
	var version, method *string
	var params map[string]json.RawMessage
	for name, into := range map[string]any{"jsonrpc": &version, "method": &method, "params": &params} {
		if m[name] != nil && json.Unmarshal(m[name], into) != nil {
			return "", other
		}
	}
	if version == nil || *version != "2.0" || method == nil || m["id"] == nil || !strings.ContainsRune(`"-0123456789`, rune(m["id"][0])) {
		return "", other
	}
	switch {
	case *method == "ping":
		return string(m["id"]), aCall
	case *method == "initialize", bytes.Contains(line, []byte("protocolVersion")): // the message may open a session, or need none
		return "", unsure
	}
	return "", other // rejected, because there is no session
}
