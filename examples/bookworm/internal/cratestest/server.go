// Package cratestest provides a local server that acts as crates.io and docs.rs, and can simulate their faults.
package cratestest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/semver"
)

// A Crate is a crate on the server.
type Crate struct {
	Name, Description string
	Keywords          []string
	Categories        []string
	Versions          []Version
}

// A Version is a published version.
type Version struct {
	Num    string
	Yanked bool
	// Docs is the archive of the documentation, or nil for a version without documentation.
	Docs []byte
	// Readme is HTML, or "" for a version without README.
	Readme string
}

// A Server acts as crates.io and docs.rs. It is safe for concurrent use.
type Server struct {
	*httptest.Server
	mu       sync.Mutex
	crates   []Crate
	rules    []*rule
	requests []Request
}

// A Request is a request that the server received.
type Request struct {
	Method, Path, Agent string
	Header              http.Header
	At                  time.Time
}

// New starts a server. The caller must close it.
func New(crates ...Crate) *Server {
	s := &Server{crates: crates}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/crates", s.search)
	mux.HandleFunc("GET /api/v1/crates/{name}", s.crate)
	mux.HandleFunc("GET /api/v1/crates/{name}/versions", s.versions)
	mux.HandleFunc("GET /api/v1/crates/{name}/{version}/readme", s.readme)
	mux.HandleFunc("GET /readmes/{name}/{file}", s.bucket)
	mux.HandleFunc("GET /crate/{name}/{version}/download", s.download)
	s.Server = httptest.NewServer(s.watch(mux))
	return s
}

// Publish adds a crate to the server, or replaces it.
func (s *Server) Publish(c Crate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.crates = append(slices.DeleteFunc(s.crates, func(old Crate) bool { return old.Name == c.Name }), c)
}

// Requests returns the received requests whose path contains part.
func (s *Server) Requests(part string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []Request
	for _, r := range s.requests {
		if strings.Contains(r.Path, part) {
			found = append(found, r)
		}
	}
	return found
}

// Count returns the number of received requests that have the method and whose path contains part.
func (s *Server) Count(method, part string) int {
	n := 0
	for _, r := range s.Requests(part) {
		if r.Method == method {
			n++
		}
	}
	return n
}

// watch records requests and applies faults to requests that match a rule.
func (s *Server) watch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, Request{Method: r.Method, Path: r.URL.RequestURI(), Agent: r.UserAgent(), Header: r.Header.Clone(), At: time.Now()})
		var fault Fault
		for _, rule := range s.rules {
			if rule.left != 0 && strings.Contains(r.Method+" "+r.URL.Path, rule.part) {
				rule.left--
				fault = rule.fault
				break
			}
		}
		s.mu.Unlock()
		if fault != nil {
			fault(w, r, next)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// find finds a crate in the same way as crates.io: it ignores case and treats - and _ as equal.
func (s *Server) find(name string) (Crate, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fold := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "-", "_")) }
	for _, c := range s.crates {
		if fold(c.Name) == fold(name) {
			return c, true
		}
	}
	return Crate{}, false
}

func newest(c Crate, stable bool) string {
	best := ""
	for _, v := range c.Versions {
		if !v.Yanked && (!stable || semver.Prerelease("v"+v.Num) == "") && (best == "" || semver.Compare("v"+v.Num, "v"+best) > 0) {
			best = v.Num
		}
	}
	return best
}

func describe(c Crate) map[string]any {
	m := map[string]any{
		"id": c.Name, "name": c.Name, "description": c.Description, "downloads": 1000 * len(c.Name), "homepage": nil,
		"documentation": "https://docs.rs/" + c.Name, "repository": "https://example.com/" + c.Name, "max_version": newest(c, false),
	}
	if v := newest(c, true); v != "" {
		m["max_stable_version"] = v
	}
	return m
}

func list(c Crate) []map[string]any {
	all := []map[string]any{}
	for i, v := range c.Versions {
		all = append(all, map[string]any{
			"crate": c.Name, "num": v.Num, "created_at": time.Date(2026, 1, 1+i, 12, 0, 0, 0, time.UTC), "downloads": 10 * (i + 1), "yanked": v.Yanked,
			"rust_version": "1.70", "license": "MIT", "published_by": map[string]any{"login": "brewer"},
		})
	}
	return all
}

func answer(w http.ResponseWriter, r *http.Request, status int, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // cannot happen: the values in this package can be encoded
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	etag := fmt.Sprintf(`"%x"`, sha256.Sum256(data))
	if status == http.StatusOK {
		w.Header().Set("ETag", etag)
		if r.Header.Get("If-None-Match") == etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	w.WriteHeader(status)
	_, _ = w.Write(data) // the client may have disconnected
}

func missing(w http.ResponseWriter, r *http.Request, what string) {
	answer(w, r, http.StatusNotFound, map[string]any{"errors": []any{map[string]any{"detail": what + " does not exist"}}})
}

func (s *Server) search(w http.ResponseWriter, r *http.Request) {
	q := strings.ToLower(r.URL.Query().Get("q"))
	s.mu.Lock()
	crates := slices.Clone(s.crates)
	s.mu.Unlock()
	found := []any{}
	for _, c := range crates {
		if strings.Contains(strings.ToLower(c.Name+" "+c.Description), q) && len(found) < 10 {
			found = append(found, describe(c))
		}
	}
	answer(w, r, http.StatusOK, map[string]any{"crates": found, "meta": map[string]any{"total": len(found)}})
}

func (s *Server) crate(w http.ResponseWriter, r *http.Request) {
	c, ok := s.find(r.PathValue("name"))
	if !ok {
		missing(w, r, "the crate")
		return
	}
	keywords, categories := []any{}, []any{}
	for _, k := range c.Keywords {
		keywords = append(keywords, map[string]any{"id": k, "keyword": k})
	}
	for _, k := range c.Categories {
		categories = append(categories, map[string]any{"slug": strings.ToLower(k), "category": k})
	}
	answer(w, r, http.StatusOK, map[string]any{"crate": describe(c), "versions": list(c), "keywords": keywords, "categories": categories})
}

func (s *Server) versions(w http.ResponseWriter, r *http.Request) {
	c, ok := s.find(r.PathValue("name"))
	if !ok {
		missing(w, r, "the crate")
		return
	}
	answer(w, r, http.StatusOK, map[string]any{"versions": list(c), "meta": map[string]any{"total": len(c.Versions)}})
}

func (s *Server) readme(w http.ResponseWriter, r *http.Request) {
	name, num := r.PathValue("name"), r.PathValue("version")
	http.Redirect(w, r, "/readmes/"+name+"/"+name+"-"+num+".html", http.StatusFound)
}

func (s *Server) bucket(w http.ResponseWriter, r *http.Request) {
	c, _ := s.find(r.PathValue("name"))
	for _, v := range c.Versions {
		if c.Name+"-"+v.Num+".html" == r.PathValue("file") && v.Readme != "" {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(v.Readme))
			return
		}
	}
	http.Error(w, "<Error><Code>AccessDenied</Code></Error>", http.StatusForbidden)
}

// download serves archives by the exact name of the crate, as docs.rs does.
func (s *Server) download(w http.ResponseWriter, r *http.Request) {
	name, num := r.PathValue("name"), r.PathValue("version")
	c, _ := s.find(name)
	for _, v := range c.Versions {
		if c.Name == name && v.Num == num && v.Docs != nil {
			w.Header().Set("Content-Type", "application/zip")
			w.Header().Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(v.Docs)))
			w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", "rustdoc-"+name+"-"+num+".zip"))
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(v.Docs))
			return
		}
	}
	http.NotFound(w, r)
}
