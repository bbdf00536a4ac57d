package adopt

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/gofile"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/gotypes"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/scaffold"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A source writes the files of a package.
type source struct {
	contract *manifest.Server
	whole    bool
	name     string // the name of the directory and the module
	typ      string // the name of the server's type
	changes  changes
	names    schema.Names // the style of names that the server permits

	file  *jen.File
	types gotypes.Set
	files []scaffold.File
	notes []string
	tool  string // the tool whose code is being written
	bare  int    // the number of the tool's fields without a description
	// methods holds the names of the tools' methods. places holds, for each method, the keys in changes for its
	// fields.
	methods []string
	places  map[string][]string
	schemas []scaffold.File
	// offered holds the methods of resources and prompts, keyed by the names of the methods and of their input types.
	offered map[string]string
}

func newSource(c *manifest.Server, whole bool, name string, changes changes) *source {
	s := &source{
		contract: c, whole: whole, name: name, changes: changes, names: changes.of("server").names,
		file: jen.NewFile("main"), places: map[string][]string{},
		offered: map[string]string{},
	}
	for _, path := range []string{sdktypes.Fault, sdktypes.Tool} {
		s.file.ImportName(path, path[strings.LastIndexByte(path, '/')+1:])
	}
	taken := gotypes.Names{"NewServer": true}
	s.typ = taken.Fresh(gotypes.GoName(name))
	s.types = gotypes.Set{Names: taken, Served: true, Field: s.field}
	return s
}

// note adds a note about the current tool.
func (s *source) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if s.tool != "" {
		text = s.tool + ": " + text
	}
	s.notes = append(s.notes, text)
}

func (s *source) write() error {
	if err := oneLine(s.contract); err != nil {
		return err
	}
	doc, directives := s.server()
	s.codes()
	methods := gotypes.Names{}
	for _, t := range s.contract.Tools {
		name := methods.Fresh(gotypes.GoName(t.Name))
		s.tool, s.bare, s.methods = t.Name, 0, append(s.methods, name)
		if err := s.method(t, name); err != nil {
			return fmt.Errorf("tool %s: %w", t.Name, err)
		}
		if s.bare > 0 {
			s.note("descriptions are missing for %s; write what a model needs to know, and delete the //jp:allow lines", phrase.Plural(s.bare, "field"))
		}
	}
	if err := s.offers(methods); err != nil {
		return err
	}
	tools, err := gofile.Text(s.file)
	if err != nil {
		return err
	}
	main, err := scaffold.Main(s.name, s.typ, doc, directives)
	s.files = []scaffold.File{{Path: "main.go", Data: main}, {Path: "tools.go", Data: tools}}
	return err
}

// server returns the comment on the server's type and its directives.
func (s *source) server() (comment, directives []string) {
	c := s.contract
	change := s.changes.of("server")
	s.notes = append(s.notes, change.notes...)
	name := cmp.Or(change.name, c.Name)
	if name != s.name {
		name = strconv.Quote(name)
	}
	directive := "//jp:server name=" + name
	if s.names != "" {
		directive += " names=" + string(s.names)
	}
	if s.open() {
		directive += " unknown=ignore"
	}
	if slices.ContainsFunc(c.Tools, func(t manifest.Tool) bool { return len(t.Output) > 0 }) && c.Output != manifest.Asked {
		directive += " output=always"
	}
	if c.Envelope {
		directive += " envelope=true"
	}
	doc, words := s.doc(s.typ, c.Description)
	lines := []string{directive + words}
	if change.anyName {
		lines = []string{allowLine(diag.BadServerName), lines[0]}
	}
	if c.Description == "" {
		s.note("the server has no description; describe its purpose in main.go, and delete its //jp:allow line")
	}
	if allow := change.allowLine(c.Description == ""); allow != "" {
		lines = append(lines, allow)
	}
	return doc, lines
}

// codes declares the error codes of the server.
func (s *source) codes() {
	var defs []jen.Code
	for _, c := range s.contract.Codes {
		name := s.types.Names.Fresh(gotypes.GoName(c.Name))
		doc, ok := comment(name, c.Description, true)
		if !ok {
			doc = lines(c.Description)
		}
		defs = append(defs, gofile.Comment(doc...), jen.Id(name).Qual(sdktypes.Fault, "Code").Op("=").Lit(c.Name))
	}
	if len(defs) > 0 {
		s.file.Comment("The error codes of the server.")
		s.file.Const().Defs(defs...)
		s.file.Line()
	}
}

