// Package docgen writes the reference for a server in Markdown.
package docgen

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
)

// Markdown returns the reference for a server: all tools, parameters, questions, options and error codes, with an
// example call to each tool. The anchors of headings depend only on names: "tool-note_get",
// "tool-note_get-question-confirm", "code-conflict". Equal contracts give the same text. Markdown returns an error
// for an invalid schema.
func Markdown(s *manifest.Server) ([]byte, error) {
	w := &writer{server: s}
	w.para("# %s", plain(s.Name))
	w.paraIf(s.Description != "", "%s", plain(s.Description))
	w.tools()
	for _, t := range s.Tools {
		if err := w.tool(t); err != nil {
			return nil, fmt.Errorf("tool %s: %w", t.Name, err)
		}
	}
	w.codes()
	err := errors.Join(
		w.resources("resources", "Resources", s.Resources), w.resources("resource-templates", "Resource templates", s.Templates),
		w.prompts(),
	)
	if err != nil {
		return nil, err
	}
	return append(bytes.TrimRight(w.b.Bytes(), "\n"), '\n'), nil
}

type writer struct {
	b      bytes.Buffer
	server *manifest.Server
}

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(&w.b, format+"\n", args...)
}

// table starts a table.
func (w *writer) table(header string) {
	w.line("%s\n|%s", header, strings.Repeat(" --- |", strings.Count(header, "|")-1))
}

// para adds a paragraph on one line.
func (w *writer) para(format string, args ...any) { w.line(format+"\n", args...) }

// paraIf adds a paragraph if applies is set.
func (w *writer) paraIf(applies bool, format string, args ...any) {
	if applies {
		w.para(format, args...)
	}
}

func (w *writer) heading(level int, anchor, text string) {
	w.para(`<a id="%s"></a>`, anchor)
	w.para("%s %s", strings.Repeat("#", level), text)
}

func (w *writer) tools() {
	if len(w.server.Tools) == 0 {
		w.para("The server has no tools.")
		return
	}
	w.access()
	w.table("| tool | description | questions |")
	for _, t := range w.server.Tools {
		var asks []string
		for _, q := range t.Questions {
			asks = append(asks, fmt.Sprintf("[%s](#%s)", plain(q.ID), questionAnchor(toolAnchor(t), q)))
		}
		w.line("| [%s](#%s) | %s | %s |", code(t.Name), toolAnchor(t), cell(phrase.FirstSentence(t.Description)), strings.Join(asks, ", "))
	}
	w.line("")
}

func (w *writer) tool(t manifest.Tool) error {
	w.heading(2, toolAnchor(t), code(t.Name))
	w.paraIf(t.Title != "", "**%s**", plain(t.Title))
	w.paraIf(t.Description != "", "%s", plain(t.Description))
	if all := Hints(t.Annotations, hints); len(all) > 0 {
		w.para("It %s.", join(all))
	}
	w.properties(t)
	object, err := shape.Parse(jsontext.Value(t.Input))
	if err != nil {
		return err
	}
	if len(object.Rows()) == 0 {
		w.para("It takes no parameters.")
	} else {
		w.rows("parameter", object)
	}
	w.example(t, object.Properties)
	if err := w.result(t); err != nil {
		return err
	}
	return w.call(toolAnchor(t), 3, t)
}

// rows adds a table of the properties of an object.
func (w *writer) rows(kind string, object shape.Schema) {
	for i, p := range object.Rows() {
		if i == 0 {
			w.table("| " + kind + " | type | | meaning |")
		}
		w.line("| %s | %s | %s | %s |", code(p.Path), cell(p.Kind()), presence(p), meaning(p))
	}
	if len(object.Properties) > 0 {
		w.line("")
	}
}

// call adds the questions, options and codes of a tool, or of a resource or prompt as a tool. anchor is that of its
// heading, and level is that of the headings to add.
func (w *writer) call(anchor string, level int, t manifest.Tool) error {
	w.questions(anchor, level, t)
	if err := w.options(anchor, level, t); err != nil {
		return err
	}
	if len(t.Fails) > 0 {
		var codes []string
		for _, c := range t.Fails {
			codes = append(codes, fmt.Sprintf("[%s](#%s)", code(c), codeAnchor(c)))
		}
		w.para("It can fail with %s, in addition to the codes that every tool can return.", join(codes))
	}
	return nil
}

func (w *writer) example(t manifest.Tool, input []shape.Property) {
	w.line("```json")
	w.line("%s", terminal.Escape(fmt.Sprintf(`{"name": %s, "arguments": %s}`, quote(t.Name), example(input))))
	w.para("```")
}

func (w *writer) result(t manifest.Tool) error {
	output, err := shape.Parse(jsontext.Value(t.Output))
	if err != nil || len(output.Properties) == 0 {
		return err
	}
	w.table("| result | type | | meaning |")
	for _, p := range output.Rows() {
		always := ""
		if p.Required {
			always = "always"
		}
		w.line("| %s | %s | %s | %s |", code(p.Path), cell(p.Kind()), always, meaning(p))
	}
	w.line("")
	return nil
}

