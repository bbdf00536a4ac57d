// Package registry writes server.json, which describes a server to the MCP registry, in its schema of 2025-12-11.
package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// Schema is the schema of the documents.
const Schema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

// FileName is the name of the file in the directory of a package.
const FileName = "server.json"

// LongestDescription is the maximum length of a description, in characters.
const LongestDescription = 100

// A Document is the content of server.json.
type Document struct {
	Schema      string          `json:"$schema"`
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description"`
	Repository  *Repository     `json:"repository,omitempty"`
	Version     string          `json:"version"`
	WebsiteURL  string          `json:"websiteUrl,omitempty"`
	Icons       json.RawMessage `json:"icons,omitempty"`
	Packages    []Package       `json:"packages,omitempty"`
	Remotes     []Remote        `json:"remotes,omitempty"`
	Meta        Meta            `json:"_meta"`
}

// A Repository is where the source is.
type Repository struct {
	URL       string `json:"url"`
	Source    string `json:"source"`
	ID        string `json:"id,omitempty"`
	Subfolder string `json:"subfolder,omitempty"`
}

// A Package is a way to install the server.
type Package struct {
	RegistryType         string          `json:"registryType"`
	RegistryBaseURL      string          `json:"registryBaseUrl,omitempty"`
	Identifier           string          `json:"identifier"`
	Version              string          `json:"version,omitempty"`
	FileSHA256           string          `json:"fileSha256,omitempty"`
	RuntimeHint          string          `json:"runtimeHint,omitempty"`
	RuntimeArguments     json.RawMessage `json:"runtimeArguments,omitempty"`
	Transport            json.RawMessage `json:"transport"`
	PackageArguments     []Input         `json:"packageArguments,omitempty"`
	EnvironmentVariables []Input         `json:"environmentVariables,omitempty"`
}

// A Remote is a server that someone hosts.
type Remote struct {
	Type      string          `json:"type"`
	URL       string          `json:"url"`
	Headers   json.RawMessage `json:"headers,omitempty"`
	Variables json.RawMessage `json:"variables,omitempty"`
}

// An Input is an argument or a variable.
type Input struct {
	Type        string   `json:"type,omitempty"` // of an argument: "named" or "positional"
	Name        string   `json:"name,omitempty"`
	Value       string   `json:"value,omitempty"`
	ValueHint   string   `json:"valueHint,omitempty"`
	Description string   `json:"description,omitempty"`
	Format      string   `json:"format,omitempty"` // "" means a string
	Default     string   `json:"default,omitempty"`
	Choices     []string `json:"choices,omitempty"`
	IsRepeated  bool     `json:"isRepeated,omitempty"`
	IsRequired  bool     `json:"isRequired,omitempty"`
	IsSecret    bool     `json:"isSecret,omitempty"`
}

// Meta holds what the publisher adds.
type Meta struct {
	Publisher Publisher `json:"io.modelcontextprotocol.registry/publisher-provided"`
}

// Publisher is what jptoolgen needs to write the document again.
type Publisher struct {
	Tool      string   `json:"tool"`
	Arguments []string `json:"arguments,omitempty"` // of the program
}

// Tool is the tool of the documents that this package writes.
const Tool = "jptoolgen publish"

// Read reads a document that [Document.Text] has written, and that the author may have edited.
func Read(text []byte) (*Document, error) {
	d := new(Document)
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(d); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("more than one JSON document")
	}
	return d, nil
}

// IsOurs reports whether jptoolgen has written a document.
func IsOurs(text []byte) bool {
	var d struct {
		Meta Meta `json:"_meta"`
	}
	return json.Unmarshal(text, &d) == nil && d.Meta.Publisher.Tool == Tool
}

// Text returns the text of the document.
func (d *Document) Text() ([]byte, error) {
	text, err := rawjson.EncodeIndented(d)
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", FileName, err)
	}
	return text, nil
}

// Fill sets everything in the document that follows from the program: the arguments with which it was started, and
// its settings.
func (d *Document) Fill(arguments []string, s manifest.Settings) {
	d.Schema, d.Meta = Schema, Meta{Publisher{Tool, arguments}}
	for i := range d.Packages {
		p := &d.Packages[i]
		if len(p.Transport) == 0 {
			p.Transport = json.RawMessage(`{"type":"stdio"}`)
		}
		p.PackageArguments, p.EnvironmentVariables = nil, nil
		for _, a := range arguments {
			p.PackageArguments = append(p.PackageArguments, Input{Type: "positional", Value: a})
		}
		for _, f := range s.Flags {
			in := input(f)
			in.Type = "named"
			p.PackageArguments = append(p.PackageArguments, in)
		}
		for _, v := range s.Variables {
			p.EnvironmentVariables = append(p.EnvironmentVariables, input(v))
		}
	}
}

func input(s manifest.Setting) Input {
	in := Input{
		Name: s.Name, Description: s.Description, Format: s.Type, Default: s.Default, Choices: s.Choices,
		IsRepeated: s.Repeated, IsRequired: s.Required, IsSecret: s.Secret,
	}
	if in.Format == "string" {
		in.Format = ""
	}
	return in
}
