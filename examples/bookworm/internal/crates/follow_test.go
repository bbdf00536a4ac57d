package crates_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
	"github.com/jptool/jptool/examples/bookworm/internal/kitchen"
	"github.com/jptool/jptool/examples/bookworm/internal/render"
	"github.com/jptool/jptool/sdk/jptest"
)

var (
	uriForm   = regexp.MustCompile(`crate://[^\s<>()"]+`)
	linesForm = regexp.MustCompile(`/src/.*#(\d+)(?:-(\d+))?$`)
)

// A reader follows the URIs in answers.
type reader struct {
	t    *testing.T
	kit  *jptest.Kit
	seen map[string]string // the answers, keyed by URI
}

// call calls a tool and checks the length of its answer.
func (r *reader) call(tool, arguments string) string {
	r.t.Helper()
	text := r.kit.Call(tool, json.RawMessage(arguments)).OK(r.t)
	if len(text) > render.DefaultLimit {
		r.t.Errorf("%s %s: %d bytes", tool, arguments, len(text))
	}
	return text
}

// follow reads each URI in a text once, and checks that the URI contains a version.
func (r *reader) follow(text string) {
	r.t.Helper()
	for _, uri := range uriForm.FindAllString(text, -1) {
		if r.seen[uri] != "" {
			continue
		}
		if strings.Contains(uri, "/latest") || strings.Contains(uri, "%5E") {
			r.t.Errorf("%s has no exact version", uri)
		}
		r.seen[uri] = r.call("crate_resource", fmt.Sprintf(`{"uri":%q}`, uri))
	}
}

// newDocsReader returns a reader of a server with the sample crate and the crates of all versions of rustdoc.
func newDocsReader(t *testing.T) *reader {
	crates := []cratestest.Crate{cratestest.Sample("1.2.0", "1.1.0", "0.9.0")}
	for i, g := range kitchen.Generations() {
		crates = append(crates, cratestest.Crate{Name: "kitchen", Versions: []cratestest.Version{{Num: fmt.Sprintf("1.%d.0", i), Docs: kitchen.Zip(t, g)}}})
		crates[len(crates)-1].Name += strings.Repeat("-x", i)
	}
	return &reader{t, open(t, crates...).kit(t), map[string]string{}}
}

// Every link in an answer works. It leads to short text: an item, or the lines that the link
// selects.
func TestLinksLead(t *testing.T) {
	r := newDocsReader(t)
	r.follow(r.call("crates_search", `{"query":"tea"}`))
	r.follow(r.call("crate_versions", `{"crate_name":"tea-time"}`))
	for _, crate := range []string{"tea-time", "kitchen", "kitchen-x", "kitchen-x-x"} {
		for _, query := range []string{"e", "new", "fill", "pot", "cup", "Po%", "cook"} {
			r.follow(r.call("crate_search_items", fmt.Sprintf(`{"crate_name":%q,"query":%q}`, crate, query)))
		}
		r.follow(r.call("crate_resource", fmt.Sprintf(`{"uri":"crate://%s/1/src"}`, crate)))
	}
	var lengths []int
	for uri, text := range r.seen {
		lines := linesForm.FindStringSubmatch(uri)
		switch {
		case lines != nil:
			lengths = append(lengths, len(text))
			var from, to int
			fmt.Sscan(lines[1], &from)
			fmt.Sscan(lines[2], &to)
			code, _, _ := strings.Cut(text, "\n\nLines ")
			if n := strings.Count(code, "\n"); n > max(to-from, 0)+4 {
				t.Errorf("%s: %d lines", uri, n)
			}
		case strings.Contains(uri, "/items/"):
			lengths = append(lengths, len(text))
		}
	}
	slices.Sort(lengths)
	median := lengths[len(lengths)/2]
	t.Logf("%d links, median %d bytes, maximum %d bytes", len(lengths), median, lengths[len(lengths)-1])
	if len(lengths) < 250 || median > 800 {
		t.Errorf("%d links, median %d bytes", len(lengths), median)
	}
}

