package main

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	today  = time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
	recent = today.AddDate(0, 0, -29)
	older  = today.AddDate(0, 0, -31)
)

func index(modified time.Time) []byte {
	return []byte(`{"modified":"` + modified.Format(time.RFC3339) + `"}`)
}

// keep writes a database into a directory, as an earlier run would.
func keep(t *testing.T, dir string, modified time.Time) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "index"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "index", "db.json"), index(modified), 0o644); err != nil {
		t.Fatal(err)
	}
}

// serve serves a database. If broken is set, the database has a date but no archive.
func serve(t *testing.T, modified time.Time, broken bool) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/index/db.json":
			_, _ = w.Write(index(modified))
		case r.URL.Path == "/vulndb.zip" && !broken:
			archive := zip.NewWriter(w)
			file, err := archive.Create("index/db.json")
			if err == nil {
				_, err = file.Write(index(modified))
			}
			if err := errors.Join(err, archive.Close()); err != nil {
				t.Error(err)
			}
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// unreachableURL returns the URL of a server that no longer listens.
func unreachableURL(t *testing.T) string {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	return server.URL
}

func TestCheck(t *testing.T) {
	vulnerable := errors.New("exit status 3")
	for name, test := range map[string]struct {
		kept    time.Time // the database of an earlier run; zero for none
		source  func(t *testing.T) string
		found   error
		used    time.Time // the database that govulncheck got; zero for none
		last    string    // part of the last line of the output
		wantErr string
	}{
		"first download": {source: func(t *testing.T) string { return serve(t, recent, false) }, used: recent},
		"newer download": {kept: older, source: func(t *testing.T) string { return serve(t, recent, false) }, used: recent},
		"up to date":     {kept: recent, source: func(t *testing.T) string { return serve(t, recent, true) }, used: recent},
		"unreachable":    {source: unreachableURL, last: "NOT CHECKED: the vulnerability database cannot be downloaded: "},
		"no archive":     {source: func(t *testing.T) string { return serve(t, recent, true) }, last: "NOT CHECKED: "},
		"kept":           {kept: recent, source: unreachableURL, used: recent, last: "vulnerability database from 2026-06-01 in "},
		"kept too long":  {kept: older, source: unreachableURL, wantErr: "is from 2026-05-30, more than 30 days old"},
		"old source":     {source: func(t *testing.T) string { return serve(t, older, false) }, wantErr: "more than 30 days old"},
		"vulnerability":  {kept: recent, source: unreachableURL, used: recent, found: vulnerable, wantErr: "exit status 3"},
		"local copy": {source: func(t *testing.T) string {
			dir := t.TempDir()
			keep(t, dir, recent)
			return "file://" + filepath.ToSlash(dir)
		}, used: recent},
		"no local copy": {source: func(t *testing.T) string { return "file://" + filepath.ToSlash(t.TempDir()) }, wantErr: "index"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "cache", "vulndb")
			if !test.kept.IsZero() {
				keep(t, dir, test.kept)
			}
			var log bytes.Buffer
			var used time.Time
			c := checker{source: test.source(t), dir: dir, now: today, log: &log, run: func(_ context.Context, db string) error {
				var err error
				if used, err = modifiedIn(filepath.FromSlash(strings.TrimPrefix(db, "file://"))); err != nil {
					t.Error(err)
				}
				return test.found
			}}
			err := c.check(t.Context())
			if got := message(err); !strings.Contains(got, test.wantErr) || (got == "") != (test.wantErr == "") {
				t.Errorf("error %q, want %q", got, test.wantErr)
			}
			if !used.Equal(test.used) {
				t.Errorf("checked with the database of %v, want %v", used, test.used)
			}
			lines := strings.Split(strings.TrimSpace(log.String()), "\n")
			if last := lines[len(lines)-1]; !strings.HasPrefix(last, test.last) {
				t.Errorf("the last line is %q, want %q", last, test.last)
			}
		})
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// A failed download must keep the copy of an earlier run.
func TestFailedDownloadKeepsTheCopy(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "vulndb")
	keep(t, dir, older)
	c := checker{source: serve(t, recent, true), dir: dir, now: older, log: io.Discard, run: func(context.Context, string) error { return nil }}
	if err := c.check(t.Context()); err != nil {
		t.Fatal(err)
	}
	if kept, err := modifiedIn(dir); err != nil || !kept.Equal(older) {
		t.Errorf("the copy is of %v, %v; want %v", kept, err, older)
	}
}
