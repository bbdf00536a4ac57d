package sdk_test

import (
	"context"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/internal/fixture/studio"
	"github.com/jptool/jptool/sdk/jp/jphost"
)

// studioCommand returns the command of the server that follows RFC-010.
func studioCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := command(t, args...)
	cmd.Env = append(cmd.Env, "JPTOOL_TEST_SERVER=studio")
	return cmd
}

func TestEnvelope(t *testing.T) {
	p := launchCommand(t, studioCommand(t)).openSession("2025-11-25")
	for _, tc := range []struct{ tool, arguments, text, structured string }{
		{
			"apply_primitive", `{"image_id":"lake","primitive":"crop","grain":null,"label":null}`,
			`{"state_after":{"applied":["crop fine"]},"label":"crop"}`,
			`{"success":true,"data":{"state_after":{"applied":["crop fine"]},"label":"crop"}}`,
		},
		{
			"apply_primitive", `{"image_id":"sea","primitive":"crop"}`, `not_found: there is no image "sea"`,
			`{"success":false,"error":{"code":"not_found","message":"there is no image \"sea\"","details":{"images":["lake"]},"recoverable":true}}`,
		},
		{
			"apply_primitive", `{"image_id":"lake"}`, "invalid_input: argument primitive: expected a string, got nothing",
			`{"success":false,"error":{"code":"invalid_input","message":"argument primitive: expected a string, got nothing","recoverable":true}}`,
		},
		{"describe", `{"image_id":"lake"}`, `A picture of a "lake".`, `{"success":true,"data":{"result":"A picture of a \"lake\"."}}`},
		{"check", `{"image_id":"lake"}`, "ok", `{"success":true}`},
		{"render", `{"image_id":"lake"}`, "", ""},
		{"render", `{"image_id":"sea"}`, `not_found: there is no image "sea"`, `{"success":false,"error":{"code":"not_found","message":"there is no image \"sea\"","recoverable":true}}`},
	} {
		r := p.call(tc.tool, tc.arguments)
		if r.text() != tc.text && !strings.HasPrefix(r.text(), tc.text) || !sameEnvelope(t, r.Structured, tc.structured) {
			t.Errorf("%s %s: text %q, structured %s, want %q, %s", tc.tool, tc.arguments, r.text(), r.Structured, tc.text, tc.structured)
		}
		if failed := strings.Contains(tc.structured, `"success":false`); r.IsError != failed {
			t.Errorf("%s %s: isError is %t", tc.tool, tc.arguments, r.IsError)
		}
	}
	// A question without an answer is a fault like any other.
	r := p.call("reset", `{"image_id":"lake"}`)
	if !strings.HasPrefix(r.text(), "input_unavailable: ") || !strings.HasPrefix(string(r.Structured), `{"success":false,"error":{"code":"input_unavailable"`) {
		t.Errorf("reset: text %q, structured %s", r.text(), r.Structured)
	}
}

// sameEnvelope reports whether got equals want; it compares details only if want has them.
func sameEnvelope(t *testing.T, got json.RawMessage, want string) bool {
	t.Helper()
	if want == "" || got == nil {
		return want == "" && got == nil
	}
	var g, w map[string]any
	if err := json.Unmarshal(got, &g); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatal(err)
	}
	ge, _ := g["error"].(map[string]any)
	we, _ := w["error"].(map[string]any)
	if _, wanted := we["details"]; !wanted {
		delete(ge, "details")
	}
	x, _ := json.Marshal(g)
	y, _ := json.Marshal(w)
	return string(x) == string(y)
}

