package emit

import (
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// The SDK packages that generated code imports.
const (
	bindPath     = sdktypes.Gen + "/bind"
	decodePath   = sdktypes.Gen + "/decode"
	encodePath   = sdktypes.Gen + "/encode"
	manifestPath = sdktypes.Gen + "/manifest"
	questionPath = sdktypes.Gen + "/question"
)

// emitter generates the code of one server.
type emitter struct {
	server *model.Server
	file   *jen.File
	// taken holds the declared names of the package and the generated names. imported holds the names of all
	// packages that its files or the generated file may import. The generated file cannot declare these names.
	taken, imported map[string]bool
	// contract and receiver are the names of the contract variable and of method receivers.
	contract, receiver string
	// skillFiles is the name of the variable with the files of the skills, or "".
	skillFiles string
	// yes and no are the names of the variables that annotations point to.
	yes, no string
	// schemas holds the names of the constants with exact schemas, keyed by the text of the schema.
	schemas map[string]string
	// functions holds the names of the generated functions, keyed by purpose. queue generates the functions that
	// have a name but no code yet.
	functions map[function]string
	queue     []func() *jen.Statement
	guarded   guardSet
}

func newEmitter(s *model.Server) *emitter {
	e := &emitter{
		server: s, file: jen.NewFilePathName(s.Package.Path(), s.Package.Name()),
		taken: maps.Clone(s.Taken), imported: maps.Clone(s.Imported), functions: map[function]string{}, schemas: map[string]string{},
	}
	maps.Copy(e.taken, s.Tested)
	for _, t := range s.Tools {
		for _, name := range t.Declares(s) {
			e.taken[name] = true
		}
	}
	e.receiver = e.local(s.Receiver)
	clashes := []string{"", "ctx", "call", "in", "ask", "opt", "asker", "e", "contract"}
	if slices.Contains(clashes, s.Receiver) || types.Universe.Lookup(s.Receiver) != nil {
		e.receiver = e.local("server")
	}
	e.imports()
	e.taken[e.receiver] = true
	e.contract, e.yes, e.no = e.name("contract"), e.name("yes"), e.name("no")
	if s.SkillDir != "" {
		e.skillFiles = e.name("skillFiles")
	}
	return e
}

// imports declares the names of packages that types may come from. If a declaration or a local variable hides a
// package name, the package gets another name.
func (e *emitter) imports() {
	known := map[string]string{"context": "context"}
	if e.server.SkillDir != "" {
		known["embed"] = "embed"
	}
	for _, p := range []string{sdktypes.SDK, decodePath, sdktypes.Elicit, encodePath, sdktypes.Fault, sdktypes.Handler, manifestPath, sdktypes.Tool, bindPath, questionPath} {
		known[p] = path.Base(p)
	}
	for _, p := range model.Imports(e.server.Package) { // a type argument may come from any of them
		known[p.Path()] = p.Name()
	}
	hidden := map[string]bool{e.receiver: true, e.local(stale): true}
	for _, name := range locals() {
		hidden[e.local(name)] = true
	}
	for p, name := range known {
		e.imported[name] = true // a file that does not import the package itself may have types of it
		if e.taken[name] || hidden[name] {
			for name = "jp" + name; e.taken[name] || hidden[name]; {
				name = "jp" + name
			}
			e.file.ImportAlias(p, name)
		} else {
			e.file.ImportName(p, name)
		}
	}
}

// locals returns the names of the variables in generated functions.
func locals() []string {
	return []string{"call", "ctx", "in", "ask", "opt", "asker", "e", "err", "o", "v", "w", "dst", "set"}
}

// name returns a name that is not declared yet, and marks it as taken.
func (e *emitter) name(wanted string) string {
	name := wanted
	for n := 2; e.taken[name] || e.imported[name] || token.IsKeyword(name); n++ {
		name = wanted + strconv.Itoa(n)
	}
	e.taken[name] = true
	return name
}

// local returns a name for a variable that does not hide a name that the surrounding code needs.
func (e *emitter) local(wanted string) string {
	if e.server.Taken[wanted] {
		return wanted + "_"
	}
	return wanted
}

// A function identifies a generated function by its purpose: constructing a tool, decoding or encoding an object,
// or binding questions.
type function struct {
	prefix    string
	tool      *model.Tool
	object    *schema.Object
	questions *model.Questions
}

// function returns the name of a function, which it generates only once.
func (e *emitter) function(f function, wanted string, emit func(name string) *jen.Statement) string {
	name, ok := e.functions[f]
	if !ok {
		name = e.name(f.prefix + schema.Title(wanted))
		e.functions[f] = name
		e.queue = append(e.queue, func() *jen.Statement { return emit(name) })
	}
	return name
}
