package crates_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
	"github.com/jptool/jptool/sdk/fault"
)

// openAmongFiles returns a shop whose cache directory is among other files. check fails the test
// if a file outside the cache was written.
func openAmongFiles(t *testing.T) (s shop, check func(what string)) {
	t.Helper()
	s = open(t)
	parent := t.TempDir()
	s.config.Cache = filepath.Join(parent, "a", "b", "cache")
	for _, name := range []string{"index.sqlite", "a/index.sqlite", "a/b/secret.html"} {
		path := filepath.Join(parent, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("<h1>secret</h1>"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s, func(what string) {
		t.Helper()
		for _, name := range contents(t, parent) {
			inside := strings.HasPrefix(filepath.ToSlash(name), "/a/b/cache/")
			data, err := os.ReadFile(parent + name)
			if err != nil {
				t.Fatal(err)
			}
			if !inside && string(data) != "<h1>secret</h1>" {
				t.Errorf("%s: %s was written", what, name)
			}
		}
	}
}

// Names, versions and URIs cannot access files outside the cache or other hosts, and cannot cause
// unintended requests.
func TestHostileInputs(t *testing.T) {
	s, check := openAmongFiles(t)
	kit := s.kit(t)
	names := []string{
		"..", ".", "../..", "../../../etc", "..%2f..", "/etc/passwd", `..\..`, "a/b", "tea-time/../x", "tea-time\x00", "tea-time?x=1", "tea-time#x",
		"tea-time/1.2.0/download", "-", "_x", "http://example.com", "//example.com", "user@tea-time", "tea-time:80", "~root", "%2e%2e", "ｔea", "tea time",
		"tea\ntime", "tea-time;id", "$(id)", "`id`", strings.Repeat("a", 65), "\u202etea",
	}
	versions := []string{
		"..", "../../1.2.0", "1.2.0/../..", "/", `1.2.0\..`, "1.2.0\x00", "1.2.0?x", "1.2.0#x", "%2e%2e", "..%2f", "latest/../..", "1.2.0 1.1.0", "1.2.0/download?",
		"1.2.0-../../x", "1.2.0+../../x", "file:///etc", "~/", strings.Repeat("1.", 100),
	}
	for _, name := range names {
		for _, tool := range []string{"crate_versions", "crate_readme", "crate_search_items"} {
			out := kit.Call(tool, raw(`{"crate_name":%s,"query":"x"}`, quote(name)))
			if out.Code != fault.InvalidInput {
				t.Errorf("%s of %q: %s %s", tool, name, out.Code, out.Text)
			}
		}
	}
	for _, v := range versions {
		for _, tool := range []string{"crate_readme", "crate_search_items"} {
			out := kit.Call(tool, raw(`{"crate_name":"tea-time","crate_version":%s,"query":"x"}`, quote(v)))
			if out.Code != fault.InvalidInput {
				t.Errorf("%s of %q: %s %s", tool, v, out.Code, out.Text)
			}
		}
	}
	if n := len(s.server.Requests("")); n != 0 {
		t.Errorf("%d requests were made: %v", n, s.server.Requests(""))
	}
	kit.Call("crate_search_items", search("tea-time", "1.2.0", "x")).OK(t)
	paths := []string{
		"../secret.html", "../../secret.html", "..%2fsecret.html", "%2e%2e/secret.html", "tea_time/../../../secret.html", "/etc/passwd", "%2fetc%2fpasswd",
		`..\secret.html`, "..%5csecret.html", "tea_time//index.html", "./tea_time/index.html", "tea_time/%00.html", "tea_time/index.html%0a", "%252e%252e/secret.html",
		"C:/secret.html", "file:///etc/passwd", "tea_time/index.html?x", strings.Repeat("a/", 2000), strings.Repeat("a", 5000),
	}
	for _, root := range []string{"items", "src"} {
		for _, path := range paths {
			out := kit.Call("crate_resource", raw(`{"uri":%s}`, quote("crate://tea-time/1.2.0/"+root+"/"+path)))
			if out.Code != fault.InvalidInput && out.Code != fault.NotFound || strings.Contains(out.Message, "no such file") {
				t.Errorf("%s/%s: %s %s", root, path, out.Code, out.Message)
			}
		}
	}
	for _, uri := range []string{
		"file:///etc/passwd", "crate:tea-time", "crate:///etc/passwd", "crate://../..", "crate://%2e%2e/1", "crate://user@tea-time", "crate://tea-time:80", "crate://tea-time/..",
		"crate://tea-time/../../x", "crate://tea-time/1.2.0/../../x", "http://tea-time", "crate://[::1]/1", "\x00", "crate://tea-time/1.2.0/readme/../../x",
	} {
		if out := kit.Call("crate_resource", raw(`{"uri":%s}`, quote(uri))); out.Code != fault.InvalidInput {
			t.Errorf("%q: %s %s", uri, out.Code, out.Text)
		}
	}
	check("inputs")
}

// quote encodes any string as JSON.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		fmt.Fprintf(&b, `\u%04x`, r)
	}
	b.WriteByte('"')
	return b.String()
}

// A malicious archive makes the call fail, and the next call with a good archive succeeds.
func TestHostileArchives(t *testing.T) {
	s, check := openAmongFiles(t)
	kit := s.kit(t)
	for name, data := range cratestest.Hostile() {
		c := cratestest.Sample("1.2.0")
		c.Versions[0].Docs = data
		s.server.Publish(c)
		out := kit.Call("crate_search_items", search("tea-time", "1.2.0", "x"))
		if out.Code != fault.Unavailable || out.Transient {
			t.Errorf("%s: %s %s (transient %t)\n%.300s", name, out.Code, out.Message, out.Transient, out.Text)
		}
		if left := contents(t, filepath.Join(s.config.Cache, "crates")); len(left) > 0 {
			t.Errorf("%s: left behind: %q", name, left)
		}
		check(name)
	}
	s.server.Publish(cratestest.Sample("1.2.0"))
	kit.Call("crate_search_items", search("tea-time", "1.2.0", "x")).OK(t)
}

// A response from a server cannot redirect to another host or to another location on the disk.
func TestHostileAnswers(t *testing.T) {
	var asked atomic.Int32
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer elsewhere.Close()
	for name, f := range map[string]cratestest.Fault{
		"another port":       cratestest.Redirect(elsewhere.URL + "/x"),
		"another scheme":     cratestest.Redirect("https://" + elsewhere.Listener.Addr().String()),
		"no scheme":          cratestest.Redirect("//" + elsewhere.Listener.Addr().String()),
		"localhost":          cratestest.Redirect(strings.Replace(elsewhere.URL, "127.0.0.1", "localhost", 1)),
		"a user":             cratestest.Redirect("http://docs.rs@" + elsewhere.Listener.Addr().String()),
		"a file":             cratestest.Redirect("file:///etc/passwd"),
		"itself":             cratestest.Loop,
		"a name like a host": cratestest.Redirect("https://docs.rs.invalid/x"),
	} {
		for _, part := range []string{"/versions", "/readme", "HEAD ", "GET /crate/"} {
			s, check := openAmongFiles(t)
			s.server.Break(part, -1, f)
			kit := s.kit(t)
			out := kit.Call("crate_search_items", search("tea-time", "1.2.0", "x"))
			if part == "/readme" {
				out = kit.Call("crate_readme", raw(`{"crate_name":"tea-time"}`))
			}
			if out.Code != fault.Unavailable || out.Transient {
				t.Errorf("%s at %s: %s %s", name, part, out.Code, out.Message)
			}
			check(name)
		}
	}
	for name, etag := range map[string]string{"path": `"../../../x"`, "weak": `W/"../x"`, "absolute": `"/tmp/x"`, "empty": `""`, "long": `"` + strings.Repeat("x", 3000) + `"`, "bare": "x/../y"} {
		s, check := openAmongFiles(t)
		s.server.Break("", -1, cratestest.With("ETag", etag))
		s.kit(t).Call("crate_search_items", search("tea-time", "1.2.0", "Teapot")).OK(t)
		check("ETag " + name)
	}
	if asked.Load() != 0 {
		t.Errorf("another host was asked %d times", asked.Load())
	}
}
