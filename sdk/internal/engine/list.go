package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// metaContract is the _meta key that requests the whole contract, with the questions, options
// and codes that tools/list omits, in a request for the first page.
const metaContract = "computer.jp/contract"

// appendTool appends a tool with the given schema of its arguments, and with its output schema if
// outputs is set.
func appendTool(w *rpc.Writer, t *manifest.Tool, input manifest.Schema, c wires.Client, outputs bool) {
	full := c.Has(wires.Structured)
	w.Begin('{')
	w.Name("name").String(t.Name)
	if full {
		w.Member("title", t.Title)
	}
	w.Name("description").String(t.Description)
	w.Name("inputSchema").Bytes(input)
	if full && outputs && t.Output != nil {
		w.Name("outputSchema").Bytes(t.Output)
	}
	hints(w, t, full)
	appendExtras(w, t.Entry(), c)
	if meta := t.ListedMeta(); full && meta != nil {
		w.Name("_meta").Bytes(meta)
	}
	w.End('}')
}

// appendExtras appends the members of an entry that the version of the client has, such as its icons.
func appendExtras(w *rpc.Writer, e manifest.Entry, c wires.Client) {
	for i := range manifest.Fields {
		if f := &manifest.Fields[i]; f.IsExtra() && c.Has(wires.Feature(f.Since)) && f.Value(e) != nil {
			w.Name(f.Member).Bytes(f.Listed(e))
		}
	}
}

// hints appends the declared annotations of a tool, except those that a client assumes anyway (MCP
// 2025-11-25, ToolAnnotations). They include the title in versions whose tools have no title.
func hints(w *rpc.Writer, t *manifest.Tool, full bool) {
	begun := false
	member := func(name string) *rpc.Writer {
		if !begun {
			begun = true
			w.Name("annotations").Begin('{')
		}
		return w.Name(name)
	}
	if !full && t.Title != "" {
		member("title").String(t.Title)
	}
	for _, h := range manifest.Hints {
		if v := h.Value(&t.Annotations); v != h.Usual {
			member(h.Member).Raw(strconv.FormatBool(v))
		}
	}
	if begun {
		w.End('}')
	}
}

// list handles tools/list. The only page contains the tools of the contract.
func (r *Request) list() {
	page, err := r.page()
	if err == nil && !page.first {
		err = rpc.Invalid(`invalid "cursor"`)
	}
	if err != nil {
		r.fail(err)
		return
	}
	r.result(page)
}

// listAll is like list, but adds the tools that the program registered itself, and passes all of them through its
// middleware.
func (r *Request) listAll() {
	page, err := r.page()
	if err == nil {
		c := &ExtraCall{Method: r.Message.Method, Params: json.RawMessage(r.Message.Params)}
		if page.added = true; page.first {
			c.Entries = r.entries("")
		}
		var result json.RawMessage
		if result, err = r.delegate(&r.span, c); err == nil && json.Unmarshal(result, page) != nil {
			err = &rpc.Error{Code: rpc.CodeInternal, Message: "internal error: the list of tools cannot be read"}
		}
		page.dropHidden()
	}
	if err != nil {
		r.fail(err)
		return
	}
	r.result(page)
}

// page returns the requested page. The first page starts with the tools of the contract.
func (r *Request) page() (*listPage, *rpc.Error) {
	params, ok := rpc.Members(r.Message.Params)
	if !ok {
		return nil, rpc.Invalid("duplicate object member name")
	}
	meta, _ := rpc.Members(params["_meta"])
	cursor, isString := rpc.Unquote(params["cursor"])
	if !isString && !rpc.IsNull(params["cursor"]) {
		return nil, rpc.Invalid(`"cursor" must be a string`)
	}
	return &listPage{r: r, cursor: string(cursor), first: len(cursor) == 0, contract: string(meta[metaContract]) == "true"}, nil
}

// A listPage is the result of tools/list.
type listPage struct {
	r               *Request
	cursor          string
	first, contract bool
	// added is set if Tools replaces the tools of the contract, which middleware may have changed.
	added      bool
	Tools      []json.RawMessage `json:"tools"`
	NextCursor string            `json:"nextCursor"`
}

// dropHidden removes the tools that the program added and that the caller may not see.
func (p *listPage) dropHidden() {
	p.Tools = slices.DeleteFunc(p.Tools, func(text json.RawMessage) bool {
		var t ExtraTool
		return json.Unmarshal(text, &t) == nil && p.r.visibleTool(t.Name) == nil && !p.r.sees(t.contract())
	})
}

// names returns the names of the tools.
func (p *listPage) names() []string {
	names := make([]string, len(p.Tools))
	for i, t := range p.Tools {
		names[i] = rawjson.Text(rawjson.Get(jsontext.Value(t), "name"))
	}
	return names
}

