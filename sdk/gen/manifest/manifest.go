// Package manifest defines the contract of a server: everything that callers may rely on.
//
// jptoolgen writes a [Server] to jp.lock.json in the directory of the annotated package, and as a
// Go value into the generated code.
package manifest

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

// Format is the supported version of the file format.
const Format = 1

// A Schema is the text of a JSON Schema.
type Schema = jsontext.Value

// A Server is the contract of a server.
type Server struct {
	// Format is the version of the file format.
	Format int `json:"format"`
	// Name is the name of the server.
	Name string `json:"name"`
	// Title is the display name that a listed server has, and Other holds the other members of its self-description
	// as a JSON object. A contract from source has neither.
	Title string `json:"title,omitempty"`
	Other Schema `json:"other,omitempty"`
	// Description tells a model what the server is for. It is sent as MCP's instructions.
	Description string `json:"description"`
	// Listed means that the contract is built from a tool list, which has no questions, options or
	// codes.
	Listed bool `json:"listed,omitempty"`
	// Clients is the profile of the schemas.
	Clients Clients `json:"clients"`
	// Unknown is the policy for undeclared arguments.
	Unknown Unknown `json:"unknown"`
	// Output says when tools/list contains output schemas; "" means [Asked].
	Output Output `json:"output,omitempty"`
	// ListBudget is the maximum number of tokens in the part of tools/list that clients send to the model; 0 means no limit.
	ListBudget int `json:"list_budget,omitempty"`
	// Envelope means that structured content is {success, data, error}.
	Envelope bool `json:"envelope,omitempty"`
	// Hash is set in contracts that are printed or saved. Generated files omit it, so that branches
	// that add tools do not change the same lines.
	Hash Hash `json:"hash,omitzero"`
	// Toolsets are the groups of tools, resources and prompts that the server declares, sorted by name.
	Toolsets []Toolset `json:"toolsets,omitempty"`
	// Scopes are the OAuth scopes that imply others, sorted by name.
	Scopes []Scope `json:"scopes,omitempty"`
	// Codes are the error codes that the server declares, sorted by name.
	Codes []Code `json:"codes,omitempty"`
	// Tools are sorted by name.
	Tools []Tool `json:"tools"`
	// Resources and Templates are sorted by URI, and Prompts by name.
	Resources []Resource `json:"resources,omitempty"`
	Templates []Resource `json:"resource_templates,omitempty"`
	Prompts   []Prompt   `json:"prompts,omitempty"`
	// Skills are sorted by path.
	Skills []Skill `json:"skills,omitempty"`
}

// A Resource describes an MCP resource, or a template, which has a URITemplate instead of a URI.
type Resource struct {
	URI         string `json:"uri,omitempty"`
	URITemplate string `json:"uri_template,omitempty"`
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	MIMEType    string `json:"mime_type,omitempty"`
	// Icon and Meta are like those of a [Tool].
	Icon string `json:"icon,omitempty"`
	Meta Schema `json:"meta,omitempty"`
	// Other is a JSON object with the other members of a listed resource, such as its size, or nil.
	Other Schema `json:"other,omitempty"`
	// TTL is the time in milliseconds for which clients may cache the content; 0 means that they must not.
	TTL int `json:"ttl_ms,omitempty"`
	// Lists means that resources/list contains the resources of the template.
	Lists bool `json:"lists,omitempty"`
	// Watches means that clients can subscribe to changes.
	Watches bool `json:"watches,omitempty"`
	// Directory means that the template has the files of a directory.
	Directory bool `json:"directory,omitempty"`
	// Completes are the variables of the template whose values the server completes, sorted.
	Completes []string `json:"completes,omitempty"`
	// Toolset and Scopes are like those of a [Tool].
	Toolset string   `json:"toolset,omitempty"`
	Scopes  []string `json:"scopes,omitempty"`
	// Input is the schema of the variables, which are an object; nil for a listed template, and for a resource with a URI.
	Input Schema `json:"input,omitempty"`
	// Files, Questions, Options, Shared and Fails are like those of a [Tool].
	Files     bool       `json:"files,omitempty"`
	Questions []Question `json:"questions,omitempty"`
	Options   Schema     `json:"options,omitempty"`
	Shared    []string   `json:"shared_options,omitempty"`
	Fails     []string   `json:"fails,omitempty"`
}

