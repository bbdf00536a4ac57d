package engine

import (
	"strconv"

	"github.com/jptool/jptool/internal/uris"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// get handles resources/read and prompts/get.
func (r *Request) get() {
	if err := r.invalid(); err != nil {
		r.fail(err)
		return
	}
	if r.Contract == nil {
		r.fail(r.Failure(r.missing()))
		return
	}
	r.serve()
}

// invalid returns an error for params that name neither a resource nor a prompt.
func (r *Request) invalid() *rpc.Error {
	if r.Message.Method == rpc.MethodPrompt {
		if r.Message.Name == nil {
			return rpc.Invalid(`"name" must be a string, the name of a prompt`)
		}
		return nil
	}
	uri, isString := rpc.Unquote(r.Message.URI)
	switch {
	case !isString:
		return rpc.Invalid(`"uri" must be a string, the URI of a resource`)
	case len(uri) > uris.MaxLength:
		return rpc.Invalid(`"uri" is longer than ` + strconv.Itoa(uris.MaxLength) + " bytes")
	}
	return nil
}

// missing returns the fault for a resource or prompt that does not exist, or that the caller may not see.
func (r *Request) missing() *fault.Error {
	if r.Offer.Kind == handler.Resource {
		return fault.New(fault.NotFound, "there is no resource %.200q", r.Offer.URI)
	}
	var names []string
	for _, o := range r.session.engine.offered().prompts {
		if r.seesOffer(o) {
			names = append(names, o.prompt.Name)
		}
	}
	return handler.Unknown(handler.Prompt, string(r.Message.Name), names)
}

// listOffers handles resources/list, resources/templates/list and prompts/list.
func (r *Request) listOffers() {
	page, err := r.page()
	if err == nil && !page.first {
		err = rpc.Invalid(`invalid "cursor"`)
	}
	if err != nil {
		r.fail(err)
		return
	}
	all, member := r.session.engine.offered(), ""
	var offers []*offer
	switch r.method.name {
	case rpc.MethodResources:
		member, offers = "resources", all.resources
	case rpc.MethodTemplates:
		member, offers = "resourceTemplates", all.templates
	case rpc.MethodPrompts:
		member, offers = "prompts", all.prompts
	}
	r.result(rpc.AppenderFunc(func(w *rpc.Writer) {
		r.Open(w, wires.Complete)
		w.Name(member).Begin('[')
		for _, o := range offers {
			if r.seesOffer(o) {
				o.append(w, r.Client)
			}
		}
		w.End(']')
		if r.Has(wires.Stateless) {
			wires.Freshness{Private: r.cacheScope(false) == "private"}.AppendTo(w)
		}
		r.Meta(w, r.session.engine.wires.Info, nil)
		w.End('}')
	}))
}

// append appends the entry of o in a list.
func (o *offer) append(w *rpc.Writer, c wires.Client) {
	var e manifest.Entry
	w.Begin('{')
	if o.resource != nil {
		e = o.resource.Entry()
		w.Member("uri", o.resource.URI)
		w.Member("uriTemplate", o.resource.URITemplate)
	} else {
		e = o.prompt.Entry()
	}
	w.Name("name").String(o.view.Name)
	if c.Has(wires.Structured) {
		w.Member("title", o.view.Title)
	}
	w.Member("description", o.view.Description)
	if o.resource != nil {
		w.Member("mimeType", o.resource.MIMEType)
	}
	if len(o.arguments) > 0 {
		w.Name("arguments").Begin('[')
		for _, a := range o.arguments {
			w.Begin('{').Name("name").String(a.Name)
			w.Member("description", a.Description)
			if a.Required {
				w.Name("required").Raw("true")
			}
			w.End('}')
		}
		w.End(']')
	}
	appendExtras(w, e, c)
	if o.view.Meta != nil && c.Has(wires.Structured) {
		w.Name("_meta").Bytes(o.view.Meta)
	}
	w.End('}')
}
