package crates_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/examples/bookworm/internal/crates"
	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/jptest"
)

// A page is the same as a resource and as the result of crate_resource.
func TestPages(t *testing.T) {
	s := open(t)
	for _, w := range jptest.OfferWires() {
		t.Run(w.String(), func(t *testing.T) {
			kit := jptest.NewWith(t, crates.NewServer(s.tools(t)), jptest.Options{Wire: w})
			for _, page := range []string{"tea-time", "tea-time/1.2.0", "tea-time/1.2.0/readme", "tea-time/1.2.0/items?q=teapot", "tea-time/1.2.0/src"} {
				uri := crates.PageURI(page)
				read := kit.Read(uri)
				read.OK(t)
				called := slices.DeleteFunc(kit.Call("crate_resource", crates.ResourceInput{URI: uri}).Blocks, func(b content.Block) bool {
					_, is := b.(content.Resource)
					return !is
				})
				for i, b := range read.Blocks {
					if r := b.(content.Resource); i >= len(called) || r.URI != called[i].(content.Resource).URI || r.Text != called[i].(content.Resource).Text {
						t.Errorf("%s, part %d: %+v", uri, i, r)
					}
				}
			}
			kit.Read(crates.PageURI("tea-time/9.9.9")).Failed(t, fault.NotFound)
			kit.Read(crates.PageURI("tea-time/1.2.0/nothing")).Failed(t, fault.InvalidInput)
			if got := kit.Complete("crate", "page", "tea", nil).Values; !slices.Contains(got, "tea-time/latest") {
				t.Errorf("crates with tea: %q", got)
			}
		})
	}
}

func TestQuestionsOfPages(t *testing.T) {
	s := open(t)
	s.server.Publish(otherCrate("1.0.0-rc.2", "1.0.0-rc.1"))
	kit := jptest.NewWith(t, crates.NewServer(s.tools(t)), jptest.Options{
		Wire: jptest.MCP, ToolOptions: map[string]any{"crate": map[string]any{"confirm_above_bytes": 0}},
	})
	kit.Read(crates.PageURI("tea-time/1.2.0/items"), jptest.Answer("confirm-fetch", false)).Failed(t, fault.InputDeclined)
	kit.Read(crates.PageURI("Tea_Time/1.2.0"), jptest.Answer("pick-crate", "tea-time")).OK(t)
	kit.Read(crates.PageURI("early-tea/latest"), jptest.Answer("pick-version", "1.0.0-rc.1")).OK(t)
}

func TestFaultsOfPages(t *testing.T) {
	for code, answer := range map[fault.Code]cratestest.Fault{fault.Unavailable: cratestest.Status(503, "Retry-After", "20"), fault.Timeout: cratestest.Silent} {
		s := open(t)
		s.config.Call, s.config.Timeout = time.Second, 2*time.Second
		s.server.Break("", -1, answer)
		kit := jptest.NewWith(t, crates.NewServer(s.tools(t)), jptest.Options{Wire: jptest.MCP})
		if out := kit.Read(crates.PageURI("tea-time")); out.Code != code || strings.TrimSpace(out.Message) == "" {
			t.Errorf("%s: %s: %s", code, out.Code, out.Message)
		}
	}
}
