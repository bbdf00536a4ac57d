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
	"github.com/jptool/jptool/sdk/jp/wire"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
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
	if c.Has(wires.Icons) && t.Icon != "" {
		w.Name("icons").Raw(`[{"src":`).String(t.Icon)
		w.Raw("}]")
	}
	if full && (t.Version != "" || t.Budget > 0 || t.Meta != nil) {
		w.Name("_meta").Begin('{')
		if t.Budget > 0 {
			w.Name(metaBudget).Value(t.Budget)
		}
		w.Member(wire.MetaVersion, t.Version)
		for _, m := range rawjson.Parts(t.Meta) {
			w.Name(m.Name).Bytes(m.Value)
		}
		w.End('}')
	}
	w.End('}')
}

// hints appends the declared annotations of a tool, except those that a client assumes anyway (MCP
// 2025-11-25, ToolAnnotations). They include the title in versions whose tools have no title.
func hints(w *rpc.Writer, t *manifest.Tool, full bool) {
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

// listAll is like list, but adds the tools that the program registered itself.
func (r *Request) listAll() {
	page, err := r.page()
	if err == nil {
		var result json.RawMessage
		if result, err = r.delegate(&r.span, nil); err == nil && json.Unmarshal(result, page) != nil {
			err = &rpc.Error{Code: rpc.CodeInternal, Message: "internal error: the list of tools cannot be read"}
		}
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
	return &listPage{r: r, first: len(cursor) == 0, contract: string(meta[metaContract]) == "true"}, nil
}

// A listPage is the result of tools/list.
type listPage struct {
	r               *Request
	first, contract bool
	// The program registered these tools itself.
	Tools      []json.RawMessage `json:"tools"`
	NextCursor string            `json:"nextCursor"`
}

func (p *listPage) AppendTo(w *rpc.Writer) {
	e := p.r.session.engine
	p.r.Open(w, wires.Complete)
	w.Name("tools").Begin('[')
	if p.first {
		outputs := p.contract || e.Contract.Output == manifest.Always
		for t := range p.r.session.tools {
			appendTool(w, t, p.r.Input(t), p.r.Client, outputs)
		}
	}
	for _, t := range p.Tools {
		name := rawjson.Text(rawjson.Get(jsontext.Value(t), "name"))
		if p.r.session.tool(name) == nil { // otherwise, calls run the contract's tool
			w.Comma()
			w.Bytes(t)
		}
	}
	w.End(']')
	w.Member("nextCursor", p.NextCursor)
	w.Name("ttlMs").Raw("0")
	w.Name("cacheScope").String(p.r.session.cacheScope(e.wires.Varies()))
	var own func(*rpc.Writer)
	if p.first && p.contract {
		own = func(w *rpc.Writer) { w.Name(metaContract).Value(e.Contract) }
	}
	p.r.Meta(w, e.wires.Info, own)
	w.End('}')
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
