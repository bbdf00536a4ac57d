package web

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/caller"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/docgen"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A surface is the part of a server that the page shows.
type surface struct {
	Name        string `json:"name"`
	Version     string `json:"version"`
	Description string `json:"description"`
	Tools       []tool `json:"tools"`
	// Offers are the resources, the templates and the prompts as tools.
	Offers    []tool            `json:"offers"`
	Resources []peer.Resource   `json:"resources"`
	Prompts   []manifest.Prompt `json:"prompts"`
	Notes     []string          `json:"notes"`
	// Wires are the wire formats that a call may use, in addition to the default. OfferWires are those for offers.
	Wires      []string `json:"wires"`
	OfferWires []string `json:"offerWires"`
}

type tool struct {
	// Kind is "resource" or "prompt", or "" for a tool. Name is the URI or the URI template of a resource.
	Kind  string `json:"kind"`
	Name  string `json:"name"`
	Title string `json:"title"`
	// Summary is the first sentence of the description, and Description is the rest.
	Summary     string         `json:"summary"`
	Description string         `json:"description"`
	Hints       []string       `json:"hints"`
	Input       []field        `json:"input"`
	Raw         bool           `json:"raw"` // the only field of Input is the arguments object
	Options     []field        `json:"options"`
	Output      []field        `json:"output"`
	Questions   []questionInfo `json:"questions"`
	// Fails holds the codes of the tool, and Common the names of the codes that every call can return.
	Fails   []code       `json:"fails"`
	Common  []string     `json:"common"`
	Secrets []secretInfo `json:"secrets"`
}

