package crates_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
	"github.com/jptool/jptool/examples/bookworm/internal/library"
	"github.com/jptool/jptool/sdk/fault"
)

// calls maps a part of a request path to a call that sends such a request.
var calls = map[string]struct{ tool, arguments string }{
	"GET /api/v1/crates": {"crates_search", `{"query":"tea"}`},
	"/versions":          {"crate_versions", `{"crate_name":"tea-time"}`},
	"/tea-time/versions": {"crate_resource", `{"uri":"crate://tea-time/latest"}`},
	"/readme":            {"crate_readme", `{"crate_name":"tea-time"}`},
	"HEAD /crate/":       {"crate_search_items", `{"crate_name":"tea-time","query":"Teapot"}`},
	"GET /crate/":        {"crate_search_items", `{"crate_name":"tea-time","query":"Teapot"}`},
}

// Every fault of a server becomes a fault of the call, and only temporary faults are transient. A
// fault that ends within three attempts has no effect, and the next call after a fault succeeds.
func TestFaultsOfServers(t *testing.T) {
	for name, c := range map[string]struct {
		fault     cratestest.Fault
		times     int
		code      fault.Code // "" for success
		transient bool
	}{
		"429 twice":     {cratestest.Status(429, "Retry-After", "0"), 2, "", false},
		"500 twice":     {cratestest.Status(500), 2, "", false},
		"dropped twice": {cratestest.Drop, 2, "", false},
		"no ETag":       {cratestest.Without("ETag"), -1, "", false},
		"429":           {cratestest.Status(429), -1, fault.Unavailable, true},
		"500":           {cratestest.Status(500), -1, fault.Unavailable, true},
		"503":           {cratestest.Status(503, "Retry-After", "Thu, 01 Jan 1970 00:00:00 GMT"), -1, fault.Unavailable, true},
		"dropped":       {cratestest.Drop, -1, fault.Unavailable, true},
		"silent":        {cratestest.Silent, -1, fault.Timeout, true},
		"400":           {cratestest.Status(400), -1, fault.Unavailable, false},
		"401":           {cratestest.Status(401), -1, fault.Unavailable, false},
		"451":           {cratestest.Status(451), -1, fault.Unavailable, false},
		"a loop":        {cratestest.Loop, -1, fault.Unavailable, false},
		"another host":  {cratestest.Redirect("http://example.com/"), -1, fault.Unavailable, false},
	} {
		for part, call := range calls {
			t.Run(name+" at "+part, func(t *testing.T) {
				t.Parallel()
				s := open(t)
				if name == "silent" {
					s.config.Timeout = 300 * time.Millisecond
				}
				s.server.Break(part, c.times, c.fault)
				out := s.kit(t).Call(call.tool, json.RawMessage(call.arguments))
				if out.Code != c.code || out.Transient != c.transient {
					t.Errorf("%s %s (transient %t), want %q (transient %t)", out.Code, out.Message, out.Transient, c.code, c.transient)
				}
				if strings.Contains(out.Message, s.config.Cache) || strings.Contains(out.Message, "no such file") {
					t.Errorf("the message mentions the disk: %s", out.Message)
				}
				s.server.Mend()
				s.config.Timeout = 0
				s.kit(t).Call(call.tool, json.RawMessage(call.arguments)).OK(t)
			})
		}
	}
}

