package peer

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A visit is an HTTP request that a site received.
type visit struct {
	verb   string
	path   string
	header http.Header
	gone   <-chan struct{} // closed when the client has disconnected
	ID     jsontext.Value
	Method string
	Params struct {
		Meta            map[string]jsontext.Value `json:"_meta"`
		ProtocolVersion string
		Name            string
		Arguments       jsontext.Value
		InputResponses  jsontext.Value
	}
	Result jsontext.Value
}

// A site is a server defined by a test, which records all requests.
type site struct {
	*httptest.Server
	serve func(http.ResponseWriter, visit)

	mu     sync.Mutex
	visits []visit
}

func newSite(t *testing.T, serve func(http.ResponseWriter, visit)) *site {
	s := &site{serve: serve}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := visit{verb: r.Method, path: r.URL.Path, header: r.Header, gone: r.Context().Done()}
		if body, err := io.ReadAll(r.Body); err != nil || len(body) > 0 && json.Unmarshal(body, &v, json.MatchCaseInsensitiveNames(true)) != nil {
			t.Errorf("a body that cannot be read: %s, %v", body, err)
		}
		s.mu.Lock()
		s.visits = append(s.visits, v)
		s.mu.Unlock()
		s.serve(w, v)
	}))
	t.Cleanup(s.Close)
	t.Cleanup(s.CloseClientConnections)
	return s
}

// requests returns the requests so far.
func (s *site) requests() []visit {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.visits)
}

// methods returns the requests so far: their methods, and HTTP verbs other than POST.
func (s *site) methods() string {
	var list []string
	for _, v := range s.requests() {
		switch {
		case v.verb != http.MethodPost:
			list = append(list, v.verb)
		case v.Method == "":
			list = append(list, "answer")
		default:
			list = append(list, v.Method)
		}
	}
	return strings.Join(list, " ")
}

// patient and impatient are the timeouts of a session: for a response that arrives, and for a
// response that does not.
const patient, impatient = time.Minute, 2 * time.Second

// dial opens a session with this timeout, and closes the session at the end of the test.
func (s *site) dial(t *testing.T, silence time.Duration, o Options) (*Session, error) {
	t.Helper()
	o.Limits = DefaultLimits()
	o.Limits.Silence, o.Limits.Message, o.Limits.Exchange = silence, 64<<10, 256<<10
	session, err := Dial(t.Context(), s.URL, nil, o)
	if err == nil {
		t.Cleanup(func() { _ = session.Close() })
	}
	return session, err
}

func (v visit) result(w io.Writer, result string) {
	if w, ok := w.(http.ResponseWriter); ok {
		w.Header().Set("Content-Type", "application/json")
	}
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, v.ID, result)
}

func (v visit) fail(w http.ResponseWriter, status int, id, failure string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":%s}`, id, failure)
}

// hang sends no response.
func (v visit) hang() { <-v.gone }

const (
	modern   = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"modern","version":"1"}}}`
	old      = `{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}`
	finished = `{"content":[{"type":"text","text":"done"}]}`
)
