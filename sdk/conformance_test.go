package sdk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// conformanceCommand returns the command of the conformance server.
func conformanceCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := command(t, args...)
	cmd.Env = append(cmd.Env, "JPTOOL_TEST_SERVER=conformance")
	return cmd
}

// A listener records what a client receives from a server in addition to results.
type listener struct {
	mu       sync.Mutex
	progress []float64
	logged   []string
	asked    []string
}

func (l *listener) update(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f()
}

// options returns options for a client that answers every question of the suite.
func (l *listener) options() *mcp.ClientOptions {
	return &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			l.update(func() { l.progress = append(l.progress, req.Params.Progress) })
		},
		//lint:ignore SA1019 older clients receive log messages
		LoggingMessageHandler: func(_ context.Context, req *mcp.LoggingMessageRequest) {
			l.update(func() {
				l.logged = append(l.logged, fmt.Sprintf("%s %s %v", req.Params.Logger, req.Params.Level, req.Params.Data.(map[string]any)["msg"]))
			})
		},
		//lint:ignore SA1019 older clients support sampling
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			//lint:ignore SA1019 older clients support sampling
			return &mcp.CreateMessageResult{Role: "assistant", Model: "m", Content: &mcp.TextContent{Text: "Paris"}}, nil
		},
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			schema, err := json.Marshal(req.Params.RequestedSchema)
			l.update(func() { l.asked = append(l.asked, string(schema)) })
			answer := map[string]any{}
			for name, value := range map[string]any{
				"username": "ada", "email": "ada@example.com", "age": 36, "color": "blue", "ok": true,
				"untitledSingle": "option1", "titledSingle": "value1", "legacyEnum": "opt1",
				"untitledMulti": []string{"option1"}, "titledMulti": []string{"value2"},
			} {
				if strings.Contains(string(schema), `"`+name+`":`) {
					answer[name] = value
				}
			}
			if strings.Contains(string(schema), `"required":["name"]`) {
				answer["name"] = "Ada"
			}
			return &mcp.ElicitResult{Action: "accept", Content: answer}, err
		},
	}
}

// TestConformance runs the checks of the official suite with go-sdk's client: `make conformance` runs the suite
// itself.
func TestConformance(t *testing.T) {
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			heard := new(listener)
			session := connectTo(t, &mcp.CommandTransport{Command: conformanceCommand(t)}, version, heard.options())
			if got := session.InitializeResult().ProtocolVersion; got != version {
				t.Fatalf("the session is of version %s", got)
			}
			call := func(name, arguments string) string {
				t.Helper()
				params := &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)}
				params.SetProgressToken("token")
				res, err := session.CallTool(t.Context(), params)
				if err != nil {
					return "error: " + err.Error()
				}
				var said []string
				for _, c := range res.Content {
					switch c := c.(type) {
					case *mcp.TextContent:
						said = append(said, c.Text)
					case *mcp.ImageContent:
						said = append(said, c.MIMEType)
					case *mcp.AudioContent:
						said = append(said, c.MIMEType)
					case *mcp.EmbeddedResource:
						said = append(said, c.Resource.URI)
					}
				}
				if res.IsError {
					return "isError: " + strings.Join(said, "|")
				}
				return strings.Join(said, "|")
			}
			legacy := version < "2026-07-28"
			if legacy {
				//lint:ignore SA1019 older clients set a log level
				if err := session.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "info"}); err != nil {
					t.Fatal(err)
				}
			}
			for _, tc := range []struct{ name, arguments, want string }{
				{"test_simple_text", `{}`, "Plain text."},
				{"greet", `{"name":"World"}`, "Hello, World!"},
				{"slow_compute", `{"seconds":60,"label":"x"}`, "x is computed"},
				{"confirm_delete", `{"filename":"x"}`, "x is kept"},
				{"test_image_content", `{}`, "image/png|[image/png, 71 bytes]"},
				{"test_audio_content", `{}`, "audio/wav|[audio/wav, 46 bytes]"},
				{"test_embedded_resource", `{}`, "test://embedded-resource"},
				{"test_multiple_content_types", `{}`, "Text, an image and a resource.|image/png|test://mixed-content-resource"},
				{"test_error_handling", `{}`, "isError: conflict: this tool always fails"},
				{"test_tool_with_progress", `{}`, "all steps are done"},
				{"test_tool_with_logging", `{}`, "logged"},
				{"test_elicitation", `{"message":"Who are you?"}`, "ada <ada@example.com>"},
				{"test_elicitation_sep1034_defaults", `{}`, "{Name:John Doe Age:36 Score:95.5 Status:active Verified:true}"},
				{"test_input_required_result_elicitation", `{}`, "Hello, Ada!"},
				{"test_input_required_result_request_state", `{}`, "state-ok"},
				{"test_input_required_result_multi_round", `{}`, "Ada likes blue"},
			} {
				if got := call(tc.name, tc.arguments); got != tc.want {
					t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
				}
			}
			if legacy {
				if got := call("test_sampling", `{"prompt":"Where?"}`); got != "the model says Paris" {
					t.Error(got)
				}
				if got := call("test_elicitation_sep1330_enums", `{}`); !strings.HasPrefix(got, "accept ") {
					t.Error(got)
				}
			}
			if got := call("test_missing_capability", `{}`); got != "the client supports sampling" {
				t.Error(got)
			}
			heard.check(t, legacy)
		})
	}
}