// A stalled download ends and leaves no files.
func TestSilentDownload(t *testing.T) {
	s := open(t)
	s.config.Timeout = 600 * time.Millisecond
	s.server.Break("GET /crate/", -1, cratestest.Hang(5000))
	out := s.kit(t).Call("crate_search_items", search("tea-time", "1.2.0", "x"))
	if out.Code != fault.Timeout || !out.Transient {
		t.Errorf("%s %s (transient %t)", out.Code, out.Message, out.Transient)
	}
	if left := contents(t, filepath.Join(s.config.Cache, "crates")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// A call repairs the damage that it finds in the cache.
func TestHealing(t *testing.T) {
	for name, damage := range map[string]func([]byte) []byte{
		"emptied":     func([]byte) []byte { return nil },
		"cut":         func(data []byte) []byte { return data[:len(data)/2] },
		"overwritten": func(data []byte) []byte { clear(data); return data },
		"another":     func([]byte) []byte { return []byte("<html>not here") },
		"flipped":     func(data []byte) []byte { clear(data[300 : len(data)/2]); return data },
		"grown":       func(data []byte) []byte { return append(data, data...) },
	} {
		for _, ext := range []string{".zip", ".sqlite"} {
			t.Run(name+" "+ext, func(t *testing.T) {
				t.Parallel()
				s := open(t)
				kit := s.kit(t)
				want := kit.Call("crate_search_items", search("tea-time", "1.2.0", "Teapot")).OK(t)
				page := raw(`{"uri":"crate://tea-time/1.2.0/items/tea_time/struct.Teapot.html"}`)
				wantPage := kit.Call("crate_resource", page).OK(t)
				found, err := filepath.Glob(filepath.Join(s.config.Cache, "crates", "*", "*"+ext))
				if err != nil || len(found) != 1 {
					t.Fatal(found, err)
				}
				data, err := os.ReadFile(found[0])
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(found[0], damage(data), 0o600); err != nil {
					t.Fatal(err)
				}
				if got := kit.Call("crate_search_items", search("tea-time", "1.2.0", "Teapot")).OK(t); got != want {
					t.Errorf("the search now finds\n%.300s", got)
				}
				if got := kit.Call("crate_resource", page).OK(t); got != wantPage {
					t.Errorf("the page is now\n%.300s", got)
				}
			})
		}
	}
}

// A cached exact version needs no network. For the latest version, the result also says when it was
// last checked.
func TestOffline(t *testing.T) {
	s := open(t)
	for _, call := range calls {
		s.kit(t).Call(call.tool, json.RawMessage(call.arguments)).OK(t)
	}
	s.server.Close()
	before := s.config
	for name, config := range map[string]library.Config{"offline": {Offline: true}, "unreachable": {}} {
		s.config = before
		s.config.Offline, s.config.Fresh = config.Offline, time.Nanosecond
		kit := s.kit(t)
		if text := kit.Call("crate_search_items", search("tea-time", "1.2.0", "Teapot")).OK(t); strings.Contains(text, "not asked") {
			t.Errorf("%s: an exact version has a problem: %.300s", name, text)
		}
		for _, arguments := range []json.RawMessage{search("tea-time", "latest", "Teapot"), search("tea-time", "^1", "Teapot")} {
			if text := kit.Call("crate_search_items", arguments).OK(t); !strings.Contains(text, "crates.io was not contacted") {
				t.Errorf("%s: %.300s", name, text)
			}
		}
		out := kit.Call("crate_search_items", search("coffee", "latest", "x"))
		if out.Code != fault.Unavailable || out.Transient == config.Offline {
			t.Errorf("%s, another crate: %s %s (transient %t)", name, out.Code, out.Message, out.Transient)
		}
		if out := kit.Call("crates_search", raw(`{"query":"tea"}`)); out.Code != fault.Unavailable {
			t.Errorf("%s, a search: %s %s", name, out.Code, out.Message)
		}
	}
}

// Offline, the latest version is the latest cached one.
func TestOfflineWithoutTheLatest(t *testing.T) {
	s := open(t)
	kit := s.kit(t)
	kit.Call("crate_search_items", search("tea-time", "1.1.0", "Teapot")).OK(t)
	s.config.Offline = true
	if text := s.kit(t).Call("crate_search_items", search("tea-time", "latest", "Teapot")).OK(t); !strings.Contains(text, "crates.io was not contacted") {
		t.Errorf("%.300s", text)
	}
	s.kit(t).Call("crate_search_items", search("tea-time", "0.9", "Teapot")).Failed(t, fault.Unavailable)
}

// While only crates.io is unreachable, docs.rs still provides an exact version.
func TestWithoutCratesIO(t *testing.T) {
	s := open(t)
	s.server.Break("/api/", -1, cratestest.Drop)
	kit := s.kit(t)
	kit.Call("crate_search_items", search("tea-time", "1.2.0", "Teapot")).OK(t)
	kit.Call("crate_search_items", search("tea-time", "7.0.0", "Teapot")).Failed(t, fault.NotFound)
}

// A release that was yanked is no longer the latest once the yank is known.
func TestLatestMoves(t *testing.T) {
	s := open(t)
	s.config.Fresh = time.Nanosecond
	kit := s.kit(t)
	kit.Call("crate_search_items", search("tea-time", "latest", "Teapot")).OK(t)
	s.server.Publish(versions("1.2.0!", "1.1.0"))
	kit.Call("crate_search_items", search("tea-time", "latest", "Teapot")).OK(t)
	if n := s.server.Count("GET", "/crate/tea-time/1.1.0/download"); n != 1 {
		t.Errorf("%d downloads of the version that is the latest now", n)
	}
	s.config.Fresh = time.Hour
	kit = s.kit(t)
	s.server.Publish(versions("1.3.0"))
	kit.Call("crate_search_items", search("tea-time", "latest", "Teapot")).OK(t)
	if n := s.server.Count("GET", "/crate/tea-time/1.3.0/download"); n != 0 {
		t.Error("a new answer was asked for again")
	}
}

// Fifty concurrent calls for a crate that is not cached share one download and return the same answer.
func TestOneDownload(t *testing.T) {
	s := open(t)
	kit := s.kit(t)
	var wg sync.WaitGroup
	texts := make([]string, 50)
	for i := range texts {
		wg.Go(func() { texts[i] = kit.Call("crate_search_items", search("tea-time", "latest", "Teapot")).Text })
	}
	wg.Wait()
	for _, text := range texts {
		if text != texts[0] || !strings.Contains(text, "tea_time::Teapot") {
			t.Errorf("an answer is\n%.300s", text)
		}
	}
	if gets, heads := s.downloads(); gets != 1 || heads != 1 || s.server.Count("GET", "/versions") != 1 {
		t.Errorf("%d downloads, %d lists of versions", gets, s.server.Count("GET", "/versions"))
	}
}
