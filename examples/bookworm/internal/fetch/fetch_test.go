package fetch_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
	"github.com/jptool/jptool/examples/bookworm/internal/fetch"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(m.Run())
}

func serve(t *testing.T, c fetch.Config) (*cratestest.Server, *fetch.Client) {
	t.Helper()
	s := cratestest.New(cratestest.Sample("1.2.0"))
	t.Cleanup(s.Close)
	base, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	c.Bases, c.Backoff = []*url.URL{base}, time.Millisecond
	return s, fetch.New(c)
}

func get(s *cratestest.Server, c *fetch.Client) error {
	_, err := c.Get(context.Background(), s.URL+"/api/v1/crates?q=tea", nil, 1<<20)
	return err
}

// requestInterval returns the time between the first two requests.
func requestInterval(t *testing.T, s *cratestest.Server) time.Duration {
	t.Helper()
	all := s.Requests("")
	if len(all) != 2 {
		t.Fatalf("%d requests", len(all))
	}
	return all[1].At.Sub(all[0].At)
}

// The client waits for the time in Retry-After, in seconds or until a date.
func TestRetryAfter(t *testing.T) {
	for name, after := range map[string]func() string{
		"seconds": func() string { return "1" },
		// HTTP dates have whole seconds, so this is at least one second from now.
		"a date": func() string { return time.Now().Add(2 * time.Second).UTC().Format(http.TimeFormat) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, c := serve(t, fetch.Config{})
			s.Break("", 1, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				cratestest.Status(http.StatusTooManyRequests, "Retry-After", after())(w, r, next)
			})
			if err := get(s, c); err != nil {
				t.Fatal(err)
			}
			// The date does not include the time that the response takes to arrive.
			if d := requestInterval(t, s); d < 500*time.Millisecond {
				t.Errorf("asked again after %s", d)
			}
		})
	}
}

// If Retry-After exceeds the deadline, the request fails immediately.
func TestRetryAfterTheEnd(t *testing.T) {
	s, c := serve(t, fetch.Config{})
	s.Break("", -1, cratestest.Status(503, "Retry-After", "40"))
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	_, err := c.Get(ctx, s.URL+"/api/v1/crates?q=tea", nil, 1<<20)
	if err == nil || !strings.Contains(err.Error(), "asks clients to wait 40s") || !fetch.Transient(err) {
		t.Errorf("%v", err)
	}
	if n := len(s.Requests("")); n != 1 || ctx.Err() != nil {
		t.Errorf("%d requests, %v", n, ctx.Err())
	}
}

func TestLimiter(t *testing.T) {
	const span = 200 * time.Millisecond
	s, c := serve(t, fetch.Config{Limiter: rate.NewLimiter(rate.Every(span), 1)})
	for range 2 {
		if err := get(s, c); err != nil {
			t.Fatal(err)
		}
	}
	if d := requestInterval(t, s); d < span/2 {
		t.Errorf("the second request came after %s", d)
	}
}

// Only the configured hosts receive requests.
func TestOtherHosts(t *testing.T) {
	_, c := serve(t, fetch.Config{Hosts: []string{"docs.rs"}})
	for _, address := range []string{
		"http://docs.rs/x", "https://docs.rs:8443/x", "https://user@docs.rs/x", "https://docs.rs.example.com/x", "http://127.0.0.1/x", "file:///etc/passwd", "https://example.com", "::",
	} {
		if _, err := c.Get(context.Background(), address, nil, 1<<20); err == nil || fetch.Transient(err) || !strings.HasPrefix(err.Error(), "refused: ") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// A partial response is not mistaken for a complete one.
func TestPartOfAnAnswer(t *testing.T) {
	s, c := serve(t, fetch.Config{})
	s.Break("", -1, cratestest.Status(http.StatusPartialContent))
	if err := get(s, c); err == nil || fetch.Transient(err) || !strings.HasPrefix(err.Error(), "refused: unexpected partial response") {
		t.Errorf("%v", err)
	}
}