func (w *writer) questions(anchor string, level int, t manifest.Tool) {
	for _, q := range t.Questions {
		w.heading(level, questionAnchor(anchor, q), "Question "+code(q.ID))
		w.para("%s", plain(q.Description))
		answer := "Answer: " + cmp.Or(question.Kind(q.Kind).Traits().Answer, plain(q.Kind))
		schema := shape.Read(jsontext.Value(q.Schema))
		for _, limit := range schema.Limits.List() {
			answer += ", " + plain(limit)
		}
		add := func(applies bool, format string, args ...any) {
			if applies {
				answer += "; " + fmt.Sprintf(format, args...)
			}
		}
		add(len(q.Default) > 0, "if the user cannot be asked, the answer is the default, %s", code(string(q.Default)))
		add(q.Exclusive != "", "only a person may answer")
		add(q.Subjects, "asked separately for each subject, with an id that consists of %s and the subject; an answer to %s applies to all subjects", code(q.ID+"-"), code(q.ID))
		add(q.PerSubject, "asked separately for each subject, with an id that consists of %s and the subject", code(q.ID+"-"))
		for i, a := range q.Arguments() {
			answer += []string{"; if the client cannot ask, a model may ask its user and send the answer as ", ", "}[min(i, 1)] + code(a.Name)
		}
		w.para("%s.", answer)
		w.rows("field", schema)
		if len(q.Answers) > 0 {
			w.table("| answer | meaning |")
			for _, a := range q.Answers {
				w.line("| %s | %s |", code(a.Value), cell(a.Description))
			}
			w.line("")
		}
	}
}

func (w *writer) options(anchor string, level int, t manifest.Tool) error {
	options, err := shape.Parse(jsontext.Value(t.Options))
	if err != nil || len(options.Properties) == 0 {
		return err
	}
	w.heading(level, anchor+"-options", "Options")
	w.table("| option | type | | meaning | variable |")
	for _, p := range options.Rows() {
		variable := ""
		if p.Depth == 0 {
			variable = code(t.Variable(w.server.Name, p.Name))
		}
		kind := p.Kind()
		if p.Secret {
			kind = "secret"
		}
		w.line("| %s | %s | %s | %s | %s |", code(p.Path), cell(kind), presence(p), meaning(p), variable)
	}
	w.line("")
	open := slices.DeleteFunc(options.Properties, func(p shape.Property) bool { return p.Secret })
	if len(open) > 0 {
		w.line("Set an option with %s, with the environment variable, or in JP's configuration.", code("--option "+t.Flag(open[0].Name)+"=VALUE"))
	}
	for _, name := range t.Shared {
		w.line("%s has the same value for all tools that use it.", code(name))
	}
	if len(manifest.Secrets(t.Options)) > 0 {
		w.line("A secret can be set only with its environment variable.")
	}
	w.line("")
	return nil
}

func toolAnchor(t manifest.Tool) string { return "tool-" + anchor(t.Name) }

// questionAnchor returns the anchor of a question of the tool, resource or prompt with the given anchor.
func questionAnchor(of string, q manifest.Question) string { return of + "-question-" + anchor(q.ID) }

func codeAnchor(c string) string { return "code-" + anchor(c) }

var noAnchor = lazyregexp.New(`[^\pL\pN_-]+`)

func anchor(name string) string { return noAnchor().ReplaceAllString(phrase.Visible(name), "-") }

func presence(p shape.Row) string {
	switch {
	case p.Required:
		return "required"
	case p.Default != nil:
		return "default " + code(string(p.Default))
	}
	return "optional"
}

// meaning returns the description, the values and the limits of a property for a table cell.
func meaning(p shape.Row) string {
	parts := []string{}
	if d := cell(p.Description); d != "" {
		parts = append(parts, d)
	}
	if values := p.Values(); len(values) > 0 {
		for i, v := range values {
			values[i] = code(v)
		}
		parts = append(parts, "One of "+strings.Join(values, ", ")+".")
	}
	if limits := p.Limits.List(); len(limits) > 0 {
		text := cell(strings.Join(limits, ", "))
		parts = append(parts, strings.ToUpper(text[:1])+text[1:]+".")
	}
	return strings.Join(parts, " ")
}

var hints = [4][2]string{
	{"is read-only", "may change data"},
	{"may destroy existing data", "does not destroy existing data"},
	{"has no further effect when repeated", "may have a further effect when repeated"},
	{"may use external systems", "does not use external systems"},
}

// Hints describes the annotations of a tool. texts holds the texts for the values true and false of readOnly,
// destructive, idempotent and openWorld. Hints leaves out empty texts, and annotations that the tool does not set.
func Hints(a manifest.Annotations, texts [4][2]string) []string {
	var all []string
	for i, set := range []*bool{a.ReadOnly, a.Destructive, a.Idempotent, a.OpenWorld} {
		if set == nil {
			continue
		}
		text := texts[i][1]
		if *set {
			text = texts[i][0]
		}
		if text != "" {
			all = append(all, text)
		}
	}
	return all
}

func join(parts []string) string {
	if n := len(parts); n > 1 {
		return strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
	return parts[0]
}

// properties describes the properties of a tool that its schemas do not contain, such as its version and its
// former names.
func (w *writer) properties(t manifest.Tool) {
	w.entry(t.Entry(), "the list of tools")
	w.paraIf(t.Task.Mode != "", "%s", Tasks(t.Task))
	var names []string
	for _, a := range t.Aliases {
		names = append(names, fmt.Sprintf("%s until %s", code(a.Name), plain(a.Until)))
	}
	if len(names) > 0 {
		w.para("Its former names still work: %s.", join(names))
	}
}
