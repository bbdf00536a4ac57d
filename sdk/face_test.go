package sdk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/gen/decode"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// hubSets are the toolsets of the hub. Those with a star are on by default.
var hubSets = []string{"context*", "issues*", "pull_requests*", "repos*", "users*", "actions", "gists", "security"}

// hubTools are the tools of each set of the hub, with their annotations: read-only, harmless or destructive.
var hubTools = [][2]string{{"list", "r"}, {"get", "r"}, {"create", "h"}, {"update", ""}, {"delete", "d"}}

// newHub returns a server with 40 tools in 8 sets. Each tool returns its own name.
func newHub() *sdk.Server {
	contract := &manifest.Server{Format: 1, Name: "hub", Description: "A hub.", Unknown: manifest.Reject}
	var tools []*handler.Tool
	for _, set := range hubSets {
		name, isDefault := strings.CutSuffix(set, "*")
		contract.Toolsets = append(contract.Toolsets, manifest.Toolset{Name: name, Description: "About " + name + ".", Default: isDefault})
		for _, verb := range hubTools {
			t := manifest.Tool{Name: verb[0] + "_" + name, Description: "x", Toolset: name, Input: []byte(`{"type":"object","properties":{}}`)}
			switch verb[1] {
			case "r":
				t.Annotations.ReadOnly = new(true)
			case "h":
				t.Annotations.Destructive = new(false)
			case "d":
				t.Annotations.Destructive = new(true)
			}
			if name == "issues" && verb[0] == "get" {
				t.Aliases = []manifest.Alias{{Name: "issue_read", Until: "2099-12-31"}}
			}
			contract.Tools = append(contract.Tools, t)
			tools = append(tools, handler.New(t.Name, handler.Codec[handler.None, handler.None, handler.None, string]{
				Input: func(*decode.Object, *handler.None) {}, Result: handler.Text[string],
			}, func(context.Context, *tool.Call, handler.None, handler.None, handler.None) (string, error) {
				return "ran " + t.Name, nil
			}))
		}
	}
	return sdk.NewServer(contract, tools...)
}

// namesOf returns the tools of some sets with some verbs.
func namesOf(sets, verbs string) (names []string) {
	for _, set := range strings.Fields(sets) {
		for _, verb := range strings.Fields(verbs) {
			names = append(names, verb+"_"+set)
		}
	}
	return names
}

const (
	defaultSets = "context issues pull_requests repos users"
	allSets     = defaultSets + " actions gists security"
	allVerbs    = "list get create update delete"
)

// A view lists and calls tools as one caller.
type view struct {
	list func() (names []string, problem string)
	call func(name string) string // the text of the answer
}

