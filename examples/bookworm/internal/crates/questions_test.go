package crates_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/jptest"
)

// cautious configures a host whose user wants to be asked about every download.
var cautious = map[string]any{"confirm_above_bytes": 1000}

// Nothing is downloaded before the user answers, or if the answer is no.
func TestConfirmFetch(t *testing.T) {
	for _, tool := range []string{"crate_search_items", "crate_resource"} {
		arguments := search("tea-time", "latest", "Teapot")
		if tool == "crate_resource" {
			arguments = raw(`{"uri":"crate://tea-time/latest/items/tea_time/struct.Teapot.html"}`)
		}
		t.Run(tool, func(t *testing.T) {
			s := open(t)
			kit := s.kit(t, cautious)
			out := kit.Call(tool, arguments, jptest.Answer("confirm-fetch", false))
			out.Failed(t, fault.InputDeclined)
			if want := "Download the documentation for tea-time 1.2.0 (82.4 KiB)?"; out.Asked[0].Text != want {
				t.Errorf("asked %q, want %q", out.Asked[0].Text, want)
			}
			if kit.Call(tool, arguments, jptest.Cancel("confirm-fetch")); s.server.Count("GET", "/download") != 0 {
				t.Error("downloaded without a yes")
			}
			out = kit.Call(tool, arguments, jptest.Answer("confirm-fetch", true))
			if out.OK(t); out.Runs != 2 || len(out.Asked) != 1 {
				t.Errorf("%d runs, %d questions", out.Runs, len(out.Asked))
			}
			if out := kit.Call(tool, arguments); len(out.Asked) != 0 {
				t.Error("asked about what is in the cache")
			}
			if gets, heads := s.downloads(); gets != 1 || heads > 3 {
				t.Errorf("%d downloads, %d requests for the size", gets, heads)
			}
		})
	}
}

// If docs.rs does not announce the size, the download starts without asking, and the tool asks when the limit is
// reached.
func TestConfirmFetchOfUnknownSize(t *testing.T) {
	for name, fault := range map[string]cratestest.Fault{
		"by HEAD": nil,
		"at all":  cratestest.Without("Content-Length"),
	} {
		s := open(t)
		s.server.Break("HEAD ", -1, cratestest.Status(405))
		if fault != nil {
			s.server.Break("GET /crate/", -1, fault)
		}
		if out := s.kit(t).Call("crate_search_items", search("tea-time", "1", "Teapot")); len(out.Asked) > 0 {
			t.Errorf("unknown %s: asked about a small archive", name)
		}
		s.config.Cache = t.TempDir()
		out := s.kit(t, cautious).Call("crate_search_items", search("tea-time", "1", "Teapot"), jptest.Answer("confirm-fetch", true))
		if out.OK(t); len(out.Asked) != 1 {
			t.Errorf("unknown %s: %d questions", name, len(out.Asked))
		}
	}
}

// versions returns a crate with these versions. The suffix ! marks a yanked version, and ? marks a
// version without documentation.
func versions(list ...string) cratestest.Crate {
	c := cratestest.Sample()
	for _, text := range list {
		v := cratestest.Sample(strings.Trim(text, "!?")).Versions[0]
		v.Yanked = strings.HasSuffix(text, "!")
		if strings.HasSuffix(text, "?") {
			v.Docs = nil
		}
		c.Versions = append(c.Versions, v)
	}
	return c
}

// otherCrate returns another crate with these versions.
func otherCrate(list ...string) cratestest.Crate {
	c := versions(list...)
	c.Name = "early-tea"
	return c
}

