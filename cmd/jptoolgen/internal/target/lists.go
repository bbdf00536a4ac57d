package target

import (
	"context"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// lists adds the resources, the resource templates and the prompts of a server to its contract.
func (c *Conn) lists(ctx context.Context, s *Surface) error {
	resources, err := c.Resources(ctx)
	if err != nil {
		return err
	}
	templates, err := c.Templates(ctx)
	if err != nil {
		return err
	}
	prompts, err := c.Prompts(ctx)
	if err != nil {
		return err
	}
	if len(resources)+len(templates)+len(prompts) == 0 {
		return nil
	}
	s.AddLists(resources, templates, prompts)
	s.Contract.Hash, err = lock.Sum(s.Contract)
	return err
}

// AddLists adds resources, resource templates and prompts to the contract.
func (s *Surface) AddLists(resources, templates []peer.Resource, prompts []peer.Prompt) {
	s.Contract.Resources, s.Contract.Templates = listedResources(resources), listedResources(templates)
	s.Contract.Prompts = listedPrompts(prompts)
}

// listedResources returns resources or templates sorted by URI. If one is listed twice, it uses the first.
func listedResources(list []peer.Resource) []manifest.Resource {
	var all []manifest.Resource
	for _, r := range list {
		all = append(all, manifest.Resource{
			URI: r.URI, URITemplate: r.URITemplate, Name: r.Name, Title: r.Title, Description: r.Description,
			MIMEType: r.MIMEType, Other: r.Other,
		})
	}
	uri := func(r manifest.Resource) string { return r.URI + r.URITemplate }
	slices.SortStableFunc(all, func(a, b manifest.Resource) int { return strings.Compare(uri(a), uri(b)) })
	return slices.CompactFunc(all, func(a, b manifest.Resource) bool { return uri(a) == uri(b) })
}

func listedPrompts(list []peer.Prompt) []manifest.Prompt {
	var all []manifest.Prompt
	for _, p := range list {
		prompt := manifest.Prompt{Name: p.Name, Title: p.Title, Description: p.Description, Other: p.Other}
		for _, a := range p.Arguments {
			prompt.Arguments = append(prompt.Arguments, manifest.PromptArgument(a))
		}
		all = append(all, prompt)
	}
	slices.SortStableFunc(all, func(a, b manifest.Prompt) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(all, func(a, b manifest.Prompt) bool { return a.Name == b.Name })
}

// Resources returns the resources with MCP's member names. The result is never nil.
func (s *Surface) Resources() []peer.Resource { return listResources(s.Contract.Resources) }

// Templates returns the resource templates with MCP's member names. The result is never nil.
func (s *Surface) Templates() []peer.Resource { return listResources(s.Contract.Templates) }

func listResources(list []manifest.Resource) []peer.Resource {
	all := []peer.Resource{}
	for _, r := range list {
		all = append(all, peer.Resource{
			URI: r.URI, URITemplate: r.URITemplate, Name: r.Name, Title: r.Title, Description: r.Description,
			MIMEType: r.MIMEType, Other: r.Other,
		})
	}
	return all
}
