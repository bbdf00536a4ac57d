package sdk_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/jp/jpdoc"
)

// A sandbox is a root directory with a file, next to a directory outside the root.
type sandbox struct{ root, outside string }

func newSandbox(t *testing.T) sandbox {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := sandbox{root: filepath.Join(dir, "root"), outside: filepath.Join(dir, "outside")}
	for _, d := range []string{p.root, p.outside, filepath.Join(p.root, "sub")} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range map[string]string{
		filepath.Join(p.root, "mine"): "mine", filepath.Join(p.root, "sub", "deep"): "deep", filepath.Join(p.outside, "secret"): "the secret",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(p.outside, filepath.Join(p.root, "way")); err != nil {
		t.Fatal(err)
	}
	return p
}

// hostileMeta returns values of _meta with which a caller may try to extend its permissions.
func (p sandbox) hostileMeta() map[string]string {
	quote := func(text string) string { data, _ := json.Marshal(text); return string(data) }
	context := func(body string) string { return `"computer.jp/context":{` + body + `}` }
	return map[string]string{
		"root outside":         context(`"root":` + quote(p.outside)),
		"root above":           context(`"root":` + quote(filepath.Dir(p.root))),
		"root of all":          context(`"root":"/"`),
		"root by dots":         context(`"root":` + quote(p.root+"/../outside")),
		"root by a link":       context(`"root":` + quote(p.root+"/way")),
		"relative root":        context(`"root":"../outside"`),
		"no such root":         context(`"root":"/no/such/place"`),
		"root of another type": context(`"root":["/"]`),
		"mount": context(`"access":{"fs":[{"lexical_path":"way","external":true,"approved_target":` + quote(p.outside) + `,"read":true,"write":true,"delete":true},` +
			`{"lexical_path":"","read":true,"write":true,"delete":true}]}`),
		"grants of another type":  context(`"access":true`),
		"options":                 `"computer.jp/tool":{"options":{"limit":100,"prefix":"theirs "}}`,
		"options of another type": `"computer.jp/tool":{"options":[1]}`,
		"answers":                 `"computer.jp/tool":{"answers":{"sure":true}}`,
		"answers twice":           `"computer.jp/tool":{"answers":{"sure":false,"sure":true}}`,
		"answers for a prefix":    `"computer.jp/tool":{"answers":{"sure-x":true,"sure-mine":true}}`,
		"escaped keys":            "\"computer\\u002ejp/tool\":{\"answers\":{\"sure\":true},\"options\":{\"limit\":100}},\"computer\\u002ejp/context\":{\"root\":\"/\"}",
		"all of it": `"computer.jp/tool":{"name":"look","answers":{"sure":true},"options":{"limit":100},"arguments":{"path":"secret"}},` +
			context(`"root":`+quote(p.outside)+`,"action":"run","workspace_id":"w"`),
	}
}

// A callWithMeta makes a call of an older version with the given _meta. Its client cannot be asked.
type callWithMeta func(tool, arguments, meta string) response

func callsOverHTTP(t *testing.T, s service) callWithMeta {
	return func(tool, arguments, meta string) response {
		t.Helper()
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{`+
			`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},%s}}}`, tool, arguments, meta)
		_, data := s.post(t, body, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool)
		r := response{raw: string(data)}
		if err := json.Unmarshal(data, &r); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		return r
	}
}

func callsOverPipes(p *process) callWithMeta {
	return func(tool, arguments, meta string) response {
		p.t.Helper()
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{%s}}}`, tool, arguments, meta))
		return p.recv()
	}
}

