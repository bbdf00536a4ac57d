//go:build programs

package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// driver acts as a user of the page: it calls the first tool, answers its questions, and sets the title of the
// document when there is a result. It only waits for changes of the document.
const driver = `
let step = 0;
new MutationObserver(() => {
  const find = s => document.querySelector(s);
  if (step === 0 && find("#run")) {
    step = 1;
    find("textarea[name=scoops]").value = "9007199254740993";
    find("select[name=flavor]").value = "1";
    find("#run").click();
  } else if (step === 1 && find("fieldset.question .accept")) {
    step = 2;
    find("fieldset.question input").checked = true;
    find("fieldset.question .accept").click();
  } else if (step === 2 && find(".result, .failed")) {
    step = 3;
    document.title = "done";
    fetch("/done", { method: "POST" });
  }
}).observe(document, { subtree: true, childList: true });
`

// chromium returns the DOM of the page after the script has used it.
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
		t.Fatal("there is no Chromium or Chrome in the PATH")
	}
	sum := sha256.Sum256([]byte(script))
	// The browser prints the page after it is loaded completely. An image delays that until the script has
	// finished.
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
		_, _ = w.Write(append(answer.Body.Bytes(), "<img src=/hold><script>"+script+"</script>"...)) // the browser checks this
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

func console(t *testing.T, c Console) *Server {
	t.Helper()
	s, err := New(c, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPageInABrowser(t *testing.T) {
	dom := chromium(t, console(t, Console{Surface: json.RawMessage(surface), Call: order}), driver)
	for _, want := range []string{
		"<title>done</title>",
		"Order &lt;img src=x onerror=alert(1)&gt; ice.", // as text, not as an image
		`{"scoops":"9007199254740993","flavor":"vanilla"} accept {"answer":true}`,
		"1 of 2 scooping",
		"Pay?",
	} {
		if !strings.Contains(dom, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if t.Failed() {
		t.Logf("the page is\n%s", dom)
	}
}
