// Package model describes the server that a Go package declares.
//
// [Build] reads declarations and comments into a [Server]. A Server has positions and types but no syntax,
// because code and contract are generated from the model alone.
package model

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"time"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/skill"
	"github.com/jptool/jptool/internal/declared"
	"github.com/jptool/jptool/internal/uris"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
)

// A Package is a loaded package: parsed with comments and type-checked.
type Package struct {
	Dir   string
	Fset  *token.FileSet
	Files []*ast.File
	Types *types.Package
	// Info resolves the identifiers in Files.
	Info *types.Info
	// Ignored holds the paths of Go files that are not built on this platform or with the current build tags.
	Ignored []string
	// Parse parses a file in another package.
	Parse func(filename string) (*ast.File, error)
	// Ours reports whether a package belongs to the current module.
	Ours func(path string) bool
}

// A Server is a type with a //jp:server line, and its tools.
type Server struct {
	// The part of the contract that the //jp:server line declares. The fields Codes and Tools below replace
	// those of the contract.
	manifest.Server
	budgetPos token.Pos
	toolsets  map[string]token.Pos // the names of the declared toolsets, to which nothing belongs so far
	// Conventions is the name of additional rules for the tools, or "" for the standard rules only.
	Conventions string

	// Dir is the directory of the package, and Package holds its types.
	Dir     string
	Package *types.Package
	Type    *types.TypeName
	Pos     token.Pos
	// Ours reports whether a package belongs to the current module.
	Ours func(path string) bool
	// Taken holds the names that handwritten code declares, except its tests. Tested holds the names that the tests
	// declare. Imported holds the names of all imports.
	Taken, Tested, Imported map[string]bool
	// Declared holds the declarations that the generated files depend on, and their digests.
	Declared []declared.Declaration
	// Constraint is the //go:build line of the file that declares the type, including the constraint in the
	// file's name.
	Constraint string
	// Receiver is the receiver name in the author's methods, or "" if they do not name it.
	Receiver string

	Codes []Code
	// Tools are the tools, resources and prompts.
	Tools []*Tool
	// SkillDir is the directory of the skills, with slashes and relative to Dir; "" means that there are none. Skills
	// holds them.
	SkillDir string
	Skills   *skill.Set
}

// A Code is an error code that the server declares.
type Code struct {
	manifest.Code
	Const *types.Const
}

// A Role is the purpose of a parameter of a method.
type Role int

// The roles of parameters.
const (
	Context Role = iota
	Call
	Input
	Asking
	Options
)

// A Tool is a method that the server calls: a tool, a resource or a prompt, or a method that lists, watches or completes
// one.
type Tool struct {
	Kind Kind
	// Part is set for a method that does something for a resource or a prompt, which is For. Argument is the field whose
	// values it completes. Parts are these methods of a resource or a prompt.
	Part     Part
	For      *Tool
	Argument string
	Parts    []*Tool

	// URI is the URI of a resource or the template of its URIs, and Template is nil for a URI without variables.
	URI       string
	URIPos    token.Pos
	Template  *uris.Template
	Variables *schema.Object // the variables as they are encoded, or nil
	MIMEType  string         // "" if it is not declared
	TTL       time.Duration  // 0 means that clients must not cache the content
	// Request is the type tool.Completion of a method that completes, or tool.Change of one that watches. The latter may
	// return a channel instead of an iterator, and an error.
	Request           types.Type
	Channel, Fallible bool

	// The part of the contract that does not depend on types. The fields Aliases, Input, Questions and
	// Options below replace those of the contract.
	manifest.Tool
	Timeout time.Duration // 0 means that the server's timeout applies
	Aliases []Alias

	Method *types.Func
	// Of is the type that has the method: the server, or a type that it includes.
	Of *types.TypeName
	// Path is the selector from the server to the value that has the method, or "" for the server itself.
	Path string
	Pos  token.Pos
	// Params holds the roles of the parameters, in order.
	Params []Role

	// Closed is set if the schema of the arguments excludes undeclared arguments.
	Closed bool
	// Exact and ExactResult are the schemas of arguments and structured content that are published unchanged.
	// They are nil if the schemas are derived from the types.
	Exact, ExactResult manifest.Schema
	// Each of Input, Questions and Options is nil if the tool does not have it.
	Input     *schema.Object
	Questions *Questions
	Options   *schema.Object
	Result    Result
}