func TestPickVersion(t *testing.T) {
	for _, c := range []struct {
		name     string
		versions string
		asked    string
		question string // "" for no question
		options  string
		used     string
	}{
		{"latest", "1.2.0 1.1.0 2.0.0-rc.1", "latest", "", "", "1.2.0"},
		{"a requirement", "1.2.0 1.1.0 2.0.0", "1", "", "", "1.2.0"},
		{"an exact pre-release", "1.2.0 2.0.0-rc.1", "2.0.0-rc.1", "", "", "2.0.0-rc.1"},
		{"yanked ones left out", "1.3.0! 1.2.0", "latest", "", "", "1.2.0"},
		{"latest undocumented", "1.3.0? 1.2.0 1.1.0?  1.0.0", "latest", "tea-time 1.3.0 has no documentation on docs.rs. Which version should be used?", "1.2.0 1.0.0", "1.2.0"},
		{"pre-releases alone", "2.0.0-rc.2 2.0.0-rc.1", "latest", "tea-time 2.0.0-rc.2 is a pre-release, like all other versions. Which version should be used?", "2.0.0-rc.2 2.0.0-rc.1", "2.0.0-rc.2"},
		{"one pre-release", "2.0.0-rc.2", "latest", "", "", "2.0.0-rc.2"},
		{"yanked", "1.3.0! 1.2.0", "1.3.0", "", "", "1.3.0"},
		{"a requirement of yanked ones", "2.0.0 1.3.0! 1.2.0!", "^1", "", "", "1.3.0"},
		{"undocumented", "1.2.0? 1.1.0", "1.2.0", "tea-time 1.2.0 has no documentation on docs.rs. Which version should be used?", "1.1.0", "1.1.0"},
		{"undocumented, the nearest first", "3.0.0 2.0.0-rc.1 1.2.0 1.1.0? 1.0.0", "1.1.0", "tea-time 1.1.0 has no documentation on docs.rs. Which version should be used?", "1.2.0 1.0.0 3.0.0 2.0.0-rc.1", "1.2.0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, versions(strings.Fields(c.versions)...))
			var script []jptest.Reply
			if c.question != "" {
				script = append(script, jptest.Answer("pick-version", c.used))
			}
			out := s.kit(t).Call("crate_search_items", search("tea-time", c.asked, "Teapot"), script...)
			text := out.OK(t)
			version, _, _ := strings.Cut(strings.TrimPrefix(c.question, "tea-time "), " ")
			if strings.Contains(text, "/latest/") || strings.Contains(c.name, "yanked") && c.asked != "latest" && !strings.HasPrefix(text, "tea-time ") {
				t.Errorf("%.300s", text)
			}
			if n := s.server.Count("GET", "/crate/tea-time/"+c.used+"/download"); n != 1 || s.server.Count("GET", "/download") != 1 {
				t.Errorf("%d downloads of %s", n, c.used)
			}
			if len(out.Asked) > 0 {
				q := out.Asked[0]
				if q.Text != c.question || !slices.Equal(q.Options, strings.Fields(c.options)) || string(q.Default) != `"`+strings.Fields(c.options)[0]+`"` {
					t.Errorf("asked %q of %q, default %s", q.Text, q.Options, q.Default)
				}
			}
			if c.question != "" && (len(out.Asked) != 1 || !strings.Contains(text, "tea-time "+version+" ") || !strings.Contains(text, "version "+c.used+".") || !strings.Contains(text, "crate://tea-time/"+c.used+"/")) {
				t.Errorf("%d questions; %.500s", len(out.Asked), text)
			}
			// If the user does not want to be asked, the first version is used.
			s.config.Cache = t.TempDir()
			out = s.kit(t, map[string]any{"ask_version": false}).Call("crate_search_items", search("tea-time", c.asked, "Teapot"))
			if out.OK(t); len(out.Asked) > 0 || s.server.Count("GET", "/crate/tea-time/"+c.used+"/download") != 2 {
				t.Errorf("unasked: %q", out.Questions())
			}
		})
	}
}

// The README and the metadata of a version do not need its documentation.
func TestPickVersionWithoutDocumentation(t *testing.T) {
	s := open(t, versions("1.2.0?", "1.1.0?"))
	kit := s.kit(t)
	kit.Call("crate_readme", raw(`{"crate_name":"tea-time"}`)).OK(t)
	kit.Call("crate_resource", raw(`{"uri":"crate://tea-time/1.1.0"}`)).OK(t)
	kit.Call("crate_readme", raw(`{"crate_name":"tea-time","crate_version":"3"}`)).Failed(t, fault.NotFound)
	if _, heads := s.downloads(); heads != 0 {
		t.Errorf("docs.rs was asked %d times", heads)
	}
	s.server.Publish(otherCrate("1.0.0-rc.2", "1.0.0-rc.1"))
	kit.Call("crate_readme", raw(`{"crate_name":"early-tea"}`), jptest.Answer("pick-version", "1.0.0-rc.1")).OK(t)
	kit.Call("crate_resource", raw(`{"uri":"crate://early-tea/latest"}`), jptest.Answer("pick-version", "1.0.0-rc.1")).OK(t)
	kit.Call("crate_search_items", search("tea-time", "latest", "x")).Failed(t, fault.NotFound)
	kit.Call("crate_search_items", search("tea-time", "7", "x")).Failed(t, fault.NotFound)
}

