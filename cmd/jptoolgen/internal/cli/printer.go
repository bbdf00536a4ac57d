package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/docgen"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A printer builds text for a terminal. Text from a server is cleaned before it is added.
type printer struct {
	strings.Builder
	page terminal.Page
}

func newPrinter(w io.Writer) *printer { return &printer{page: terminal.PageOf(w)} }

func (s *printer) write(w io.Writer) error {
	_, err := io.WriteString(w, s.String())
	return err
}

// name cleans a name or other text from a server, and puts it on one line.
func name(text string) string { return terminal.Line(text, 200) }

// line adds a line without trailing spaces.
func (s *printer) line(format string, args ...any) {
	s.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

// para adds an indented paragraph if text is not blank.
func (s *printer) para(text, indent string) {
	const limit = 8000 // descriptions from servers can be long
	text = phrase.Clip(text, limit)
	if strings.TrimSpace(text) != "" {
		s.line("%s", s.page.Wrap(text, indent))
	}
}

// surface adds everything that a target offers. If one is set, it adds only the tools and omits
// facts about the server.
func (s *printer) surface(t *target.Surface, one bool) *printer {
	if !one {
		s.head(t)
	}
	for i := range t.Contract.Tools {
		if i > 0 || !one {
			s.line("")
		}
		s.tool(&t.Contract.Tools[i], t.Contract)
	}
	if t.Whole && len(t.Contract.Tools) > 0 {
		var codes facts
		for _, c := range fault.Common() {
			codes = append(codes, string(c))
		}
		s.line("")
		s.facts("Every tool can also fail with", codes)
	}
	s.offers(t)
	return s
}

// facts are short texts about a part of a server, printed on one line.
type facts []string

// add adds text if applies is set.
func (f *facts) add(applies bool, text string) {
	if applies {
		*f = append(*f, text)
	}
}

// facts adds a line with a title and facts about it.
func (s *printer) facts(title string, f facts) {
	s.line("%s  %s", title, s.page.Dim(strings.Join(f, " · ")))
}

func (s *printer) head(t *target.Surface) {
	var f facts
	f.add(t.Server.Version != "", name(t.Server.Version))
	f.add(t.Server.Protocol != "", "MCP "+name(t.Server.Protocol))
	f.add(true, phrase.Plural(len(t.Contract.Tools), "tool"))
	s.facts(s.page.Bold(cmp.Or(name(t.Contract.Name), "(unnamed server)")), f)
	s.para(t.Contract.Description, "")
	for _, set := range t.Contract.Toolsets {
		var f facts
		f.add(set.Default, "on by default")
		f.add(true, "toolset")
		s.facts(s.page.Bold(name(set.Name)), f)
		s.para(set.Description, "  ")
	}
	for _, scope := range t.Contract.Scopes {
		s.facts("Scope "+name(scope.Name), facts{"implies " + name(strings.Join(scope.Implies, " "))})
	}
}

func (s *printer) tool(t *manifest.Tool, of *manifest.Server) {
	hints := docgen.Hints(t.Annotations, [4][2]string{{"read-only"}, {"destructive"}, {"idempotent"}, {"open world"}})
	f := entryFacts(t.Entry(), hints...)
	for _, a := range t.Aliases {
		f.add(true, "alias "+name(a.Name)+" until "+name(a.Until))
	}
	s.facts(s.page.Bold(name(t.Name)), f)
	s.para(t.Description, "  ")
	s.para(docgen.Tasks(t.Task), "  ")
	s.schema("Parameters", t.Input, nil)
	s.call(t, of)
	s.schema("Result", t.Output, nil)
}

// call adds the questions, options and codes of a tool, or of a resource or prompt as a tool.
func (s *printer) call(t *manifest.Tool, of *manifest.Server) {
	s.questions(t.Questions)
	s.schema("Options", t.Options, func(p shape.Row, f *facts) {
		f.add(p.Secret, "secret")
		f.add(p.Secret && p.Depth == 0, "set with "+name(t.Variable(of.Name, p.Name)))
	})
	if len(t.Shared) > 0 {
		s.para("One value for all tools: "+strings.Join(t.Shared, ", "), "    ")
	}
	if len(t.Fails) > 0 {
		s.line("  %s", s.page.Dim("Fails with"))
		for _, code := range ownFirst(t.Fails, of.Codes) {
			s.line("    %s", name(code))
			for _, c := range of.Codes {
				if c.Name == code {
					s.para(c.Description, "      ")
				}
			}
		}
	}
}

// ownFirst returns the codes of a tool with the codes that the server declares first.
func ownFirst(fails []string, declared []manifest.Code) []string {
	own := func(code string) bool {
		return slices.ContainsFunc(declared, func(c manifest.Code) bool { return c.Name == code })
	}
	return slices.SortedStableFunc(slices.Values(fails), func(a, b string) int {
		switch {
		case own(a) == own(b):
			return 0
		case own(a):
			return -1
		}
		return 1
	})
}

// schema adds the properties of a schema. If more is not nil, it adds further facts about a property.
func (s *printer) schema(title string, schema manifest.Schema, more func(shape.Row, *facts)) {
	if schema == nil {
		return
	}
	object, err := shape.Parse(jsontext.Value(schema))
	if err != nil {
		s.line("  %s cannot be read: %s", title, terminal.Line(err.Error(), 200))
	}
	rows := object.Rows()
	const limit = 200 // maximum number of rows per schema; more are too long to read
	for i, p := range rows {
		if i == 0 {
			s.line("  %s", s.page.Dim(title))
		}
		if i == limit {
			s.line("    … and %d more", len(rows)-limit)
			break
		}
		f := propertyFacts(p.Property, p.Required && title != "Result")
		if more != nil {
			more(p, &f)
		}
		indent := strings.Repeat("  ", min(p.Depth, 8))
		s.facts("    "+indent+name(p.Name), f)
		s.para(p.Description, "      "+indent)
	}
}

// propertyFacts returns the type, the limits and the default of a property.
func propertyFacts(p *shape.Property, required bool) facts {
	f := facts{terminal.Line(p.Type(), 300)}
	f.add(required, "required")
	for _, limit := range p.Limits.List() {
		f.add(true, name(limit))
	}
	f.add(p.Default != nil, "default "+name(string(p.Default)))
	return f
}

func (s *printer) questions(list []manifest.Question) {
	for i, q := range list {
		if i == 0 {
			s.line("  %s", s.page.Dim("Questions"))
		}
		schema := shape.Read(q.Schema)
		f := facts{name(q.Kind)}
		f.add(len(schema.Choices) > 0, name(schema.Type()))
		for _, limit := range schema.Limits.List() {
			f.add(true, name(limit))
		}
		f.add(q.Default != nil, "default "+name(string(q.Default)))
		f.add(q.Exclusive != "", "must be answered by a person")
		f.add(q.Subjects, "asked separately for each subject; one answer can apply to all subjects")
		f.add(q.PerSubject, "asked separately for each subject")
		for _, a := range q.Arguments() {
			f.add(true, "relayed as "+name(a.Name))
		}
		s.facts("    "+name(q.ID), f)
		s.para(q.Description, "      ")
		for _, p := range schema.Properties {
			s.facts("      "+name(p.Name), propertyFacts(&p, p.Required))
			s.para(p.Description, "        ")
		}
	}
}

// A listEntry is an entry of a list: its name or URI, and its description or title.
type listEntry struct{ name, description string }

// names adds a line for each entry: its name and the first line of its description.
func (s *printer) names(list []listEntry) *printer {
	widest := 0
	for _, e := range list {
		widest = max(widest, min(len(name(e.name)), 40))
	}
	for _, e := range list {
		first, _, _ := strings.Cut(strings.TrimSpace(e.description), "\n")
		s.line("%-*s  %s", widest, name(e.name), terminal.Line(first, max(s.page.Width-widest-2, 20)))
	}
	return s
}