// A secretInfo is an option that only an environment variable of the server can set.
type secretInfo struct {
	Name        string `json:"name"`
	Variable    string `json:"variable"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
}

// A field is a property of a schema, as a form or a table on the page shows it.
type field struct {
	Name        string         `json:"name"`
	Title       string         `json:"title"`
	Description string         `json:"description"`
	Type        string         `json:"type"` // a description in English, including the limits
	Input       string         `json:"input"`
	Required    bool           `json:"required"`
	Default     jsontext.Value `json:"default,omitempty"`
	Choices     []choice       `json:"choices"`
	Several     bool           `json:"several"`
}

type choice struct {
	Value jsontext.Value `json:"value"`
	Title string         `json:"title"`
}

type questionInfo struct {
	ID          string         `json:"id"`
	Kind        string         `json:"kind"`
	Default     jsontext.Value `json:"default,omitempty"`
	Description string         `json:"description"`
}

type code struct {
	Name    string `json:"name"`
	Meaning string `json:"meaning"`
}

// Surface returns the content of the page for a server as JSON.
func Surface(s *target.Surface) (json.RawMessage, error) {
	out := surface{
		Name: s.Contract.Name, Version: s.Server.Version, Description: s.Contract.Description, Tools: []tool{},
		Resources: append(append([]peer.Resource{}, s.Resources()...), s.Templates()...), Prompts: append([]manifest.Prompt{}, s.Contract.Prompts...),
		Notes:  append([]string{}, s.Notes...),
		Offers: []tool{}, OfferWires: caller.MCPWires(),
		Wires: slices.DeleteFunc(caller.Wires(), func(name string) bool { return caller.Wire(name).Runs() }),
	}
	meanings := map[string]string{}
	for _, c := range s.Contract.Codes {
		meanings[c.Name] = c.Description
	}
	c := s.Contract
	for _, t := range c.Tools {
		out.Tools = append(out.Tools, whole(s, toolOf(t), &t, meanings))
	}
	for _, r := range slices.Concat(c.Resources, c.Templates) {
		view := r.AsTool()
		if r.URITemplate != "" {
			view.Input = r.Variables()
		}
		one := toolOf(*view)
		one.Kind, one.Name, one.Hints = "resource", r.URI+r.URITemplate, offerHints(r.MIMEType, docgen.ResourceFacts(&r), r.Completes)
		out.Offers = append(out.Offers, whole(s, one, view, meanings))
	}
	for _, p := range c.Prompts {
		one := toolOf(*p.AsTool())
		one.Kind, one.Hints = "prompt", offerHints("", nil, p.Completes)
		out.Offers = append(out.Offers, whole(s, one, p.AsTool(), meanings))
	}
	return json.Marshal(out)
}

// offerHints returns the phrases that the page shows about a resource or a prompt.
func offerHints(mime string, facts, completes []string) []string {
	hints := []string{}
	if mime != "" {
		hints = append(hints, mime)
	}
	hints = append(hints, facts...)
	for _, name := range completes {
		hints = append(hints, "completes "+name)
	}
	return hints
}

// whole returns one with the secrets and the codes of t.
func whole(s *target.Surface, one tool, t *manifest.Tool, meanings map[string]string) tool {
	for _, p := range shape.Read(t.Options).Properties {
		if p.Secret {
			one.Secrets = append(one.Secrets, secretInfo{p.Name, t.Variable(s.Contract.Name, p.Name), p.Description, p.Required})
		}
	}
	for _, c := range fault.Common() {
		if s.Whole && !slices.Contains(t.Fails, string(c)) {
			one.Common = append(one.Common, string(c))
		}
	}
	var base []code
	for _, name := range t.Fails {
		if meaning, own := meanings[name]; own {
			one.Fails = append(one.Fails, code{name, meaning})
		} else {
			base = append(base, code{name, docgen.Meaning(name)})
		}
	}
	one.Fails = append(one.Fails, base...)
	return one
}

func toolOf(t manifest.Tool) tool {
	out := tool{
		Name: t.Name, Title: t.Title, Hints: append([]string{}, docgen.Hints(t.Annotations, hints)...), Input: fieldsOf(t.Input), Output: fieldsOf(t.Output),
		Questions: []questionInfo{}, Fails: []code{}, Common: []string{}, Secrets: []secretInfo{},
	}
	// A call cannot set secrets.
	out.Options = slices.DeleteFunc(fieldsOf(t.Options), func(f field) bool { return f.Input == "password" })
	if _, err := shape.Parse(t.Input); err != nil { // the schema may be too long, for example
		out.Raw, out.Input = true, []field{{Name: "arguments", Type: "object", Description: "The schema cannot be read: " + err.Error(), Input: "json", Choices: []choice{}}}
	}
	out.Summary, out.Description = phrase.SplitSentence(t.Description)
	for _, q := range t.Questions {
		out.Questions = append(out.Questions, questionInfo{q.ID, q.Kind, jsontext.Value(q.Default), q.Description})
	}
	return out
}

// hints holds the texts for the annotations of a tool; see [docgen.Hints].
var hints = [4][2]string{
	{"read-only", "makes changes"}, {"destructive", "not destructive"}, {"idempotent", "not idempotent"}, {"open world", "closed world"},
}

// fieldsOf returns the fields of an object schema.
func fieldsOf(schema manifest.Schema) []field { return formOf(shape.Read(schema)) }

func formOf(s shape.Schema) []field {
	list := []field{}
	for _, p := range s.Properties {
		list = append(list, fieldOf(p))
	}
	return list
}

func fieldOf(p shape.Property) field {
	f := field{
		Name: p.Name, Title: p.Title, Description: p.Description, Type: p.Kind(), Input: "json", Required: p.Required, Default: p.Default, Choices: []choice{},
	}
	for _, limit := range p.Limits.List() {
		f.Type += ", " + limit
	}
	kinds, choices := p.Kinds(), p.Choices
	is := func(kind string) bool { return len(kinds) == 1 && kinds[0] == kind }
	switch {
	case is("array") && p.Items != nil && len(p.Items.Choices) > 0:
		f.Several, choices = true, p.Items.Choices
	case is("boolean"):
		f.Input = "boolean"
		choices = []shape.Choice{{Value: jsontext.Value("true"), Label: "yes"}, {Value: jsontext.Value("false"), Label: "no"}}
	case p.Secret:
		f.Input = "password"
	case is("string") && (p.Format == "date" || p.Format == "email"):
		f.Input = p.Format
	case is("string"):
		f.Input = "text"
	}
	for _, c := range choices {
		f.Choices = append(f.Choices, choice{c.Value, cmp.Or(c.Label, shape.Word(c.Value))})
	}
	return f
}
