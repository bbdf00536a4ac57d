// Package manifest is the published surface of a server.
//
// A [Server] is everything a caller may rely on: tools, schemas, questions,
// options, error codes and annotations, as data. jptoolgen writes it to
// jp.lock.json beside the annotated package, and into the generated code, as a value
// that a program has without reading anything.
package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Format is the version of the file format that [Read] understands.
const Format = 1

// A Schema is a JSON Schema as its text.
type Schema = jsontext.Value

// A Server is the contract of a server.
type Server struct {
	// Format is the version of the file format.
	Format int `json:"format"`
	// Name is how the server introduces itself.
	Name string `json:"name"`
	// Description tells a model what the server is for: MCP's instructions.
	Description string `json:"description"`
	// Clients says whom the schemas are made for.
	Clients Clients `json:"clients"`
	// Unknown says what happens to arguments that no tool declares.
	Unknown Unknown `json:"unknown"`
	// Envelope says that structured content is {success, data, error}.
	Envelope bool `json:"envelope,omitempty"`
	// Hash holds the digests of the contract.
	Hash Hash `json:"hash"`
	// Codes are the server's own error codes, by name.
	Codes []Code `json:"codes,omitempty"`
	// Tools are sorted by name.
	Tools []Tool `json:"tools"`
}

// Clients names a profile of what the schemas may contain.
type Clients string

const (
	// JP keeps the top level flat: scalars and lists of scalars, each with a type.
	JP Clients = "jp"
	// MCP allows nested parameters, which JP's model requests lose.
	MCP Clients = "mcp"
)

// Unknown is what happens to an argument that the tool does not declare.
type Unknown string

const (
	// Ignore drops it, with a warning in the result when a declared name is near.
	Ignore Unknown = "ignore"
	// Reject fails the call.
	Reject Unknown = "reject"
)

// A Hash is a contract's two digests, each "sha256:" and 64 hexadecimal digits.
type Hash struct {
	// Contract covers what can break a caller.
	Contract string `json:"contract"`
	// Full covers titles, descriptions and examples too.
	Full string `json:"full"`
}

// A Code is an error code and its meaning.
type Code struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// A Tool is the contract of one tool.
type Tool struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description"`
	// Version is that of the tool, for callers that know an older one; "" is none.
	Version string `json:"version,omitempty"`
	// Aliases are names by which the tool can still be called, sorted. They are not
	// listed.
	Aliases []Alias `json:"aliases,omitempty"`
	// Annotations are MCP's hints about what the tool does to its surroundings.
	Annotations Annotations `json:"annotations,omitzero"`
	// Mutates says that the tool changes what it works on, and that its result tells
	// the state after the change, in a member "state_after".
	Mutates bool `json:"mutates,omitempty"`
	// Files says that the tool works with files below the root that a server is started with.
	Files bool `json:"files,omitempty"`
	// Input is the schema of the arguments, an object.
	Input Schema `json:"input"`
	// Output is the schema of the structured content, an object; nil where the
	// tool answers in text or content blocks.
	Output Schema `json:"output,omitempty"`
	// Questions is all that the tool may ask, by id.
	Questions []Question `json:"questions,omitempty"`
	// Options is what the user may configure: the schema of an object, or nil.
	Options Schema `json:"options,omitempty"`
	// Fails lists the codes the tool declares beyond those of every call, sorted.
	Fails []string `json:"fails,omitempty"`
}

// An Alias is a former name of a tool.
type Alias struct {
	Name string `json:"name"`
	// Until is the last day, as 2006-01-02, on which callers may count on the name.
	Until string `json:"until"`
}

// Annotations are MCP's tool annotations. A nil hint is not published, and
// clients then assume the worst (MCP 2025-11-25, ToolAnnotations).
type Annotations struct {
	ReadOnly    *bool `json:"read_only,omitempty"`
	Destructive *bool `json:"destructive,omitempty"`
	Idempotent  *bool `json:"idempotent,omitempty"`
	OpenWorld   *bool `json:"open_world,omitempty"`
}

// A Question is the contract of one question.
type Question struct {
	ID string `json:"id"`
	// Kind is the text form of an elicit.Kind.
	Kind        string `json:"kind"`
	Description string `json:"description"`
	// Exclusive says that a person must answer: "person" where a person cannot be told
	// from a configuration it is not asked, and "host" where it is asked there.
	Exclusive string `json:"exclusive,omitempty"`
	// Answers are the values a choice accepts.
	Answers []Value `json:"answers,omitempty"`
	// Default is used where nobody can be asked.
	Default jsontext.Value `json:"default,omitempty"`
	// Schema is that of the answer.
	Schema Schema `json:"schema"`
}

// A Value is one value of a closed set and its meaning.
type Value struct {
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
}

// Read returns the contract that data holds. It refuses data that is not JSON of
// this shape and contracts of another [Format].
func Read(data []byte) (*Server, error) {
	s := new(Server)
	if err := jsonv2.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("reading the contract: %w", err)
	}
	switch s.Format {
	case Format:
		return s, nil
	case 0:
		return nil, errors.New("this is no contract: it has no format")
	default:
		return nil, fmt.Errorf("the contract has format %d, this program reads format %d", s.Format, Format)
	}
}

// Tool returns the tool of that name.
func (s *Server) Tool(name string) (*Tool, bool) {
	for i := range s.Tools {
		if s.Tools[i].Name == name {
			return &s.Tools[i], true
		}
	}
	return nil, false
}

// Resolve returns the tool of that name. For an alias it also returns the alias,
// which else is nil.
func (s *Server) Resolve(name string) (t *Tool, old *Alias, ok bool) {
	if t, ok := s.Tool(name); ok {
		return t, nil, true
	}
	for i := range s.Tools {
		for j := range s.Tools[i].Aliases {
			if s.Tools[i].Aliases[j].Name == name {
				return &s.Tools[i], &s.Tools[i].Aliases[j], true
			}
		}
	}
	return nil, nil, false
}

// Write returns the text of the contract as it stands in jp.lock.json: indented,
// ending in a newline, the same for equal contracts.
func (s *Server) Write() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		return nil, fmt.Errorf("writing the contract: %w", err)
	}
	return b.Bytes(), nil
}

// Variable returns the name of the environment variable that sets an option of a
// tool: server, tool and option in capitals, joined by underscores.
func Variable(server, tool, option string) string {
	name := strings.ToUpper(server + "_" + tool + "_" + option)
	return strings.ReplaceAll(name, "-", "_")
}
