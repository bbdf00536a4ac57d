package manifest

import (
	"slices"
	"strings"

	"github.com/jptool/jptool/internal/rawjson"
)

// Calls returns the contracts of everything that can be called, read or got: the tools, and the resources, templates and
// prompts as tools.
func (s *Server) Calls() []*Tool {
	var all []*Tool
	for i := range s.Tools {
		all = append(all, &s.Tools[i])
	}
	for _, list := range [][]Resource{s.Resources, s.Templates} {
		for i := range list {
			all = append(all, list[i].AsTool())
		}
	}
	for i := range s.Prompts {
		all = append(all, s.Prompts[i].AsTool())
	}
	return all
}

// AsTool returns the contract of what reads r, as that of a tool: its arguments are the variables of the URI. A listed
// template has no schema of its variables, so the result accepts any. Reading changes no data.
func (r *Resource) AsTool() *Tool {
	return &Tool{
		Annotations: Annotations{ReadOnly: new(true)}, Toolset: r.Toolset, Scopes: r.Scopes,
		Name: r.Name, Title: r.Title, Description: r.Description, Icon: r.Icon, Meta: r.Meta, Input: inputOr(r.Input, nil),
		Files: r.Files, Questions: r.Questions, Options: r.Options, Shared: r.Shared, Fails: r.Fails,
	}
}

// Variables returns the schema of the variables of r, or nil for a resource with a URI. Those of a listed template are strings, and only those of
// the query are optional.
func (r *Resource) Variables() Schema {
	if r.Input != nil || r.URITemplate == "" {
		return r.Input
	}
	var properties, required []rawjson.Member
	for rest := r.URITemplate; ; {
		_, after, more := strings.Cut(rest, "{")
		inside, after, closed := strings.Cut(after, "}")
		if !more || !closed {
			break
		}
		names := strings.Split(strings.TrimLeft(inside, "+#./;?&"), ",")
		for _, name := range names {
			name, _, _ = strings.Cut(strings.TrimSuffix(name, "*"), ":")
			properties = append(properties, rawjson.Member{Name: name, Value: Schema(`{"type":"string"}`)})
			if !strings.HasPrefix(inside, "?") && !strings.HasPrefix(inside, "&") {
				required = append(required, rawjson.Member{Value: rawjson.Quote(name)})
			}
		}
		rest = after
	}
	return rawjson.Object([]rawjson.Member{
		{Name: "type", Value: rawjson.Quote("object")}, {Name: "properties", Value: rawjson.Object(properties)},
		{Name: "required", Value: rawjson.Array(required)}, {Name: "additionalProperties", Value: Schema("false")},
	})
}

// Listed returns the arguments of p as prompts/list contains them: those of a listed prompt, or else those that Input
// describes.
func (p *Prompt) Listed() []PromptArgument {
	if p.Input == nil {
		return p.Arguments
	}
	var all []PromptArgument
	required := rawjson.Parts(rawjson.Get(p.Input, "required"))
	for _, m := range rawjson.Parts(rawjson.Get(p.Input, "properties")) {
		all = append(all, PromptArgument{
			Name: m.Name, Description: rawjson.Text(rawjson.Get(m.Value, "description")),
			Required: slices.ContainsFunc(required, func(r rawjson.Member) bool { return rawjson.Text(r.Value) == m.Name }),
		})
	}
	return all
}

// AsTool returns the contract of what gets p, as that of a tool with the same arguments. Those of a listed prompt are
// strings.
func (p *Prompt) AsTool() *Tool {
	return &Tool{
		Annotations: Annotations{ReadOnly: new(true)}, Toolset: p.Toolset, Scopes: p.Scopes,
		Name: p.Name, Title: p.Title, Description: p.Description, Icon: p.Icon, Meta: p.Meta,
		Input: inputOr(p.Input, p.Arguments),
		Files: p.Files, Questions: p.Questions, Options: p.Options, Shared: p.Shared, Fails: p.Fails,
	}
}

// inputOr returns a schema of arguments, or else one with listed arguments.
func inputOr(input Schema, listed []PromptArgument) Schema {
	if input != nil {
		return input
	}
	properties, required := []rawjson.Member{}, []rawjson.Member{}
	for _, a := range listed {
		property := []rawjson.Member{{Name: "type", Value: rawjson.Quote("string")}}
		if a.Description != "" {
			property = append(property, rawjson.Member{Name: "description", Value: rawjson.Quote(a.Description)})
		}
		properties = append(properties, rawjson.Member{Name: a.Name, Value: rawjson.Object(property)})
		if a.Required {
			required = append(required, rawjson.Member{Value: rawjson.Quote(a.Name)})
		}
	}
	schema := []rawjson.Member{
		{Name: "type", Value: rawjson.Quote("object")}, {Name: "properties", Value: rawjson.Object(properties)},
	}
	if len(required) > 0 {
		schema = append(schema, rawjson.Member{Name: "required", Value: rawjson.Array(required)})
	}
	return rawjson.Object(schema)
}