// String describes the method in messages, such as "tool note_get".
func (t *Tool) String() string { return string(t.Kind) + " " + t.Name }

// Whole returns the resource or the prompt that t is a part of, or else t.
func (t *Tool) Whole() *Tool { return cmp.Or(t.For, t) }

// Methods returns t and its parts.
func (t *Tool) Methods() []*Tool { return append([]*Tool{t}, t.Parts...) }

// An Alias is a former name of a tool, and its position in the source.
type Alias struct {
	manifest.Alias
	Pos token.Pos
}

// InProcess reports whether the code generated for s has an interface for the questions of the tool. For a tool
// of an included package, the code generated for that package has the interface.
func (t *Tool) InProcess(s *Server) bool { return t.Questions != nil && t.Method.Pkg() == s.Package }

// GoName returns the tool's name for use in names of generated declarations.
func (t *Tool) GoName() string {
	if t.Path == "" {
		return t.Method.Name()
	}
	return t.Of.Name() + t.Method.Name()
}

// Takes reports whether the method has a parameter with the role.
func (t *Tool) Takes(r Role) bool { return slices.Contains(t.Params, r) }

// Questions is a questions struct.
type Questions struct {
	Type types.Type
	Name string
	List []*Question
}

// A Spec describes a question or a field of a form.
type Spec struct {
	ID, Description string
	Kind            question.Kind
	// Values are the values of a choice.
	Values []schema.Value
	// Constraints limit a string or a number, and hold the default.
	Constraints schema.Constraints
	// Integer is set for numbers that must be integers, and Optional is set for fields that may be left out.
	Integer, Optional bool
	// Fields are the fields of a form.
	Fields []Spec
}

// A Question is a field whose type belongs to package elicit.
type Question struct {
	Spec
	Var   *types.Var
	Field string
	// Comment is the unmodified comment on the field.
	Comment string
	// Exclusive is set if a person must answer the question.
	Exclusive question.Exclusive
	// Subjects is set if the question is asked about several subjects, with one answer for all of them.
	Subjects bool
	// PerSubject is set if the question is asked only about subjects, each of which has its own answer.
	PerSubject bool
	// Relay is the argument through which a model may relay the answer, or "" if a model must not relay it.
	// Destructive is set if a model may also relay the confirmation of a destructive tool.
	Relay       string
	Destructive bool
	// Answer is the Go type of the answer.
	Answer types.Type
	// Object is the struct that is the answer to a form.
	Object *schema.Object
	Pos    token.Pos
}

// A Form is the kind of result that a tool returns, such as text or a struct.
type Form int

// The forms of results.
const (
	Done       Form = iota // only an error
	Text                   // a string
	Blocks                 // content blocks
	Structured             // a struct
	Pointer                // a pointer to a struct
	Object                 // another JSON object
	Wrapped                // any other value, in an object with the member "result"

	// The following forms are those of resources.
	Bytes     // binary content
	Content   // a content.Resource
	Contents  // several of them
	Directory // a directory of files

	Messages    // the messages of a prompt
	Listing     // a page of tool.Listed
	Values      // values that complete an argument
	Completions // values with their number
)

// A Result is the result of a method, without the error.
type Result struct {
	Form Form
	// Type is nil if the method returns only an error.
	Type types.Type
	// Value is the type of the value. It differs from Type if the result is a content.With.
	Value types.Type
	// Shape is nil for text, for blocks, and if the method returns only an error. For a pointer, it is the shape of
	// the struct pointed to.
	Shape *schema.Shape
	// Table is the format in which a list of structs appears in the text, or "" for JSON. List is the member
	// that contains the list.
	Table, List string
	// Chosen is set if the caller chooses the members of the items of List.
	Chosen bool
	// Description describes a value that is wrapped in an object.
	Description string
}
