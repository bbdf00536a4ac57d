package target

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestLauncherURIs(t *testing.T) {
	for _, tc := range []struct {
		uri     string
		argv    string // joined by |
		fetches string
		tool    string
	}{
		{"mcp+uvx://biomcp-python/biomcp?command=run", "uv|run|--with|biomcp-python|biomcp|run", "the Python package biomcp-python", ""},
		{"mcp+uvx://biomcp-python/biomcp?command=run&tool=search&gene=BRAF", "uv|run|--with|biomcp-python|biomcp|run", "the Python package biomcp-python", "search"},
		{"mcp+uvx://mcp-server-time", "uv|run|--with|mcp-server-time|mcp-server-time", "the Python package mcp-server-time", ""},
		{"mcp+uvx://mcp-server-time@1.2.3", "uv|run|--with|mcp-server-time==1.2.3|mcp-server-time", "the Python package mcp-server-time@1.2.3", ""},
		{"mcp+uvx://mcp-server-time@latest", "uv|run|--with|mcp-server-time|mcp-server-time", "the Python package mcp-server-time@latest", ""},
		{"mcp+uvx://mcp%5Bcli%5D==1.9/mcp?command=run&command=--transport&command=stdio", "uv|run|--with|mcp[cli]==1.9|mcp|run|--transport|stdio", "the Python package mcp[cli]==1.9", ""},
		{"mcp+uvx://biomcp-python/biomcp?command=run&with=pandas==2.2&with=rich&resource=x://y", "uv|run|--with|biomcp-python|--with|pandas==2.2|--with|rich|biomcp|run", "the Python package biomcp-python and pandas==2.2 and rich", ""},
		{"mcp+npx://@upstash/context7-mcp@latest?tool=search&library=fastapi", "npx|-y|@upstash/context7-mcp@latest", "the npm package @upstash/context7-mcp@latest", "search"},
		{"mcp+npx://@upstash/context7-mcp@latest", "npx|-y|@upstash/context7-mcp@latest", "the npm package @upstash/context7-mcp@latest", ""},
		{"mcp+npx://%40upstash/context7-mcp", "npx|-y|@upstash/context7-mcp", "the npm package @upstash/context7-mcp", ""},
		{"mcp+npx://server-everything?command=stdio", "npx|-y|server-everything|stdio", "the npm package server-everything", ""},
		{"mcp+npx://@scope/many@^1.2/one?command=--verbose", "npx|-y|--package|@scope/many@^1.2|--|one|--verbose", "the npm package @scope/many@^1.2", ""},
		{"mcp+python://./my_server.py?tool=fetch_data&id=123", "python|./my_server.py", "", "fetch_data"},
		{"mcp+node://./server.js?tool=analyze&file=data.csv", "node|./server.js", "", "analyze"},
		{"mcp+node:///srv/my%20server.js", "node|/srv/my server.js", "", ""},
		{"mcp+go://example.com/cmd/server@v1.2.3?command=serve", "go|run|example.com/cmd/server@v1.2.3|serve", "the Go package example.com/cmd/server@v1.2.3", ""},
		{"mcp+go://example.com/cmd/server", "go|run|example.com/cmd/server@latest", "the Go package example.com/cmd/server@latest", ""},
		{"mcp+go://./cmd/server", "go|run|./cmd/server", "", ""},
		{"mcp+exec://./server?command=serve&command=a%20b", "./server|serve|a b", "", ""},
		{"mcp+exec:///usr/bin/server", "/usr/bin/server", "", ""},
		{"mcp+exec://server?command=%24(rm)%3B%20ls", "server|$(rm); ls", "", ""}, // one argument, without a shell
		{"mcp+exec://server?command=", "server|", "", ""},
	} {
		t.Run(tc.uri, func(t *testing.T) {
			got, err := parseLauncherURI(tc.uri)
			if err != nil {
				t.Fatal(err)
			}
			if argv := strings.Join(got.Argv, "|"); argv != tc.argv {
				t.Errorf("argv %s, want %s", argv, tc.argv)
			}
			if got.Fetches != tc.fetches || got.Tool != tc.tool {
				t.Errorf("fetches %q, tool %q", got.Fetches, got.Tool)
			}
			if got.Arguments.Has("tool") || got.Arguments.Has("command") {
				t.Errorf("arguments %v", got.Arguments)
			}
		})
	}
}