// faceOverHTTP returns the view of a caller with the given headers of a server with the given face.
func faceOverHTTP(t *testing.T, s *sdk.Server, f sdk.Face, path, version string, headers ...string) view {
	h, err := s.Handler(t.Context(), sdk.Options{Face: f, Log: slog.New(slog.DiscardHandler)}, sdk.HTTPOptions{Path: "/mcp"})
	if err != nil {
		return view{list: func() ([]string, string) { return nil, err.Error() }, call: func(string) string { return err.Error() }}
	}
	post := func(method, name, params string) string {
		meta := ""
		if version == "2026-07-28" {
			meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
			if params != "" {
				meta += ","
			}
		}
		r := httptest.NewRequest(http.MethodPost, "/mcp"+path, strings.NewReader(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s}}`, method, meta+params)))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Mcp-Protocol-Version", version)
		r.Header.Set("Mcp-Method", method)
		if name != "" {
			r.Header.Set("Mcp-Name", name)
		}
		for i := 0; i < len(headers); i += 2 {
			r.Header.Add(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Body.String()
	}
	return view{
		list: func() ([]string, string) { return listedNames(post("tools/list", "", "")) },
		call: func(name string) string {
			return post("tools/call", name, fmt.Sprintf(`"name":%q,"arguments":{}`, name))
		},
	}
}

// listedNames returns the sorted names of the tools in a response, or else its text.
func listedNames(text string) (names []string, problem string) {
	var answer struct {
		Result *struct {
			CacheScope string
			Tools      []struct{ Name string }
		}
	}
	if json.Unmarshal([]byte(text), &answer) != nil || answer.Result == nil {
		return nil, text
	}
	for _, t := range answer.Result.Tools {
		names = append(names, t.Name)
	}
	slices.Sort(names)
	return names, ""
}

// onCommandLine returns the view of a host of a server with the given arguments and environment. It lists over
// standard streams and calls as a local tool.
func onCommandLine(t *testing.T, args ...string) view {
	run := func(in string, args ...string) string {
		r, w := io.Pipe()
		go func() {
			stderr := new(strings.Builder)
			status := newHub().Run(t.Context(), args, &sdk.Streams{In: io.NopCloser(strings.NewReader(in)), Out: w, Err: stderr})
			var err error
			if status == sdk.ExitUsage {
				err = errors.New(stderr.String())
			}
			w.CloseWithError(err)
		}()
		text, err := io.ReadAll(r)
		if err != nil {
			return err.Error()
		}
		return string(text)
	}
	const opening = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}` + "\n"
	return view{
		list: func() ([]string, string) {
			text := run(opening+`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n", args...)
			_, second, _ := strings.Cut(text, "\n")
			if strings.HasPrefix(text, "error: ") {
				return nil, text
			}
			return listedNames(second)
		},
		call: func(name string) string {
			return run("", append(slices.Clip(args), "call", name, `{"arguments":{}}`)...)
		},
	}
}

// github-mcp-server's table of configurations (docs/server-configuration.md), with the toolsets of the hub.
func TestFacesOfGitHub(t *testing.T) {
	for _, tt := range []struct {
		name          string
		path          string
		headers, args []string
		want          []string
		problem       string
	}{
		{name: "default", want: namesOf(defaultSets, allVerbs)},
		{
			name:    "tools",
			headers: []string{"X-MCP-Tools", "list_gists,get_context, get_pull_requests"}, args: []string{"--tools=list_gists,get_context,get_pull_requests"},
			want: []string{"get_context", "get_pull_requests", "list_gists"},
		},
		{name: "toolsets", headers: []string{"X-MCP-Toolsets", "issues,gists"}, args: []string{"--toolsets=issues,gists"}, want: namesOf("issues gists", allVerbs)},
		{name: "toolset by path", path: "/x/gists", args: []string{"--toolsets", "gists"}, want: namesOf("gists", allVerbs)},
		{name: "all by path", path: "/x/all", args: []string{"--toolsets=all"}, want: namesOf(allSets, allVerbs)},
		{
			name:    "toolsets and tools",
			headers: []string{"X-MCP-Toolsets", "repos,issues", "X-MCP-Tools", "get_gists,get_pull_requests"},
			args:    []string{"--toolsets=repos,issues", "--tools=get_gists,get_pull_requests"},
			want:    append(namesOf("repos issues", allVerbs), "get_gists", "get_pull_requests"),
		},
		{
			name:    "default and another",
			headers: []string{"X-MCP-Toolsets", "default,gists"}, args: []string{"--toolsets=default,gists"},
			want: namesOf(defaultSets+" gists", allVerbs),
		},
		{
			name:    "read-only",
			headers: []string{"X-MCP-Toolsets", "issues,repos,pull_requests", "X-MCP-Readonly", "true"},
			args:    []string{"--toolsets=issues,repos,pull_requests", "--read-only"},
			want:    namesOf("issues repos pull_requests", "list get"),
		},
		{name: "read-only by path", path: "/readonly", args: []string{"--read-only"}, want: namesOf(defaultSets, "list get")},
		{name: "all and read-only by path", path: "/x/all/readonly", args: []string{"--toolsets=all", "--read-only"}, want: namesOf(allSets, "list get")},
		{name: "read-only wins over tools", headers: []string{"X-MCP-Tools", "delete_repos,get_repos", "X-MCP-Readonly", "1"}, args: []string{"--tools=delete_repos,get_repos", "--read-only"}, want: []string{"get_repos"}},
		{name: "no destructive", headers: []string{"X-MCP-No-Destructive", "true"}, args: []string{"--no-destructive"}, want: namesOf(defaultSets, "list get create")},
		{
			name:    "exclude wins over toolsets and tools",
			headers: []string{"X-MCP-Toolsets", "issues", "X-MCP-Tools", "get_gists", "X-MCP-Exclude-Tools", "get_gists,delete_issues"},
			args:    []string{"--toolsets=issues", "--tools=get_gists", "--exclude=get_gists,delete_issues"},
			want:    namesOf("issues", "list get create update"),
		},
		{name: "a former name", headers: []string{"X-MCP-Tools", "issue_read"}, args: []string{"--tools=issue_read"}, want: []string{"get_issues"}},
		{name: "an unknown toolset", headers: []string{"X-MCP-Toolsets", "isues"}, args: []string{"--toolsets=isues"}, problem: `unknown toolset "isues"; did you mean issues?`},
		{name: "an unknown toolset by path", path: "/x/isues", args: []string{"--toolsets=isues"}, problem: `unknown toolset "isues"; did you mean issues?`},
		{name: "an unknown tool", headers: []string{"X-MCP-Tools", "list_isues"}, args: []string{"--tools=list_isues"}, problem: `unknown tool "list_isues"; did you mean list_issues?`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			slices.Sort(tt.want)
			for door, v := range map[string]view{
				"2025": faceOverHTTP(t, newHub(), sdk.Face{}, tt.path, "2025-11-25", tt.headers...),
				"2026": faceOverHTTP(t, newHub(), sdk.Face{}, tt.path, "2026-07-28", tt.headers...),
				"argv": onCommandLine(t, tt.args...),
			} {
				problem := strings.ReplaceAll(tt.problem, `"`, map[string]string{"argv": `"`, "2025": `\"`, "2026": `\"`}[door])
				got, text := v.list()
				if !slices.Equal(got, tt.want) || (problem != "") != (text != "") || !strings.Contains(text, problem) {
					t.Errorf("%s: got %v %s, want %v %s", door, got, text, tt.want, problem)
				}
				if problem != "" {
					continue
				}
				for _, name := range namesOf(allSets, allVerbs) {
					answer := v.call(name)
					if ran := strings.Contains(answer, "ran "+name); ran != slices.Contains(tt.want, name) {
						t.Errorf("%s: %s: %s", door, name, answer)
					}
				}
			}
		})
	}
}

