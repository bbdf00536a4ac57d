package engine_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk"
)

// parts are parts of random URIs.
var parts = []string{
	"note://", "docs://", "disk://files/", "book://", "/pages/", "notes://about", "file:///", "..", ".", "/", "//", "%2F", "%2f", "%2E%2E", "%00", "%",
	"%C3%A9", "%c3%a9", "%FF", "é", "ſ", "K", "\u0000", "\u202e", "\\", "?", "#", "a", "7", "readme.md", "etc/passwd", "secret", "{id}", "{+path}", ":", "@", "[", " ", "~", "+", "&x=1",
}

func randomURI(r *rand.Rand) string {
	var uri strings.Builder
	if r.IntN(4) > 0 {
		uri.WriteString(parts[r.IntN(6)])
	}
	for range r.IntN(6) {
		uri.WriteString(parts[r.IntN(len(parts))])
	}
	return uri.String()
}

var incident = regexp.MustCompile(`incident \w+`)

// outcome returns what is the same at every door: the content of a resource, or the code of the fault.
func outcomeOf(t testing.TB, text string) string {
	var r struct {
		Result struct{ Contents json.RawMessage }
		Error  struct {
			Message string
			Data    struct{ Code string }
		}
	}
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if r.Result.Contents == nil && r.Error.Message == "" {
		t.Fatalf("neither content nor an error: %s", text)
	}
	return incident.ReplaceAllString(string(r.Result.Contents)+r.Error.Message+r.Error.Data.Code, "")
}

// Every URI is read or refused alike at every door, and none leaves the root.
func TestRandomURIs(t *testing.T) {
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("outside"), 0o600); err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(outside, "root")
	if err := os.MkdirAll(filepath.Join(root, "a"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"up": "..", "a/7": outside} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(root)
	count := 100_000
	if testing.Short() {
		count = 5_000
	}
	all := doors(t, func() *sdk.Server { return notebook(0) })
	first := all["stdio 2026-07-28"]
	r := rand.New(rand.NewPCG(1, 2))
	read := 0
	for i := range count {
		uri := randomURI(r)
		quoted, err := json.Marshal(uri)
		if err != nil {
			t.Fatal(err)
		}
		params := `"uri":` + string(quoted)
		want := outcomeOf(t, first(t, "resources/read", params))
		if strings.Contains(want, "outside") {
			t.Fatalf("%q is outside the root: %s", uri, want)
		}
		if strings.HasPrefix(want, "[") {
			read++
			if !strings.Contains(want, `"uri":`+string(quoted)) {
				t.Fatalf("%q: %s", uri, want)
			}
		}
		if i%100 > 0 {
			continue
		}
		for name, ask := range all {
			if got := outcomeOf(t, ask(t, "resources/read", params)); got != want {
				t.Errorf("%s: %q: %s; want %s", name, uri, got, want)
			}
		}
	}
	if read == 0 || read == count {
		t.Errorf("%d of %d URIs are read", read, count)
	}
}

// A URI over the limit has the same error at every door.
func TestLongURIs(t *testing.T) {
	for name, ask := range doors(t, func() *sdk.Server { return notebook(0) }) {
		for _, size := range []int{8<<10 + 1, 1 << 20} {
			if strings.HasPrefix(name, "http 2026") && size > 1<<19 {
				continue // net/http limits headers to 1 MiB
			}
			got := ask(t, "resources/read", fmt.Sprintf(`"uri":"note://%s"`, strings.Repeat("x", size-7)))
			if !strings.Contains(got, `"error":{"code":-32602,"message":"invalid params: \"uri\" is longer than 8192 bytes"}`) {
				t.Errorf("%s: %d bytes: %.300s", name, size, got)
			}
		}
		got := ask(t, "resources/read", fmt.Sprintf(`"uri":"note://%s"`, strings.Repeat("x", 8<<10-7)))
		if !strings.Contains(got, `"text":"# x`) {
			t.Errorf("%s: 8192 bytes: %.300s", name, got)
		}
	}
}

// A page of a list costs the same for a long list as for a short one.
func TestLongListsCostNoMore(t *testing.T) {
	page := func(lists int) (bytes, allocs uint64) {
		ask := overStream(t, notebook(lists), "2026-07-28", sdk.Options{})
		cursor := `"cursor":` + string(regexp.MustCompile(`"nextCursor":("[^"]*")`).FindStringSubmatch(ask(t, "resources/list", ""))[1])
		for range 3 { // the pages of two directories come first
			text := ask(t, "resources/list", cursor)
			if strings.Contains(text, `"uri":"note://`) {
				break
			}
			cursor = `"cursor":` + string(regexp.MustCompile(`"nextCursor":("[^"]*")`).FindStringSubmatch(text)[1])
		}
		const runs = 200
		var before, after runtime.MemStats
		ask(t, "resources/list", cursor)
		runtime.GC()
		runtime.ReadMemStats(&before)
		for range runs {
			ask(t, "resources/list", cursor)
		}
		runtime.ReadMemStats(&after)
		return (after.TotalAlloc - before.TotalAlloc) / runs, (after.Mallocs - before.Mallocs) / runs
	}
	t.Chdir(t.TempDir())
	few, fewAllocs := page(10)
	many, manyAllocs := page(10_000)
	if many > few*12/10 || manyAllocs > fewAllocs*12/10 {
		t.Errorf("a page of 10,000 resources: %d bytes in %d allocations; of 10: %d bytes in %d allocations", many, manyAllocs, few, fewAllocs)
	}
}

// A read costs about as much as a call with the same result.
func TestReadAllocations(t *testing.T) {
	ask := overStream(t, notebook(0), "2026-07-28", sdk.Options{})
	of := func(method, params string) float64 {
		return testing.AllocsPerRun(200, func() { ask(t, method, params) })
	}
	call, read := of("tools/call", `"name":"echo","arguments":{"id":"a"}`), of("resources/read", `"uri":"book://a/pages/1"`)
	if read > call*1.2 {
		t.Errorf("a read allocates %v times, a call %v times", read, call)
	}
}

func BenchmarkRead(b *testing.B) {
	for name, tc := range map[string]struct{ method, params string }{
		"call": {"tools/call", `"name":"echo","arguments":{"id":"a"}`}, "asking": {"resources/read", `"uri":"note://a"`},
		"read":   {"resources/read", `"uri":"book://a/pages/1"`},
		"static": {"resources/read", `"uri":"notes://about"`}, "prompt": {"prompts/get", `"name":"summarize","arguments":{"id":"a"}`},
	} {
		b.Run(name, func(b *testing.B) {
			ask := overStream(b, notebook(0), "2026-07-28", sdk.Options{})
			b.ReportAllocs()
			for b.Loop() {
				ask(b, tc.method, tc.params)
			}
		})
	}
}
