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
	"github.com/jptool/jptool/sdk/jp/wire"
)

const (
	// metaContract is the _meta key that requests the whole contract, with the questions, options
	// and codes that tools/list omits, in a request for the first page.
	metaContract = "computer.jp/contract"
	// metaBudget is the _meta key for the maximum size of a tool's results. Claude Code reads it.
	metaBudget = "anthropic/maxResultSizeChars"
)

// appendTool appends a tool with the given schema of its arguments, and with its output schema if
// outputs is set.
func appendTool(w *Writer, t *manifest.Tool, input manifest.Schema, version string, outputs bool) {
	full := version >= structuredSince
	w.Begin('{')
	w.Name("name").String(t.Name)
	if full {
		member(w, "title", t.Title)
	}
	w.Name("description").String(t.Description)
	w.Name("inputSchema").Bytes(input)
	if full && outputs && t.Output != nil {
		w.Name("outputSchema").Bytes(t.Output)
	}
	hints(w, t, full)
	if version >= iconsSince && t.Icon != "" {
		w.Name("icons").Raw(`[{"src":`).String(t.Icon)
		w.Raw("}]")
	}
	if full && (t.Version != "" || t.Budget > 0 || t.Meta != nil) {
		w.Name("_meta").Begin('{')
		if t.Budget > 0 {
			w.Name(metaBudget).Value(t.Budget)
		}
		member(w, wire.MetaVersion, t.Version)
		for _, m := range rawjson.Parts(t.Meta) {
			w.Name(m.Name).Bytes(m.Value)
		}
		w.End('}')
	}
	w.End('}')
}

// hints appends the declared annotations of a tool, except those that a client assumes anyway (MCP
// 2025-11-25, ToolAnnotations). They include the title in versions whose tools have no title.
func hints(w *Writer, t *manifest.Tool, full bool) {
	a := &t.Annotations
	type hint struct {
		name  string
		value *bool
		usual bool // what clients assume
	}
	declared := slices.DeleteFunc([]hint{
		{"readOnlyHint", a.ReadOnly, false}, {"destructiveHint", a.Destructive, true},
		{"idempotentHint", a.Idempotent, false}, {"openWorldHint", a.OpenWorld, true},
	}, func(h hint) bool { return h.value == nil || *h.value == h.usual })
	titled := !full && t.Title != ""
	if len(declared) == 0 && !titled {
		return
	}
	w.Name("annotations").Begin('{')
	if titled {
		w.Name("title").String(t.Title)
	}
	for _, h := range declared {
		w.Name(h.name).Raw(strconv.FormatBool(*h.value))
	}
	w.End('}')
}

// list handles tools/list. The first page starts with the tools of the contract.
func (r *Request) list() {
	e := r.session.engine
	params, ok := members(r.m.Params)
	if !ok {
		r.fail(invalid("duplicate object member name"))
		return
	}
	meta, _ := members(params["_meta"])
	cursor, isString := unquote(params["cursor"])
	if !isString && !isNull(params["cursor"]) {
		r.fail(invalid(`"cursor" must be a string`))
		return
	}
	page := &listPage{r: r, first: len(cursor) == 0, contract: string(meta[metaContract]) == "true"}
	switch {
	case e.Extended():
		call := &ExtraCall{Method: r.method, Params: json.RawMessage(r.m.Params)}
		if page.first {
			call.Tools = r.entries("")
		}
		result, failure := r.delegate(call)
		if failure == nil && json.Unmarshal(result, page) != nil {
			failure = &Error{Code: CodeInternal, Message: "internal error: the list of tools cannot be read"}
		}
		if failure != nil {
			r.fail(failure)
			return
		}
	case !page.first:
		r.fail(invalid(`invalid "cursor"`))
		return
	}
	r.result(page)
}

// A listPage is the result of tools/list.
type listPage struct {
	r               *Request
	first, contract bool
	// Tools is nil unless the program has added anything. Its middleware may have changed the contract's tools.
	Tools      []json.RawMessage `json:"tools"`
	NextCursor string            `json:"nextCursor"`
}

// names returns the names of the tools.
func (p *listPage) names() []string {
	names := make([]string, len(p.Tools))
	for i, t := range p.Tools {
		names[i] = rawjson.Text(rawjson.Get(jsontext.Value(t), "name"))
	}
	return names
}

// entries returns the entries of the contract's tools, or of one of them, in a list for this client.
func (r *Request) entries(only string) []json.RawMessage {
	meta, _ := members(jsontext.Value(r.m.meta))
	all := []json.RawMessage{}
	for _, t := range r.session.engine.contracts {
		if only != "" && t.Name != only {
			continue
		}
		w := NewWriter(nil)
		r.appendEntry(w, t, string(meta[metaContract]) == "true")
		all = append(all, slices.Clone(w.buf))
		w.Free()
	}
	return all
}

// appendEntry appends the entry of a tool. whole is set if the client asked for the contract.
func (r *Request) appendEntry(w *Writer, t *manifest.Tool, whole bool) {
	e, input := r.session.engine, t.Input
	if e.relays && !r.canAsk() {
		input = t.InputForModels()
	}
	appendTool(w, t, input, r.version, whole || e.Contract.Output == manifest.Always)
}

func (p *listPage) AppendTo(w *Writer) {
	e := p.r.session.engine
	w.Begin('{')
	if p.r.rounds() {
		w.Name("resultType").String(resultComplete)
	}
	w.Name("tools").Begin('[')
	if p.first && !e.Extended() {
		for _, t := range e.contracts {
			p.r.appendEntry(w, t, p.contract)
		}
	}
	names := p.names()
	for i, t := range p.Tools {
		if e.tools[names[i]] == nil || p.first && slices.Index(names, names[i]) == i { // calls run the contract's tool
			w.Comma()
			w.Bytes(t)
		}
	}
	w.End(']')
	member(w, "nextCursor", p.NextCursor)
	w.Name("ttlMs").Raw("0")
	w.Name("cacheScope").String(p.r.session.cacheScope(e.relays))
	asked := p.first && p.contract
	if asked || p.r.rounds() {
		w.Name("_meta").Begin('{')
		if asked {
			contract := e.Contract
			if e.Extended() { // without the tools that middleware hides
				listed := *contract
				listed.Tools = slices.DeleteFunc(slices.Clone(contract.Tools), func(t manifest.Tool) bool { return !slices.Contains(names, t.Name) })
				contract = &listed
			}
			w.Name(metaContract).Value(contract)
		}
		if p.r.rounds() {
			w.Name(keyServerInfo).Bytes(e.info)
		}
		w.End('}')
	}
	w.End('}')
}

// A HeaderParam is a tool argument that HTTP requests repeat in a header, so that proxies need not
// parse the body (MCP 2026-07-28, Streamable HTTP, custom headers from tool parameters).
type HeaderParam struct {
	Path   []string // of the argument
	Header string   // the name after "Mcp-Param-"
}

// HeaderParams returns the arguments of a tool that headers repeat.
func (e *Engine) HeaderParams(ctx context.Context, tool string) []HeaderParam {
	if t, ok := e.tools[tool]; ok {
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
	object, _ := members(schema) // a schema may be a boolean
	if header, _ := unquote(object["x-mcp-header"]); len(header) > 0 {
		list = append(list, HeaderParam{path, string(header)})
	}
	properties, _ := members(object["properties"])
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		list = appendHeaderParams(list, append(slices.Clone(path), name), properties[name])
	}
	return list
}
