package crates_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
	"github.com/jptool/jptool/sdk/fault"
)

// Without a usable cache, tools that do not need a cache return answers, and the other tools report
// the problem with the disk. They do not retry by themselves, and succeed once the disk can be
// used.
func TestWithoutCache(t *testing.T) {
	for _, name := range []string{".", "crates", "registry", "locks", "crates/tea-time@1.2.0"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			blocked := filepath.Join(s.config.Cache, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(blocked), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(blocked, []byte("a file"), 0o600); err != nil {
				t.Fatal(err)
			}
			kit := s.kit(t)
			for tool, arguments := range map[string]string{
				"crates_search": `{"query":"tea"}`, "crate_versions": `{"crate_name":"tea-time"}`, "crate_readme": `{"crate_name":"tea-time"}`, "crate_resource": `{"uri":"crate://tea-time/1"}`,
			} {
				kit.Call(tool, json.RawMessage(arguments)).OK(t)
			}
			out := kit.Call("crate_search_items", search("tea-time", "1.2.0", "Teapot"))
			if out.Code != fault.Unavailable || out.Transient || !strings.HasPrefix(out.Message, "the cache cannot be used: "+blocked+": ") {
				t.Errorf("%s %s (transient %t)", out.Code, out.Message, out.Transient)
			}
			if gets, _ := s.downloads(); gets != 0 {
				t.Errorf("%d downloads", gets)
			}
			if err := os.Remove(blocked); err != nil {
				t.Fatal(err)
			}
			kit.Call("crate_search_items", search("tea-time", "1.2.0", "Teapot")).OK(t)
		})
	}
}

// A directory at the path of an archive is replaced with the archive.
func TestDirectoryInPlaceOfArchive(t *testing.T) {
	s := open(t)
	kit := s.kit(t)
	want := kit.Call("crate_search_items", search("tea-time", "1.2.0", "Teapot")).OK(t)
	found, err := filepath.Glob(filepath.Join(s.config.Cache, "crates", "*", "*.zip"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	if err := os.Remove(found[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(found[0], "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := kit.Call("crate_search_items", search("tea-time", "1.2.0", "Teapot")).OK(t); got != want {
		t.Errorf("%.300s", got)
	}
}

// A call does not wait longer than its client does. It fails immediately if it would have to wait
// longer.
func TestPatience(t *testing.T) {
	for name, c := range map[string]struct {
		fault cratestest.Fault
		code  fault.Code
		want  string
		tries int
	}{
		"429":    {cratestest.Status(429, "Retry-After", "3600"), fault.Unavailable, "429 Too Many Requests and asks clients to wait 1h0m0s", 1},
		"503":    {cratestest.Status(503, "Retry-After", "20"), fault.Unavailable, "and asks clients to wait 20s", 1},
		"silent": {cratestest.Silent, fault.Timeout, "did not respond in time", 1},
	} {
		for part, call := range calls {
			t.Run(name+" at "+part, func(t *testing.T) {
				t.Parallel()
				s := open(t)
				s.config.Call, s.config.Timeout = time.Second, 2*time.Second
				s.server.Break(part, -1, c.fault)
				out := s.kit(t).Call(call.tool, json.RawMessage(call.arguments))
				want := c.want
				if name == "silent" && part == "GET /crate/" {
					want = "and continues in the background; call again"
				}
				if out.Code != c.code || !out.Transient || !strings.Contains(out.Message, want) {
					t.Errorf("%s %s (transient %t), want %q", out.Code, out.Message, out.Transient, want)
				}
				method, path, _ := strings.Cut(part, " ")
				if path == "" {
					method, path = "GET", part
				}
				if n := s.server.Count(method, path); n != c.tries {
					t.Errorf("%d requests", n)
				}
			})
		}
	}
}

// A download that outlasts its call continues, and a later call finds its result.
func TestDownloadGoesOn(t *testing.T) {
	s := open(t)
	s.config.Call = 500 * time.Millisecond
	release := make(chan struct{})
	s.server.Break("GET /crate/", 1, cratestest.Until(release))
	kit := s.kit(t)
	out := kit.Call("crate_search_items", search("tea-time", "1.2.0", "Teapot"))
	if want := "the download of the documentation for tea-time 1.2.0 takes longer than 500ms and continues in the background; call again in a minute"; out.Code != fault.Timeout || !out.Transient || out.Message != want {
		t.Errorf("%s %s", out.Code, out.Message)
	}
	close(release)
	for out.Code == fault.Timeout {
		out = kit.Call("crate_search_items", search("tea-time", "1.2.0", "Teapot"))
	}
	if out.OK(t); s.server.Count("GET", "/download") != 1 {
		t.Errorf("%d downloads", s.server.Count("GET", "/download"))
	}
}
