package engine

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// An offerPage is a page of a list of resources, templates or prompts. A page has entries of one source: the contract,
// the lister of a template, the files of a directory, or what the program added.
type offerPage struct {
	entries []json.RawMessage
	next    *place // where the next page begins; nil if there is none
}

// A place is where a page begins.
type place struct {
	source   string // the name of the template, or a constant below
	position string // of the source
}

const (
	fromContract = ""  // the entries of the contract
	fromProgram  = "+" // what the program added; no template has this name
)

// listOffers handles resources/list, resources/templates/list and prompts/list.
func (r *Request) listOffers() {
	at, err := r.place()
	var page offerPage
	if err == nil {
		page, err = r.contractPage(at)
	}
	r.answerPage(page, err)
}

// listOffersAround is like listOffers, but adds what the program added, and passes all entries through its middleware.
func (r *Request) listOffersAround() {
	if !r.method.needs(r.session.engine.offered()) {
		r.relay()
		return
	}
	at, err := r.place()
	var page offerPage
	c, params := &ExtraCall{Method: r.method.name}, []rawjson.Member{}
	if err == nil && at.source != fromProgram {
		if page, err = r.contractPage(at); err == nil {
			c.Entries, c.Alone = slices.Concat([]json.RawMessage{}, page.entries), page.next != nil
		}
	} else {
		params = append(params, rawjson.Member{Name: "cursor", Value: rawjson.Quote(at.position)})
	}
	if r.Message.Meta != nil {
		params = append(params, rawjson.Member{Name: "_meta", Value: jsontext.Value(r.Message.Meta)})
	}
	if c.Params = json.RawMessage(rawjson.Object(params)); err == nil {
		var result json.RawMessage
		if result, err = r.delegate(&r.span, c); err == nil {
			page.merge(r, result)
		}
	}
	r.answerPage(page, err)
}

// merge replaces the entries of a page with those of a list of go-sdk's server, which begins with them.
func (p *offerPage) merge(r *Request, list json.RawMessage) {
	own := map[string]bool{} // the entries of the contract that are on this page
	for _, e := range p.entries {
		own[r.keyOf(e)] = true
	}
	p.entries = nil
	for _, m := range rawjson.Parts(rawjson.Get(jsontext.Value(list), addedLists[r.method.name])) {
		key := r.keyOf(json.RawMessage(m.Value))
		first, ours := own[key]
		switch {
		case ours && first:
			own[key] = false
		case ours || r.isOwn(key) || !r.sees(addedView(rawjson.Text(rawjson.Get(m.Value, "name")))):
			continue // the contract serves it, or the caller may not see it
		}
		p.entries = append(p.entries, json.RawMessage(m.Value))
	}
	if cursor := rawjson.Text(rawjson.Get(jsontext.Value(list), "nextCursor")); cursor != "" {
		p.next = &place{fromProgram, cursor}
	}
}

// keyOf returns what identifies an entry of the list.
func (r *Request) keyOf(entry json.RawMessage) string {
	name := map[string]string{rpc.MethodResources: "uri", rpc.MethodTemplates: "uriTemplate", rpc.MethodPrompts: "name"}
	return rawjson.Text(rawjson.Get(jsontext.Value(entry), name[r.method.name]))
}

// isOwn reports whether the contract serves what a key of the list identifies.
func (r *Request) isOwn(key string) bool {
	e := r.session.engine
	switch all := e.offered(); r.method.name {
	case rpc.MethodPrompts:
		return all.prompt[key] != nil
	case rpc.MethodTemplates:
		return slices.ContainsFunc(all.templates, func(o *offer) bool { return o.resource.URITemplate == key })
	}
	o, _ := e.resourceAt(r.caller, key)
	return o != nil
}

// answerPage answers with a page.
func (r *Request) answerPage(p offerPage, err *rpc.Error) {
	if err != nil {
		r.fail(err)
		return
	}
	r.result(rpc.AppenderFunc(func(w *rpc.Writer) {
		r.Open(w, wires.Complete)
		w.Name(addedLists[r.method.name]).Begin('[')
		for _, e := range p.entries {
			w.Comma()
			w.Bytes(e)
		}
		w.End(']')
		if p.next != nil {
			w.Name("nextCursor").String(r.seal(*p.next))
		}
		if r.Has(wires.Stateless) {
			wires.Freshness{Private: r.cacheScope(false) == "private"}.AppendTo(w)
		}
		r.Meta(w, r.session.engine.wires.Info, nil)
		w.End('}')
	}))
}

// place returns where the requested page begins.
func (r *Request) place() (at place, _ *rpc.Error) {
	page, err := r.page()
	if err != nil || page.cursor == "" {
		return at, err
	}
	text := []byte(page.cursor)
	if cursors := r.session.engine.Rules.Cursors; cursors != nil {
		var bad error
		if text, bad = cursors().OpenMark(page.cursor, r.cursorPurpose()); bad != nil {
			return at, errCursor
		}
	}
	source, position, ok := bytes.Cut(text, []byte{0})
	if !ok {
		return at, errCursor
	}
	return place{string(source), string(position)}, nil
}

var errCursor = rpc.Invalid(`invalid "cursor"`)

