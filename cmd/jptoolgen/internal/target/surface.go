package target

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A Surface holds everything that a target offers.
type Surface struct {
	// Contract is the contract of the server.
	Contract *manifest.Server
	// Whole reports whether the contract includes questions, options and codes. This is the case if it comes from a
	// lock file or from a server built with jptool. In all other cases, the contract is built from the tool list.
	Whole bool
	// Listed holds the tools as a server sent them, if the contract is built from them.
	Listed []jsontext.Value
	// Server is the self-description of a running server, or the zero value for a lock file.
	Server peer.Server
	// Notes describe problems in the responses of the server.
	Notes []string
	// Unnamed means that a file has only lists, so that the name in the contract is that of the file.
	Unnamed bool
}

// Surface reads what a target offers, from a lock file or a running server.
func (o Opener) Surface(ctx context.Context, t *Target) (*Surface, error) {
	if s, err := t.saved(); s != nil || err != nil {
		return s, err
	}
	c, err := o.Connect(ctx, t)
	if err != nil {
		return nil, err
	}
	read := c.Surface
	if o.ToolsOnly {
		read = c.Tools
	}
	s, err := read(ctx)
	if err != nil {
		return nil, errors.Join(c.Explain(err), c.Close())
	}
	s.noteHidden()
	return s, c.Close()
}

// saved returns what a file says about a target, or nil if the target is a server.
func (t *Target) saved() (*Surface, error) {
	path := ""
	if t.Kind == Lock {
		path = t.Path
	} else if t.Kind == Package && !isProgram(t.Path) { // the package cannot be run, so its lock file is used
		path = filepath.Join(t.Path, "jp.lock.json")
	}
	if path == "" {
		return nil, nil
	}
	s, err := readSurface(path)
	if t.Kind == Package && errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("the package in %s is not a program, and has no jp.lock.json; use the directory of a main package, or run go generate", t.Path)
	}
	if err != nil {
		return nil, err
	}
	s.noteHidden()
	return s, nil
}

// noteHidden adds a note if descriptions or names have invisible characters, because a model reads them and a
// person does not see them.
func (s *Surface) noteHidden() {
	text, err := json.Marshal(s.Contract)
	if n := countInvisible(text); err == nil && n > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("text from the server contains %s, shown as escapes such as \\u{202e}", phrase.Plural(n, "invisible character")))
	}
}

// countInvisible counts the invisible characters in the strings of JSON text, including escaped ones.
func countInvisible(text []byte) (n int) {
	d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		token, err := d.ReadToken()
		if err != nil {
			return n // the end of the text
		}
		if token.Kind() == '"' {
			n += phrase.Hidden(token.String())
		}
	}
}

// isProgram reports whether a directory has a main package. It only reads the package clauses.
func isProgram(dir string) bool {
	files, err := fs.Glob(os.DirFS(dir), "*.go")
	if err != nil {
		return true
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err == nil && bytes.Contains(append([]byte("\n"), rawjson.NoMark(data)...), []byte("\npackage main")) {
			return true
		}
	}
	return len(files) == 0 // let go build report it
}

// maxLock is the maximum size of a lock file.
const maxLock = 64 << 20

func readFile(path string) ([]byte, error) { return files.ReadText(path, maxLock) }

// readSurface returns what the file of a contract, or another document, describes.
func readSurface(path string) (*Surface, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return Saved(data, path)
}

// Surface asks a server for everything that it offers.
func (c *Conn) Surface(ctx context.Context) (*Surface, error) {
	s, err := c.Tools(ctx)
	if err != nil {
		return nil, err
	}
	err = c.lists(ctx, s)
	if isRefusal(err) {
		s.Notes = append(s.Notes, err.Error()) // the server's tools remain usable
		err = nil
	}
	return s, err
}

// Tools asks a server for its tools.
func (c *Conn) Tools(ctx context.Context) (*Surface, error) {
	s := &Surface{Server: c.Server()}
	tools, text, err := c.Session.Tools(ctx)
	if _, has := s.Server.Capabilities["tools"]; err != nil && (has || !isRefusal(err)) {
		return nil, err
	}
	s.Contract = s.contractOf(tools)
	if more := len(s.Notes) - maxNotes; more > 0 {
		s.Notes = append(s.Notes[:maxNotes], fmt.Sprintf("%d more notes like these were omitted", more))
	}
	if text == nil {
		return s, nil
	}
	contract, err := lock.Read(text)
	if err == nil {
		err = restrictToList(contract, s.Contract)
	}
	if err != nil {
		s.Notes = append(s.Notes, "the contract that the server sent was ignored: "+err.Error())
		return s, nil
	}
	contract.Description = s.Server.Instructions // a program can replace the instructions, and a model reads these
	s.Contract, s.Whole, s.Listed = contract, true, nil
	return s, nil
}

func isRefusal(err error) bool {
	_, refused := errors.AsType[*peer.RemoteError](err)
	return refused
}

// maxNotes is the maximum number of notes about one list.
const maxNotes = 10

// Listed returns the surface of a server from its tool list.
func Listed(server peer.Server, tools []peer.Tool) *Surface {
	s := &Surface{Server: server}
	s.Contract = s.contractOf(tools)
	return s
}