// Output follows the listed schema, for successes and failures.
func TestEnvelopeKeepsToItsSchema(t *testing.T) {
	contract := studio.NewServer(&studio.Studio{}).Contract()
	p := launchCommand(t, studioCommand(t)).openSession("2025-11-25")
	for _, tc := range []struct{ tool, arguments string }{
		{"apply_primitive", `{"image_id":"lake","primitive":"crop"}`},
		{"apply_primitive", `{"image_id":"sea","primitive":"crop"}`},
		{"apply_primitive", `{}`},
		{"describe", `{"image_id":"lake"}`},
		{"check", `{"image_id":"lake"}`},
		{"reset", `{"image_id":"lake"}`},
	} {
		c, _ := contract.Tool(tc.tool)
		var schema jsonschema.Schema
		if err := json.Unmarshal(c.Output, &schema); err != nil {
			t.Fatal(err)
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if err := json.Unmarshal(p.call(tc.tool, tc.arguments).Structured, &value); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(value); err != nil {
			t.Errorf("%s %s: %v: %v", tc.tool, tc.arguments, value, err)
		}
	}
}

// Before version 2025-06-18, there is no structured content, and the text contains everything. In JP's
// protocols, there is no envelope: the Outcome or the document replaces it.
func TestEnvelopeStaysOffOtherWires(t *testing.T) {
	old := launchCommand(t, studioCommand(t)).openSession("2025-03-26")
	if r := old.call("describe", `{"image_id":"lake"}`); r.Structured != nil || r.text() != `A picture of a "lake".` {
		t.Errorf("MCP 2025-03-26: %+v", r)
	}
	for _, version := range []string{"outcome", "outcome-untagged", "blocks"} {
		p := launchCommand(t, studioCommand(t, "--jp="+version)).openSession("2025-11-25")
		for _, image := range []string{"lake", "sea"} {
			if r := p.call("render", `{"image_id":"`+image+`"}`); r.Structured != nil || strings.Contains(r.text(), `"success":`) {
				t.Errorf("--jp=%s %s: %+v", version, image, r)
			}
		}
	}
}

func TestFormerNames(t *testing.T) {
	const arguments = `{"image_id":"lake","primitive":"crop"}`
	const remark = "apply is a former name of this tool and may be removed after 2031-06-30; call apply_primitive instead"
	p := launchCommand(t, studioCommand(t, "--option", "apply.limit=2")).openSession("2025-11-25")
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	list := p.recv().raw
	if strings.Contains(list, `"apply"`) || !strings.Contains(list, `"_meta":{"computer.jp/version":"1.1"}`) {
		t.Errorf("the list is %s", list)
	}
	send := func(name string) response {
		p.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments + `}}`)
		return p.recv()
	}
	const meta = `"computer.jp/deprecated":{"name":"apply_primitive","until":"2031-06-30"}`
	if r := send("apply"); !strings.HasSuffix(r.Result.text(), "|Note: "+remark) || !strings.Contains(r.raw, meta) || !strings.Contains(r.raw, `"success":true`) {
		t.Errorf("by a former name: %s", r.raw)
	}
	if r := send("apply_primitive"); strings.Contains(r.raw, "deprecated") || len(r.Result.Content) != 1 {
		t.Errorf("by the name of today: %s", r.raw)
	}
	// The option applies even though it was set under the former name. A fault also contains both
	// names.
	if r := send("apply"); !strings.Contains(r.raw, meta) || r.Result.Meta["computer.jp/error"].Code != "state" {
		t.Errorf("a fault by a former name: %s", r.raw)
	}
	if r := send("aply"); r.Error == nil || r.Error.Code != -32602 {
		t.Errorf("a name that was never one: %s", r.raw)
	}

	jp := launchCommand(t, studioCommand(t, "--jp")).openSession("2025-11-25")
	if r := jp.call("apply", arguments); len(r.Content) != 1 || !strings.Contains(r.text(), remark) {
		t.Errorf("in an Outcome: %+v", r)
	}
	cmd := studioCommand(t, "call", "apply", "{{tool}}", "{{context}}")
	local, err := jphost.Local{Name: "mine", Command: cmd.Args, Env: cmd.Env}.Call(t.Context(), json.RawMessage(arguments), nil)
	if err != nil || !strings.Contains(local.Text, remark) {
		t.Errorf("as a local tool: %+v, %v", local, err)
	}
}

// Environment variables name options in the same way as flags.
func TestOptionUnderAFormerName(t *testing.T) {
	t.Setenv("STUDIO_APPLY_LIMIT", "0")
	p := launchCommand(t, studioCommand(t)).openSession("2025-11-25")
	if r := p.call("apply_primitive", `{"image_id":"lake","primitive":"crop"}`); r.Meta["computer.jp/error"].Code != "state" {
		t.Errorf("result %+v", r)
	}
}

// The rounds of a call are matched by the tool name that the client used.
func TestRoundsUnderAFormerName(t *testing.T) {
	asked := 0
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked++
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": true}}, nil
		},
	})
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: studioCommand(t)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "undo", Arguments: map[string]any{"image_id": "lake"}})
	if err != nil || res.IsError || asked != 1 || res.Meta["computer.jp/deprecated"] == nil {
		t.Errorf("asked %d times: %+v, %v", asked, res, err)
	}
	// This version has envelopes like the earlier ones.
	res, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "render", Arguments: map[string]any{"image_id": "sea"}})
	if err != nil {
		t.Fatal(err)
	}
	if body, ok := res.StructuredContent.(map[string]any); !ok || body["success"] != false || !res.IsError {
		t.Errorf("a fault: %+v", res)
	}
}
