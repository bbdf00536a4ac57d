package target

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/internal/rawjson"
)

// A saved holds the members of the documents that describe a server: a response to tools/list or to another list (MCP
// 2025-11-25), a server.json (MCP Registry), and the manifest.json of a bundle (MCPB).
type saved struct {
	Result  jsontext.Value `json:"result"`
	Error   jsontext.Value `json:"error"`
	Format  jsontext.Value `json:"format"`
	Tools   jsontext.Value `json:"tools"`
	Listed  jsontext.Value `json:"resources"`
	Temps   jsontext.Value `json:"resourceTemplates"`
	Prompts jsontext.Value `json:"prompts"`
	Next    jsontext.Value `json:"nextCursor"`

	Name         jsontext.Value `json:"name"`
	Title        jsontext.Value `json:"title"`
	DisplayName  jsontext.Value `json:"display_name"`
	Description  jsontext.Value `json:"description"`
	Version      jsontext.Value `json:"version"`
	Instructions jsontext.Value `json:"instructions"`
	Server       jsontext.Value `json:"server"`
	Packages     jsontext.Value `json:"packages"`
	Remotes      jsontext.Value `json:"remotes"`
	ServerInfo   jsontext.Value `json:"serverInfo"`
}

// ErrNoContract reports that a file is JSON, but does not describe a server.
var ErrNoContract = errors.New("not a contract, a response to tools/list, a server.json or a manifest.json")

// kind returns what the document is.
func (d *saved) kind() string {
	switch {
	case d.Format != nil:
		return "a lock file"
	case d.Server.Kind() == '{' && d.Name != nil:
		return "a manifest.json"
	case d.Tools != nil || d.Listed != nil || d.Temps != nil || d.Prompts != nil:
		return "a saved list of tools"
	case d.Name != nil && (d.Packages != nil || d.Remotes != nil || d.Version != nil && d.Description != nil):
		return "a server.json"
	}
	return ""
}

// readSaved reads a document. An array holds tools, or the pages of a list.
func readSaved(text []byte) (*saved, error) {
	if mended, ok := rawjson.Mend(rawjson.NoMark(text)); ok {
		text = mended
	}
	d := new(saved)
	if jsontext.Value(text).Kind() == '[' && jsontext.Value(text).IsValid() {
		d.Tools = text
		var tools []rawjson.Member
		for _, page := range rawjson.Parts(text) {
			if inner, err := readSaved(page.Value); err == nil && inner.Tools.Kind() == '[' {
				tools = append(tools, rawjson.Parts(inner.Tools)...)
			}
		}
		if tools != nil {
			d.Tools = rawjson.Array(tools)
		}
		return d, nil
	}
	if err := json.Unmarshal(text, d); err != nil {
		return nil, peer.Reason(err)
	}
	if d.Result.Kind() == '{' {
		return readSaved(d.Result)
	}
	if d.Error != nil && d.kind() == "" {
		return nil, fmt.Errorf("the saved response is an error: %s", terminal.Line(string(d.Error), 200))
	}
	return d, nil
}

// Saved returns the surface of a server that a file describes. name is the name of the file in errors.
func Saved(text []byte, name string) (*Surface, error) {
	text = rawjson.NoMark(text)
	d, err := readSaved(text)
	if err == nil && rawjson.Depth(text) > peer.DefaultLimits().Depth {
		err = fmt.Errorf("it has more than %d levels of nesting", peer.DefaultLimits().Depth)
	}
	var s *Surface
	if err == nil {
		s, err = d.surface(text, strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

func (d *saved) surface(text []byte, file string) (*Surface, error) {
	kind := d.kind()
	switch kind {
	case "":
		return nil, ErrNoContract
	case "a lock file":
		contract, err := lock.Read(text)
		if _, odd := errors.AsType[*json.SemanticError](err); odd {
			err = fmt.Errorf("reading the contract: %w", peer.Reason(err))
		}
		if err != nil {
			return nil, err
		}
		return &Surface{Contract: contract, Whole: !contract.Listed}, nil
	}
	words := func(values ...jsontext.Value) string {
		for _, v := range values {
			if text := rawjson.Text(v); text != "" {
				return text
			}
		}
		return ""
	}
	server := peer.Server{
		Name: words(d.Name, rawjson.Get(d.ServerInfo, "name"), rawjson.Quote(file)), Title: words(d.Title, d.DisplayName),
		Version: words(d.Version, rawjson.Get(d.ServerInfo, "version")), Instructions: words(d.Instructions, d.Description),
	}
	tools, notes, err := entries[peer.Tool]("tools", d.Tools)
	if err != nil {
		return nil, err
	}
	s := Listed(server, tools)
	s.Unnamed = words(d.Name, rawjson.Get(d.ServerInfo, "name")) == ""
	s.Notes = append(notes, s.Notes...)
	switch {
	case kind == "a server.json":
		s.Notes = append(s.Notes, "a server.json does not list the tools; a running server does")
	case kind == "a manifest.json":
		s.Notes = []string{"a manifest.json has only the names and the descriptions of tools"}
	case words(d.Next) != "":
		s.Notes = append(s.Notes, "the file has only the first part of the list: its nextCursor names another page")
	}
	resources, notes1, err1 := entries[peer.Resource]("resources", d.Listed)
	templates, notes2, err2 := entries[peer.Resource]("resourceTemplates", d.Temps)
	prompts, notes3, err3 := entries[peer.Prompt]("prompts", d.Prompts)
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	s.Notes = append(append(append(s.Notes, notes1...), notes2...), notes3...)
	s.AddLists(resources, templates, prompts)
	s.Contract.Hash, err = lock.Sum(s.Contract)
	return s, err
}

// entries is like [peer.Entries], but a document may lack the list.
func entries[T peer.Entry](name string, list jsontext.Value) ([]T, []string, error) {
	if list == nil || list.Kind() == 'n' {
		return nil, nil, nil
	}
	return peer.Entries[T](name, list)
}

// noServer returns the error for a file that is not a server, with the kind of the file.
func noServer(path string) error {
	kind := "a lock file"
	if text, err := readFile(path); err == nil {
		if d, err := readSaved(text); err == nil && d.kind() != "" {
			kind = d.kind()
		}
	}
	return fmt.Errorf("%s %w", kind, ErrNoServer)
}
