package directive

import (
	"fmt"
	"strings"
)

// A Spec defines a directive.
type Spec struct {
	// Name is the part of the directive's name after "//jp:".
	Name string
	// Place is the kind of declaration that the directive may be attached to.
	Place Place
	// Args are the arguments, which have the form name=value.
	Args []ArgSpec
	// Any is set if arguments may have any name. Args then has a single element, which describes all of them.
	Any bool
	// Words describes arguments without a name. It is "" if all arguments have names.
	Words string
	// Count is the number of arguments without a name, or 0 for any number that is not 0.
	Count int
	// Many is set if a declaration may have several of these directives.
	Many bool
	// Help is a one-sentence description.
	Help string
}

// A Place is a kind of declaration that a directive can belong to.
type Place int

// The kinds of declarations.
const (
	OnStruct Place = iota + 1 // the type declaration of a struct
	OnType                    // any type declaration
	OnMethod                  // a method
	OnField                   // a field of a struct
	OnLine                    // any line
)

// String describes p as a phrase that follows "belongs".
func (p Place) String() string {
	return [...]string{
		OnStruct: "in the comment above a struct type",
		OnType:   "in the comment above a type",
		OnMethod: "in the comment above a method",
		OnField:  "in the comment above a field of a struct",
		OnLine:   "above a line of code or at the end of one",
	}[p]
}

// An ArgSpec defines an argument of a directive.
type ArgSpec struct {
	Name string
	// Values are the allowed values. If Values is nil, any text is allowed.
	Values []string
	// Required is set if the argument must be present.
	Required bool
	// Help describes the argument.
	Help string
}

func toolsetArg() ArgSpec {
	return ArgSpec{Name: "toolset", Help: "group that it belongs to, which //jp:toolset declares (default: none, so that it is selected by default)"}
}

func scopesArg() ArgSpec {
	return ArgSpec{Name: "scopes", Help: "OAuth scopes that an authenticated caller needs, all of them: notes:write, or \"notes:read notes:write\" (default: none)"}
}

func boolean() []string { return []string{"true", "false"} }