// A Prompt describes an MCP prompt.
type Prompt struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	// Icon and Meta are like those of a [Tool].
	Icon string `json:"icon,omitempty"`
	Meta Schema `json:"meta,omitempty"`
	// Arguments are the arguments of a listed prompt. A prompt from source has Input instead.
	Arguments []PromptArgument `json:"arguments,omitempty"`
	// Other is a JSON object with the other members of a listed prompt, or nil.
	Other Schema `json:"other,omitempty"`
	// Completes are the arguments whose values the server completes, sorted.
	Completes []string `json:"completes,omitempty"`
	// Toolset and Scopes are like those of a [Tool].
	Toolset string   `json:"toolset,omitempty"`
	Scopes  []string `json:"scopes,omitempty"`
	// Input is the schema of the arguments, which are an object; nil for a listed prompt.
	Input Schema `json:"input,omitempty"`
	// Files, Questions, Options, Shared and Fails are like those of a [Tool].
	Files     bool       `json:"files,omitempty"`
	Questions []Question `json:"questions,omitempty"`
	Options   Schema     `json:"options,omitempty"`
	Shared    []string   `json:"shared_options,omitempty"`
	Fails     []string   `json:"fails,omitempty"`
}

// A PromptArgument describes an argument of a prompt, which is a string.
type PromptArgument struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Required    bool   `json:"required,omitempty"`
	// Other is a JSON object with the other members of a listed argument, such as its title, or nil.
	Other Schema `json:"other,omitempty"`
}

// Clients is a profile of permitted schemas.
type Clients string

const (
	// JP means that all clients support the schemas, including JP. Generated contracts have this profile.
	JP Clients = "jp"
	// MCP means that JP may not support the schemas. Tool lists and older contracts have this profile.
	MCP Clients = "mcp"
)

// Output is a policy for output schemas in tools/list.
type Output string

const (
	// Asked includes output schemas only for clients that ask for the contract.
	Asked Output = "asked"
	// Always includes output schemas for all clients.
	Always Output = "always"
)

// Unknown is a policy for undeclared arguments.
type Unknown string

const (
	// Ignore drops the argument, and adds a warning if a declared name is similar.
	Ignore Unknown = "ignore"
	// Reject makes the call fail.
	Reject Unknown = "reject"
)

// A Hash consists of two digests, each of which is "sha256:" followed by 64 hexadecimal digits.
type Hash struct {
	// Contract covers every part of the contract whose change can break a caller.
	Contract string `json:"contract"`
	// Full also covers titles, descriptions and examples.
	Full string `json:"full"`
}

// A Code is a declared error code.
type Code struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// A Tool is the contract of one tool.
type Tool struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description"`
	// Version is the version of the tool, or "" if it has none.
	Version string `json:"version,omitempty"`
	// Icon is the URL of an image that clients show to users, or "" for a tool without an icon.
	Icon string `json:"icon,omitempty"`
	// Meta is a JSON object with the members of _meta in tools/list that the author declares, or nil. For a listed
	// tool, it has all members of _meta.
	Meta Schema `json:"meta,omitempty"`
	// Other is a JSON object with the other members of a listed tool, such as icons that are more than one URL, or nil.
	Other Schema `json:"other,omitempty"`
	// Aliases are former names of the tool, sorted. They can be called but are not listed.
	Aliases []Alias `json:"aliases,omitempty"`
	// Annotations are MCP's tool annotations.
	Annotations Annotations `json:"annotations,omitzero"`
	// Toolset is the name of the group that the tool belongs to, or "" if it belongs to none.
	Toolset string `json:"toolset,omitempty"`
	// Scopes are the OAuth scopes that a caller needs, all of them, sorted. They apply only where callers are
	// authenticated.
	Scopes []string `json:"scopes,omitempty"`
	// Mutates means that the tool changes data. The result has the new state in "state_after".
	Mutates bool `json:"mutates,omitempty"`
	// Files means that the tool uses files below the root directory.
	Files bool `json:"files,omitempty"`
	// Input is the schema of the arguments, which are an object.
	Input Schema `json:"input"`
	// Budget limits the text and the structured content of a result, each in bytes; 0 means no
	// limit. Binary data does not count.
	Budget int `json:"budget,omitempty"`
	// Output is the schema of the structured content, which is an object; nil for a tool with text only.
	Output Schema `json:"output,omitempty"`
	// Questions are the questions that the tool may ask, sorted by id.
	Questions []Question `json:"questions,omitempty"`
	// Options is the schema of the tool's options, which are an object; nil for a tool without options.
	Options Schema `json:"options,omitempty"`
	// Shared are the options that a user sets once for all tools that have them, sorted.
	Shared []string `json:"shared_options,omitempty"`
	// Fails are the codes that the tool declares in addition to the common ones, sorted.
	Fails []string `json:"fails,omitempty"`
	// Task says when a call of the tool becomes a task; the zero value means never.
	Task Task `json:"task,omitzero"`
}

