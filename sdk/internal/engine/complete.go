package engine

import (
	"encoding/json"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/internal/uris"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// completes reports whether the server completes an argument or a variable.
func (o *offers) completes() bool {
	if o == nil {
		return false
	}
	for _, list := range [][]*offer{o.prompts, o.templates} {
		for _, one := range list {
			for _, m := range rawjson.Parts(rawjson.Get(one.view.Input, "properties")) {
				if one.tool.Completer(m.Name) != nil || valuesOf(m.Value) != nil {
					return true
				}
			}
		}
	}
	return false
}

// findCompletion sets what completes the value.
func (r *Request) findCompletion() {
	var p struct {
		Ref struct {
			Type string `json:"type"`
			Name string `json:"name"`
			URI  string `json:"uri"`
		} `json:"ref"`
		Argument struct {
			Name  string  `json:"name"`
			Value *string `json:"value"`
		} `json:"argument"`
		Context struct {
			Arguments json.RawMessage `json:"arguments"`
		} `json:"context"`
	}
	if err := jsonv2.Unmarshal(r.Message.Params, &p); err != nil || p.Argument.Name == "" || p.Argument.Value == nil {
		r.unfit = rpc.Invalid(`"argument" must be an object with the strings "name" and "value", and "ref" the object of a prompt or a template`)
		return
	}
	all, o := r.session.engine.offered(), (*offer)(nil)
	r.Offer = &handler.Offer{Kind: handler.Prompt, Action: handler.Complete}
	switch p.Ref.Type {
	case "ref/prompt":
		o = all.prompt[p.Ref.Name]
		r.unfit = rpc.Invalid("there is no prompt " + quoteShort(p.Ref.Name))
	case "ref/resource":
		r.Offer.Kind = handler.Resource
		r.unfit = rpc.Invalid("there is no template " + quoteShort(p.Ref.URI))
		for _, t := range all.templates {
			if t.resource.URITemplate == p.Ref.URI {
				o = t
			}
		}
		if o == nil && len(p.Ref.URI) <= uris.MaxLength { // a URI of the template
			o, _ = r.session.engine.resourceAt(r.caller, p.Ref.URI)
		}
	default:
		r.unfit = rpc.Invalid(`the "type" of "ref" must be "ref/prompt" or "ref/resource"`)
	}
	if o == nil || !r.seesOffer(o) {
		return
	}
	r.use(o)
	schema := rawjson.Get(rawjson.Get(o.view.Input, "properties"), p.Argument.Name)
	if schema == nil {
		r.unfit = rpc.Invalid(quoteShort(o.view.Name) + " has no argument " + quoteShort(p.Argument.Name))
		return
	}
	if args := jsontext.Value(p.Context.Arguments); !rpc.IsNull(args) && args.Kind() != '{' {
		r.unfit = rpc.Invalid(`"arguments" in "context" must be an object`)
		return
	}
	r.unfit = nil
	if r.tool = o.tool.Completer(p.Argument.Name); r.tool == nil {
		known, _ := handler.Completions(tool.Completions{Values: startingWith(*p.Argument.Value, valuesOf(schema))})
		r.known = &known
		return
	}
	arguments := []rawjson.Member{{Name: "value", Value: rawjson.Quote(*p.Argument.Value)}}
	if !rpc.IsNull(jsontext.Value(p.Context.Arguments)) {
		arguments = append(arguments, rawjson.Member{Name: "arguments", Value: jsontext.Value(p.Context.Arguments)})
	}
	r.Message.Arguments = json.RawMessage(rawjson.Object(arguments))
}

// complete handles completion/complete.
func (r *Request) complete() {
	if r.unfit != nil {
		r.fail(r.unfit)
		return
	}
	r.serve()
}

// completeAround is like complete within the middleware that the program added, which may also complete what is not in
// the contract.
func (r *Request) completeAround() {
	switch {
	case r.Contract == nil:
		r.relay()
	case r.unfit != nil:
		r.fail(r.unfit)
	default:
		r.around(func(json.RawMessage) {})
	}
}

func quoteShort(text string) string { return strconv.Quote(phrase.Clip(text, rpc.MaxShown)) }

// valuesOf returns the values that a schema permits, if they are few.
func valuesOf(schema manifest.Schema) (values []string) {
	if rawjson.Text(rawjson.Get(schema, "type")) == "boolean" {
		return []string{"true", "false"}
	}
	add := func(v jsontext.Value) {
		if v.Kind() == '"' {
			values = append(values, rawjson.Text(v))
		} else if v.Kind() == '0' {
			values = append(values, string(v))
		}
	}
	for _, m := range rawjson.Parts(rawjson.Get(schema, "enum")) {
		add(m.Value)
	}
	for _, name := range []string{"oneOf", "anyOf"} {
		for _, m := range rawjson.Parts(rawjson.Get(schema, name)) {
			if one := rawjson.Get(m.Value, "const"); one != nil {
				add(one)
			}
			for _, each := range rawjson.Parts(rawjson.Get(m.Value, "enum")) {
				add(each.Value)
			}
		}
	}
	return values
}

// startingWith returns the values that start with a text, whatever their case.
func startingWith(text string, values []string) (found []string) {
	for _, v := range values {
		if strings.HasPrefix(strings.ToLower(v), strings.ToLower(text)) {
			found = append(found, v)
		}
	}
	return found
}
