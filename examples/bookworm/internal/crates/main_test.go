package crates_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/examples/bookworm/internal/crates"
	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
	"github.com/jptool/jptool/examples/bookworm/internal/library"
	"github.com/jptool/jptool/sdk/jptest"
)

// The tests cause faults on purpose. Warnings about these faults would hide unexpected
// warnings.
func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(jptest.Main(m, 100))
}

// shop is a server with crates, and the configuration of a library with its own cache.
type shop struct {
	server *cratestest.Server
	config library.Config
}

func open(t *testing.T, content ...cratestest.Crate) shop {
	t.Helper()
	if content == nil {
		content = []cratestest.Crate{cratestest.Sample("1.2.0", "1.1.0", "0.9.0")}
	}
	s := shop{server: cratestest.New(content...)}
	t.Cleanup(s.server.Close)
	s.config = library.Config{CratesIO: s.server.URL, DocsRS: s.server.URL, Cache: filepath.Join(t.TempDir(), "cache"), Fresh: time.Hour, Backoff: time.Millisecond}
	return s
}

// tools returns the tools with a library that is closed at the end of the test.
func (s shop) tools(t *testing.T) *crates.Crates {
	t.Helper()
	l, err := library.Open(s.config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return &crates.Crates{Library: l}
}

// kit returns a JP host for the tools.
func (s shop) kit(t *testing.T, options ...map[string]any) *jptest.Kit {
	t.Helper()
	return s.kitOn(t, jptest.JPOutcome, options...)
}

// kitOn is like kit, but for the given wire. Each tool gets the options that it has.
func (s shop) kitOn(t *testing.T, wire jptest.Wire, options ...map[string]any) *jptest.Kit {
	t.Helper()
	server := crates.NewServer(s.tools(t))
	o := jptest.Options{Wire: wire, ToolOptions: map[string]any{}}
	for _, tool := range server.Contract().Tools {
		set := map[string]any{}
		for _, one := range options {
			for name, value := range one {
				if bytes.Contains(tool.Options, []byte(`"`+name+`":`)) {
					set[name] = value
				}
			}
		}
		o.ToolOptions[tool.Name] = set
	}
	return jptest.NewWith(t, server, o)
}

func raw(format string, args ...any) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(format, args...))
}

func search(crate, version, query string) json.RawMessage {
	return raw(`{"crate_name":%q,"crate_version":%q,"query":%q}`, crate, version, query)
}

// downloads returns the numbers of GET and HEAD requests for archives.
func (s shop) downloads() (gets, heads int) {
	return s.server.Count("GET", "/download"), s.server.Count("HEAD", "/download")
}

// checkWellFormed fails the test unless every XML element in the text is well-formed.
func checkWellFormed(t *testing.T, text string) {
	t.Helper()
	start := strings.Index(text, "<")
	if start < 0 {
		return
	}
	end := strings.LastIndex(text, ">")
	d := xml.NewDecoder(strings.NewReader("<answer>" + text[start:end+1] + "</answer>"))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Errorf("not well-formed: %v\n%.2000s", err, text)
			return
		}
	}
}

// contents returns the names of the files below a directory.
func contents(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, strings.TrimPrefix(path, dir))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