// contractOf makes a contract from a tool list.
func (s *Surface) contractOf(tools []peer.Tool) *manifest.Server {
	out := &manifest.Server{
		Format: manifest.Format, Listed: true, Name: s.Server.Name, Title: s.Server.Title, Description: s.Server.Instructions,
		Clients: manifest.MCP, Unknown: manifest.Ignore, Tools: []manifest.Tool{},
	}
	if len(s.Server.Other) > 0 {
		out.Other = s.Server.Other
	}
	seen := map[string]bool{}
	for _, t := range tools {
		if seen[t.Name] {
			s.Notes = append(s.Notes, fmt.Sprintf("tool %.60q is listed twice; the first one is used", t.Name))
			continue
		}
		seen[t.Name] = true
		if t.Invalid != nil {
			s.Notes = append(s.Notes, fmt.Sprintf("tool %.60q was skipped: %v", t.Name, t.Invalid))
			continue
		}
		out.Tools = append(out.Tools, s.tool(t))
		s.Listed = append(s.Listed, t.Raw)
	}
	slices.SortFunc(out.Tools, func(a, b manifest.Tool) int { return strings.Compare(a.Name, b.Name) })
	if sum, err := lock.Sum(out); err == nil { // all parts are known to be valid JSON
		out.Hash = sum
	}
	return out
}

func (s *Surface) tool(t peer.Tool) manifest.Tool {
	input := t.InputSchema
	if input.Kind() != '{' {
		s.Notes = append(s.Notes, fmt.Sprintf("tool %.60q has no input schema", t.Name))
		input = jsontext.Value(`{"type":"object"}`)
	}
	output := t.OutputSchema
	if output.Kind() != '{' {
		output = nil
	}
	tool := manifest.Tool{
		Name: t.Name, Title: cmp.Or(t.Title, t.Annotations.Title), Description: t.Description, Input: input, Output: output,
		Annotations: manifest.Annotations{
			ReadOnly: t.Annotations.ReadOnly, Destructive: t.Annotations.Destructive,
			Idempotent: t.Annotations.Idempotent, OpenWorld: t.Annotations.OpenWorld,
		},
	}
	known := []string{"name", "title", "description", "inputSchema", "annotations"}
	if output != nil {
		known = append(known, "outputSchema")
	}
	var rest manifest.Schema
	tool.Meta, rest = extras(tool.Entry(), peer.Others(t.Raw, known...))
	others := rawjson.Parts(rest)
	var hints []string
	for _, h := range manifest.Hints {
		hints = append(hints, h.Member)
	}
	if t.Annotations.Title == tool.Title {
		hints = append(hints, "title")
	}
	if rest := peer.Others(rawjson.Get(t.Raw, "annotations"), hints...); rest != nil {
		others = append(others, rawjson.Member{Name: "annotations", Value: rest})
	}
	if len(others) > 0 {
		tool.Other = rawjson.Object(others)
	}
	return tool
}

// differingPart names a part of a tool that is not in the list as the contract describes it, or returns "". A list in
// an older version of MCP lacks some parts.
func differingPart(t, listed *manifest.Tool) string {
	meta := t.ListedMeta()
	for _, m := range rawjson.Parts(listed.Meta) {
		if v := rawjson.Get(meta, m.Name); v == nil || !equalSchemas(v, m.Value) {
			return "_meta"
		}
	}
	if t.Description != listed.Description {
		return "description"
	}
	for _, f := range manifest.Fields {
		if value := f.Value(listed.Entry()); f.Member != "" && value != nil && value != f.Value(t.Entry()) {
			return f.Label
		}
	}
	if listed.Output != nil && !equalSchemas(t.Output, listed.Output) {
		return "output schema"
	}
	for _, h := range manifest.Hints {
		if h.Value(&t.Annotations) != h.Value(&listed.Annotations) {
			return "annotations"
		}
	}
	return ""
}

// restrictToList restricts a contract to the listed tools. It returns an error if a tool is different in the contract,
// because hosts rely on the list.
func restrictToList(contract, list *manifest.Server) error {
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
			contract.Tools = append(contract.Tools, *listed) // the program added this tool, which is not in its contract
			continue
		}
		if !equalSchemas(t.Input, listed.Input) && !equalSchemas(t.InputForModels(), listed.Input) {
			return fmt.Errorf("the schema of %.60q differs from the schema in the list of tools", t.Name)
		}
		if part := differingPart(t, listed); part != "" {
			return fmt.Errorf("the %s of %.60q differs from the %[1]s in the list of tools", part, t.Name)
		}
		t.Other = listed.Other
	}
	contract.Tools = slices.DeleteFunc(contract.Tools, func(t manifest.Tool) bool {
		_, ok := list.Tool(t.Name)
		return !ok
	})
	slices.SortFunc(contract.Tools, func(a, b manifest.Tool) int { return strings.Compare(a.Name, b.Name) })
	return nil
}

// equalSchemas reports whether two schemas are the same JSON value. It ignores the escaping of strings, the order of
// members and the spelling of numbers, and does not round integers.
func equalSchemas(a, b jsontext.Value) bool {
	x, y := a.Clone(), b.Clone()
	exact := jsontext.CanonicalizeRawInts(false)
	return x.Canonicalize(exact) == nil && y.Canonicalize(exact) == nil && bytes.Equal(x, y)
}