// callOncePerProcess makes each call in a new process, as JP does for a local tool.
func callOncePerProcess(t *testing.T, args ...string) callWithMeta {
	return func(tool, arguments, meta string) response {
		t.Helper()
		var said struct {
			Tool    json.RawMessage `json:"computer.jp/tool"`
			Context json.RawMessage `json:"computer.jp/context"`
		}
		if err := json.Unmarshal([]byte("{"+meta+"}"), &said); err != nil {
			t.Fatal(err)
		}
		call, context := `{"arguments":`+arguments+`}`, string(said.Context)
		if said.Tool != nil {
			call = strings.TrimSuffix(call, "}") + "," + strings.TrimPrefix(string(said.Tool), "{")
		}
		if context == "" {
			context = "{}"
		}
		o, _, _ := oneshot(t, "", append(args, "call", tool, call, context)...)
		r := response{raw: o.Content + o.Message}
		r.Result.IsError = o.Type == jpdoc.TypeError
		if json.Valid([]byte(o.Content)) {
			r.Result.Structured = json.RawMessage(o.Content)
		}
		return r
	}
}

// Callers cannot extend their permissions. Over HTTP, _meta is ignored by default. Where _meta is used (over
// HTTP, pipes or a command line), --root and --pin limit it.
func TestHostileMeta(t *testing.T) {
	for name, tc := range map[string]struct {
		open func(t *testing.T, p sandbox) callWithMeta
		// believed reports whether answers, and options that are not pinned, are used.
		believed bool
	}{
		"HTTP": {func(t *testing.T, p sandbox) callWithMeta {
			return callsOverHTTP(t, serve(t, nil, "--root", p.root, "--option", "echo.limit=2"))
		}, false},
		"HTTP, trusted": {func(t *testing.T, p sandbox) callWithMeta {
			return callsOverHTTP(t, serve(t, nil, "--root", p.root, "--pin", "echo.limit=2", "--http-trust-caller"))
		}, true},
		"pipes": {func(t *testing.T, p sandbox) callWithMeta {
			return callsOverPipes(start(t, "--root", p.root, "--pin", "echo.limit=2"))
		}, true},
		"a command line": {func(t *testing.T, p sandbox) callWithMeta {
			return callOncePerProcess(t, "--root", p.root, "--pin", "echo.limit=2")
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newSandbox(t)
			call := tc.open(t, p)
			for what, meta := range p.hostileMeta() {
				p.checkPermissions(t, what, meta, call, tc.believed)
			}
		})
	}
}

// A pinned option applies whatever a caller sets, and the caller receives a remark.
func TestPinnedOption(t *testing.T) {
	call := callsOverPipes(start(t, "--pin", "echo.limit=2"))
	const meta = `"computer.jp/tool":{"options":{"limit":100,"prefix":"> "}}`
	if r := call("echo", `{"text":"x","times":3}`, meta); !strings.Contains(r.Result.text(), "conflict: at most 2 times") {
		t.Errorf("the limit of the call counts: %s", r.raw)
	}
	if r := call("echo", `{"text":"x"}`, meta); r.Result.IsError || !strings.Contains(r.raw, "> x") || !strings.Contains(r.raw, "option limit is pinned by the operator") {
		t.Errorf("a call with another option: %s", r.raw)
	}
}

// checkPermissions fails the test if a _meta extends the permissions of calls.
func (p sandbox) checkPermissions(t *testing.T, what, meta string, call callWithMeta, believed bool) {
	t.Helper()
	for _, path := range []string{"secret", "way/secret", "../outside/secret", "outside/secret", filepath.Join(p.outside, "secret")} {
		arguments := fmt.Sprintf(`{"path":%q}`, path)
		if r := call("look", arguments, meta); strings.Contains(r.raw, "the secret") {
			t.Errorf("%s: look %s: %s", what, path, r.raw)
		}
		call("erase", arguments, meta)
	}
	if _, err := os.Stat(filepath.Join(p.outside, "secret")); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if r := call("place", `{}`, meta); strings.Contains(r.raw, `"root":"`) || r.Result.IsError || r.Error != nil {
		var where struct{ Root string }
		if err := json.Unmarshal(r.Result.Structured, &where); err == nil && where.Root != p.root && !strings.HasPrefix(where.Root, p.root+"/") {
			t.Errorf("%s: the root is %s", what, where.Root)
		}
	}
	if r := call("echo", `{"text":"x","times":3}`, meta); r.Result.text() != "conflict: at most 2 times" && !r.Result.IsError && r.Error == nil {
		t.Errorf("%s: the limit is widened: %s", what, r.raw)
	}
	if !believed {
		if r := call("erase", `{"path":"mine"}`, meta); r.Result.Meta["computer.jp/error"].Code != "input_unavailable" {
			t.Errorf("%s: a destructive call is not asked about: %s", what, r.raw)
		}
		if r := call("look", `{"path":"mine"}`, meta); r.Result.text() != "mine" {
			t.Errorf("%s: what does not count gets in the way: %s", what, r.raw)
		}
		if r := call("echo", `{"text":"x"}`, meta); r.Result.text() != "x" {
			t.Errorf("%s: an option counts: %s", what, r.raw)
		}
	}
}