// The pages of a list contain every row exactly once.
func TestPagesOfLists(t *testing.T) {
	r := newDocsReader(t)
	for uri, row := range map[string]string{
		"crate://kitchen/1/items":              "<docs_resource>",
		"crate://kitchen/1/items?q=e":          "<docs_resource>",
		"crate://kitchen/1/items?kinds=fn,mod": "<docs_resource>",
		"crate://kitchen/1/src":                "<url>",
	} {
		seen, total := map[string]bool{}, 0
		for address := uri; address != ""; {
			text := r.call("crate_resource", fmt.Sprintf(`{"uri":%q}`, address))
			for _, one := range strings.Split(text, row)[1:] {
				one, _, _ = strings.Cut(one, "<")
				if seen[one] {
					t.Errorf("%s: %s is there twice", uri, one)
				}
				seen[one] = true
			}
			if m := regexp.MustCompile(`Showing .* of (\d+)`).FindStringSubmatch(text); m != nil {
				fmt.Sscan(m[1], &total)
			}
			_, address, _ = strings.Cut(text, "The next part is at ")
		}
		if len(seen) < 2 || total != 0 && len(seen) != total {
			t.Errorf("%s: %d of %d rows", uri, len(seen), total)
		}
	}
}

// A search without results suggests other searches, and these have results.
func TestSearchesWithoutResults(t *testing.T) {
	r := newDocsReader(t)
	again := regexp.MustCompile(`search for "([^"]+)"`)
	for _, query := range []string{
		`Teapt`, `Teapot.fill`, `tea_time::Teapot::fil`, `"Teapot"`, "`Teapot`", `Tea*`, `Teapot.*`, `^Teapot$`, `fn fill`, `pub struct Teapot`, `Teapot<T>`, `fill()`, `Teapot/fill`,
		`Teapot::brew`, `how do I fill a Teapot`, `Option<Teapot>`, `Teapots`, `tea-time::Teapot`, `#[derive(Debug)] Teapot`, `fill;`, `TEAPOTT`, `Teapot OR Brew`, `Teapot, Brew`, `impl Debug for Teapot`,
	} {
		text := r.call("crate_search_items", fmt.Sprintf(`{"crate_name":"tea-time","query":%q}`, query))
		if strings.Contains(text, "<Item>") {
			continue
		}
		m := again.FindStringSubmatch(text)
		if m == nil {
			t.Errorf("%s: %s", query, text)
			continue
		}
		if text := r.call("crate_search_items", fmt.Sprintf(`{"crate_name":"tea-time","query":%q}`, m[1])); !strings.Contains(text, "<Item>") {
			t.Errorf("%s: %s has no results: %s", query, m[1], text)
		}
	}
	for query, want := range map[string]string{"coffee machine": "search for other words", "tea coffee": `search for "tea" (tea-time)`, "https://crates.io/crates/tea-time": `"tea-time" (tea-time)`} {
		if text := r.call("crates_search", fmt.Sprintf(`{"query":%q}`, query)); !strings.Contains(text, want) {
			t.Errorf("%s: %s", query, text)
		}
	}
	for _, c := range []struct{ query, kinds, want string }{
		{"Teapot", "Macro", "without kinds, 6 match."},
		{"xyzzy", "Macro", "crate://tea-time/1.2.0/items lists all 46 items."},
		{"Teapt", "Struct", `search for "Teapot" (1).`},
		{"Teapt", "Macro", `omit kinds and search for "Teapot" (6).`},
	} {
		if text := r.call("crate_search_items", fmt.Sprintf(`{"crate_name":"tea-time","query":%q,"kinds":[%q]}`, c.query, c.kinds)); !strings.Contains(text, c.want) {
			t.Errorf("%s: %s", c.query, text)
		}
	}
}
