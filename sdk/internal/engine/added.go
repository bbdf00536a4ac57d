package engine

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/rpc"
)

// sees reports whether the caller may see something that the program added.
func (r *Request) sees(added *manifest.Tool) bool {
	return r.session.engine.Trust.SeesAdded(r.caller, added)
}

// addedView returns the contract of a resource or a prompt that the program added, for decisions about who sees it. They
// belong to no toolset. Resources are read by URI, so names do not select them.
func addedView(prompt string) *manifest.Tool {
	return &manifest.Tool{Name: prompt, Annotations: manifest.Annotations{ReadOnly: new(true)}}
}

// addedLists maps methods of resources and prompts that the program added to the member of their result with a list, or
// to "" if the result has none.
var addedLists = map[string]string{
	"prompts/list": "prompts", "resources/list": "resources", "resources/templates/list": "resourceTemplates",
	rpc.MethodPrompt: "", rpc.MethodRead: "", rpc.MethodSubscribe: "", "completion/complete": "",
}

// hidesAdded reports whether the request uses a resource or a prompt that the program added and that the caller may not
// see.
func (r *Request) hidesAdded() bool {
	if list, known := addedLists[r.Message.Method]; !known || list != "" {
		return false
	}
	name := ""
	switch ref, _ := rpc.Members(r.Message.Params); r.Message.Method {
	case rpc.MethodPrompt:
		name = string(r.Message.Name)
	case "completion/complete":
		name = rawjson.Text(rawjson.Get(ref["ref"], "name"))
	}
	return !r.sees(addedView(name))
}

// withoutHidden returns the result of a list without what the caller may not see.
func (r *Request) withoutHidden(result json.RawMessage) json.RawMessage {
	list := addedLists[r.Message.Method]
	if list == "" {
		return result
	}
	visible := []rawjson.Member{}
	items := rawjson.Get(jsontext.Value(result), list)
	var all []jsontext.Value
	if json.Unmarshal(items, &all) != nil {
		return result
	}
	for _, item := range all {
		name := ""
		if list == "prompts" {
			name = rawjson.Text(rawjson.Get(item, "name"))
		}
		if r.sees(addedView(name)) {
			visible = append(visible, rawjson.Member{Value: item})
		}
	}
	if len(visible) == len(all) {
		return result
	}
	return json.RawMessage(rawjson.Replace(jsontext.Value(result), list, rawjson.Array(visible)))
}
