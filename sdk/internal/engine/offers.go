package engine

import (
	"cmp"
	"encoding/json"
	"io/fs"
	"log/slog"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/internal/uris"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// An offer is a resource, a template or a prompt of the contract.
type offer struct {
	tool      *handler.Tool
	view      *manifest.Tool     // the contract as that of a tool
	resource  *manifest.Resource // nil for a prompt
	prompt    *manifest.Prompt   // nil for a resource
	template  *uris.Template     // nil for a resource with a URI, and for a prompt
	arguments []manifest.PromptArgument
}

// offers are the resources, templates and prompts of a contract. A nil *offers has none.
type offers struct {
	static    map[string]*offer // keyed by URI
	prompt    map[string]*offer // keyed by name
	matching  []*offer          // the templates, in the order in which they are matched
	resources []*offer          // the resources with a URI, in the order of the contract
	templates []*offer
	prompts   []*offer
}

// readOffers returns the resources and prompts of the contract. A server without requests for them never calls it.
func (e *Engine) readOffers() *offers { return readOffers(e.Contract, e.Offered, e.Skills, e.Log) }

func readOffers(c *manifest.Server, handlers map[string]*handler.Tool, skills fs.FS, log *slog.Logger) *offers {
	all := &offers{static: map[string]*offer{}, prompt: map[string]*offer{}}
	for i := range c.Resources {
		r := &c.Resources[i]
		o := &offer{tool: handlers[r.Name], view: r.AsTool(), resource: r}
		all.resources = append(all.resources, o)
		all.static[r.URI] = o
	}
	for i := range c.Templates {
		r := &c.Templates[i]
		template, err := uris.Parse(r.URITemplate)
		if err != nil {
			log.Error("a URI template cannot be used", "template", r.URITemplate, "error", err)
			continue
		}
		all.templates = append(all.templates, &offer{
			tool: handlers[r.Name], view: r.AsTool(), resource: r, template: template,
		})
	}
	all.matching = slices.Clone(all.templates)
	slices.SortStableFunc(all.matching, func(a, b *offer) int {
		return cmp.Compare(b.template.Literals(), a.template.Literals())
	})
	for i := range c.Prompts {
		p := &c.Prompts[i]
		o := &offer{tool: handlers[p.Name], view: p.AsTool(), prompt: p, arguments: p.Listed()}
		all.prompts = append(all.prompts, o)
		all.prompt[p.Name] = o
	}
	all.addSkills(c, skills)
	return all
}

// offered returns the resources and prompts of the contract, or nil if there are none.
func (e *Engine) offered() *offers {
	if e.offers == nil {
		return nil
	}
	return e.offers()
}

func (o *offers) hasResources() bool { return o != nil && len(o.resources)+len(o.templates) > 0 }
func (o *offers) hasPrompts() bool   { return o != nil && len(o.prompts) > 0 }

// withOffers returns capabilities with those for the resources and prompts of the contract.
func (e *Engine) withOffers(caller handler.Caller, capabilities json.RawMessage) json.RawMessage {
	o := e.offered()
	if o == nil {
		return capabilities
	}
	members := rawjson.Parts(jsontext.Value(capabilities))
	add := func(has bool, name string) {
		if has && !slices.ContainsFunc(members, func(m rawjson.Member) bool { return m.Name == name }) {
			members = append(members, rawjson.Member{Name: name, Value: jsontext.Value("{}")})
		}
	}
	add(o.completes(), "completions")
	add(o.hasPrompts(), "prompts")
	add(o.hasResources(), "resources")
	if i := slices.IndexFunc(members, func(m rawjson.Member) bool { return m.Name == "resources" }); i >= 0 && e.Subscribes(caller) {
		members[i].Value = jsontext.Value(`{"listChanged":true,"subscribe":true}`)
	}
	return json.RawMessage(rawjson.Object(members))
}

// seesOffer reports whether the caller may see and use o.
func (r *Request) seesOffer(o *offer) bool { return r.session.engine.Trust.Sees(r.caller, o.view) }

// lookUp finds the resource or prompt that the request is about. If the server has none at all, it does not have the
// method either.
func (r *Request) lookUp() {
	o := r.session.engine.offered()
	switch {
	case r.method.needs(o):
		if r.method.find != nil {
			r.method.find(r)
		}
	case !r.extended:
		absent := *r.method
		absent.run, absent.runs, absent.counts = (*Request).refuse, false, false
		r.method = &absent
	}
}

// findPrompt sets the prompt that the request is about.
func (r *Request) findPrompt() {
	r.Offer = &handler.Offer{Kind: handler.Prompt}
	r.use(r.session.engine.offered().prompt[string(r.Message.Name)])
}

// findResource sets the resource that the request is about, and the variables of its URI.
func (r *Request) findResource() {
	uri, _ := rpc.Unquote(r.Message.URI)
	var read struct { // in one piece, because most requests read one resource with few variables
		offer  handler.Offer
		values [2]uris.Value
	}
	r.Offer, read.offer.Kind = &read.offer, handler.Resource
	if len(uri) > uris.MaxLength { // too long for an error
		return
	}
	r.Offer.URI = string(uri)
	o, values := r.session.engine.offered().at(r.session.engine.Trust, r.caller, r.Offer.URI, read.values[:0])
	r.use(o)
	r.Message.Arguments = setVariables(r.Offer, values)
}

// setVariables sets the values of the variables of a URI, and returns them as arguments.
func setVariables(offer *handler.Offer, values []uris.Value) json.RawMessage {
	if len(values) == 0 {
		return nil
	}
	offer.Values = values
	variables := append(make([]byte, 0, 2*len(offer.URI)+16*len(values)), '{')
	for i, v := range values {
		if i > 0 {
			variables = append(variables, ',')
		}
		variables, _ = jsontext.AppendQuote(variables, v.Variable) // values and names are UTF-8
		variables, _ = jsontext.AppendQuote(append(variables, ':'), v.Text)
	}
	return append(variables, '}')
}

// resourceAt returns the resource that the caller reads under a URI, with the values of the variables, or nil if there
// is none. A resource without variables comes first, then the template with the most characters outside variables.
func (e *Engine) resourceAt(caller handler.Caller, uri string) (o *offer, values []uris.Value) {
	return e.offered().at(e.Trust, caller, uri, nil)
}

// at is like [Engine.resourceAt], but appends the values to an empty slice.
func (all *offers) at(p *trust.Policy, caller handler.Caller, uri string, empty []uris.Value) (*offer, []uris.Value) {
	if all == nil {
		return nil, nil
	}
	if o := all.static[uri]; o != nil && p.Sees(caller, o.view) {
		return o, nil
	}
	for _, o := range all.matching {
		if values, ok := o.template.AppendMatch(empty, uri); ok && p.Sees(caller, o.view) {
			return o, values
		}
	}
	return nil, nil
}

// use makes o the subject of the request, if the caller may see it.
func (r *Request) use(o *offer) {
	if o == nil || !r.seesOffer(o) {
		return
	}
	r.tool, r.Contract = o.tool, o.view
	r.Offer.Resource, r.Offer.Prompt = o.resource, o.prompt
	if o.template != nil {
		r.Offer.Variable = o.template.Variables()[0]
	}
	r.Fresh.Private = r.cacheScope(false) == "private"
	if o.resource != nil {
		r.Fresh.TTL = o.resource.TTL
	}
	if !rpc.IsNull(r.Message.State) || !rpc.IsNull(r.Message.Responses) { // no cache knows the answers
		r.Fresh.TTL, r.Fresh.Private = 0, true
	}
}
