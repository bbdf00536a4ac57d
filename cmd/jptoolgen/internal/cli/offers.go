package cli

import (
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/docgen"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// offers adds the resources, templates and prompts of a target.
func (s *printer) offers(t *target.Surface) {
	s.resources("Resources", t.Contract.Resources, t)
	s.resources("Resource templates", t.Contract.Templates, t)
	for i := range t.Contract.Prompts {
		if i == 0 {
			s.line("\n%s", s.page.Bold("Prompts"))
		}
		s.prompt(&t.Contract.Prompts[i], t.Contract)
	}
}

func (s *printer) resources(title string, list []manifest.Resource, t *target.Surface) {
	for i := range list {
		r := &list[i]
		if i == 0 {
			s.line("\n%s", s.page.Bold(title))
		}
		var f facts
		f.add(r.MIMEType != "", name(r.MIMEType))
		f.add(r.Input != nil, "name "+name(r.Name))
		f = append(f, docgen.ResourceFacts(r)...)
		s.facts("  "+name(r.URI+r.URITemplate), append(f, entryFacts(r.Entry())...))
		s.para(r.Description, "    ")
		s.schema("Variables", r.Input, completed(r.Completes))
		s.call(r.AsTool(), t.Contract)
	}
}

func (s *printer) prompt(p *manifest.Prompt, of *manifest.Server) {
	s.facts("  "+name(p.Name), entryFacts(p.Entry()))
	s.para(p.Description, "    ")
	for _, a := range p.Arguments {
		var f facts
		f.add(a.Required, "required")
		s.facts("    "+name(a.Name), f)
		s.para(a.Description, "      ")
	}
	s.schema("Arguments", p.Input, completed(p.Completes))
	s.call(p.AsTool(), of)
}

// completed returns a function that adds a fact about the properties whose values the server completes.
func completed(names []string) func(shape.Row, *facts) {
	return func(p shape.Row, f *facts) { f.add(p.Depth == 0 && slices.Contains(names, p.Name), "completed") }
}

// entryFacts returns the title of an entry, then the given facts, and then other facts about it.
func entryFacts(e manifest.Entry, more ...string) (f facts) {
	f.add(*e.Title != "", name(*e.Title))
	f = append(f, more...)
	for _, field := range manifest.Fields {
		fact := field.Describe(e, field.Fact, func(text string) string { return name(phrase.Clip(text, 80)) })
		f.add(fact != "", fact)
	}
	f.add(len(e.Scopes) > 0, "scopes "+name(strings.Join(e.Scopes, " ")))
	f.add(e.Meta != nil, "_meta "+name(string(e.Meta)))
	return f
}
