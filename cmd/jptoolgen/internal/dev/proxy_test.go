package dev

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fsnotify/fsnotify"
)

// A harness is a proxy between a client and numbered child processes.
type harness struct {
	t       *testing.T
	in      io.WriteCloser
	out     *bufio.Reader
	changed chan struct{}
	done    chan error
	fail    chan error // the error that the next start returns
}

func newHarness(t *testing.T) *harness {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	d := &harness{t: t, in: inW, out: bufio.NewReader(outR), changed: make(chan struct{}, 1), done: make(chan error, 1), fail: make(chan error, 1)}
	children := 0
	p := &Proxy{
		Start: func(context.Context) (*Child, error) {
			select {
			case err := <-d.fail:
				return nil, err
			default:
			}
			children++
			return newChild(children), nil
		},
		Changed: d.changed, In: inR, Out: outW, Log: slog.New(slog.DiscardHandler),
	}
	go func() {
		d.done <- p.Run(t.Context())
		outW.Close()
	}()
	return d
}

// newChild returns a server that responds with its number, keeps subscriptions open, asks one question on "ask",
// does not answer "sleep", and exits on "die".
func newChild(n int) *Child {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	go func() {
		defer outW.Close()
		var listening []string
		lines := bufio.NewScanner(inR)
		for lines.Scan() {
			var m message
			if json.Unmarshal(lines.Bytes(), &m) != nil {
				fmt.Fprintln(outW, `{"jsonrpc":"2.0","error":{"code":-32700}}`)
				continue
			}
			switch {
			case m.Method == "die":
				return
			case m.Method == "sleep" || len(m.ID) == 0 && m.Method != "":
			case m.Method == "":
				fmt.Fprintf(outW, `{"jsonrpc":"2.0","method":"got","params":%s}`+"\n", m.Result)
			case m.Method == listen:
				listening = append(listening, string(m.ID))
				fmt.Fprintf(outW, `{"jsonrpc":"2.0","method":%q,"params":{"_meta":{%q:%s},"notifications":{}}}`+"\n", acknowledge, subscriptionID, m.ID)
			case m.Method == "ask":
				fmt.Fprintf(outW, `{"jsonrpc":"2.0","id":"q%d","method":"elicitation/create"}`+"\n", n)
			default:
				fmt.Fprintf(outW, `{"jsonrpc":"2.0","id":%s,"result":{"child":%d,"capabilities":{"tools":{}}}}`+"\n", m.ID, n)
			}
		}
		for _, id := range listening {
			fmt.Fprintf(outW, `{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", id)
		}
	}()
	return &Child{In: inW, Out: outR, Kill: func() { inR.CloseWithError(io.ErrClosedPipe); outR.Close() }}
}

func (d *harness) send(lines ...string) {
	d.t.Helper()
	for _, l := range lines {
		if _, err := io.WriteString(d.in, l+"\n"); err != nil {
			d.t.Fatal(err)
		}
	}
}

func (d *harness) want(parts ...string) {
	d.t.Helper()
	text, err := d.out.ReadString('\n')
	if err != nil {
		d.t.Fatalf("waiting for %q: %v", parts, err)
	}
	for _, part := range parts {
		if !strings.Contains(text, part) {
			d.t.Fatalf("got %s, want %q in it", text, part)
		}
	}
}

func (d *harness) end() {
	d.t.Helper()
	d.in.Close()
	if rest, err := io.ReadAll(d.out); err != nil || len(rest) > 0 {
		d.t.Errorf("unexpected output at the end: %q, %v", rest, err)
	}
	if err := <-d.done; err != nil {
		d.t.Error(err)
	}
}

func TestSessionOutlivesTheChild(t *testing.T) {
	d := newHarness(t)
	d.send(`{"jsonrpc":"2.0","id":0,"method":"initialize"}`)
	d.want(`"id":0`, `"child":1`, `"listChanged":true`)
	d.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":1,"method":"sleep"}`, `{"jsonrpc":"2.0","id":2,"method":"a"}`)
	d.want(`"id":2`) // so the child has received the previous request too
	d.changed <- struct{}{}
	d.want(`"id":1`, `-32603`)
	d.want(`"notifications/tools/list_changed"`)
	d.send(`{"jsonrpc":"2.0","id":0,"method":"tools/list"}`)
	d.want(`"id":0`, `"child":2`)
	d.end()
}

func TestSubscriptionOutlivesTheChild(t *testing.T) {
	d := newHarness(t)
	d.send(`{"jsonrpc":"2.0","id":"s","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}`,
		`{"jsonrpc":"2.0","id":"r","method":"subscriptions/listen","params":{"notifications":{}}}`)
	d.want(acknowledge, `"s"`, `"toolsListChanged":true`)
	d.want(acknowledge, `"r"`, `"notifications":{}`)
	for range 2 {
		d.changed <- struct{}{}
		d.want(toolsNow, subscriptionID, `"s"`)
	}
	d.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	d.want(`"child":3`)
	d.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"s"}}`)
	d.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	d.want(`"id":2`)
	d.in.Close()
	<-d.done
}

func TestSourceThatDoesNotBuild(t *testing.T) {
	d := newHarness(t)
	d.send(`{"jsonrpc":"2.0","id":1,"method":"a"}`)
	d.want(`"child":1`)
	d.fail <- errors.New("syntax error")
	d.changed <- struct{}{}
	d.send(`{"jsonrpc":"2.0","id":2,"method":"a"}`)
	d.want(`"child":1`)
	d.end()
}

func TestChildThatEnds(t *testing.T) {
	d := newHarness(t)
	d.send(`{"jsonrpc":"2.0","id":1,"method":"sleep"}`, `{"jsonrpc":"2.0","id":2,"method":"die"}`)
	d.want(`"id":1`, `-32603`)
	d.want(`"id":2`, `-32603`)
	d.send(`{"jsonrpc":"2.0","id":3,"method":"a"}`)
	d.want(`"id":3`, `-32603`)
	d.changed <- struct{}{}
	for { // the watcher needs some time to detect the change
		d.send(`{"jsonrpc":"2.0","id":4,"method":"a"}`)
		text, err := d.out.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text, `"child":2`) {
			break
		}
	}
	d.end()
}

func TestAnswersToAnExitedChild(t *testing.T) {
	d := newHarness(t)
	d.send(`{"jsonrpc":"2.0","id":1,"method":"ask"}`)
	d.want(`"id":"q1"`)
	d.changed <- struct{}{}
	d.want(`"id":1`, `-32603`)
	d.send(`{"jsonrpc":"2.0","id":"q1","result":{"late":true}}`, `{"jsonrpc":"2.0","id":2,"method":"ask"}`)
	d.want(`"id":"q2"`)
	d.send(`{"jsonrpc":"2.0","id":"q2","result":{"late":false}}`)
	d.want(`"late":false`)
	d.in.Close()
	<-d.done
}

// If a handshake failed because no server was running, the client performs its own handshake with the next server.
func TestHandshakeThatFailedIsNotRepeated(t *testing.T) {
	d := newHarness(t)
	d.send(`{"jsonrpc":"2.0","id":1,"method":"die"}`)
	d.want(`"id":1`, `-32603`)
	d.send(`{"jsonrpc":"2.0","id":2,"method":"initialize"}`)
	d.want(`"id":2`, `-32603`)
	d.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	d.changed <- struct{}{}
	for { // the watcher needs some time to detect the change
		d.send(`{"jsonrpc":"2.0","id":3,"method":"a"}`)
		text, err := d.out.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text, `"child":2`) {
			break
		}
		if !strings.Contains(text, `"id":3`) {
			t.Fatalf("got %s", text)
		}
	}
	d.send(`{"jsonrpc":"2.0","id":4,"method":"initialize"}`)
	d.want(`"id":4`, `"child":2`, `"listChanged":true`)
	d.changed <- struct{}{}
	d.want(`"notifications/tools/list_changed"`)
	d.end()
}

func TestInvalidMessagesAreForwarded(t *testing.T) {
	d := newHarness(t)
	d.send(`not json`)
	d.want(`-32700`)
	d.send(``, `{"jsonrpc":"2.0","id":{"a":[1]},"method":"a"}`)
	d.want(`{"a":[1]}`)
	d.end()
}

func TestLineWithoutEnd(t *testing.T) {
	d := newHarness(t)
	go func() {
		chunk := []byte(strings.Repeat("x", 1<<20))
		for {
			if _, err := d.in.Write(chunk); err != nil {
				return
			}
		}
	}()
	if err := <-d.done; err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("got %v", err)
	}
}

func TestWatch(t *testing.T) {
	dir, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	_ = os.Symlink(dir, link)
	if _, err := os.Stat(link); err != nil { // symbolic links are not supported
		link = dir
	}
	changed, err := Watch(t.Context(), link, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.go", "new/deep/b.go", "go.mod"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("package p\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		<-changed
	}
}

func TestWatchReportsRemovedDirectories(t *testing.T) {
	dir := t.TempDir()
	gone, away := filepath.Join(dir, "gone"), filepath.Join(dir, "away")
	for _, sub := range []string{gone, away} {
		if err := os.Mkdir(sub, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(sub, "a.go"), []byte("package p\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	changed, err := Watch(t.Context(), dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(gone); err != nil {
		t.Fatal(err)
	}
	<-changed
	if err := os.Rename(away, filepath.Join(t.TempDir(), "away")); err != nil {
		t.Fatal(err)
	}
	<-changed
}

func TestIgnoredChanges(t *testing.T) {
	for name, want := range map[string]bool{
		"a.go": true, "go.mod": true, "jp_gen.go": false, "a_test.go": false, "README.md": false, ".#a.go": false,
	} {
		if got := counts(fsnotify.Event{Name: filepath.Join("x", name), Op: fsnotify.Write}); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if counts(fsnotify.Event{Name: "a.go", Op: fsnotify.Chmod}) {
		t.Error("a change of permissions was reported")
	}
	for _, name := range []string{".git", "testdata", "vendor", "node_modules"} {
		if !isSkipped(name) {
			t.Errorf("%s is watched", name)
		}
	}
}

// A child that sends many messages does not exhaust the memory of the proxy.
func TestFlood(t *testing.T) {
	p := &Proxy{Out: io.Discard, asked: map[string]bool{}, acks: map[string]struct{}{}}
	for i := range maxAsked + 10 {
		for _, line := range []string{`{"id":%d,"method":"ping"}`, `{"method":"` + acknowledge + `","params":{"_meta":{"` + subscriptionID + `":%d}}}`} {
			if err := p.forwardFromChild(fmt.Appendf(nil, line, i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(p.asked) > maxAsked || len(p.acks) > 0 {
		t.Errorf("%d requests and %d subscriptions are stored", len(p.asked), len(p.acks))
	}
}

// A message that does not declare tools keeps its bytes, including the order of its members.
func TestEnable(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{`{"result":{"capabilities":{"tools":{}}},"id":1}`, `{"id":1,"result":{"capabilities":{"tools":{"listChanged":true}}}}`},
		{`{"result":{"capabilities":{"tools":{"listChanged":false}}},"id":1}`, `{"id":1,"result":{"capabilities":{"tools":{"listChanged":true}}}}`},
		{`{"result":{"capabilities":{"tools":{"listChanged":true}}},"id":1}`, ""},
		{`{"result":{"capabilities":{"tools":null}},"id":1}`, ""},
		{`{"result":{"capabilities":{}},"id":1}`, ""},
		{`{"error":{"code":1,"message":"no"},"id":1}`, ""},
		{`[]`, ""},
	} {
		want := cmp.Or(tc.want, tc.text)
		if got := string(enable([]byte(tc.text), "result", "capabilities", "tools", "listChanged")); got != want {
			t.Errorf("%s became %s, want %s", tc.text, got, want)
		}
	}
}
