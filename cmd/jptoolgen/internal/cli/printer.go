package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/phrase"
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

// name returns a name or other text from a server, cleaned and on one line.
func name(text string) string { return terminal.Line(text, 200) }

// line adds a line, without trailing spaces.
func (s *printer) line(format string, args ...any) {
	s.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

// para adds an indented paragraph, if text is not blank.
func (s *printer) para(text, indent string) {
	const most = 8000 // descriptions from servers can be long
	text = phrase.Clip(text, most)
	if strings.TrimSpace(text) != "" {
		s.line("%s", s.page.Wrap(text, indent))
	}
}

// surface adds everything that a target offers. If one is set, it adds only the tools, without the facts about
// the server.
func (s *printer) surface(t *target.Surface, one bool) *printer {
	if !one {
		s.head(t)
	}
	for i := range t.Contract.Tools {
		if i > 0 || !one {
			s.line("")
		}
		s.tool(&t.Contract.Tools[i], t.Contract.Codes)
	}
	s.resources("Resources", t.Contract.Resources)
	s.resources("Resource templates", t.Contract.Templates)
	s.prompts(t.Contract.Prompts)
	return s
}

func (s *printer) head(t *target.Surface) {
	facts := []string{}
	if t.Server.Version != "" {
		facts = append(facts, name(t.Server.Version))
	}
	if t.Server.Protocol != "" {
		facts = append(facts, "MCP "+name(t.Server.Protocol))
	}
	facts = append(facts, count(len(t.Contract.Tools), "tool"))
	title := name(t.Contract.Name)
	title = cmp.Or(title, "(unnamed server)")
	s.line("%s  %s", s.page.Bold(title), s.page.Dim(strings.Join(facts, " · ")))
	s.para(t.Contract.Description, "")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (s *printer) tool(t *manifest.Tool, codes []manifest.Code) {
	facts := hints(t.Annotations)
	if t.Title != "" {
		facts = append([]string{name(t.Title)}, facts...)
	}
	if t.Mutates {
		facts = append(facts, "reports the state after a change")
	}
	if t.Files {
		facts = append(facts, "works with files")
	}
	if t.Budget > 0 {
		facts = append(facts, fmt.Sprintf("at most %d bytes", t.Budget))
	}
	if t.Version != "" {
		facts = append(facts, "version "+name(t.Version))
	}
	if t.Icon != "" {
		facts = append(facts, "icon "+name(phrase.Clip(t.Icon, 80)))
	}
	if t.Meta != nil {
		facts = append(facts, "_meta "+name(string(t.Meta)))
	}
	for _, a := range t.Aliases {
		facts = append(facts, "alias "+name(a.Name)+" until "+name(a.Until))
	}
	s.line("%s  %s", s.page.Bold(name(t.Name)), s.page.Dim(strings.Join(facts, " · ")))
	s.para(t.Description, "  ")
	s.schema("Parameters", t.Input)
	s.questions(t.Questions)
	s.schema("Options", t.Options)
	if len(t.Shared) > 0 {
		s.para("One value for all tools: "+strings.Join(t.Shared, ", "), "    ")
	}
	if len(t.Fails) > 0 {
		s.line("  %s", s.page.Dim("Fails with"))
		for _, code := range t.Fails {
			s.line("    %s", name(code))
			for _, c := range codes {
				if c.Name == code {
					s.para(c.Description, "      ")
				}
			}
		}
	}
	s.schema("Result", t.Output)
}

// hints describes the effects of a tool.
func hints(a manifest.Annotations) []string {
	var out []string
	if a.ReadOnly != nil && *a.ReadOnly {
		out = append(out, "read-only")
	}
	if a.Destructive != nil && *a.Destructive {
		out = append(out, "destructive")
	}
	if a.Idempotent != nil && *a.Idempotent {
		out = append(out, "idempotent")
	}
	if a.OpenWorld != nil && *a.OpenWorld {
		out = append(out, "open world")
	}
	return out
}

func (s *printer) schema(title string, schema manifest.Schema) {
	if schema == nil {
		return
	}
	object, err := shape.Parse(jsontext.Value(schema))
	if err != nil {
		s.line("  %s cannot be read: %s", title, terminal.Line(err.Error(), 200))
	}
	rows := object.Rows()
	const most = 200 // maximum number of rows per schema; more are too long to read
	for i, p := range rows {
		if i == 0 {
			s.line("  %s", s.page.Dim(title))
		}
		if i == most {
			s.line("    … and %d more", len(rows)-most)
			break
		}
		facts := []string{terminal.Line(p.Type(), 300)}
		if p.Required && title != "Result" {
			facts = append(facts, "required")
		}
		for _, limit := range p.Limits.List() {
			facts = append(facts, name(limit))
		}
		if p.Default != nil {
			facts = append(facts, "default "+name(string(p.Default)))
		}
		indent := strings.Repeat("  ", min(p.Depth, 8))
		s.line("    %s%s  %s", indent, name(p.Name), s.page.Dim(strings.Join(facts, " · ")))
		s.para(p.Description, "      "+indent)
	}
}

func (s *printer) questions(list []manifest.Question) {
	for i, q := range list {
		if i == 0 {
			s.line("  %s", s.page.Dim("Questions"))
		}
		schema := shape.Read(q.Schema)
		facts := []string{name(q.Kind)}
		if len(schema.Choices) > 0 {
			facts = append(facts, name(schema.Type()))
		}
		for _, bound := range schema.Limits.List() {
			facts = append(facts, name(bound))
		}
		if q.Default != nil {
			facts = append(facts, "default "+name(string(q.Default)))
		}
		if q.Exclusive != "" {
			facts = append(facts, "must be answered by a person")
		}
		if q.Subjects {
			facts = append(facts, "asked about each subject, one answer for all")
		}
		if q.PerSubject {
			facts = append(facts, "asked about each subject")
		}
		for _, a := range q.Arguments() {
			facts = append(facts, "relayed as "+name(a.Name))
		}
		s.line("    %s  %s", name(q.ID), s.page.Dim(strings.Join(facts, " · ")))
		s.para(q.Description, "      ")
		for _, p := range schema.Properties {
			s.line("      %s  %s", name(p.Name), s.page.Dim(name(p.Type())))
			s.para(p.Description, "        ")
		}
	}
}

func (s *printer) resources(title string, list []manifest.Resource) {
	for i, r := range list {
		if i == 0 {
			s.line("\n%s", s.page.Bold(title))
		}
		s.line("  %s  %s", name(r.URI+r.URITemplate), s.page.Dim(name(r.MIMEType)))
		s.para(r.Description, "    ")
	}
}

func (s *printer) prompts(list []manifest.Prompt) {
	for i, p := range list {
		if i == 0 {
			s.line("\n%s", s.page.Bold("Prompts"))
		}
		s.line("  %s", name(p.Name))
		s.para(p.Description, "    ")
		for _, a := range p.Arguments {
			required := ""
			if a.Required {
				required = "required"
			}
			s.line("    %s  %s", name(a.Name), s.page.Dim(required))
			s.para(a.Description, "      ")
		}
	}
}

// names adds a line for each tool: its name and the first line of its description.
func (s *printer) names(tools []manifest.Tool) *printer {
	widest := 0
	for _, t := range tools {
		widest = max(widest, min(len(name(t.Name)), 40))
	}
	for _, t := range tools {
		text := t.Description
		text = cmp.Or(text, t.Title)
		first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
		line := fmt.Sprintf("%-*s  %s", widest, name(t.Name), terminal.Line(first, max(s.page.Width-widest-2, 20)))
		s.line("%s", strings.TrimRight(line, " "))
	}
	return s
}
