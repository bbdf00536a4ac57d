//go:build programs

package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/caller"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// steps returns a script that acts as a user of the page. It performs each step as soon as its condition is true, and
// checks the conditions after each change to the document. After the last step, it sets the title of the document.
func steps(list ...string) string {
	return `
const find = s => document.querySelector(s), type = (e, value) => { e.value = value; e.dispatchEvent(new Event("input")); };
const steps = [` + strings.Join(list, ",") + `];
new MutationObserver(() => {
  while (steps.length && steps[0]()) {
    steps.shift();
    if (steps.length === 0) {
      document.title = "done";
      fetch("/done", { method: "POST" });
    }
  }
}).observe(document, { subtree: true, childList: true, attributes: true });
`
}

// chromium returns the DOM of the page after its script has run.
func chromium(t *testing.T, s *Server, script string) string {
	t.Helper()
	var program string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Fatal("Chromium or Chrome not found in the PATH")
	}
	sum := sha256.Sum256([]byte(script))
	// The browser prints the page when it is completely loaded. An image delays loading until the script has finished.
	done := make(chan struct{})
	var once sync.Once
	s.policy = "img-src 'self'; " + strings.Replace(s.policy, "script-src ", "script-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"' ", 1)
	own := s.handler()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
		case "/done":
			once.Do(func() { close(done) })
			return
		case "/hold":
			select {
			case <-done:
			case <-r.Context().Done():
			}
			return
		default:
			own.ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		own.ServeHTTP(answer, r)
		for name, values := range answer.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.Code)
		_, _ = w.Write(append(answer.Body.Bytes(), "<img src=/hold><script>"+script+"</script>"...)) // the browser checks the result
	}))
	host := server.Listener.Addr().String()
	s.hosts = map[string]bool{host: true}
	server.Start()
	t.Cleanup(server.Close)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--user-data-dir="+t.TempDir(),
		"--dump-dom", "http://"+host+s.Path())
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &complaints, 5*time.Second
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, &complaints)
	}
	return out.String()
}

func startConsole(t *testing.T, c Console) *Server {
	t.Helper()
	s, err := New(c, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPageInABrowser(t *testing.T) {
	dom := chromium(t, startConsole(t, Console{Server: "shop", Surface: newSurface(t), Call: order}), steps(
		`() => find("#run") && (find("textarea[name=scoops]").value = "9007199254740993", find("select[name=flavor]").value = "1", find("#run").click(), true)`,
		`() => find("fieldset.question .yes") && (document.body.dataset.focus = document.activeElement.className, find("fieldset.question .yes").click(), true)`,
		`() => find(".result") && find("#run:not([disabled])")`,
	))
	for _, want := range []string{
		"<title>done</title>",
		"Order &lt;img src=x onerror=alert(1)&gt; ice.", // shown as text, not as an image
		`Hidden\u{202e}text.`,
		"<ul><li>one</li><li>two</li></ul>",
		`{"scoops":"9007199254740993","flavor":"vanilla\u{200b}"} true`,
		"Number of scoops", "at most 9007199254740999",
		"1 of 2 scooping", "info: melting",
		"Pay?", `The tool "order" of the server "shop" asks: pay`, `data-focus="question"`,
		"Codes that every call can return", "jptoolgen call shop order", "succeeded",
	} {
		if !strings.Contains(dom, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if t.Failed() {
		t.Logf("the page is\n%s", dom)
	}
}

// A URL is shown with its host and is opened only with consent. Input for a credential is hidden, and a warning is
// shown. A call can be canceled while it asks a question.
func TestCancelInABrowser(t *testing.T) {
	ended := make(chan error, 1)
	call := func(ctx context.Context, _ Request, h Hooks) (Result, error) {
		open, err := h.Ask(ctx, caller.Question{Text: "Log in.", URL: "https://bank.example@evil.example/", Schema: shape.Schema{Types: []string{"boolean"}}})
		if err != nil || string(open) != "false" {
			t.Errorf("answered %s, %v", open, err)
		}
		_, err = h.Ask(ctx, caller.Question{Text: "Enter your password.", Schema: shape.Schema{Types: []string{"string"}}})
		ended <- err
		return Result{}, err
	}
	dom := chromium(t, startConsole(t, Console{Server: "shop", Surface: newSurface(t), Call: call}), steps(
		`() => find("#run") && (find("textarea[name=scoops]").value = "1", find("#run").click(), true)`,
		`() => find("fieldset.question .no") && (find("fieldset.question .no").click(), true)`,
		`() => find("fieldset.question input[type=password]") && (document.body.dataset.focus = document.activeElement.name, find(".stop").click(), true)`,
		`() => find(".log .failed") && find("#run:not([disabled])")`,
	))
	for _, want := range []string{"<title>done</title>", "the server, not jptoolgen, asks", "<b>evil.example</b>", "https://bank.example@evil.example/", `data-focus="answer"`, ">canceled<"} {
		if !strings.Contains(dom, want) {
			t.Errorf("the page lacks %s in\n%s", want, dom)
		}
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the call ended with %v", err)
	}
}

// For a very long list, the page shows only the matches of a search. It also lists resources and prompts.
func TestLongListsInABrowser(t *testing.T) {
	values := make([]string, 130_000)
	for i := range values {
		values[i] = strconv.FormatInt(int64(i), 36)
	}
	list, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	text, err := Surface(&target.Surface{
		Contract: &manifest.Server{Name: "long", Tools: []manifest.Tool{{Name: "t", Input: manifest.Schema(`{"required":["one"],"properties":{"one":{"enum":` + string(list) + `}}}`)}},
			Resources: []manifest.Resource{{URI: "shop://menu", Name: "menu"}}, Prompts: []manifest.Prompt{{Name: "recommend"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	call := func(_ context.Context, r Request, _ Hooks) (Result, error) {
		return Result{Value: json.RawMessage(`{"content":[{"type":"text","text":"called"}],"structuredContent":` + string(r.Arguments) + `}`), Failed: true}, nil
	}
	dom := chromium(t, startConsole(t, Console{Surface: text, Call: call}), steps(
		`() => find("input[type=search]") && (type(find("input[type=search]"), "2sb"), true)`,
		`() => find("select[name=one] option[value='129999']") && (find("select[name=one]").value = "129999", find("#run").click(), true)`,
		`() => find(".failed.result") && find("#run:not([disabled])")`,
		`() => (document.body.dataset.result = find(".structured").textContent, find("nav a").click(), true)`,
	))
	for _, want := range []string{"<title>done</title>", "2sb3", "shop://menu", "recommend", "failed"} {
		if !strings.Contains(dom, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if len(dom) > 100_000 {
		t.Errorf("the page has %d bytes", len(dom))
	}
}
