// Package inputs uses arguments and answers.
package inputs

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"example.com/m/inputs/disk"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/tool"
)

// Server is the server of this package.
//
//jp:server clients=mcp
type Server struct {
	dir    string
	client *http.Client
}

// Kind is an enum.
type Kind string

const (
	Small Kind = "small" // A small thing.
	Large Kind = "large" // A large thing.
)

// Input holds arguments.
type Input struct {
	// Path of a file.
	Path string `json:"path"`
	// Names of files.
	Names []string `json:"names"`
	// URL of a page.
	URL string `json:"url"`
	// ID of a thing.
	ID string `json:"id" jsonschema:"pattern=^[a-z]+$"`
	// Kind of the thing.
	Kind Kind `json:"kind"`
	// Count of the things.
	Count int `json:"count"`
}

// Read reads a file.
//
//jp:tool
func (s *Server) Read(_ context.Context, in Input, call *tool.Call) (string, error) {
	data, err := os.ReadFile(in.Path) // want `JP718: argument path of tool read is used as the path for os.ReadFile, without checking the user's access rules; use call.Files\(\)`
	if err != nil {
		return "", err
	}
	path := filepath.Join(call.Root(), "notes", in.Path)
	if !strings.HasPrefix(path, call.Root()) || strings.Contains(in.Path, "..") {
		return "", nil
	}
	if err := os.WriteFile(path+".md", data, 0o600); err != nil { // want `JP718: .* os.WriteFile`
		return "", err
	}
	for i, name := range in.Names {
		if _, err := os.Stat(fmt.Sprintf("%s/%s-%d", s.dir, name, i)); err != nil { // want `JP718: argument names of tool read is used as the path for os.Stat`
			return "", err
		}
	}
	root, err := os.OpenRoot(strings.TrimSpace(in.Path)) // want `JP718: .* os.OpenRoot`
	if err != nil {
		return "", err
	}
	return "", root.Close()
}

// Helped reads through helpers.
//
//jp:tool
func (s *Server) Helped(_ context.Context, in Input) error {
	if err := s.remove(in.Path); err != nil {
		return err
	}
	if _, err := in.open(); err != nil {
		return err
	}
	_, err := disk.Read(disk.Request{Dir: s.dir, Name: in.Path}) // want `JP718: argument path of tool helped is used as the path for os.ReadFile`
	return err
}

func (s *Server) remove(name string) error { return os.Remove(s.file(name)) } // want `JP718: argument path of tool helped is used as the path for os.Remove`

func (s *Server) erase(name string) error { return os.Remove(name) } // want `JP718: the answer to question name of tool ask is used as the path for os.Remove`

func (s *Server) file(name string) string { return filepath.Join(s.dir, name) }

func (in Input) open() (*os.File, error) { return os.Open(in.Path) } // want `JP718: argument path of tool helped is used as the path for os.Open`

// Run runs programs.
//
//jp:tool
func (s *Server) Run(ctx context.Context, in Input) error {
	_ = exec.Command(in.Path)                                         // want `JP718: argument path of tool run is used as a program or a shell command for exec.Command; run a fixed program`
	_ = exec.CommandContext(ctx, "sh", "-c", "ls "+in.Path)           // want `JP718: .* exec.CommandContext`
	_ = exec.CommandContext(ctx, "/bin/bash", "-c", `echo "$0"`, "x") // a constant script
	_ = exec.CommandContext(ctx, "git", "log", "--", in.Path)         // an argument of a fixed program
	_ = &exec.Cmd{Path: in.Path, Dir: in.URL}                         // want `JP718: argument path of tool run is used as a program` `JP718: argument url of tool run is used as the path for exec.Cmd`
	_ = os.Getenv(in.Path)                                            // want `JP718: argument path of tool run is used as the name of an environment variable for os.Getenv; call call.Access\(\).CheckEnv first`
	return nil
}

// Fetch contacts other machines.
//
//jp:tool
func (s *Server) Fetch(ctx context.Context, in Input) error {
	_, _ = http.Get(in.URL)                                                                 // want `JP718: argument url of tool fetch determines the host that http.Get contacts; call call.Access\(\).CheckURL first`
	_, _ = http.NewRequestWithContext(ctx, "GET", "https://"+in.Path+".example.com/x", nil) // want `JP718: argument path`
	_, _ = s.client.Get(fmt.Sprintf("https://%s/x", in.Path))                               // want `JP718: argument path`
	_, _ = net.Dial("tcp", in.URL)                                                          // want `JP718: argument url`
	u, err := url.Parse(in.URL)
	if err != nil {
		return nil
	}
	_, _ = http.Get(u.String()) // want `JP718: argument url`
	v := &url.URL{Scheme: "https", Host: in.Path, Path: in.ID}
	_, _ = http.Get(v.String()) // want `JP718: argument path`
	s.send(ctx, "/things/"+url.PathEscape(in.Path))
	s.send(ctx, "-"+in.URL+"/x")
	return nil
}

// send appends a path to the URL of the server.
func (s *Server) send(ctx context.Context, path string) {
	_, _ = http.NewRequestWithContext(ctx, "GET", s.dir+path, nil) // want `JP718: argument url of tool fetch determines the host`
}

