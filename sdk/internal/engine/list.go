package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/jptool/jptool/sdk/internal/rpc"

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
func appendTool(w *rpc.Writer, t *manifest.Tool, input manifest.Schema, version string, outputs bool) {
	full := version >= structuredSince
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
	if version >= iconsSince && t.Icon != "" {
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

// list handles tools/list. The first page starts with the tools of the contract.
func (r *Request) list() {
	e := r.session.engine
	params, ok := rpc.Members(r.m.Params)
	if !ok {
		r.fail(rpc.Invalid("duplicate object member name"))
		return
	}
	meta, _ := rpc.Members(params["_meta"])
	cursor, isString := rpc.Unquote(params["cursor"])
	if !isString && !rpc.IsNull(params["cursor"]) {
		r.fail(rpc.Invalid(`"cursor" must be a string`))
		return
	}
	page := &listPage{r: r, first: len(cursor) == 0, contract: string(meta[metaContract]) == "true"}
	switch {
	case e.Extended():
		result, failure := r.extra(nil)
		if failure == nil && json.Unmarshal(result, page) != nil {
			failure = &rpc.Error{Code: rpc.CodeInternal, Message: "internal error: the list of tools cannot be read"}
		}
		if failure != nil {
			r.fail(failure)
			return
		}
	case !page.first:
		r.fail(rpc.Invalid(`invalid "cursor"`))
		return
	}
	r.result(page)
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
	w.Begin('{')
	if p.r.rounds() {
		w.Name("resultType").String(resultComplete)
	}
	w.Name("tools").Begin('[')
	if p.first {
		outputs := p.contract || e.Contract.Output == manifest.Always
		for _, t := range e.contracts {
			input := t.Input
			if e.relays && !p.r.canAsk() {
				input = t.InputForModels()
			}
			appendTool(w, t, input, p.r.version, outputs)
		}
	}
	for _, t := range p.Tools {
		if e.tools[rawjson.Text(rawjson.Get(jsontext.Value(t), "name"))] == nil { // otherwise, calls run the contract's tool
			w.Comma()
			w.Bytes(t)
		}
	}
	w.End(']')
	w.Member("nextCursor", p.NextCursor)
	w.Name("ttlMs").Raw("0")
	w.Name("cacheScope").String(p.r.session.cacheScope(e.relays))
	asked := p.first && p.contract
	if asked || p.r.rounds() {
		w.Name("_meta").Begin('{')
		if asked {
			w.Name(metaContract).Value(e.Contract)
		}
		if p.r.rounds() {
			w.Name(rpc.KeyServerInfo).Bytes(e.info)
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
