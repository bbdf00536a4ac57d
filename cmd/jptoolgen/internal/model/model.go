// Package model is what the source means.
//
// [Build] reads the declarations and comments of a package into a [Server], which
// holds positions and types but no syntax: what is emitted and published is made
// from the model alone.
package model

import (
	"go/ast"
	"go/token"
	"go/types"
	"time"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/internal/declared"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
)

// A Package is a package as it was loaded: parsed with comments and type-checked.
type Package struct {
	Dir   string
	Fset  *token.FileSet
	Files []*ast.File
	Types *types.Package
	// Info has what names in Files stand for.
	Info *types.Info
	// Ignored are the paths of Go files that are not built for this platform and tags.
	Ignored []string
	// Parse returns the syntax of a file of another package.
	Parse func(filename string) (*ast.File, error)
	// Ours reports whether a package belongs to the module being worked on.
	Ours func(path string) bool
}

// A Server is a type with a //jp:server line, and its tools.
type Server struct {
	Name        string
	Description string
	Clients     manifest.Clients
	Unknown     manifest.Unknown
	// Envelope says that structured content is {success, data, error}.
	Envelope bool
	// Conventions names further rules that the tools keep; "" is none.
	Conventions string

	// Dir is the directory of the package, Package its types.
	Dir     string
	Package *types.Package
	Type    *types.TypeName
	Pos     token.Pos
	// Ours reports whether a package belongs to the module being worked on.
	Ours func(path string) bool
	// Taken are the names that handwritten code of the package declares, Imported those
	// that its files give to packages.
	Taken, Imported map[string]bool
	// Declared is what the contract and the generated code depend on, with digests.
	Declared []declared.Declaration
	// Constraint is the //go:build line of the file that declares the type, with what
	// the file's name adds to it.
	Constraint string
	// Receiver is what the author's methods call it, "" if nothing.
	Receiver string

	Codes []Code
	Tools []*Tool
}

// A Code is an error code of the server's own.
type Code struct {
	Name, Description string
	Const             *types.Const
}

// A Role is a part that a method may take.
type Role int

// The roles.
const (
	Context Role = iota
	Call
	Input
	Asking
	Options
)

// A Tool is a method with a //jp:tool line.
type Tool struct {
	Name        string
	Title       string
	Description string
	Annotations manifest.Annotations
	Fails       []string
	Version     string
	Mutates     bool
	Files       bool          // it works with files below the root
	Timeout     time.Duration // 0 is what the server says
	Aliases     []Alias

	Method *types.Func
	Pos    token.Pos
	// Params says what the parameters are, in order.
	Params []Role

	// Input, Questions and Options are nil for a tool without.
	Input     *schema.Object
	Questions *Questions
	Options   *schema.Object
	Result    Result
}

// An Alias is a former name of a tool, and where it stands.
type Alias struct {
	Name, Until string
	Pos         token.Pos
}

// Takes reports whether the method has a parameter of that role.
func (t *Tool) Takes(r Role) bool {
	for _, p := range t.Params {
		if p == r {
			return true
		}
	}
	return false
}

// Questions is a struct of questions.
type Questions struct {
	Type types.Type
	Name string
	List []*Question
}

// A Question is a field of a type of package elicit.
type Question struct {
	Field       string
	ID          string
	Description string
	// Comment is the comment on the field, in Go's convention.
	Comment string
	Kind    question.Kind
	// Exclusive says that a person must answer.
	Exclusive question.Exclusive
	// Answer is the Go type of its answer.
	Answer types.Type
	// Values are the answers of a choice.
	Values []schema.Value
	// Constraints bound a text or a number, and hold the default.
	Constraints schema.Constraints
	// Object is the struct that answers a form, Fields what is asked for it.
	Object *schema.Object
	Fields []FormField
	Pos    token.Pos
}

// A Form is the way in which a result goes out.
type Form int

// The forms.
const (
	Done       Form = iota // only an error is returned
	Text                   // a string
	Blocks                 // content blocks
	Structured             // a struct
	Pointer                // a pointer to a struct
	Object                 // another JSON object
	Wrapped                // a value that is no object, as the member "result"
)

// A Result is what a method returns beside the error.
type Result struct {
	Form Form
	// Type is nil if nothing is returned.
	Type types.Type
	// Shape is nil for text, blocks and nothing. For a pointer it is that of the struct.
	Shape *schema.Shape
	// Description explains a wrapped value.
	Description string
}
