package sdk_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/conformance"
	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/internal/fixture/studio"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A client that requests the contract gets it along with the tool list, in every session and over HTTP;
// other clients do not.
func TestContractBesideTheList(t *testing.T) {
	data, err := os.ReadFile("../internal/fixture/jp.lock.json")
	if err != nil {
		t.Fatal(err)
	}
	var lock manifest.Server
	if err := json.Unmarshal(data, &lock); err != nil {
		t.Fatal(err)
	}
	modern := strings.TrimSuffix(modernMeta, "}") + `,"computer.jp/contract":`
	overPipe := func(version, meta string) func(t *testing.T) string {
		return func(t *testing.T) string {
			p := startAs(t, version)
			p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":` + meta + `}}`)
			return p.recv().raw
		}
	}
	for _, tc := range []struct {
		name  string
		list  func(t *testing.T) string
		comes bool
	}{
		{"an old session", overPipe("2024-11-05", `{"computer.jp/contract":true}`), true},
		{"a session", overPipe("2025-11-25", `{"computer.jp/contract":true}`), true},
		{"no session", overPipe("2025-11-25", modern+`true}`), true},
		{"over HTTP", func(t *testing.T) string {
			_, body := serve(t, nil).post(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":`+modern+`true}}}`,
				"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list")
			return string(body)
		}, true},
		{"not requested", overPipe("2025-11-25", `{}`), false},
		{"no", overPipe("2025-11-25", `{"computer.jp/contract":false}`), false},
		{"not a boolean", overPipe("2025-11-25", `{"computer.jp/contract":"true"}`), false},
		{"not requested, no session", overPipe("2025-11-25", modernMeta), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			raw := tc.list(t)
			raw = raw[strings.Index(raw, `{"jsonrpc"`):]
			var answer struct {
				Result struct {
					Tools []struct{ Name string }
					Meta  map[string]json.RawMessage `json:"_meta"`
				}
			}
			if err := json.NewDecoder(strings.NewReader(raw)).Decode(&answer); err != nil {
				t.Fatalf("%v: %.300s", err, raw)
			}
			if len(answer.Result.Tools) != len(lock.Tools) {
				t.Errorf("%d tools are listed", len(answer.Result.Tools))
			}
			text, came := answer.Result.Meta["computer.jp/contract"]
			if came != tc.comes {
				t.Fatalf("the contract came: %t", came)
			}
			if !came {
				return
			}
			var got manifest.Server
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatal(err)
			}
			if again, err := got.Write(); err != nil || !bytes.Equal(again, data) {
				t.Errorf("the contract is %s (%v), its file %s", again, err, data)
			}
		})
	}
}

// The contract that a program prints is byte for byte the file next to its source, so the generated code
// contains all of it.
func TestContractIsTheFile(t *testing.T) {
	for _, tc := range []struct {
		server *sdk.Server
		dir    string
	}{
		{fixture.NewServer(&fixture.Fixture{}), "../internal/fixture"},
		{studio.NewServer(&studio.Studio{}), "../internal/fixture/studio"},
		{conformance.NewServer(&conformance.Conformance{}), "../internal/conformance"},
	} {
		want, err := os.ReadFile(filepath.Join(tc.dir, "jp.lock.json"))
		if err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		streams := &sdk.Streams{Out: writeCloser{&out}, Err: &errs}
		if status := tc.server.Run(t.Context(), []string{"contract"}, streams); status != sdk.ExitOK || errs.Len() > 0 {
			t.Errorf("%s: status %d, %q", tc.dir, status, errs.String())
		}
		if !bytes.Equal(out.Bytes(), want) {
			t.Errorf("%s: the program prints %s", tc.dir, out.String())
		}
	}
}

// The tool list has output schemas if the client asks for the contract, or if the server always lists them.
// It contains each title only once.
func TestOutputSchemasInTheList(t *testing.T) {
	asked := strings.TrimSuffix(modernMeta, "}") + `,"computer.jp/contract":true}`
	for _, tc := range []struct {
		name, meta string
		server     *sdk.Server
		want       bool
	}{
		{"asked", asked, studio.NewServer(&studio.Studio{}), true},
		{"not asked", modernMeta, studio.NewServer(&studio.Studio{}), false},
		{"always", modernMeta, fixture.NewServer(&fixture.Fixture{}), true},
	} {
		var out, errs bytes.Buffer
		streams := &sdk.Streams{In: io.NopCloser(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":` + tc.meta + "}}\n")), Out: writeCloser{&out}, Err: &errs}
		if status := tc.server.Run(t.Context(), nil, streams); status != sdk.ExitOK {
			t.Fatalf("%s: status %d, %s", tc.name, status, errs.String())
		}
		var answer struct {
			Result struct {
				Tools []struct {
					OutputSchema json.RawMessage
					Annotations  map[string]any
				}
			}
		}
		if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
			t.Fatalf("%s: %v in %s", tc.name, err, out.String())
		}
		outputs, titles := 0, 0
		for _, tool := range answer.Result.Tools {
			if tool.OutputSchema != nil {
				outputs++
			}
			if tool.Annotations["title"] != nil {
				titles++
			}
		}
		if outputs > 0 != tc.want || titles > 0 {
			t.Errorf("%s: %d of %d tools with output schemas, %d titles in annotations", tc.name, outputs, len(answer.Result.Tools), titles)
		}
	}
}
