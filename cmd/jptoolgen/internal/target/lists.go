package target

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/internal/uris"
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
	if c := s.Contract; len(resources)+len(templates)+len(prompts)+len(c.Resources)+len(c.Templates)+len(c.Prompts) == 0 {
		return nil
	}
	s.AddLists(resources, templates, prompts)
	s.Contract.Hash, err = lock.Sum(s.Contract)
	return err
}

// AddLists restricts the resources, resource templates and prompts of the contract to those in lists, and adds those
// that only the lists contain.
func (s *Surface) AddLists(resources, templates []peer.Resource, prompts []peer.Prompt) {
	c := s.Contract
	uri := func(r *manifest.Resource) string { return r.URI + r.URITemplate }
	same := func(a, b *manifest.Resource) bool {
		return a.Name == b.Name && a.Description == b.Description && a.MIMEType == b.MIMEType
	}
	c.Templates = merge(s, c.Templates, listedResources(templates), uri, same)
	c.Resources = merge(s, c.Resources, WithoutInstances(listedResources(resources), c.Templates), uri, same)
	c.Prompts = merge(s, c.Prompts, listedPrompts(prompts), func(p *manifest.Prompt) string { return p.Name },
		func(a, b *manifest.Prompt) bool { return a.Description == b.Description })
}

// merge returns the listed entries in order. For each of them that is in the contract as listed, it returns that of the
// contract, which says more.
func merge[T any](s *Surface, known, listed []T, key func(*T) string, same func(a, b *T) bool) []T {
	for i := range listed {
		at := &listed[i]
		switch j := slices.IndexFunc(known, func(e T) bool { return key(&e) == key(at) }); {
		case j < 0:
		case same(&known[j], at):
			*at = known[j]
		default:
			s.Notes = append(s.Notes, fmt.Sprintf("%.60q differs between the contract that the server sent and the list; the list is used", key(at)))
		}
	}
	return listed
}

// WithoutInstances returns the listed resources that are not instances of a template that lists them.
func WithoutInstances(listed, templates []manifest.Resource) []manifest.Resource {
	var all []*uris.Template
	for _, t := range templates {
		if template, err := uris.Parse(t.URITemplate); err == nil && t.Lists {
			all = append(all, template)
		}
	}
	return slices.DeleteFunc(slices.Clone(listed), func(r manifest.Resource) bool {
		return slices.ContainsFunc(all, func(t *uris.Template) bool {
			_, ok := t.Match(r.URI)
			return ok
		})
	})
}

// listedResources returns resources or templates sorted by URI. If one is listed twice, it uses the first.
func listedResources(list []peer.Resource) []manifest.Resource {
	var all []manifest.Resource
	for _, r := range list {
		resource := manifest.Resource{
			URI: r.URI, URITemplate: r.URITemplate, Name: r.Name, Title: r.Title, Description: r.Description, MIMEType: r.MIMEType,
		}
		resource.Meta, resource.Other = extras(resource.Entry(), r.Other)
		all = append(all, resource)
	}
	uri := func(r manifest.Resource) string { return r.URI + r.URITemplate }
	slices.SortStableFunc(all, func(a, b manifest.Resource) int { return strings.Compare(uri(a), uri(b)) })
	return slices.CompactFunc(all, func(a, b manifest.Resource) bool { return uri(a) == uri(b) })
}

func listedPrompts(list []peer.Prompt) []manifest.Prompt {
	var all []manifest.Prompt
	for _, p := range list {
		prompt := manifest.Prompt{Name: p.Name, Title: p.Title, Description: p.Description}
		prompt.Meta, prompt.Other = extras(prompt.Entry(), p.Other)
		for _, a := range p.Arguments {
			prompt.Arguments = append(prompt.Arguments, manifest.PromptArgument(a))
		}
		all = append(all, prompt)
	}
	slices.SortStableFunc(all, func(a, b manifest.Prompt) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(all, func(a, b manifest.Prompt) bool { return a.Name == b.Name })
}

// extras moves members of a listed entry to the fields that hold them. It returns the _meta and the remaining members.
func extras(e manifest.Entry, members jsontext.Value) (meta, others manifest.Schema) {
	var known []string
	for _, f := range manifest.Fields {
		if f.IsExtra() && f.ReadListed(e, rawjson.Get(members, f.Member)) {
			known = append(known, f.Member)
		}
	}
	if m := rawjson.Get(members, "_meta"); m.Kind() == '{' {
		meta = peer.Others(m)
		known = append(known, "_meta")
	}
	return meta, peer.Others(members, known...)
}

// Lists holds the resources, the templates and the prompts of a server as it lists them.
type Lists struct {
	Resources, Templates []peer.Resource
	Prompts              []peer.Prompt
}

// Lists returns what a target lists, including the resources of templates. For a file, it returns what the contract says.
func (o Opener) Lists(ctx context.Context, t *Target) (l Lists, err error) {
	if s, err := t.saved(); s != nil || err != nil {
		if err == nil {
			l = Lists{s.Resources(), s.Templates(), s.Prompts()}
		}
		return l, err
	}
	c, err := o.Connect(ctx, t)
	if err != nil {
		return l, err
	}
	var failed [3]error
	l.Resources, failed[0] = c.Resources(ctx)
	l.Templates, failed[1] = c.Templates(ctx)
	l.Prompts, failed[2] = c.Prompts(ctx)
	return l, errors.Join(c.Explain(errors.Join(failed[:]...)), c.Close())
}

// Resources returns the resources with MCP's member names. The result is never nil.
func (s *Surface) Resources() []peer.Resource { return listResources(s.Contract.Resources) }

// Templates returns the resource templates with MCP's member names. The result is never nil.
func (s *Surface) Templates() []peer.Resource { return listResources(s.Contract.Templates) }

// Prompts returns the prompts with MCP's member names. The result is never nil.
func (s *Surface) Prompts() []peer.Prompt {
	all := []peer.Prompt{}
	for _, p := range s.Contract.Prompts {
		prompt := peer.Prompt{Name: p.Name, Title: p.Title, Description: p.Description}
		for _, a := range p.Listed() {
			prompt.Arguments = append(prompt.Arguments, peer.PromptArgument(a))
		}
		all = append(all, prompt)
	}
	return all
}

func listResources(list []manifest.Resource) []peer.Resource {
	all := []peer.Resource{}
	for _, r := range list {
		all = append(all, peer.Resource{
			URI: r.URI, URITemplate: r.URITemplate, Name: r.Name, Title: r.Title, Description: r.Description, MIMEType: r.MIMEType,
		})
	}
	return all
}

// Find returns the resource or template of a contract that a word names: by its name, its URI or its template, or the
// template that the word is an instance of. It returns nil if there is none.
func Find(c *manifest.Server, word string) *manifest.Resource {
	all := slices.Concat(c.Resources, c.Templates)
	for _, key := range []func(*manifest.Resource) string{
		func(r *manifest.Resource) string { return r.URI + r.URITemplate }, func(r *manifest.Resource) string { return r.Name },
	} {
		if i := slices.IndexFunc(all, func(r manifest.Resource) bool { return key(&r) == word }); i >= 0 {
			return &all[i]
		}
	}
	var found *manifest.Resource
	literals := -1
	for i := range all {
		template, err := uris.Parse(all[i].URITemplate)
		if err != nil || all[i].URITemplate == "" || template.Literals() <= literals {
			continue
		}
		if _, ok := template.Match(word); ok {
			found, literals = &all[i], template.Literals()
		}
	}
	return found
}