// Table returns all directives. The parser, its suggestions, the help and the reference use it.
func Table() []Spec {
	return []Spec{
		{
			Name: "server", Place: OnStruct,
			Help: "turns a struct into a server. Its methods with //jp:tool, //jp:resource and //jp:prompt are what the server offers",
			Args: []ArgSpec{
				{Name: "name", Help: "name that the server reports (default: the type's name in lowercase)"},
				{Name: "description", Help: "purpose of the server (default: the comment)"},
				{Name: "clients", Values: []string{"jp", "mcp"}, Help: "has no effect, and is accepted with a warning: the same schemas suit all clients"},
				{Name: "names", Values: []string{"snake", "camel", "any"}, Help: "form of the names of tools and parameters: snake is [a-z][a-z0-9_]*; camel also allows uppercase letters; any also allows - and . and any first character (default: snake)"},
				{Name: "unknown", Values: []string{"ignore", "reject"}, Help: "whether undeclared arguments are ignored or rejected (default: reject)"},
				{Name: "output", Values: []string{"asked", "always"}, Help: "clients for which the list of tools contains output schemas: asked means clients that request the contract; always means all clients (default: asked)"},
				{Name: "list-budget", Help: "maximum number of tokens in the list of tools, such as 1200; jptoolgen reports a longer list (default: no limit)"},
				{Name: "envelope", Values: boolean(), Help: "whether structured content is wrapped in {success, data, error} (default: false)"},
				{Name: "conventions", Values: []string{"rfc010"}, Help: "additional rules to check the tools against (default: none)"},
			},
		},
		{
			Name: "tool", Place: OnMethod,
			Help: "turns a method of a server into a tool",
			Args: []ArgSpec{
				{Name: "name", Help: "name that a model uses to call the tool (default: the method's name in snake_case)"},
				{Name: "title", Help: "name that users see"},
				{Name: "description", Help: "text that a model reads (default: the comment)"},
				{Name: "readonly", Values: boolean(), Help: "whether the tool only reads and does not change data"},
				{Name: "destructive", Values: boolean(), Help: "whether the tool may delete or overwrite existing data"},
				{Name: "idempotent", Values: boolean(), Help: "whether repeating a call has no additional effect"},
				{Name: "openworld", Values: boolean(), Help: "whether the tool uses systems that the server does not control, such as the web"},
				{Name: "mutates", Values: boolean(), Help: "whether the tool changes data and returns the new state in the member state_after (default: false)"},
				{Name: "timeout", Help: "maximum duration of a call, such as 30s, without the time spent waiting for answers (default: the value of --call-timeout)"},
				{Name: "budget", Help: "maximum size of a result in bytes, such as 16000 (default: no limit)"},
				{Name: "rows", Values: []string{"csv", "markdown"}, Help: "format of the table that shows a list of structs in the text of the result (default: JSON instead of a table)"},
				{Name: "schema", Values: []string{"closed", "exact"}, Help: "source of the schema: closed adds additionalProperties: false to the schema of the Go types, and rejects undeclared arguments; exact publishes the file TOOL.schema.json, next to the source, unchanged (default: the schema of the Go types)"},
				toolsetArg(), scopesArg(),
				{Name: "version", Help: "version of the tool, which is published in its _meta"},
				{Name: "icon", Help: "image that clients show to users: an https: URL or a data: URI"},
				{Name: "task", Values: []string{"never", "auto", "required"}, Help: "whether a call becomes a task, whose result the client fetches later: auto means if the client supports tasks; required means that only such clients can call the tool (default: never)"},
				{Name: "after", Help: "duration after which a call becomes a task, such as 10s; 0 means immediately (default: 0)"},
				{Name: "ttl", Help: "duration for which the server keeps a task, from its creation (default: 1h)"},
				{Name: "poll", Help: "interval at which clients should ask for the state of a task (default: 1s)"},
			},
		},
		{
			Name: "resource", Place: OnMethod,
			Help: "turns a method of a server into a resource, or into a template of resources if the URI has variables. It returns a string, []byte, content.Resource, []content.Resource, an fs.FS for a directory, or another Go type, which becomes JSON",
			Args: []ArgSpec{
				{Name: "uri", Required: true, Help: "URI, such as notes://about, or URI template, such as note://{id}. Its variables are the fields of the method's arguments"},
				{Name: "name", Help: "name of the resource (default: the method's name in snake_case)"},
				{Name: "mime", Help: "MIME type of the content, such as text/markdown (default: application/json for a Go type, and none for other results)"},
				{Name: "title", Help: "name that users see"},
				{Name: "description", Help: "text that users and models read (default: the comment)"},
				{Name: "icon", Help: "image that clients show to users: an https: URL or a data: URI"},
				{Name: "ttl", Help: "time for which clients may cache the content, such as 5m (default: they must not)"},
				{Name: "timeout", Help: "maximum duration of a request, such as 30s, without the time spent waiting for answers (default: the value of --call-timeout)"},
				toolsetArg(), scopesArg(),
			},
		},
		{
			Name: "prompt", Place: OnMethod,
			Help: "turns a method of a server into a prompt. Its arguments are strings in MCP, which are converted to the types of the fields. It returns a string or content.Messages",
			Args: []ArgSpec{
				{Name: "name", Help: "name of the prompt (default: the method's name in snake_case)"},
				{Name: "title", Help: "name that users see"},
				{Name: "description", Help: "text that users read (default: the comment)"},
				{Name: "icon", Help: "image that clients show to users: an https: URL or a data: URI"},
				{Name: "timeout", Help: "maximum duration of a request, such as 30s, without the time spent waiting for answers (default: the value of --call-timeout)"},
				toolsetArg(), scopesArg(),
			},
		},
		{
			Name: "list", Place: OnMethod, Words: "name of the resource", Count: 1,
			Help: "says that a method lists the resources of a template, in pages. It takes a tool.Cursor, and returns a tool.Page of tool.Listed with the variables",
		},
		{
			Name: "watch", Place: OnMethod, Words: "name of the resource", Count: 1,
			Help: "says that a method reports changes of a resource, so that clients can subscribe. It takes only a context, and returns an iterator (iter.Seq) or a channel of tool.Change with the variables",
		},
		{
			Name: "complete", Place: OnMethod, Words: "name of the prompt or resource, and its argument or variable", Count: 2, Many: true,
			Help: "says that a method completes the values of an argument of a prompt, or of a variable of a template. It takes a tool.Completion with the arguments or variables, and returns []string or tool.Completions",
		},
		{
			Name: "toolset", Place: OnStruct, Words: "name of the toolset", Count: 1, Many: true,
			Help: "declares a group of tools, resources and prompts that users and callers can select, see --toolsets. It is above the server",
			Args: []ArgSpec{
				{Name: "default", Values: boolean(), Help: "whether the group is selected if nobody selects toolsets or tools (default: false)"},
				{Name: "text", Required: true, Help: "text that a model reads while the group is selected, after the description of the server"},
			},
		},
		{
			Name: "scope", Place: OnStruct, Words: "name of the OAuth scope", Count: 1, Many: true,
			Help: "declares the scopes that an OAuth scope implies. It is above the server",
			Args: []ArgSpec{
				{Name: "implies", Required: true, Help: "scopes that a caller with the scope also has: \"repo:read repo:status\""},
			},
		},
		{
			Name: "include", Place: OnField,
			Help: "adds the tools, resources and prompts of the field's type to a server. The type may be in another package",
			Args: []ArgSpec{
				{Name: "prefix", Help: "prefix of their names, such as notes_ (default: none)"},
			},
		},
		{
			Name: "skills", Place: OnStruct, Words: "directory of the skills, such as skills", Count: 1,
			Help: "embeds a directory of skills in a server. Each skill is a directory with a file SKILL.md",
		},
		{
			Name: "meta", Place: OnMethod, Any: true,
			Help: "adds members to the _meta of a tool, a resource or a prompt. Some clients read these members",
			Args: []ArgSpec{
				{Name: "KEY", Help: "value of the member, as JSON or as a plain string: anthropic/alwaysLoad=true, anthropic/searchHint=\"notes and memos\""},
			},
		},
		{
			Name: "alias", Place: OnMethod, Words: "former name of the tool", Many: true,
			Help: "lets clients call a tool by a former name, which the list of tools does not contain. Names with different dates are on separate lines",
			Args: []ArgSpec{
				{Name: "until", Required: true, Help: "date after which jptoolgen vet reports the names, such as 2030-12-31"},
			},
		},
		{
			Name: "fails", Place: OnMethod, Words: "error code",
			Help: "lists the error codes that a tool, a resource or a prompt uses",
		},
		{
			Name: "describe", Place: OnStruct, Words: "field or constant", Many: true,
			Help: "describes a field or a constant, usually one from another package",
			Args: []ArgSpec{
				{Name: "text", Required: true, Help: "text that a model reads instead of the comment"},
			},
		},
		{
			Name: "foreign", Place: OnStruct, Words: "type of another module", Many: true,
			Help: "declares how types of other modules look in JSON, or accepts the findings inside them. It is above the server. A type is written as github.Timestamp, or github.* for all types of a package",
			Args: []ArgSpec{
				{Name: "type", Values: Scalars("array", "any"), Help: "JSON type of its values, which encoding/json encodes"},
				{Name: "items", Values: Scalars(), Help: "type of the items of an array"},
				{Name: "format", Help: "format of a string, such as date-time"},
				{Name: "pattern", Help: "regular expression that a string must match"},
				{Name: "as", Help: "type whose schema it has, such as Money; the type itself if its fields describe its JSON although it has its own methods"},
				{Name: "reason", Help: "reason for accepting all findings inside the type. What the generator does not support there is any JSON"},
			},
		},
		{
			Name: "allow", Place: OnLine, Words: "code of a finding",
			Help: "accepts findings on its line or the next. It applies to findings of jptoolgen vet, and to findings about names, comments and published schemas",
			Args: []ArgSpec{
				{Name: "reason", Required: true, Help: "reason for accepting the finding"},
			},
		},
		{
			Name: "options", Place: OnStruct,
			Help: "turns a struct into the options of a tool. The user sets them",
			Args: []ArgSpec{
				{Name: "scope", Values: []string{"tool", "server"}, Help: "whether the user sets the options for each tool, or once for all tools that use or embed the struct (default: tool)"},
			},
		},
		{
			Name: "enum", Place: OnType, Words: "kind of set: closed, open or flags", Many: true,
			Help: "says which values a type with constants has. closed: only the constants; open: the constants are documented, and " +
				"other values are accepted and logged once; flags: sums of the constants. Above the server, names of types of " +
				"other packages follow. By default, a type is closed, and one of another module is open in results",
			Args: []ArgSpec{
				{Name: "as", Values: []string{"integer", "names"}, Help: "JSON form of flags: an integer, or a list with the names of the flags (default: integer)"},
			},
		},
		{
			Name: "schema", Place: OnType,
			Help: "declares the schema of a type that encodes itself as JSON",
			Args: []ArgSpec{
				{Name: "type", Values: Scalars("array"), Required: true, Help: "JSON type of its values"},
				{Name: "items", Values: Scalars(), Help: "type of the items of an array"},
				{Name: "format", Help: "format of a string, such as uri"},
				{Name: "pattern", Help: "regular expression that a string must match"},
			},
		},
	}
}