// A version that does not exist is not replaced, and the error lists the nearest versions. A yanked version is
// served, and every answer says that it is yanked.
func TestVersionsThatAreNotListed(t *testing.T) {
	s := open(t, versions("2.0.0", "1.3.0!", "1.2.0", "1.1.0", "1.0.0", "0.9.0-rc.1"))
	kit := s.kit(t)
	for version, want := range map[string]string{
		"9.9.9": "tea-time has no version 9.9.9; use 2.0.0 or 1.2.0 or 1.1.0",
		"1.1.5": "tea-time has no version 1.1.5; use 1.2.0 or 1.1.0 or 1.0.0",
		"0.1.0": "tea-time has no version 0.1.0; use 1.0.0 or 1.1.0 or 1.2.0",
		"^3":    "no version of tea-time matches ^3; use 2.0.0 or 1.2.0 or 1.1.0",
		"0.1.*": "no version of tea-time matches 0.1.*; use 1.0.0 or 1.1.0 or 1.2.0",
	} {
		for _, out := range []jptest.Outcome{
			kit.Call("crate_search_items", search("tea-time", version, "Teapot")),
			kit.Call("crate_readme", raw(`{"crate_name":"tea-time","crate_version":%q}`, version)),
			kit.Call("crate_resource", raw(`{"uri":%q}`, "crate://tea-time/"+version)),
		} {
			if out.Code != fault.NotFound || out.Message != want {
				t.Errorf("%s: %s %s", version, out.Code, out.Message)
			}
		}
	}
	for range 2 { // the second time from the cache
		for _, out := range []jptest.Outcome{
			kit.Call("crate_search_items", search("tea-time", "1.3.0", "Teapot")),
			kit.Call("crate_readme", raw(`{"crate_name":"tea-time","crate_version":"1.3.0"}`)),
			kit.Call("crate_resource", raw(`{"uri":"crate://tea-time/1.3.0"}`)),
			kit.Call("crate_resource", raw(`{"uri":"crate://tea-time/1.3.0/items/tea_time/struct.Teapot.html"}`)),
		} {
			if text := out.OK(t); !strings.HasPrefix(text, "tea-time 1.3.0 is yanked: its author has withdrawn it.\n") || !strings.Contains(text, "crate://tea-time/1.3.0") {
				t.Errorf("%.300s", text)
			}
		}
	}
}

func TestPickCrate(t *testing.T) {
	s := open(t)
	kit := s.kit(t)
	for tool, text := range map[string]string{
		"crate_versions":     `{"crate_name":"Tea_Time"}`,
		"crate_readme":       `{"crate_name":"Tea_Time"}`,
		"crate_search_items": `{"crate_name":"Tea_Time","query":"Teapot"}`,
		"crate_resource":     `{"uri":"crate://Tea_Time/latest/items/tea_time/struct.Teapot.html"}`,
	} {
		arguments := raw("%s", text)
		out := kit.Call(tool, arguments, jptest.Answer("pick-crate", "tea-time"))
		if text := out.OK(t); !strings.Contains(text, "The crate is called tea-time.") {
			t.Errorf("%s: %.300s", tool, text)
		}
		if q := out.Asked[0]; q.Text != `There is no crate "Tea_Time". Which crate do you mean?` || !slices.Equal(q.Options, []string{"tea-time"}) {
			t.Errorf("%s asked %q of %q", tool, q.Text, q.Options)
		}
		kit.Call(tool, arguments, jptest.Cancel("pick-crate"))
	}
}

// Several questions of one call are asked in order and once each, on every wire, and nothing is downloaded
// before the last answer.
func TestQuestionsInTurn(t *testing.T) {
	for _, wire := range jptest.Wires() {
		t.Run(wire.String(), func(t *testing.T) {
			s := open(t, versions("1.3.0?", "1.2.0", "1.1.0"))
			kit := s.kitOn(t, wire, cautious)
			call := func(yes bool) jptest.Outcome {
				return kit.Call("crate_search_items", search("tea_time", "1.3.0", "Teapot"),
					jptest.Answer("pick-crate", "tea-time"), jptest.Answer("pick-version", "1.1.0"), jptest.Answer("confirm-fetch", yes))
			}
			call(false).Failed(t, fault.InputDeclined)
			if gets, _ := s.downloads(); gets != 0 {
				t.Errorf("%d downloads after a no", gets)
			}
			out := call(true)
			if text := out.OK(t); !strings.Contains(text, "<path>tea_time::Teapot</path>") || !strings.Contains(text, "This is version 1.1.0.") {
				t.Errorf("%.300s", text)
			}
			if want := []string{"pick-crate", "pick-version", "confirm-fetch"}; !slices.Equal(out.Questions(), want) {
				t.Errorf("asked %q", out.Questions())
			}
			if n := s.server.Count("GET", "/crate/tea-time/1.1.0/download"); n != 1 {
				t.Errorf("%d downloads", n)
			}
		})
	}
}