// open reports whether the server ignores undeclared arguments. In a tools/list response, each
// input schema states this.
func (s *source) open() bool {
	every := !slices.ContainsFunc(s.contract.Tools, func(t manifest.Tool) bool { return closedArgument(t) == "" })
	return s.contract.Unknown == manifest.Ignore && (s.whole || !every)
}

// doc returns the comment for a declaration. If no comment yields exactly the description, doc also returns a
// description argument for the directive.
func (s *source) doc(name, text string) (doc []string, argument string) {
	if text == "" {
		return nil, ""
	}
	if doc, ok := comment(name, text, true); ok {
		return append(doc, ""), ""
	}
	return append(lines(name+" is described in its directive."), ""), " description=" + strconv.Quote(text)
}

// noteMixed notes the members of a result that have several types, for which Go has only any.
func (s *source) noteMixed(t manifest.Tool) {
	output, err := shape.Parse(t.Output)
	if err != nil {
		return // the types report it
	}
	var names []string
	for _, p := range output.Rows() {
		if len(p.Kinds()) > 1 {
			names = append(names, p.Path)
		}
	}
	if len(names) > 0 {
		s.note("%s of the result can have several types, and became any; choose one type, or write one with a MarshalJSON method",
			strings.Join(names, ", "))
	}
}

// method writes the types of a tool and its method.
func (s *source) method(t manifest.Tool, name string) error {
	change := s.changes.of(name)
	s.notes = append(s.notes, change.notesFor(t.Name)...)
	s.noteMissing(t)
	s.types.Defaults, s.types.Exact, s.types.Nulls = true, change.schema == exact, false
	in, err := s.input(t, name, change)
	if err != nil {
		return err
	}
	s.types.Defaults, s.types.Exact, s.types.Nulls = false, false, true
	out := jen.String()
	if len(t.Output) > 0 {
		out = jen.Map(jen.String()).Any()
	}
	if len(t.Output) > 0 && !change.opaque {
		typ, err := s.types.Value(name+"Result", "is the result of "+t.Name+".", t.Output)
		if err != nil {
			return err
		}
		if typ != nil {
			out = typ
		}
		s.noteMixed(t)
	}
	s.types.Flush(s.file)
	doc, words := s.doc(name, t.Description)
	s.file.Add(gofile.Comment(doc...))
	s.file.Comment("//jp:tool name=" + cmp.Or(change.name, t.Name) + s.arguments(t) + words)
	if len(t.Aliases) > 0 {
		var names []string
		for _, a := range t.Aliases {
			names = append(names, a.Name)
		}
		s.file.Comment("//jp:alias " + strings.Join(names, " ") + " until=" + t.Aliases[0].Until)
	}
	fails := t.Fails
	if !s.whole { // a tools/list response has no codes
		fails = []string{string(fault.Unavailable)}
	}
	if len(fails) > 0 {
		s.file.Comment("//jp:fails " + strings.Join(fails, " "))
	}
	if t.Description == "" {
		s.note("the tool has no description; describe what it does and when to use it, and delete its //jp:allow line")
	}
	if allow := change.allowLine(t.Description == ""); allow != "" {
		s.file.Comment(allow)
	}
	s.unimplemented(name, t.Name, in, out)
	return nil
}

// unimplemented writes a method that fails until the author implements it. in is the type of its arguments, or nil.
func (s *source) unimplemented(name, entry string, in, out *jen.Statement) {
	params := []jen.Code{jen.Id("ctx").Qual("context", "Context")}
	if in != nil {
		params = append(params, jen.Id("in").Add(in))
	}
	s.file.Func().Params(jen.Op("*").Id(s.typ)).Id(name).Params(params...).Params(out, jen.Error()).Block(
		jen.Var().Id("out").Add(out),
		jen.Return(jen.Id("out"), jen.Qual(sdktypes.Fault, "New").Call(
			jen.Qual(sdktypes.Fault, "Unavailable"), jen.Lit(strings.ReplaceAll(entry, "%", "%%")+" is not implemented yet"))),
	)
	s.file.Line()
}

