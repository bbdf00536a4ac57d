package target

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A Surface is everything that a target shows of itself.
type Surface struct {
	// Contract is what a caller may rely on.
	Contract *manifest.Server
	// Whole says that the contract has questions, options and codes: it comes from a lock file or a
	// server made by jptool. Of others the list of tools is all there is.
	Whole bool
	// Server is how a running server introduced itself; the zero value of a lock file.
	Server    peer.Server
	Resources []peer.Resource
	Templates []peer.Resource
	Prompts   []peer.Prompt
	// Notes say what is wrong with what the server says.
	Notes []string
}

// Surface learns what a target shows, from a lock file or a running server.
func (o Opener) Surface(ctx context.Context, t *Target) (*Surface, error) {
	path := ""
	switch t.Kind {
	case Lock:
		path = t.Path
	case Package:
		// The contract beside a package that is no program is all that there is to see.
		if !isProgram(t.Path) {
			path = filepath.Join(t.Path, "jp.lock.json")
		}
	}
	if path != "" {
		contract, err := ReadLock(path)
		if t.Kind == Package && errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("the package in %s is not a program, and has no jp.lock.json: name the directory of a main package, or run go generate", t.Path)
		}
		if err != nil {
			return nil, err
		}
		return &Surface{Contract: contract, Whole: true}, nil
	}
	c, err := o.Connect(ctx, t)
	if err != nil {
		return nil, err
	}
	s, err := c.Surface(ctx)
	if err != nil {
		err = c.Explain(err)
	}
	return s, errors.Join(err, c.Close())
}

// isProgram reports whether a directory holds a main package, judged by its first clause alone.
func isProgram(dir string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return true
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		data, err := os.ReadFile(file)
		if err == nil && bytes.Contains(append([]byte("\n"), data...), []byte("\npackage main")) {
			return true
		}
	}
	return len(files) == 0 // and let go build say so
}

// mostOfALock bounds a lock file.
const mostOfALock = 64 << 20

// ReadLock returns the contract in a file.
func ReadLock(path string) (*manifest.Server, error) {
	data, err := files.Read(path, mostOfALock)
	if err != nil {
		return nil, err
	}
	contract, err := manifest.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return contract, nil
}

// Surface asks a server for all that it shows.
func (c *Conn) Surface(ctx context.Context) (*Surface, error) {
	s, err := c.Tools(ctx)
	if err != nil {
		return nil, err
	}
	if s.Resources, err = c.Resources(ctx); err == nil {
		s.Templates, err = c.Templates(ctx)
	}
	if err == nil {
		s.Prompts, err = c.Prompts(ctx)
	}
	if _, refused := errors.AsType[*peer.RemoteError](err); refused {
		s.Notes = append(s.Notes, err.Error()) // it says that it has them, and its tools are of use without
		err = nil
	}
	return s, err
}

// Tools asks a server for its tools alone.
func (c *Conn) Tools(ctx context.Context) (*Surface, error) {
	s := &Surface{Server: c.Server()}
	tools, text, err := c.Session.Tools(ctx)
	if err != nil {
		if _, has := s.Server.Capabilities["tools"]; has || !isRefusal(err) {
			return nil, err
		}
	}
	s.Contract = s.listed(tools)
	if more := len(s.Notes) - mostNotes; more > 0 {
		s.Notes = append(s.Notes[:mostNotes], fmt.Sprintf("There are %d more remarks like these.", more))
	}
	if text == nil {
		return s, nil
	}
	contract, err := manifest.Read(text)
	if err == nil {
		err = agree(contract, s.Contract)
	}
	if err != nil {
		s.Notes = append(s.Notes, "The contract that the server sent is not used: "+err.Error()+".")
		return s, nil
	}
	s.Contract, s.Whole = contract, true
	return s, nil
}

func isRefusal(err error) bool {
	_, refused := errors.AsType[*peer.RemoteError](err)
	return refused
}

// mostNotes is how many remarks on one list anybody would read.
const mostNotes = 10

// listed makes a contract of a list of tools.
func (s *Surface) listed(tools []peer.Tool) *manifest.Server {
	out := &manifest.Server{
		Format: manifest.Format, Name: s.Server.Name, Description: s.Server.Instructions,
		Clients: manifest.MCP, Unknown: manifest.Ignore, Tools: []manifest.Tool{},
	}
	seen := map[string]bool{}
	for _, t := range tools {
		if seen[t.Name] {
			s.Notes = append(s.Notes, fmt.Sprintf("The tool %.60q is listed twice; the first counts.", t.Name))
			continue
		}
		seen[t.Name] = true
		if t.Invalid != nil {
			s.Notes = append(s.Notes, fmt.Sprintf("The tool %.60q is left out: %v.", t.Name, t.Invalid))
			continue
		}
		out.Tools = append(out.Tools, s.tool(t))
	}
	slices.SortFunc(out.Tools, func(a, b manifest.Tool) int { return strings.Compare(a.Name, b.Name) })
	if sum, err := out.Sum(); err == nil { // every part of it has been read as JSON
		out.Hash = sum
	}
	return out
}

func (s *Surface) tool(t peer.Tool) manifest.Tool {
	title := t.Title
	if title == "" {
		title = t.Annotations.Title
	}
	input := t.InputSchema
	if input.Kind() != '{' {
		s.Notes = append(s.Notes, fmt.Sprintf("The tool %.60q has no schema of its input.", t.Name))
		input = jsontext.Value(`{"type":"object"}`)
	}
	output := t.OutputSchema
	if output.Kind() != '{' {
		output = nil
	}
	return manifest.Tool{
		Name: t.Name, Title: title, Description: t.Description, Input: input, Output: output,
		Annotations: manifest.Annotations{
			ReadOnly: t.Annotations.ReadOnly, Destructive: t.Annotations.Destructive,
			Idempotent: t.Annotations.Idempotent, OpenWorld: t.Annotations.OpenWorld,
		},
	}
}

// agree narrows a contract to the tools that are listed, and refuses one that says otherwise about them:
// the list is what a host acts on.
func agree(contract, list *manifest.Server) error {
	aliases := map[string]bool{}
	for _, t := range contract.Tools {
		for _, a := range t.Aliases {
			aliases[a.Name] = true
		}
	}
	for i := range list.Tools {
		listed := &list.Tools[i]
		t, ok := contract.Tool(listed.Name)
		if !ok && aliases[listed.Name] {
			continue
		}
		if !ok {
			contract.Tools = append(contract.Tools, *listed) // one that the program added beside its contract
			continue
		}
		if !same(t.Input, listed.Input) {
			return fmt.Errorf("of %.60q it says another schema than the list of tools", t.Name)
		}
	}
	contract.Tools = slices.DeleteFunc(contract.Tools, func(t manifest.Tool) bool {
		_, ok := list.Tool(t.Name)
		return !ok
	})
	slices.SortFunc(contract.Tools, func(a, b manifest.Tool) int { return strings.Compare(a.Name, b.Name) })
	return nil
}

// same reports whether two schemas are the same JSON value, however strings are escaped, members are
// ordered and numbers are spelled. Integers are not rounded.
func same(a, b jsontext.Value) bool {
	x, y := a.Clone(), b.Clone()
	exact := jsontext.CanonicalizeRawInts(false)
	return x.Canonicalize(exact) == nil && y.Canonicalize(exact) == nil && bytes.Equal(x, y)
}