// seal returns the cursor for a place. It is bound to the method and the caller.
func (r *Request) seal(at place) string {
	text := at.source + "\x00" + at.position
	if cursors := r.session.engine.Rules.Cursors; cursors != nil {
		return cursors().Mark([]byte(text), r.cursorPurpose())
	}
	return text
}

func (r *Request) cursorPurpose() []byte {
	return []byte(strings.Join([]string{"jptool list cursor 1", r.session.engine.Rules.Server, r.method.name, r.caller.Subject}, "\x00"))
}

// contractPage returns the page of the contract that begins at a place.
func (r *Request) contractPage(at place) (p offerPage, err *rpc.Error) {
	all := r.session.engine.offered()
	sources := map[string][]*offer{
		rpc.MethodResources: all.resources, rpc.MethodTemplates: all.templates, rpc.MethodPrompts: all.prompts,
	}
	var listers []*offer // the templates whose resources are in the list
	for _, o := range all.templates {
		if r.method.name == rpc.MethodResources && (o.resource.Directory || o.tool.Lister() != nil) && r.mayRun(o) {
			listers = append(listers, o)
		}
	}
	next := 0
	if at.source == fromContract {
		for _, o := range sources[r.method.name] {
			if r.seesOffer(o) {
				// Encoding cannot fail: the entry has only strings.
				text, _ := rpc.Encoded(rpc.AppenderFunc(func(w *rpc.Writer) { o.append(w, r.Client) }))
				p.entries = append(p.entries, text)
			}
		}
	} else if next = slices.IndexFunc(listers, func(o *offer) bool { return o.view.Name == at.source }); next < 0 {
		return p, errCursor
	}
	for ; next < len(listers) && len(p.entries) == 0; next++ {
		if p, err = r.listed(listers[next], at.position); err != nil || p.next != nil {
			return p, err
		}
		at.position = ""
	}
	if next < len(listers) {
		p.next = &place{listers[next].view.Name, ""}
	}
	return p, nil
}

// mayRun reports whether the caller may see o and has the scopes that it needs.
func (r *Request) mayRun(o *offer) bool {
	return r.seesOffer(o) && r.session.engine.Trust.Needs(r.caller, o.view) == nil
}

// listed returns a page of the resources of a template.
func (r *Request) listed(o *offer, position string) (p offerPage, _ *rpc.Error) {
	r.tool, r.Contract, r.Message.Arguments = o.tool.Lister(), o.view, nil
	r.Offer = &handler.Offer{Kind: handler.Resource, Action: handler.List, Resource: o.resource}
	name := ""
	if o.resource.Directory {
		r.tool, r.Offer.Variable, r.Offer.After = o.tool, o.template.Variables()[0], position
		name, position = r.Offer.Variable, ""
	} else if name = r.tool.CursorName(); position == "" {
		name = ""
	}
	if name != "" {
		r.Message.Arguments = json.RawMessage(rawjson.Object([]rawjson.Member{{Name: name, Value: rawjson.Quote(position)}}))
	}
	out := new(wires.Outcome)
	if err := r.run(&r.span, out); err != nil {
		return p, err
	}
	list := jsontext.Value(out.Result.Structured)
	for _, m := range rawjson.Parts(rawjson.Get(list, "items")) {
		if entry := r.listedEntry(o, m.Value); entry != nil {
			p.entries = append(p.entries, entry)
		}
	}
	if next := rawjson.Text(rawjson.Get(list, "next_cursor")); next != "" {
		p.next = &place{o.view.Name, next}
	}
	return p, nil
}

// listedEntry returns the entry of a resource that a lister returned, or nil if nothing could read it.
func (r *Request) listedEntry(o *offer, item jsontext.Value) json.RawMessage {
	uri, err := handler.Expand(o.template, rawjson.Get(item, "variables"))
	if _, ok := o.template.Match(uri); err != nil || !ok {
		r.session.engine.Log.Warn("a listed resource has no URI that could be read", "resource", o.view.Name)
		return nil
	}
	get := func(name string) string { return rawjson.Text(rawjson.Get(item, name)) }
	text, _ := rpc.Encoded(rpc.AppenderFunc(func(w *rpc.Writer) { // cannot fail: it has only strings and JSON
		w.Begin('{').Name("uri").String(uri)
		w.Name("name").String(get("name"))
		if r.Has(wires.Structured) {
			w.Member("title", get("title"))
		}
		w.Member("description", get("description"))
		mime := get("mimeType")
		if mime == "" {
			mime = o.resource.MIMEType
		}
		w.Member("mimeType", mime)
		for _, name := range []string{"size", "annotations"} {
			if v := rawjson.Get(item, name); v != nil {
				if name == "annotations" && !r.Has(wires.LastModified) {
					v = rawjson.Object(slices.DeleteFunc(rawjson.Parts(v), func(m rawjson.Member) bool { return m.Name == "lastModified" }))
				}
				if string(v) != "{}" {
					w.Name(name).Bytes(v)
				}
			}
		}
		w.End('}')
	}))
	return text
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
	name := o.view.Name
	if o.resource != nil {
		name = o.resource.Name // the view of a file of a skill has another
	}
	w.Name("name").String(name)
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
			if c.Has(wires.Structured) {
				w.Member("title", rawjson.Text(rawjson.Get(rawjson.Get(rawjson.Get(o.view.Input, "properties"), a.Name), "title")))
			}
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