// Place is the place of a thing.
type Place struct {
	// Path of the place.
	Path string `json:"path"`
	// ID of the place.
	ID string `json:"id" jsonschema:"pattern=^[a-z]+$"`
}

// Open are questions that accept any text.
type Open struct {
	// Name asks for a name.
	Name elicit.Text
	// Place asks where it is.
	Place elicit.Form[Place]
}

// Questions are the questions of a tool.
type Questions struct {
	// Name asks for a name.
	Name elicit.Text
	// Code asks for a code.
	Code elicit.Text `jsonschema:"pattern=^[a-z]+$"`
	// Kind asks for a kind.
	Kind elicit.Choice[Kind]
	// Which asks for one of several.
	Which elicit.Pick
	// Place asks where it is.
	Place elicit.Form[Place]
}

// Ask uses answers.
//
//jp:tool
func (s *Server) Ask(ctx context.Context, ask Open) error {
	name, err := ask.Name.For("a").Ask(ctx, "Which file?")
	if err != nil {
		return err
	}
	place, err := ask.Place.Ask(ctx, "Where?")
	if err != nil {
		return err
	}
	_, _ = os.ReadFile(filepath.Join(s.dir, name)) // want `JP718: the answer to question name of tool ask is used as the path for os.ReadFile, without checking the user's access rules; use call.Files\(\)`
	_, _ = http.Get(place.Path)                    // want `JP718: the answer to question place of tool ask determines the host that http.Get contacts`
	_ = s.erase(name)
	return nil
}

// The following code has no findings.

// Asked uses answers that were checked or that are limited to constants.
//
//jp:tool
func (s *Server) Asked(ctx context.Context, ask Questions) error {
	name, err := ask.Name.Ask(ctx, "Which file?")
	if err != nil {
		return err
	}
	code, err := ask.Code.Ask(ctx, "Which code?")
	if err != nil {
		return err
	}
	kind, err := ask.Kind.Ask(ctx, "Which kind?")
	if err != nil {
		return err
	}
	which, err := ask.Which.Among("a", "b").Ask(ctx, "Which one?")
	if err != nil {
		return err
	}
	place, err := ask.Place.Ask(ctx, "Where?")
	if err != nil {
		return err
	}
	_, _ = os.ReadFile(code)
	_, _ = os.ReadFile(string(kind))
	_, _ = os.ReadFile(which)
	_, _ = os.ReadFile(place.ID)
	if !word.MatchString(name) {
		return nil
	}
	_, _ = os.ReadFile(name)
	return nil
}

// Granted stays within the user's grants.
//
//jp:tool
func (s *Server) Granted(ctx context.Context, in Input, call *tool.Call) error {
	files, err := call.Files()
	if err != nil {
		return err
	}
	if _, err := files.ReadFile(in.Path); err != nil {
		return err
	}
	path, err := files.Check(access.Execute, in.Path)
	if err != nil {
		return err
	}
	_ = exec.CommandContext(ctx, path)
	u, err := url.Parse(in.URL)
	if err != nil || call.Access().CheckURL(u) != nil {
		return nil
	}
	_, _ = http.Get(u.String())
	return nil
}

var tables = map[string]string{"a": "a.txt"}

var word = regexp.MustCompile(`^\w+$`)

// Checked uses arguments that were checked.
//
//jp:tool
func (s *Server) Checked(ctx context.Context, in Input) error {
	_, _ = os.ReadFile(filepath.Join(s.dir, filepath.Base(in.Path)))
	_, _ = os.ReadFile(tables[in.Path])
	_, _ = os.ReadFile(s.file(in.ID))
	_, _ = os.ReadFile(s.file(string(in.Kind)))
	_, _ = os.ReadFile(fmt.Sprint(in.Count))
	_, _ = disk.ReadLocal(in.Path)
	_, _ = disk.Read(disk.Request{Dir: s.dir, Note: in.Path})
	if !word.MatchString(in.Path) {
		return nil
	}
	if !slices.Contains([]string{"x"}, in.URL) {
		return nil
	}
	if err := known(in.Names); err != nil {
		return nil
	}
	_, _ = http.Get(in.URL)
	_, _ = os.ReadFile(in.Names[0])
	return os.Remove(s.file(in.Path))
}

func known([]string) error { return nil }

// Paths uses its input in paths and queries of URLs.
//
//jp:tool
func (s *Server) Paths(ctx context.Context, in Input) error {
	const base = "https://example.com"
	_, _ = http.Get(base + "/" + in.Path)
	_, _ = http.Get(s.dir + "/x/" + in.Path)
	_, _ = s.client.Get(fmt.Sprintf("https://example.com/%s?q=%s", in.Path, url.QueryEscape(in.URL)))
	_, _ = http.Get(page(in.Path))
	u := url.URL{Scheme: "https", Host: "example.com", Path: in.Path}
	_, _ = http.Get(u.String())
	v, err := url.Parse(base)
	if err != nil {
		return nil
	}
	_, _ = http.Get(v.JoinPath(in.Path).String())
	return nil
}

func page(name string) string { return "https://example.com/" + url.PathEscape(name) }
