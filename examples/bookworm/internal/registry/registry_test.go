package registry_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jptool/jptool/examples/bookworm/internal/cache"
	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
	"github.com/jptool/jptool/examples/bookworm/internal/fetch"
	"github.com/jptool/jptool/examples/bookworm/internal/registry"
)

// kit is a server, a cache, and a client that uses both.
type kit struct {
	server *cratestest.Server
	cache  *cache.Cache
	base   *url.URL
	fetch  *fetch.Client
}

func newKit(t *testing.T, timeout time.Duration) kit {
	t.Helper()
	s := cratestest.New(cratestest.Sample("1.2.0", "1.1.0", "2.0.0-rc.1"))
	t.Cleanup(s.Close)
	base, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cache.Open(t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	f := fetch.New(fetch.Config{Agent: "bookworm-test", Bases: []*url.URL{base}, Timeout: timeout, Backoff: time.Millisecond})
	return kit{s, c, base, f}
}

func (k kit) client(fresh time.Duration, offline bool) *registry.Client {
	return registry.New(k.fetch, k.cache, k.base, fresh, offline)
}

func TestAnswers(t *testing.T) {
	k := newKit(t, time.Minute)
	client, ctx := k.client(time.Hour, false), context.Background()
	found, err := client.Search(ctx, "tea&per_page=100#x")
	if err != nil || len(found) != 0 {
		t.Errorf("%v, %v", found, err)
	}
	if got := k.server.Requests("/crates?")[0].Path; got != "/api/v1/crates?per_page=10&q=tea%26per_page%3D100%23x" {
		t.Errorf("asked for %s", got)
	}
	found, err = client.Search(ctx, "clock")
	want := registry.Crate{
		Name: "tea-time", Version: "1.2.0", Description: "Brew tea by the clock", Downloads: 8000,
		Documentation: "https://docs.rs/tea-time", Repository: "https://example.com/tea-time",
	}
	if err != nil || len(found) != 1 || found[0] != want {
		t.Errorf("%+v, %v", found, err)
	}
	versions, err := client.Versions(ctx, "Tea_Time")
	if err != nil || versions.Name != "tea-time" || len(versions.List) != 3 || versions.List[0].Num != "2.0.0-rc.1" || versions.List[2].Num != "1.1.0" {
		t.Errorf("%+v, %v", versions, err)
	}
	meta, err := client.Metadata(ctx, "tea-time")
	if err != nil || strings.Join(meta.Keywords, " ") != "tea timer" || meta.Categories[0] != "Date and time" || meta.Versions[1].PublishedBy != "brewer" {
		t.Errorf("%+v, %v", meta, err)
	}
	readme, err := client.Readme(ctx, "tea-time", "1.2.0")
	if err != nil || !strings.Contains(readme, "<strong>by the clock</strong>") {
		t.Errorf("%q, %v", readme, err)
	}
	if readme, err := client.Readme(ctx, "tea-time", "9.9.9"); err != nil || readme != "" {
		t.Errorf("no README: %q, %v", readme, err)
	}
	if _, err := client.Versions(ctx, "none"); !errors.Is(err, registry.ErrNotFound) {
		t.Errorf("no such crate: %v", err)
	}
}

// A response serves several calls and is revalidated when it is old.
func TestFresh(t *testing.T) {
	k := newKit(t, time.Minute)
	ctx := context.Background()
	var wg sync.WaitGroup
	client := k.client(time.Hour, false)
	for range 30 {
		wg.Go(func() {
			if _, err := client.Versions(ctx, "tea-time"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := k.server.Count("GET", "/versions"); n != 1 {
		t.Errorf("%d requests for 30 calls", n)
	}
	old := k.client(0, false)
	if _, err := old.Versions(ctx, "tea-time"); err != nil {
		t.Fatal(err)
	}
	if all := k.server.Requests("/versions"); len(all) != 2 || all[1].Header.Get("If-None-Match") == "" {
		t.Errorf("an old answer is not asked about by its ETag: %v", all)
	}
	moved := cratestest.Sample("1.3.0")
	k.server.Publish(moved)
	if v, err := client.Versions(ctx, "tea-time"); err != nil || len(v.List) != 3 {
		t.Errorf("a new answer was asked for again: %+v, %v", v, err)
	}
	if v, err := old.Versions(ctx, "tea-time"); err != nil || v.List[0].Num != "1.3.0" || !v.AsOf.IsZero() {
		t.Errorf("%+v, %v", v, err)
	}
}

// If crates.io is unreachable, an old response is returned and marked as old.
func TestOutOfReach(t *testing.T) {
	k := newKit(t, time.Minute)
	ctx := context.Background()
	if _, err := k.client(0, true).Versions(ctx, "tea-time"); !errors.Is(err, registry.ErrOffline) {
		t.Errorf("offline, nothing known: %v", err)
	}
	if _, err := k.client(0, true).Search(ctx, "tea"); !errors.Is(err, registry.ErrOffline) {
		t.Errorf("searched offline: %v", err)
	}
	k.server.Break("", -1, cratestest.Drop)
	if _, err := k.client(0, false).Versions(ctx, "tea-time"); !fetch.Transient(err) {
		t.Errorf("unreachable, nothing known: %v", err)
	}
	k.server.Mend()
	if _, err := k.client(0, false).Versions(ctx, "tea-time"); err != nil {
		t.Fatal(err)
	}
	k.server.Break("", -1, cratestest.Status(503))
	for name, client := range map[string]*registry.Client{"offline": k.client(0, true), "unreachable": k.client(0, false)} {
		if v, err := client.Versions(ctx, "tea-time"); err != nil || v.AsOf.IsZero() || len(v.List) != 3 {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
}

func TestFaults(t *testing.T) {
	for name, c := range map[string]struct {
		fault     cratestest.Fault
		times     int
		requests  int
		transient bool
		want      string // "" for success
	}{
		"429 twice":            {cratestest.Status(429, "Retry-After", "0"), 2, 3, false, ""},
		"500 twice":            {cratestest.Status(500), 2, 3, false, ""},
		"dropped twice":        {cratestest.Drop, 2, 3, false, ""},
		"cut twice":            {cratestest.Cut(40), 2, 3, false, ""},
		"no ETag":              {cratestest.Without("ETag"), 1, 1, false, ""},
		"an ETag like a path":  {cratestest.With("ETag", `"../../../x"`), 1, 1, false, ""},
		"a very long ETag":     {cratestest.With("ETag", `"`+strings.Repeat("x", 5000)+`"`), 1, 1, false, ""},
		"wrong content type":   {cratestest.With("Content-Type", "text/html"), 1, 1, false, ""},
		"429":                  {cratestest.Status(429), -1, 3, true, "429"},
		"500":                  {cratestest.Status(500), -1, 3, true, "500"},
		"502":                  {cratestest.Status(502), -1, 3, true, "502"},
		"400":                  {cratestest.Status(400), -1, 1, false, "400"},
		"401":                  {cratestest.Status(401), -1, 1, false, "401"},
		"403":                  {cratestest.Status(403), -1, 1, false, "403"},
		"410":                  {cratestest.Status(410), -1, 1, false, "410"},
		"204":                  {cratestest.Status(204), -1, 1, false, "204"},
		"304 unasked":          {cratestest.Status(304), -1, 1, false, "304"},
		"dropped":              {cratestest.Drop, -1, 3, true, "EOF"},
		"silent":               {cratestest.Silent, -1, 1, true, "Get "},
		"hangs":                {cratestest.Hang(40), -1, 1, true, "deadline"},
		"a loop":               {cratestest.Loop, -1, 6, false, "redirected more than 5 times"},
		"another host":         {cratestest.Redirect("http://example.com"), -1, 1, false, "example.com"},
		"no address":           {cratestest.Status(302), -1, 1, false, "302"},
		"a page":               {cratestest.Answer("text/html", "<html>"), -1, 1, false, "cannot decode the response"},
		"nothing":              {cratestest.Answer("application/json", ""), -1, 1, false, "cannot decode the response"},
		"half of it":           {cratestest.Short(100), -1, 1, false, "cannot decode the response"},
		"another object":       {cratestest.Answer("application/json", "{}"), -1, 1, false, "has no member \"versions\""},
		"null":                 {cratestest.Answer("application/json", "null"), -1, 1, false, "has no member \"versions\""},
		"a list":               {cratestest.Answer("application/json", "[]"), -1, 1, false, "cannot decode the response"},
		"deep":                 {cratestest.Answer("application/json", strings.Repeat("[", 100000)), -1, 1, false, "cannot decode the response"},
		"no text":              {cratestest.Answer("application/json", "\xff\xfe\x00"), -1, 1, false, "cannot decode the response"},
		"endless":              {cratestest.Endless(" "), -1, 1, false, "more than 8388608 bytes"},
		"a bomb":               {respondGzipped, -1, 1, false, "more than 8388608 bytes"},
		"malformed gzip":       {cratestest.With("Content-Encoding", "gzip"), -1, 1, false, "gzip"},
		"a header without end": {respondLongHeader, -1, 3, true, "header"},
	} {
		patience := time.Minute
		if name == "silent" || name == "hangs" {
			patience = 300 * time.Millisecond
		}
		k := newKit(t, patience)
		k.server.Break("GET ", c.times, c.fault)
		v, err := k.client(time.Hour, false).Versions(context.Background(), "tea-time")
		if c.want == "" && (err != nil || len(v.List) != 3) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || fetch.Transient(err) != c.transient) {
			t.Errorf("%s: %v, transient %t", name, err, fetch.Transient(err))
		}
		if n := k.server.Count("GET", ""); n != c.requests {
			t.Errorf("%s: %d requests, want %d", name, n, c.requests)
		}
		k.server.Mend()
		k.fetch = fetch.New(fetch.Config{Bases: []*url.URL{k.base}})
		if v, err := k.client(time.Hour, false).Versions(context.Background(), "tea-time"); err != nil || len(v.List) != 3 {
			t.Errorf("%s, and then none: %v", name, err)
		}
	}
}

// respondGzipped responds with 9 MB of blanks, compressed to 9 kB.
func respondGzipped(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
	w.Header().Set("Content-Encoding", "gzip")
	_, _ = w.Write(cratestest.Gzip(9 << 20))
}

func respondLongHeader(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
	w.Header().Set("X-Long", strings.Repeat("x", 1<<20))
}

// Malformed entries are skipped and the others are kept.
func TestIncompleteAnswers(t *testing.T) {
	k := newKit(t, time.Minute)
	k.server.Break("/versions", -1, cratestest.Answer("application/json", `{"versions":[{"num":"1"},{"num":"../../x"},{"num":7},{"num":"1.0.0","yanked":true,"downloads":"x"},{"num":"0.9.0"},null]}`))
	if v, err := k.client(0, false).Versions(context.Background(), "x"); err != nil || len(v.List) != 1 || v.List[0].Num != "0.9.0" || v.Name != "x" {
		t.Errorf("%+v, %v", v, err)
	}
	k.server.Break("/crates", -1, cratestest.Answer("application/json",
		`{"crates":[{"name":"a"},{"name":"../b","max_version":"1.0.0","downloads":1},{"name":"c","max_version":"2.0.0-rc.1","max_stable_version":"1.0.0","downloads":1,"homepage":"javascript:alert(1)","repository":7}]}`))
	if found, err := k.client(0, false).Search(context.Background(), "x"); err != nil || len(found) != 1 || found[0] != (registry.Crate{Name: "c", Version: "1.0.0", Downloads: 1}) {
		t.Errorf("%+v, %v", found, err)
	}
}