// Whatever a caller selects, it sees nothing that the operator does not offer, and a read-only face lists and runs no
// tool that writes, at any door.
func TestFacesOnlyNarrow(t *testing.T) {
	random := rand.New(rand.NewPCG(38, 1))
	sets := append(strings.Fields(allSets), "all", "default")
	pick := func(from []string) (some []string) {
		for range random.IntN(4) {
			some = append(some, from[random.IntN(len(from))])
		}
		return some
	}
	choose := func() sdk.Face {
		f := sdk.Face{ReadOnly: random.IntN(2) == 0, NoDestructive: random.IntN(4) == 0}
		if random.IntN(2) == 0 {
			f.Toolsets = pick(sets)
		}
		if random.IntN(2) == 0 {
			f.Tools = pick(namesOf(allSets, allVerbs))
		}
		if random.IntN(2) == 0 {
			f.Exclude = pick(namesOf(allSets, allVerbs))
		}
		return f
	}
	hub := newHub()
	for range 150 {
		operator, caller := choose(), choose()
		everything := operator
		if len(everything.Toolsets)+len(everything.Tools) == 0 {
			everything.Toolsets = []string{"all"}
		}
		bound, _ := faceOverHTTP(t, newHub(), everything, "", "2025-11-25").list()
		headers := []string{
			"X-MCP-Toolsets", strings.Join(caller.Toolsets, ","), "X-MCP-Tools", strings.Join(caller.Tools, ","), "X-MCP-Exclude-Tools", strings.Join(caller.Exclude, ","),
			"X-MCP-Readonly", fmt.Sprint(caller.ReadOnly), "X-MCP-No-Destructive", fmt.Sprint(caller.NoDestructive),
		}
		v := faceOverHTTP(t, newHub(), operator, "", []string{"2025-11-25", "2026-07-28"}[random.IntN(2)], headers...)
		listed, problem := v.list()
		if problem != "" {
			t.Fatal(problem)
		}
		for _, name := range namesOf(allSets, allVerbs) {
			isListed := slices.Contains(listed, name)
			writes := !strings.HasPrefix(name, "list_") && !strings.HasPrefix(name, "get_")
			if isListed && (!slices.Contains(bound, name) || writes && (operator.ReadOnly || caller.ReadOnly)) {
				t.Errorf("operator %+v, caller %+v: %s is listed", operator, caller, name)
			}
			if ran := strings.Contains(v.call(name), "ran "+name); ran != isListed {
				t.Errorf("operator %+v, caller %+v: %s: listed %t, ran %t", operator, caller, name, isListed, ran)
			}
		}
		// In process, the caller's choice is the only one.
		own, problem := faceOverHTTP(t, hub, caller, "", "2025-11-25").list()
		for _, name := range namesOf(allSets, "list delete") {
			_, err := hub.Call(t.Context(), name, nil, sdk.Host{Face: caller})
			if (err == nil) != slices.Contains(own, name) {
				t.Errorf("in process, caller %+v: %s: %v %s", caller, name, err, problem)
			}
		}
	}
}

// Instructions contain the text of a toolset only if the caller sees one of its tools, and lists of a face are private.
func TestFacesDescribeThemselves(t *testing.T) {
	h, err := newHub().Handler(t.Context(), sdk.Options{}, sdk.HTTPOptions{Path: "/mcp"})
	if err != nil {
		t.Fatal(err)
	}
	site := httptest.NewServer(h)
	defer site.Close()
	for path, want := range map[string][2]string{
		"/mcp":            {`"A hub.\n\nAbout context.\n\nAbout issues.\n\nAbout pull_requests.\n\nAbout repos.\n\nAbout users."`, "public"},
		"/mcp/x/gists":    {`"A hub.\n\nAbout gists."`, "private"},
		"/mcp/x/gists/y/": {"unknown path", ""},
		"/other":          {"unknown path", ""},
	} {
		_, text := service{url: site.URL + path}.post(t, `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{`+
			`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "server/discover")
		if !strings.Contains(string(text), want[0]) || !strings.Contains(string(text), want[1]) {
			t.Errorf("%s: got %s, want %s", path, text, want)
		}
	}
}