func (l *listener) check(t *testing.T, legacy bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Equal(l.progress, []float64{0, 50, 100}) {
		t.Errorf("progress %v", l.progress)
	}
	want := []string{"test_tool_with_logging info tool started", "test_tool_with_logging info tool processing", "test_tool_with_logging info tool completed"}
	if !legacy {
		want = nil // a client that did not request the list receives nothing
	}
	if !slices.Equal(l.logged, want) {
		t.Errorf("logged %q, want %q", l.logged, want)
	}
	for field, want := range map[string]string{
		"score":  `{"type":"number","description":"Score of the owner.","default":95.5}`,
		"status": `{"type":"string","description":"Status of the account.","default":"active","enum":["active","inactive","pending"]}`,
	} {
		if !slices.ContainsFunc(l.asked, func(schema string) bool {
			var form struct{ Properties map[string]json.RawMessage }
			return json.Unmarshal([]byte(schema), &form) == nil && equalJSON(t, string(form.Properties[field]), want)
		}) {
			t.Errorf("no form has %s: %s", want, l.asked)
		}
	}
}

func equalJSON(t *testing.T, x, y string) bool {
	t.Helper()
	var a, b any
	if x == "" || json.Unmarshal([]byte(x), &a) != nil || json.Unmarshal([]byte(y), &b) != nil {
		return false
	}
	ax, _ := json.Marshal(a)
	by, _ := json.Marshal(b)
	return string(ax) == string(by)
}

// The resources and prompts of the suite are in the contract. What a program adds to go-sdk's server is listed after it.
func TestResourcesAndPromptsOfTheSuite(t *testing.T) {
	session := connectTo(t, &mcp.CommandTransport{Command: conformanceCommand(t)}, "2025-11-25", nil)
	caps := session.InitializeResult().Capabilities
	if caps.Completions == nil || caps.Prompts == nil || caps.Resources == nil || !caps.Resources.Subscribe || !caps.Resources.ListChanged {
		t.Errorf("capabilities %+v", caps)
	}
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"test_sampling", "test_input_required_result_list_roots"} {
		if !slices.ContainsFunc(tools.Tools, func(tool *mcp.Tool) bool { return tool.Name == name }) {
			t.Errorf("the list lacks %s", name)
		}
	}
	i := slices.IndexFunc(tools.Tools, func(tool *mcp.Tool) bool { return tool.Name == "json_schema_2020_12_tool" })
	schema, err := json.Marshal(tools.Tools[i].InputSchema)
	if err != nil || !strings.Contains(string(schema), `"$anchor":"addressDef"`) || !strings.Contains(string(schema), `"if":`) {
		t.Errorf("schema %s, %v", schema, err)
	}
	res, err := session.Complete(t.Context(), &mcp.CompleteParams{
		Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: "test_prompt_with_arguments"}, Argument: mcp.CompleteParamsArgument{Name: "arg1", Value: "part"},
	})
	if err != nil || !slices.Equal(res.Completion.Values, []string{"party"}) {
		t.Errorf("completion %+v, %v", res, err)
	}
	read, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "test://template/7/data"})
	if err != nil || !strings.Contains(read.Contents[0].Text, `"id":"7"`) {
		t.Errorf("resource %+v, %v", read, err)
	}
	got, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "test_prompt_with_arguments", Arguments: map[string]string{"arg1": "a", "arg2": "b"}})
	if err != nil || got.Messages[0].Content.(*mcp.TextContent).Text != "arg1='a', arg2='b'" {
		t.Errorf("prompt %+v, %v", got, err)
	}
}