// Scalars returns the names of JSON's scalar types, followed by more.
func Scalars(more ...string) []string {
	return append([]string{"string", "integer", "number", "boolean"}, more...)
}

func find(name string) (Spec, bool) {
	return first(Table(), func(s Spec) bool { return s.Name == name })
}

func (s Spec) arg(name string) (ArgSpec, bool) {
	return first(s.Args, func(a ArgSpec) bool { return a.Name == name })
}

func names() []string {
	var all []string
	for _, s := range Table() {
		all = append(all, s.Name)
	}
	return all
}

func (s Spec) argNames() []string {
	var all []string
	for _, a := range s.Args {
		all = append(all, a.Name)
	}
	return all
}

// Help returns the table of directives as text.
func Help() string {
	var b strings.Builder
	for _, s := range Table() {
		fmt.Fprintf(&b, "  //jp:%-8s %s\n", s.Name, s.Help)
		if s.Words != "" {
			fmt.Fprintf(&b, "    %s%s\n", s.Words, map[bool]string{true: "..."}[s.Count == 0])
		}
		for _, a := range s.Args {
			values := "=text"
			if len(a.Values) > 0 {
				values = "=" + strings.Join(a.Values, "|")
			}
			fmt.Fprintf(&b, "    %s%s\n        %s\n", a.Name, values, a.Help)
		}
	}
	return b.String()
}