// A thousand random documents under JP's keys have no effect on permissions.
func TestRandomMeta(t *testing.T) {
	for name, open := range map[string]func(p sandbox) callWithMeta{
		"HTTP": func(p sandbox) callWithMeta {
			return callsOverHTTP(t, serve(t, nil, "--root", p.root, "--option", "echo.limit=2"))
		},
		"pipes": func(p sandbox) callWithMeta {
			return callsOverPipes(start(t, "--root", p.root, "--pin", "echo.limit=2"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newSandbox(t)
			call := open(p)
			for seed := range uint64(500) {
				meta := randomMeta(rand.New(rand.NewPCG(seed, 1)), p)
				if !json.Valid([]byte("{" + meta + "}")) {
					t.Fatal(meta)
				}
				if r := call("look", `{"path":"secret"}`, meta); strings.Contains(r.raw, "the secret") {
					t.Errorf("look: %s: %s", meta, r.raw)
				}
				if r := call("echo", `{"text":"x","times":3}`, meta); r.Error == nil && !r.Result.IsError {
					t.Errorf("echo: %s: %s", meta, r.raw)
				}
			}
		})
	}
}

// randomMeta returns members of _meta, with JP's names and others.
func randomMeta(r *rand.Rand, p sandbox) string {
	root, _ := json.Marshal(p.outside)
	words := []string{
		`"root"`, `"access"`, `"fs"`, `"lexical_path"`, `"external"`, `"approved_target"`, `"read"`, `"action"`, `"answers"`, `"options"`,
		`"limit"`, `"sure"`, `"name"`, `"arguments"`, `"path"`, `"workspace_id"`, `"conversation_id"`,
	}
	values := []string{string(root), `"/"`, `"run"`, `"secret"`, `""`, `true`, `false`, `null`, `1e400`, `100`, `-1`, `"limit"`, `"` + strings.Repeat("/", 100) + `"`}
	var value func(depth int) string
	members := func(depth int) string {
		var list []string
		for _, i := range r.Perm(len(words))[:r.IntN(6)] {
			list = append(list, words[i]+":"+value(depth-1))
		}
		return strings.Join(list, ",")
	}
	value = func(depth int) string {
		switch kind := r.IntN(4); {
		case depth > 0 && kind == 0:
			return "{" + members(depth) + "}"
		case depth > 0 && kind == 1:
			var list []string
			for range r.IntN(3) {
				list = append(list, value(depth-1))
			}
			return "[" + strings.Join(list, ",") + "]"
		}
		return values[r.IntN(len(values))]
	}
	object := func() string {
		if r.IntN(8) == 0 {
			return value(3)
		}
		return "{" + members(4) + "}"
	}
	return `"computer.jp/tool":` + object() + `,"computer.jp/context":` + object()
}

// A tool that works with files fails if the server does not run in a workspace.
func TestNoWorkspace(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"/", "/usr", "/etc", home} {
		t.Chdir(dir) // both this process and the server processes use the directory
		for _, d := range allTransports(t) {
			if got := d.call(t, "look", `{"path":"etc/hostname"}`); got.code != "permission_denied" || !strings.Contains(got.text, "start it with --root DIR") {
				t.Errorf("%s: in %s: %+v", d.name, dir, got)
			}
			if got := d.call(t, "echo", `{"text":"x"}`); got.text != "x" {
				t.Errorf("%s: a tool without files in %s: %+v", d.name, dir, got)
			}
		}
	}
}