// A client recognizes its subscription by the id of its request.
func TestSubscriptionsOverStdio(t *testing.T) {
	p := launchCommand(t, conformanceCommand(t))
	meta := strings.Replace(modernMeta, `{"elicitation":{}}`, `{}`, 1)
	p.send(`{"jsonrpc":"2.0","id":"two.5","method":"subscriptions/listen","params":{"notifications":{"resourcesListChanged":true,"resourceSubscriptions":["test://watched-resource"]},"_meta":` + meta + `}}`)
	const own = `"io.modelcontextprotocol/subscriptionId":"two.5"`
	if r := p.recv(); !strings.Contains(r.raw, "notifications/subscriptions/acknowledged") || !strings.Contains(r.raw, own) {
		t.Fatalf("not acknowledged: %s", r.raw)
	}
	change := func(id int) {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"test_trigger_resource_change","arguments":{},"_meta":%s}}`, id, meta))
	}
	change(1)
	lines := p.recv().raw + p.recv().raw + p.recv().raw
	if !strings.Contains(lines, "notifications/resources/list_changed") || !strings.Contains(lines, "notifications/resources/updated") ||
		strings.Count(lines, own) != 2 {
		t.Errorf("nothing is heard of a change: %s", lines)
	}
	p.in.Close()
	if p.out.Scan(); !strings.HasPrefix(p.out.Text(), `{"jsonrpc":"2.0","id":"two.5","result":`) || !strings.Contains(p.out.Text(), own) {
		t.Errorf("the subscription ends with %s", p.out.Text())
	}
	if log := p.log(); strings.Contains(log, "still running") {
		t.Errorf("the end waited for the subscription: %s", log)
	}
}

// What exists neither in the contract nor in go-sdk's server, which has only tools, is not found.
func TestNotFoundBesideAddedTools(t *testing.T) {
	p := launchCommand(t, conformanceCommand(t))
	for _, tc := range []struct{ method, params, want string }{
		{"resources/read", `"uri":"test://nothing"`, `"uri":"test://nothing"`},
		{"prompts/get", `"name":"nothing"`, `there is no prompt`},
		{"completion/complete", `"ref":{"type":"ref/prompt","name":"nothing"},"argument":{"name":"a","value":""}`, `there is no prompt`},
	} {
		p.send(`{"jsonrpc":"2.0","id":1,"method":"` + tc.method + `","params":{` + tc.params + `,"_meta":` + modernMeta + `}}`)
		if r := p.recv(); r.Error == nil || r.Error.Code != -32602 || !strings.Contains(r.raw, tc.want) {
			t.Errorf("%s: %s", tc.method, r.raw)
		}
	}
}

// A client is told about tools that a program adds to go-sdk's server.
func TestChangesOfAddedTools(t *testing.T) {
	cmd := command(t)
	cmd.Env = append(cmd.Env, "JPTOOL_TEST_SERVER=beside")
	p := launchCommand(t, cmd)
	p.send(`{"jsonrpc":"2.0","id":5,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":` + modernMeta + `}}`)
	if r := p.recv(); !strings.Contains(r.raw, "notifications/subscriptions/acknowledged") {
		t.Fatalf("not acknowledged: %s", r.raw)
	}
	p.send(`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"add_tool","arguments":{},"_meta":` + modernMeta + `}}`)
	if lines := p.recv().raw + p.recv().raw; !strings.Contains(lines, "notifications/tools/list_changed") || !strings.Contains(lines, `"id":6`) {
		t.Errorf("nothing is heard of the change: %s", lines)
	}
}

func TestAbandonedSubscription(t *testing.T) {
	p := launchCommand(t, conformanceCommand(t))
	meta := strings.Replace(modernMeta, `{"elicitation":{}}`, `{}`, 1)
	p.send(`{"jsonrpc":"2.0","id":5,"method":"subscriptions/listen","params":{"notifications":{"resourcesListChanged":true},"_meta":` + meta + `}}`)
	p.recv()
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`)
	p.send(`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"test_trigger_resource_change","arguments":{},"_meta":` + meta + `}}`)
	if r := p.recv(); string(r.ID) != "6" {
		t.Errorf("got %s", r.raw)
	}
	p.in.Close()
	if p.out.Scan() {
		t.Errorf("after it was given up: %s", p.out.Text())
	}
}

// A notification with an id is a request with an unknown method, whatever a program adds to go-sdk's server.
func TestNotificationMethodsWithAnID(t *testing.T) {
	for name, p := range map[string]*process{"plain": launch(t), "extended": launchCommand(t, conformanceCommand(t))} {
		for _, method := range []string{"notifications/initialized", "notifications/cancelled", "notifications/unheard_of"} {
			p.send(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{"_meta":` + modernMeta + `}}`)
			if r := p.recv(); r.Error == nil || r.Error.Code != -32601 {
				t.Errorf("%s: %s: %s", name, method, r.raw)
			}
		}
	}
}

