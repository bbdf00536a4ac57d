package measure

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jptool/jptool/bench/internal/build"
	"github.com/jptool/jptool/bench/internal/request"
	"github.com/jptool/jptool/bench/internal/serve"
)

// TestMain lets the test binary act as an HTTP server that opens at most BENCH_SESSIONS sessions.
func TestMain(m *testing.M) {
	var most int64
	if _, err := fmt.Sscan(os.Getenv("BENCH_SESSIONS"), &most); err != nil {
		os.Exit(m.Run())
	}
	if err := serve.HTTP("127.0.0.1:0", sessions(most)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func sessions(most int64) http.HandlerFunc {
	var opened atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case strings.Contains(string(body), `"initialize"`):
			n := opened.Add(1)
			if n > most {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			w.Header().Set(request.SessionHeader, fmt.Sprint(n))
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":0,"result":{}}`)
		case strings.Contains(string(body), `notifications/initialized`):
			w.WriteHeader(http.StatusAccepted)
		case r.Header.Get("Mcp-Method") == "" && r.Header.Get(request.SessionHeader) == "":
			w.WriteHeader(http.StatusBadRequest)
		default:
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":{}}`)
		}
	}
}

// player returns a subject that runs the test binary, which opens at most the given number of sessions.
func player(t *testing.T, most int) (build.Subject, []string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return build.Subject{
		Name: build.Jptool, Command: func(int) []string { return []string{self} },
		HTTP: func(request.Era) []string { return nil },
	}, []string{fmt.Sprint("BENCH_SESSIONS=", most)}
}

func TestIdleSessionsStopAtTheServersLimit(t *testing.T) {
	for _, test := range []struct{ limit, ask, want int }{{100, 40, 40}, {31, 40, 30}} {
		subject, env := player(t, test.limit)
		s, err := serveHTTP(subject.Served(request.Sessions), env, request.Sessions)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.openSessions(test.ask)
		if err != nil || got != test.want {
			t.Errorf("%d requested sessions: %d were opened, want %d (%v)", test.ask, got, test.want, err)
		}
		if err := s.end(); err != nil {
			t.Error(err)
		}
	}
}

func TestBurst(t *testing.T) {
	for _, era := range request.Eras {
		subject, env := player(t, 10)
		s, err := serveHTTP(subject.Served(era), env, era)
		if err != nil {
			t.Fatal(err)
		}
		callers, err := s.callers(4)
		if err != nil {
			t.Fatal(err)
		}
		cpu, wall, err := s.callConcurrently(callers, 400)
		if err != nil || cpu <= 0 || wall <= 0 {
			t.Errorf("%s: %s of CPU in %s (%v)", era, cpu, wall, err)
		}
		var all []string
		for _, a := range callers {
			if want := 1 + 100; a.next != want { // s.callers has made the first call of each
				t.Errorf("%s: %d calls over a connection, want %d", era, a.next, want)
			}
			for _, r := range a.requests {
				all = append(all, string(r))
			}
		}
		slices.Sort(all)
		if n := len(slices.Compact(all)); n != 4*ring {
			t.Errorf("%s: %d requests differ, not %d", era, n, 4*ring)
		}
		if err := s.end(); err != nil {
			t.Error(err)
		}
	}
}