// Only callers in the operator's own process receive the text of an error without a code.
func TestErrorTextOverHTTP(t *testing.T) {
	for name, tc := range map[string]struct {
		args  []string
		shown bool
	}{
		"by default": {nil, false},
		"shown":      {[]string{"--error-text=show"}, true},
	} {
		call := callsOverHTTP(t, serve(t, nil, tc.args...))
		r := call("fail", `{"how":"uncoded"}`, `"x":1`)
		if strings.Contains(r.raw, "out of luck") != tc.shown || strings.Contains(r.raw, "incident") == tc.shown {
			t.Errorf("%s: %s", name, r.raw)
		}
		if r := call("fail", `{"how":"coded"}`, `"x":1`); !strings.Contains(r.raw, "overheated") || strings.Contains(r.raw, "secret") {
			t.Errorf("%s: a fault of the tool's own: %s", name, r.raw)
		}
	}
	p := start(t, "--error-text=hide")
	if r := p.call("fail", `{"how":"uncoded"}`); strings.Contains(r.text(), "out of luck") {
		t.Errorf("hidden on pipes: %s", r.text())
	}
	if r := p.call("fail", `{"how":"coded"}`); !strings.Contains(r.text(), "overheated") || strings.Contains(r.text(), "secret") {
		t.Errorf("a fault with a cause: %s", r.text())
	}
	if log := p.log(); !strings.Contains(log, "out of luck") || !strings.Contains(log, "incident=") || !strings.Contains(log, "secret of the kettle") {
		t.Errorf("the log: %s", log)
	}
}

func TestTrustFlags(t *testing.T) {
	for want, args := range map[string][]string{
		"--jp over HTTP requires --http-trust-caller":            {"--http", "127.0.0.1:0", "--jp"},
		"--http-trust-caller requires --http":                    {"--http-trust-caller"},
		"--pin echo.limit: invalid_input":                        {"--pin", "echo.limit=many"},
		`--pin "echo.limit": use echo.limit=VALUE`:               {"--pin", "echo.limit"},
		"invalid --error-text \"all\" (known: auto, show, hide)": {"--error-text", "all"},
		"invalid --max-rounds 0: must be at least 1":             {"--max-rounds", "0"},
	} {
		cmd := command(t, args...)
		out, err := cmd.CombinedOutput()
		if err == nil || cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), want) {
			t.Errorf("%v: %v, status %d: %s", args, err, cmd.ProcessState.ExitCode(), out)
		}
	}
}

// A program cannot serve with options that the flags would reject.
func TestInvalidOptions(t *testing.T) {
	for want, o := range map[string]sdk.Options{
		"--max-frame -1":          {MaxFrame: -1},
		"--max-calls -1":          {MaxCalls: -1},
		"--max-rounds -1":         {MaxRounds: -1},
		`--error-text "auto"`:     {ErrorText: "auto"},
		"--call-timeout -1s":      {CallTimeout: -time.Second},
		`"options.go" is not a d`: {Root: "options.go"},
		"JPTOOL_STATE_KEYS":       {StateKeys: "x"},
		"--jp=x":                  {JP: "x", TrustHTTP: true},
	} {
		s := fixture.NewServer(&fixture.Fixture{})
		_, err := s.Handler(t.Context(), o, sdk.HTTPOptions{})
		served := s.Serve(t.Context(), nil, o)
		if err == nil || served == nil || !strings.Contains(err.Error(), want) || err.Error() != served.Error() {
			t.Errorf("%+v: Handler: %v, Serve: %v, want %s", o, err, served, want)
		}
	}
}