// A Task says when a call becomes a task, whose result the client fetches later (io.modelcontextprotocol/tasks).
type Task struct {
	// Mode is "" for a tool whose calls never become tasks.
	Mode TaskMode `json:"mode"`
	// After is the time in milliseconds after which a call becomes a task; 0 means at once.
	After int `json:"after_ms,omitempty"`
	// TTL is the time in milliseconds for which the server keeps a task, from its creation.
	TTL int `json:"ttl_ms"`
	// Poll is the interval in milliseconds at which clients should ask for the state of a task.
	Poll int `json:"poll_ms"`
}

// A TaskMode says for which clients a call becomes a task.
type TaskMode string

const (
	// TaskAuto means clients that support tasks. Others receive the result as that of any call.
	TaskAuto TaskMode = "auto"
	// TaskRequired means that only clients that support tasks can call the tool.
	TaskRequired TaskMode = "required"
)

// A Toolset is a group of tools, resources and prompts that a user or a caller can select.
type Toolset struct {
	Name string `json:"name"`
	// Description tells a model how to use the group. It is part of MCP's instructions while the group is selected.
	Description string `json:"description"`
	// Default means that the group is selected if nobody selects groups or tools.
	Default bool `json:"default,omitempty"`
}

// A Scope is an OAuth scope that implies others.
type Scope struct {
	Name    string   `json:"name"`
	Implies []string `json:"implies"`
}

// An Alias is a former name of a tool.
type Alias struct {
	Name string `json:"name"`
	// Until is the last day, in the form 2006-01-02, on which the name is supported.
	Until string `json:"until"`
}

// Annotations are MCP's tool annotations. A nil hint is not published; clients then assume the
// worst (MCP 2025-11-25, ToolAnnotations).
type Annotations struct {
	ReadOnly    *bool `json:"read_only,omitempty"`
	Destructive *bool `json:"destructive,omitempty"`
	Idempotent  *bool `json:"idempotent,omitempty"`
	OpenWorld   *bool `json:"open_world,omitempty"`
}

// A Question is a declared question.
type Question struct {
	ID string `json:"id"`
	// Kind is the text form of a question.Kind.
	Kind        string `json:"kind"`
	Description string `json:"description"`
	// Exclusive means that a person must answer. If a person's answer cannot be distinguished from
	// a configured one, "person" makes the question fail, and "host" accepts the answer.
	Exclusive string `json:"exclusive,omitempty"`
	// Subjects means that the question is asked about a subject. Its id is then ID, a dash and the
	// subject, and an answer under ID applies to all subjects.
	Subjects bool `json:"subjects,omitempty"`
	// PerSubject means that the question is only asked about a subject, and that an answer under ID
	// applies to no subject.
	PerSubject bool `json:"per_subject,omitempty"`
	// Relay is the name of the argument for [Question.Arguments], or the prefix of the names for a
	// form. "" means that a model must not relay the answer.
	Relay string `json:"relay,omitempty"`
	// Answers are the values that a choice accepts.
	Answers []Value `json:"answers,omitempty"`
	// Default is the answer to use if there is no user to ask.
	Default jsontext.Value `json:"default,omitempty"`
	// Schema is the schema of the answer.
	Schema Schema `json:"schema"`
}

// A Value is a constant with its description.
type Value struct {
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
}

// Tool returns the tool with the given name.
func (s *Server) Tool(name string) (*Tool, bool) {
	for i := range s.Tools {
		if s.Tools[i].Name == name {
			return &s.Tools[i], true
		}
	}
	return nil, false
}

// Resolve returns the tool with the given name. If the name is an alias, it also returns the alias.
func (s *Server) Resolve(name string) (t *Tool, old *Alias, ok bool) {
	if t, ok := s.Tool(name); ok {
		return t, nil, true
	}
	for i := range s.Tools {
		t := &s.Tools[i]
		for j := range t.Aliases {
			if t.Aliases[j].Name == name {
				return t, &t.Aliases[j], true
			}
		}
	}
	return nil, nil, false
}

// Write returns the text of the contract as in jp.lock.json: indented, with a final newline. Equal
// contracts have the same text.
func (s *Server) Write() ([]byte, error) {
	text, err := rawjson.EncodeIndented(s)
	if err != nil {
		return nil, fmt.Errorf("writing the contract: %w", err)
	}
	return text, nil
}