func TestInvalidLauncherURIs(t *testing.T) {
	for uri, want := range map[string]string{
		"mcp+sh://rm -rf":           "must begin with mcp+uvx://",
		"mcp+uvx":                   "must begin with",
		"mcp+uvx://":                "missing package",
		"mcp+uvx:///biomcp":         "missing package",
		"mcp+uvx://-c/x":            "would be interpreted as a flag",
		"mcp+uvx://a/--python=evil": "would be interpreted as a flag",
		"mcp+uvx://a%20b":           "invalid Python package name",
		"mcp+uvx://git%2Bhttps:%2F%2Fevil.example%2Fx": "invalid Python package name",
		"mcp+uvx://.%2Fhere":                           "invalid Python package name",
		"mcp+uvx://a%40https:%2F%2Fevil.example%2Fx":   "invalid Python package name",
		"mcp+uvx://a/b/c":                              "invalid command name",
		"mcp+uvx://a/..%2F..%2Fbin%2Fsh":               "invalid command name",
		"mcp+npx://-p":                                 "would be interpreted as a flag",
		"mcp+npx://%2Dp":                               "would be interpreted as a flag",
		"mcp+npx://file:..%2Fx":                        "invalid npm package name",
		"mcp+npx://git%2Bssh:%2F%2Fevil.example%2Fx":   "invalid npm package name",
		"mcp+npx://..%2Fx":                             "invalid npm package name",
		"mcp+npx://github:owner%2Frepo":                "invalid npm package name",
		"mcp+npx://owner/repo/x":                       "invalid command name",
		"mcp+npx://@scope":                             "invalid npm package name",
		"mcp+npx://a@npm:b":                            "invalid npm package name",
		"mcp+npx://a%00b":                              "control character",
		"mcp+npx://a%0A--yes":                          "control character",
		"mcp+npx://a?command=x%1B%5B31m":               "control character",
		"mcp+python://-c?command=import%20os":          "would be interpreted as a flag",
		"mcp+python://-m":                              "would be interpreted as a flag",
		"mcp+node://--eval=1":                          "would be interpreted as a flag",
		"mcp+node://https:%2F%2Fevil.example%2Fx.js":   "is not a file",
		"mcp+go://-exec=sh":                            "would be interpreted as a flag",
		"mcp+go://example.com/x@v1%20-exec":            "invalid version",
		"mcp+go://example.com/../x":                    "..",
		"mcp+go://./x@v1":                              "cannot have a version",
		"mcp+exec://-x":                                "would be interpreted as a flag",
		"mcp+exec://a%zz":                              "invalid path",
		"mcp+exec://a?command=%zz":                     "invalid query",
		"mcp+exec://a?command=x;y":                     "invalid query",
		"mcp+exec://a#b":                               "must be written as %23",
		"mcp+exec://a?tool=x&tool=y":                   "more than one tool",
		"mcp+exec://a?list=":                           "list= has no value",
		"mcp+exec://a?list=tool":                       `unknown list "tool"; use list=tools`,
		"mcp+exec://a?list=tools&x=1":                  "a list takes no arguments such as x=",
		"mcp+exec://a?resource=x&resource=y":           "more than one resource",
		"mcp+uvx://a?with=.%2Fhere":                    "invalid Python package name",
		"mcp+uvx://a?with=--index-url=x":               "invalid Python package name",
	} {
		t.Run(uri, func(t *testing.T) {
			got, err := parseLauncherURI(uri)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("parseLauncherURI = %+v, %v; want an error with %q", got, err, want)
			}
		})
	}
}

func TestDownloadedCodeGetsNoSecrets(t *testing.T) {
	t.Setenv("MY_TOKEN", "x")
	t.Setenv("GOOGLE_API_KEY", "x")
	t.Setenv("UV_INDEX_URL", "https://example.com")
	has := func(t *Target, name string) bool {
		env, err := environment(t, os.LookupEnv)
		return err == nil && slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, name+"=") })
	}
	stranger := &Target{Fetches: "the npm package x", Env: []string{"WANTED=1"}}
	for name, want := range map[string]bool{"MY_TOKEN": false, "GOOGLE_API_KEY": false, "UV_INDEX_URL": true, "PATH": true, "WANTED": true} {
		if has(stranger, name) != want {
			t.Errorf("downloaded code gets %s: %t", name, !want)
		}
	}
	if !has(&Target{}, "MY_TOKEN") {
		t.Error("a local program does not get the environment")
	}
}