func TestDiscoverNeedsAVersion(t *testing.T) {
	p := launch(t)
	for _, params := range []string{``, `,"params":null`, `,"params":{}`, `,"params":{"_meta":null}`, `,"params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}`} {
		p.send(`{"jsonrpc":"2.0","id":1,"method":"server/discover"` + params + `}`)
		if r := p.recv(); r.Error == nil || r.Error.Code != -32602 || !strings.Contains(r.Error.Message, "io.modelcontextprotocol/protocolVersion") {
			t.Errorf("params %s: %s", params, r.raw)
		}
	}
	p.send(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":` + modernMeta + `}}`)
	if r := p.recv(); r.Error != nil || !strings.Contains(r.raw, "supportedVersions") {
		t.Errorf("with one: %s", r.raw)
	}
}

// In the newest version, a request can ask for its log messages.
func TestLogOfOneCall(t *testing.T) {
	p := launchCommand(t, conformanceCommand(t))
	call := func(level string) string {
		meta := strings.TrimSuffix(modernMeta, "}") + level + "}"
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_logging_tool","arguments":{},"_meta":` + meta + `}}`)
		return p.recv().raw
	}
	for _, level := range []string{``, `,"io.modelcontextprotocol/logLevel":"warning"`} {
		if got := call(level); !strings.Contains(got, `"id":1`) {
			t.Errorf("level %q: %s", level, got)
		}
	}
	got := call(`,"io.modelcontextprotocol/logLevel":"debug"`)
	if !strings.Contains(got, `"method":"notifications/message"`) || !strings.Contains(got, `"msg":"the logging tool ran"`) || !strings.Contains(got, `"logger":"test_logging_tool"`) {
		t.Errorf("asked for: %s", got)
	}
	if got := p.recv().raw; !strings.Contains(got, `"id":1`) {
		t.Errorf("then: %s", got)
	}
	if !strings.Contains(p.log(), "the logging tool ran") {
		t.Error("the log of the server lacks it")
	}
}

// A server rejects list requests for capabilities that it does not declare, in every version.
func TestUndeclaredListsAreRefused(t *testing.T) {
	modern, legacy, full := launch(t), start(t), launchCommand(t, conformanceCommand(t))
	for _, method := range []string{"prompts/list", "resources/list", "resources/templates/list"} {
		line := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{"_meta":` + modernMeta + `}}`
		modern.send(line)
		if r := modern.recv(); r.Error == nil || r.Error.Code != -32601 {
			t.Errorf("%s: %s", method, r.raw)
		}
		legacy.send(`{"jsonrpc":"2.0","id":1,"method":"` + method + `"}`)
		if r := legacy.recv(); r.Error == nil || r.Error.Code != -32601 {
			t.Errorf("%s of an old client: %s", method, r.raw)
		}
		full.send(line)
		if full.out.Scan(); !strings.Contains(full.out.Text(), `"test_`) && !strings.Contains(full.out.Text(), `"test://`) {
			t.Errorf("%s of a server that has some: %s", method, full.out.Text())
		}
	}
}