// input returns the type of the arguments of a tool, or nil for a tool without arguments.
func (s *source) input(t manifest.Tool, name string, change *change) (*jen.Statement, error) {
	if s.types.Exact {
		schemas := map[string]jsontext.Value{"inputSchema": t.Input}
		if change.result {
			schemas["outputSchema"] = t.Output
		}
		file, err := rawjson.EncodeIndented(schemas)
		if err != nil {
			return nil, err
		}
		s.schemas = append(s.schemas, scaffold.File{Path: cmp.Or(change.name, t.Name) + model.SchemaSuffix, Data: append(file, '\n')})
	}
	read, err := shape.Parse(jsontext.Value(t.Input))
	if err != nil || change.silent {
		return nil, err
	}
	if len(read.Properties) == 0 {
		if read.Others != nil {
			s.note("the tool accepts arguments with any name, but a method must declare each argument; add a field of type map[string]any")
		}
		return nil, nil
	}
	usable := 0
	for _, p := range read.Properties {
		if gotypes.Taggable(p) {
			usable++
		} else {
			s.note("the argument %q was left out, because a struct tag cannot contain its name", p.Name)
		}
	}
	if usable == 0 {
		return nil, nil
	}
	return s.types.Value(name+"Input", "holds the arguments of "+t.Name+".", t.Input)
}

// noteMissing adds notes about the parts of a contract that only jptool servers have and that the author must declare.
func (s *source) noteMissing(t manifest.Tool) {
	if n := len(t.Questions); n > 0 {
		s.note("the tool has %s; declare each as a field of a questions struct", phrase.Plural(n, "question"))
	}
	if len(t.Options) > 0 {
		s.note("the tool has options; declare them in a struct with //jp:options")
	}
	if t.Mutates {
		s.note("mutates=true was not adopted; add it once the result has a field state_after")
	}
	if t.Files {
		s.note("the tool works with files; call call.Files() in its method to declare this")
	}
}

// arguments returns the arguments for a tool's directive.
func (s *source) arguments(t manifest.Tool) string {
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(" title=" + strconv.Quote(t.Title))
	}
	a := t.Annotations
	if a.ReadOnly != nil && *a.ReadOnly && a.Destructive != nil && *a.Destructive {
		s.note("the tool is declared both read-only and destructive; only readonly=true was adopted, so check which one is correct")
		a.Destructive = nil
	}
	for _, h := range manifest.Hints {
		if hint := *h.At(&a); hint != nil {
			fmt.Fprintf(&b, " %s=%t", h.Key, *hint)
		}
	}
	variant := s.changes.of(s.methods[len(s.methods)-1]).schema
	if !s.whole {
		variant = cmp.Or(variant, closedArgument(t))
	}
	if variant != "" {
		b.WriteString(" schema=" + variant)
	}
	for _, f := range manifest.Fields {
		if f.Key == "" || f.Key == "title" || f.Key == "mutates" { // see noteMissing
			continue
		}
		switch v := f.Value(t.Entry()).(type) {
		case nil:
		case string:
			fmt.Fprintf(&b, " %s=%q", f.Key, v)
		default:
			fmt.Fprintf(&b, " %s=%v", f.Key, v)
		}
	}
	for i, m := range rawjson.Parts(t.Meta) {
		if i == 0 {
			b.WriteString("\n//jp:meta")
		}
		b.WriteString(" " + m.Name + "=" + strconv.Quote(string(m.Value)))
	}
	return b.String()
}

// field returns the struct field for a property, without its type.
func (s *source) field(place string, p shape.Property) gotypes.Field {
	change := s.changes.of(place)
	s.notes = append(s.notes, change.notesFor(s.tool)...)
	f := gotypes.Field{Name: cmp.Or(change.name, p.Name), Opaque: change.opaque, Tags: map[string]string{}}
	method := s.methods[len(s.methods)-1]
	s.places[method] = append(s.places[method], place)
	bare := p.Description == "" && !s.types.Exact
	if f.Allow = change.allowLine(bare); bare {
		s.bare++
	}
	var entries []string
	for _, e := range entriesOf(p) {
		if !change.without[e.key] && !change.opaque && (!s.types.Exact || e.key == "default") {
			entries = append(entries, e.key+"="+strings.ReplaceAll(e.value, ",", `\,`))
			f.Defaulted = f.Defaulted || s.types.Defaults && e.key == "default" && len(p.Kinds()) == 1 && p.Default.Kind() != '{'
		}
	}
	_, field, _ := strings.Cut(place, ".")
	doc, ok := comment(field, p.Description, false)
	if !ok && !s.types.Exact {
		entries = append(entries, "description="+strings.ReplaceAll(p.Description, ",", `\,`))
	}
	if f.Comment = doc; len(entries) > 0 {
		f.Tags["jsonschema"] = strings.Join(entries, ",")
	}
	return f
}
