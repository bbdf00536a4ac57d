package sdk_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk"
)

// During the grace, the probe of readiness fails, the probe of life does not, and calls are served.
func TestDrainGrace(t *testing.T) {
	s := fixture.NewServer(&fixture.Fixture{})
	stopped := make(chan struct{})
	s.OnStop(func(context.Context) { close(stopped) })
	s.Route("/extra", true, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "extra") }))
	ctx, cancel := context.WithCancel(t.Context())
	log, w := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- s.Run(ctx, []string{"--http", "127.0.0.1:0", "--http-drain-grace", "3s"}, &sdk.Streams{In: http.NoBody, Out: nobody{}, Err: w})
		w.Close()
	}()
	var url string
	for lines := bufio.NewScanner(log); url == "" && lines.Scan(); {
		if m := regexp.MustCompile(`url=(http://\S+)/mcp`).FindStringSubmatch(lines.Text()); m != nil {
			url = m[1]
		}
	}
	go io.Copy(io.Discard, log)
	status := func(path string) int {
		resp, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	for _, path := range []string{"/readyz", "/livez", "/extra"} {
		if got := status(path); got != http.StatusOK {
			t.Errorf("%s: status %d", path, got)
		}
	}
	cancel()
	for status("/readyz") != http.StatusServiceUnavailable { // the server notices the end of the context soon
	}
	if got := status("/livez"); got != http.StatusOK {
		t.Errorf("/livez in the grace: status %d", got)
	}
	if status, body := (service{url: url + "/mcp"}).post(t, callOf(1, "echo", `{"text":"x"}`)); status != http.StatusOK {
		t.Errorf("a call in the grace: status %d: %s", status, body)
	}
	if got := <-ended; got != sdk.ExitOK {
		t.Errorf("exit status %d", got)
	}
	<-stopped
}

type nobody struct{}

func (nobody) Write(p []byte) (int, error) { return len(p), nil }
func (nobody) Close() error                { return nil }

func TestInvalidGrace(t *testing.T) {
	for args, want := range map[string]string{
		"--http-drain-grace 5s":                     "--http-drain-grace requires --http",
		"--http 127.0.0.1:0 --http-drain-grace -5s": "invalid --http-drain-grace -5s: must be positive, e.g. 10s",
	} {
		s := fixture.NewServer(&fixture.Fixture{})
		var said strings.Builder
		got := s.Run(t.Context(), strings.Fields(args), &sdk.Streams{In: http.NoBody, Out: nobody{}, Err: &said})
		if got != sdk.ExitUsage || !strings.Contains(said.String(), want) {
			t.Errorf("%s: status %d: %s", args, got, said.String())
		}
	}
}