// A listed tool is the entry of a tool of the contract. whole is set if the client asked for the contract.
type listed struct {
	r     *Request
	tool  *manifest.Tool
	whole bool
}

func (l listed) AppendTo(w *rpc.Writer) {
	outputs := l.whole || l.r.session.engine.Contract.Output == manifest.Always
	appendTool(w, l.tool, l.r.Input(l.tool), l.r.Client, outputs)
}

// entries returns the entries of the contract's tools, or of one of them, in a list for this client.
func (r *Request) entries(only string) []json.RawMessage {
	meta, _ := rpc.Members(jsontext.Value(r.Message.Meta))
	whole := string(meta[metaContract]) == "true"
	all := []json.RawMessage{}
	for t := range r.tools {
		if only != "" && t.Name != only {
			continue
		}
		if entry, err := rpc.Encoded(listed{r, t, whole}); err == nil {
			all = append(all, entry)
		}
	}
	return all
}

func (p *listPage) AppendTo(w *rpc.Writer) {
	e := p.r.session.engine
	p.r.Open(w, wires.Complete)
	w.Name("tools").Begin('[')
	if p.first && !p.added {
		for t := range p.r.tools {
			listed{p.r, t, p.contract}.AppendTo(w)
		}
	}
	names := p.names()
	for i, t := range p.Tools {
		// Calls run the contract's tool rather than one of the program with the same name.
		if p.r.visibleTool(names[i]) == nil || p.first && slices.Index(names, names[i]) == i {
			w.Comma()
			w.Bytes(t)
		}
	}
	w.End(']')
	w.Member("nextCursor", p.NextCursor)
	w.Name("ttlMs").Raw("0")
	w.Name("cacheScope").String(p.r.cacheScope(e.wires.Varies()))
	var own func(*rpc.Writer)
	if p.first && p.contract {
		contract := p.r.contract()
		if p.added { // without the tools that middleware hides
			contract.Tools = slices.DeleteFunc(contract.Tools, func(t manifest.Tool) bool { return !slices.Contains(names, t.Name) })
		}
		own = func(w *rpc.Writer) { w.Name(metaContract).Value(contract) }
	}
	p.r.Meta(w, e.wires.Info, own)
	w.End('}')
}

// contract returns the part of the server's contract that the caller may see.
func (r *Request) contract() *manifest.Server {
	e := r.session.engine
	part := *e.Contract
	hides := func(t *manifest.Tool) bool { return !e.Trust.Sees(r.caller, t) }
	hidesResource := func(r manifest.Resource) bool { return hides(r.AsTool()) }
	part.Tools = slices.DeleteFunc(slices.Clone(part.Tools), func(t manifest.Tool) bool { return hides(&t) })
	part.Resources = slices.DeleteFunc(slices.Clone(part.Resources), hidesResource)
	part.Templates = slices.DeleteFunc(slices.Clone(part.Templates), hidesResource)
	part.Prompts = slices.DeleteFunc(slices.Clone(part.Prompts), func(p manifest.Prompt) bool { return hides(p.AsTool()) })
	return &part
}

// A HeaderParam is a tool argument that HTTP requests repeat in a header, so that proxies need not
// parse the body (MCP 2026-07-28, Streamable HTTP, custom headers from tool parameters).
type HeaderParam struct {
	Path   []string // of the argument
	Header string   // the name after "Mcp-Param-"
}

// HeaderParams returns the arguments of a tool that headers repeat.
func (e *Engine) HeaderParams(ctx context.Context, caller handler.Caller, tool string) []HeaderParam {
	if t, ok := e.tools[tool]; ok && e.Trust.Sees(caller, t.Contract) {
		return t.headers
	}
	if x := e.extras(); x != nil {
		for _, other := range x.Tools(ctx) {
			if other.Name == tool {
				return headerParams(other.Input)
			}
		}
	}
	return nil
}

func headerParams(schema json.RawMessage) []HeaderParam {
	if !bytes.Contains(schema, []byte("x-mcp-header")) {
		return nil
	}
	return appendHeaderParams(nil, nil, jsontext.Value(schema))
}

func appendHeaderParams(list []HeaderParam, path []string, schema jsontext.Value) []HeaderParam {
	object, _ := rpc.Members(schema) // a schema may be a boolean
	if header, _ := rpc.Unquote(object["x-mcp-header"]); len(header) > 0 {
		list = append(list, HeaderParam{path, string(header)})
	}
	properties, _ := rpc.Members(object["properties"])
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		list = appendHeaderParams(list, append(slices.Clone(path), name), properties[name])
	}
	return list
}
