package cli

import (
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/breaking"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// common removes from each contract the parts that the other one cannot have. For a server that was not built with
// jptool, the contract has no questions, options or codes.
func common(w io.Writer, before, after side) (o, n *manifest.Server) {
	o, n = before.contract, after.contract
	dropped := false
	switch {
	case before.whole && !after.whole:
		o, n, dropped = listableParts(o, n)
	case after.whole && !before.whole:
		n, o, dropped = listableParts(n, o)
	}
	if before.source != after.source {
		note := ""
		if before.source {
			n, note = withoutAdded(n, o)
		} else {
			o, note = withoutAdded(o, n)
		}
		if note != "" {
			fmt.Fprintf(w, "jptoolgen: note: %s, because the contract of a package does not list them\n", note)
		}
	}
	switch {
	case before.unnamed:
		o = named(o, n)
	case after.unnamed:
		n = named(n, o)
	}
	if dropped {
		fmt.Fprintln(w, "jptoolgen: note: questions, options and codes are not compared, because one of the contracts was generated from a list of tools")
	}
	return o, n
}

// listableParts returns c without everything that a tools/list response cannot contain, and with the server attributes
// of other. It reports whether it removed anything. A contract states only once whether undeclared arguments are
// allowed, and its results have only declared members, but other SDKs state this in each schema. Therefore,
// listableParts also removes these statements from the schemas of both.
func listableParts(c, other *manifest.Server) (bare, listed *manifest.Server, dropped bool) {
	clone, list := *c, *other
	clone.Clients, clone.Unknown, clone.Envelope, clone.Codes = other.Clients, other.Unknown, other.Envelope, other.Codes
	clone.Toolsets, clone.Scopes = nil, nil
	clone.ListBudget, clone.Output, clone.Title, clone.Other = 0, other.Output, other.Title, other.Other
	clone.Tools, list.Tools = nil, slices.Clone(other.Tools)
	for _, t := range c.Tools {
		dropped = dropped || len(t.Questions)+len(t.Options)+len(t.Fails)+len(t.Aliases) > 0
		if also, ok := list.Tool(t.Name); ok {
			if c.Unknown == manifest.Reject {
				t.Input, also.Input = shape.Opened(t.Input, also.Input)
			}
			t.Output, also.Output = shape.Opened(t.Output, also.Output)
			t.Input, t.Output = sameSpelling(t.Input, also.Input), sameSpelling(t.Output, also.Output)
		}
		t.Meta = t.ListedMeta()
		t.Questions, t.Options, t.Shared, t.Fails, t.Aliases, t.Scopes = nil, nil, nil, nil, nil, nil
		for _, f := range manifest.Fields {
			if f.Member == "" {
				f.Clear(t.Entry())
			}
		}
		clone.Tools = append(clone.Tools, t)
	}
	list.Resources = target.WithoutInstances(other.Resources, c.Templates)
	asks := func(t *manifest.Tool) bool { return len(t.Questions)+len(t.Options)+len(t.Fails) > 0 }
	clone.Resources, clone.Templates, clone.Prompts = nil, nil, nil
	for _, r := range c.Resources {
		dropped = dropped || asks(r.AsTool())
		clone.Resources = append(clone.Resources, listableResource(r))
	}
	for _, r := range c.Templates {
		dropped = dropped || asks(r.AsTool())
		clone.Templates = append(clone.Templates, listableResource(r))
	}
	for _, p := range c.Prompts {
		dropped = dropped || asks(p.AsTool())
		clone.Prompts = append(clone.Prompts, manifest.Prompt{
			Name: p.Name, Title: p.Title, Description: p.Description, Icon: p.Icon, Meta: p.Meta, Other: p.Other,
			Arguments: p.Listed(),
		})
	}
	return &clone, &list, dropped || len(c.Codes) > 0
}

// sameSpelling returns other if both schemas mean the same but are written differently, and schema otherwise.
func sameSpelling(schema, other manifest.Schema) manifest.Schema {
	if breaking.Same(schema, other) {
		return other
	}
	return schema
}

// listableResource returns r without everything that MCP's lists cannot contain.
func listableResource(r manifest.Resource) manifest.Resource {
	return manifest.Resource{
		URI: r.URI, URITemplate: r.URITemplate, Name: r.Name, Title: r.Title, Description: r.Description,
		MIMEType: r.MIMEType, Icon: r.Icon, Meta: r.Meta, Other: r.Other,
	}
}

// withoutAdded returns the contract of a server without the resources and prompts that the program adds, which source,
// the contract of its package, does not contain. note says what is not compared, or is "".
func withoutAdded(c, source *manifest.Server) (bare *manifest.Server, note string) {
	clone, dropped := *c, 0
	resources := func(list, known []manifest.Resource) []manifest.Resource {
		return slices.DeleteFunc(slices.Clone(list), func(r manifest.Resource) bool {
			added := reflect.DeepEqual(r, listableResource(r)) && !slices.ContainsFunc(known, func(k manifest.Resource) bool {
				return k.URI == r.URI && k.URITemplate == r.URITemplate
			})
			if added {
				dropped++
			}
			return added
		})
	}
	clone.Resources, clone.Templates = resources(c.Resources, source.Resources), resources(c.Templates, source.Templates)
	clone.Prompts = slices.DeleteFunc(slices.Clone(c.Prompts), func(p manifest.Prompt) bool {
		added := p.Input == nil && !slices.ContainsFunc(source.Prompts, func(k manifest.Prompt) bool { return k.Name == p.Name })
		if added {
			dropped++
		}
		return added
	})
	switch {
	case dropped == 0:
		return c, ""
	case len(source.Resources)+len(source.Templates)+len(source.Prompts) == 0:
		return &clone, "resources and prompts are not compared"
	}
	return &clone, "the resources and prompts that a program adds are not compared"
}

// withoutLists returns c without resources or prompts.
func withoutLists(c *manifest.Server) *manifest.Server {
	bare := *c
	bare.Resources, bare.Templates, bare.Prompts = nil, nil, nil
	return &bare
}

// named returns a contract with the name of another one, and with the other words about the server if it has none.
func named(c, from *manifest.Server) *manifest.Server {
	clone := *c
	clone.Name = from.Name
	if c.Title == "" && c.Description == "" && c.Other == nil {
		clone.Title, clone.Description, clone.Other = from.Title, from.Description, from.Other
	}
	return &clone
}
