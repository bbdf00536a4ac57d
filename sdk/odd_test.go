package sdk_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/internal/odd"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/gosdk"
	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/internal/stdio"
	"github.com/jptool/jptool/sdk/internal/streamable"
)

// These flags determine how many odd messages the tests send (see make battery). With -short, they send a tenth
// of that number.
var (
	oddSeed     = flag.Uint64("odd.seed", 1, "seed of the odd messages")
	oddCalls    = flag.Int("odd.calls", 600, "number of random calls, in addition to the handwritten ones")
	oddMessages = flag.Int("odd.messages", 5000, "number of messages of all kinds")
	oddStarts   = flag.Int("odd.starts", 30, "number of servers that receive all messages in one write")
)

// A testServer connects clients to a server in this process.
type testServer struct{ server *sdk.Server }

// extend adds no-op middleware to go-sdk's server, which then sees every call.
func extend(s *sdk.Server) *sdk.Server {
	gosdk.Server(s).AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler { return next })
	return s
}

func newTestServer() testServer { return testServer{fixture.NewServer(&fixture.Fixture{})} }

func (d testServer) engine() (*engine.Engine, error) {
	e, err := d.server.Engine(sdk.Options{})
	if err == nil {
		e.Log = slog.New(slog.DiscardHandler)
	}
	return e, err
}

// stream starts to serve a new client over stdio.
func (d testServer) stream(ctx context.Context) (odd.Stream, error) {
	e, err := d.engine()
	if err != nil {
		return odd.Stream{}, err
	}
	in, client := io.Pipe()
	out, server := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- stdio.Serve(ctx, e, in, server, engine.DrainTime, func() {})
	}()
	return odd.Stream{In: client, Out: out, End: func() error { return <-ended }}, nil
}

// endpoint serves clients over HTTP, without a network.
func (d testServer) endpoint(t *testing.T) odd.Endpoint {
	t.Helper()
	e, err := d.engine()
	if err != nil {
		t.Fatal(err)
	}
	h := streamable.New(t.Context(), e, streamable.Options{})
	return odd.Endpoint{URL: "http://localhost/mcp", Client: &http.Client{Transport: direct{h}}}
}

// direct is a transport that calls a handler directly.
type direct struct{ http.Handler }

// RoundTrip implements [http.RoundTripper].
func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w.Result(), nil
}

// A message gets the same answer at all times and over all transports, unless a specification
// requires a different answer for a transport.
func TestOddMessages(t *testing.T) {
	d, extended := newTestServer(), testServer{extend(newTestServer().server)}
	ordered := map[string]int{}
	compare := func(g odd.Generation, messages []odd.Message, moments ...odd.Moment) {
		if testing.Short() {
			tenth := 0
			messages = slices.DeleteFunc(slices.Clone(messages), func(odd.Message) bool { tenth++; return tenth%10 != 1 })
		}
		report, err := odd.Compare(t.Context(), moments, messages, 4)
		if err != nil {
			t.Fatal(err)
		}
		if len(report.Kinds) > 0 {
			t.Errorf("%s, seed %d:\n%s", g, *oddSeed, report)
		}
		for section, n := range report.Ordered {
			ordered[section] += n
		}
	}
	for _, g := range []odd.Generation{odd.Sessions, odd.Requests} {
		moments := func(d testServer) []odd.Moment {
			web := d.endpoint(t)
			all := []odd.Moment{odd.LaterLine(d.stream, g), odd.FirstLine(d.stream, g), web.Sessionless(g)}
			if g == odd.Sessions {
				return append(all, odd.AfterSetLevel(d.stream), web.Session())
			}
			return append(all, odd.InOlderSession(d.stream))
		}
		calls := odd.Calls(g, *oddSeed, *oddCalls)
		compare(g, append(calls, odd.Messages(g, *oddSeed, *oddMessages)...), moments(d)...)
		// What a program adds to go-sdk's server does not change the answers from the tools, except that go-sdk
		// accepts fewer levels of nesting.
		calls = slices.DeleteFunc(calls, func(m odd.Message) bool { return strings.Contains(m.Name, "5120 levels deep") })
		compare(g, calls, append(moments(d)[:1], moments(extended)...)...)
	}
	for _, o := range odd.Orders {
		t.Logf("%d differ by order of %s: %s", ordered[o.Section], o.Section, o.Why)
		if ordered[o.Section] == 0 && !testing.Short() {
			t.Errorf("nothing differs by order of %s", o.Section)
		}
	}
}

// Messages in one write get the same answers in every run.
func TestOddMessagesAtOnce(t *testing.T) {
	d := newTestServer()
	for _, g := range []odd.Generation{odd.Sessions, odd.Requests} {
		// The ids -0 and 0 are equal, as are 1E3 and 1e3, so a second request with one of them would be
		// rejected while the first one runs.
		messages := slices.DeleteFunc(odd.Calls(g, *oddSeed, 0), func(m odd.Message) bool { return m.Name == "id -0" || m.Name == "id 1E3" })
		for i := range messages {
			messages[i].Text = strings.Replace(messages[i].Text, `"id":41,`, fmt.Sprintf(`"id":%d,`, 2000+i), 1)
		}
		first, err := odd.Start(t.Context(), d.stream, g, messages)
		if err != nil {
			t.Fatal(err)
		}
		if len(first) < len(messages)/2 {
			t.Fatalf("%s: %d messages have %d answers", g, len(messages), len(first))
		}
		starts := *oddStarts
		if testing.Short() {
			starts /= 10
		}
		for i := range starts - 1 {
			next, err := odd.Start(t.Context(), d.stream, g, messages)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(first, next) {
				t.Fatalf("%s: start %d is answered otherwise:\n%.10000s\n\n%.10000s", g, i+2, strings.Join(first, "\n"), strings.Join(next, "\n"))
			}
		}
	}
}
