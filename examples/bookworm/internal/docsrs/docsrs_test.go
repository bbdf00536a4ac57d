package docsrs_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
	"github.com/jptool/jptool/examples/bookworm/internal/docsrs"
	"github.com/jptool/jptool/examples/bookworm/internal/fetch"
	"github.com/jptool/jptool/examples/bookworm/sample"
)

// serve returns a server and a client that waits almost no time between attempts.
func serve(t *testing.T, patience time.Duration) (*cratestest.Server, *docsrs.Client) {
	t.Helper()
	s := cratestest.New(cratestest.Sample("1.2.0"))
	t.Cleanup(s.Close)
	base, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	f := fetch.New(fetch.Config{
		Agent: "bookworm-test", Bases: []*url.URL{base}, Timeout: patience, Stall: patience, Backoff: time.Millisecond,
	})
	return s, docsrs.New(f, base, time.Minute)
}

// timeoutFor returns a short timeout for faults in which the server is silent.
func timeoutFor(fault string) time.Duration {
	switch fault {
	case "hangs", "no header", "no answer":
		return 300 * time.Millisecond
	}
	return time.Minute
}

func download(t *testing.T, c *docsrs.Client, o docsrs.Options) ([]byte, error) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "part"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := c.Download(context.Background(), "tea-time", "1.2.0", f, o); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return data, nil
}

// After a temporary fault, the download is retried until the archive is complete.
func TestDownloadGoesOn(t *testing.T) {
	quarter := len(sample.Docs) / 4
	for name, c := range map[string]struct {
		fault cratestest.Fault
		times int
		bytes string // Range header of the last request
	}{
		"no fault":             {nil, 0, ""},
		"429":                  {cratestest.Status(429, "Retry-After", "0"), 2, ""},
		"500":                  {cratestest.Status(500), 2, ""},
		"503":                  {cratestest.Status(503), 1, ""},
		"dropped":              {cratestest.Drop, 2, ""},
		"cut at once":          {cratestest.Cut(0), 1, ""},
		"cut in the middle":    {cratestest.Cut(quarter), 1, "bytes="},
		"cut twice":            {cratestest.Cut(quarter), 2, "bytes="},
		"hangs":                {cratestest.Hang(quarter), 1, "bytes="},
		"without length":       {cratestest.Without("Content-Length"), 1, ""},
		"without ETag":         {cratestest.Without("ETag"), 1, ""},
		"weak ETag":            {cratestest.With("ETag", `W/"x"`), 1, ""},
		"an ETag like a path":  {cratestest.With("ETag", `"../../x"`), 1, ""},
		"another content type": {cratestest.With("Content-Type", "text/html"), 1, ""},
		"redirected to itself": {cratestest.Redirect("/crate/tea-time/1.2.0/download"), 1, ""},
	} {
		s, client := serve(t, timeoutFor(name))
		if c.fault != nil {
			s.Break("GET ", c.times, c.fault)
		}
		got, err := download(t, client, docsrs.Options{})
		if err != nil || !bytes.Equal(got, sample.Docs) {
			t.Errorf("%s: %v, %d bytes", name, err, len(got))
		}
		all := s.Requests("/download")
		if last := all[len(all)-1].Header.Get("Range"); !strings.HasPrefix(last, c.bytes) {
			t.Errorf("%s: the last request asks for %q", name, last)
		}
	}
}

// An archive that changed while the connection was lost is downloaded from the start.
func TestDownloadOfAnotherArchive(t *testing.T) {
	s, client := serve(t, time.Minute)
	s.Break("GET ", 1, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		c := cratestest.Sample("1.2.0")
		c.Versions[0].Docs = cratestest.Padded(1000)
		defer s.Publish(c)
		cratestest.Cut(9000)(w, r, next)
	})
	got, err := download(t, client, docsrs.Options{})
	if err != nil || !bytes.Equal(got, cratestest.Padded(1000)) {
		t.Errorf("%v, %d bytes", err, len(got))
	}
}

func TestDownloadRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		fault     cratestest.Fault
		requests  int
		transient bool
		want      string
	}{
		"404":                      {cratestest.Status(404), 1, false, "has no documentation"},
		"403":                      {cratestest.Status(403), 1, false, "responded with 403"},
		"429 forever":              {cratestest.Status(429), 3, true, "responded with 429"},
		"500 forever":              {cratestest.Status(500), 3, true, "responded with 500"},
		"dropped forever":          {cratestest.Drop, 3, true, "EOF"},
		"cut forever":              {cratestest.Cut(0), 3, true, "EOF"},
		"no header":                {cratestest.Silent, 1, true, "imeout"},
		"a page":                   {cratestest.Answer("text/html", "<html>not here"), 1, false, "not a zip file"},
		"a page, called a zip":     {cratestest.Answer("application/zip", "<html>not here"), 1, false, "not a zip file"},
		"nothing":                  {cratestest.Answer("application/zip", ""), 1, false, "not a zip file"},
		"endless text":             {cratestest.Endless("x"), 1, false, "not a zip file"},
		"endless zip":              {cratestest.Endless("PK\x03\x04"), 1, false, "too large"},
		"a loop":                   {cratestest.Loop, 6, false, "redirected more than 5 times"},
		"to another host":          {cratestest.Redirect("http://example.com/x"), 1, false, "redirected to http://example.com"},
		"to another host by https": {cratestest.Redirect("https://example.com/x"), 1, false, "redirected to https://example.com"},
		"to another port":          {cratestest.Redirect("http://127.0.0.1:9/x"), 1, false, "redirected to http://127.0.0.1:9"},
		"to a file":                {cratestest.Redirect("file:///etc/passwd"), 1, false, "redirected to file://"},
		"to a host with a user":    {cratestest.Redirect("https://docs.rs@example.com/x"), 1, false, "redirected to"},
		"to a name like a host":    {cratestest.Redirect("https://docs.rs.example.com/x"), 1, false, "redirected to"},
		"a part unasked":           {cratestest.Status(206, "Content-Range", "bytes 0-8/9"), 1, false, "than requested"},
		"not modified":             {cratestest.Status(304), 1, false, "status 304"},
	} {
		s, client := serve(t, timeoutFor(name))
		s.Break("GET ", -1, c.fault)
		_, err := download(t, client, docsrs.Options{Most: 1 << 20})
		if err == nil || !strings.Contains(err.Error(), c.want) || fetch.Transient(err) != c.transient {
			t.Errorf("%s: %v, transient %t", name, err, fetch.Transient(err))
		}
		if n := s.Count("GET", ""); n != c.requests {
			t.Errorf("%s: %d requests, want %d", name, n, c.requests)
		}
	}
}

// If the size is known in advance, nothing is downloaded. Otherwise, the download ends at the
// limit.
func TestLargerThanWanted(t *testing.T) {
	s, client := serve(t, time.Minute)
	var larger *docsrs.LargerError
	if _, err := download(t, client, docsrs.Options{Most: 1000}); !errors.As(err, &larger) || larger.Size != int64(len(sample.Docs)) {
		t.Errorf("with a length: %v", err)
	}
	s.Break("GET ", -1, cratestest.Without("Content-Length"))
	if _, err := download(t, client, docsrs.Options{Most: 1000}); !errors.As(err, &larger) || larger.Size != 0 {
		t.Errorf("without a length: %v", err)
	}
}

func TestSize(t *testing.T) {
	for name, c := range map[string]struct {
		fault cratestest.Fault
		want  int64
		err   string
	}{
		"as it is":       {nil, int64(len(sample.Docs)), ""},
		"no length":      {cratestest.Status(200, "Transfer-Encoding", "chunked"), -1, ""},
		"not allowed":    {cratestest.Status(405), -1, ""},
		"not there":      {cratestest.Status(404), 0, "no documentation"},
		"500 twice":      {cratestest.Status(500), 0, "responded with 500"},
		"another host":   {cratestest.Redirect("http://example.com"), 0, "redirected to"},
		"no answer":      {cratestest.Silent, 0, "Head "},
		"dropped always": {cratestest.Drop, 0, "EOF"},
	} {
		s, client := serve(t, timeoutFor(name))
		if c.fault != nil {
			s.Break("HEAD ", -1, c.fault)
		}
		got, err := client.Size(context.Background(), "tea-time", "1.2.0")
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %d, %v", name, got, err)
		}
	}
}

// Every request has a User-Agent.
func TestAgent(t *testing.T) {
	s, client := serve(t, time.Minute)
	if _, err := client.Size(context.Background(), "tea-time", "1.2.0"); err != nil {
		t.Fatal(err)
	}
	if _, err := download(t, client, docsrs.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Requests("") {
		if r.Agent != "bookworm-test" {
			t.Errorf("%s %s by %q", r.Method, r.Path, r.Agent)
		}
	}
}

// A disk that cannot be written is not mistaken for a lost connection, even though its error also
// has an error number.
func TestDownloadToBrokenDisk(t *testing.T) {
	s, c := serve(t, time.Minute)
	path := filepath.Join(t.TempDir(), "part")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path) // writing to a file opened for reading fails
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	err = c.Download(context.Background(), "tea-time", "1.2.0", f, docsrs.Options{})
	var file *os.PathError
	if !errors.As(err, &file) || fetch.Transient(err) {
		t.Errorf("%v", err)
	}
	if n := s.Count("GET", "/download"); n != 1 {
		t.Errorf("%d requests", n)
	}
}
