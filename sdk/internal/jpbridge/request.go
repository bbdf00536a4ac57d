// Package jpbridge speaks JP.
//
// It reads what a JP host says beside the arguments of a call, and writes what a
// tool answers as an Outcome (JP RFD D31).
package jpbridge

import (
	"bytes"
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/wire"
)

// Read returns r with what the _meta of a request says under the keys of computer.jp:
// answers, options, where the caller works, and what is granted there. Both keys
// are optional and independent; the arguments that a host repeats there are not
// looked at. A shape that JP does not send is an [fault.InvalidInput] that names the
// key, since a host that means something must not be misunderstood; so is any action
// but to run, which must have no effects.
func Read(meta []byte, r tool.Request) (tool.Request, error) {
	// Most requests hold nothing of JP's; a name can be hidden by an escape alone.
	if !bytes.Contains(meta, []byte("computer.jp")) && bytes.IndexByte(meta, '\\') < 0 {
		return r, nil
	}
	var keys struct {
		Tool    jsontext.Value `json:"computer.jp/tool"`
		Context jsontext.Value `json:"computer.jp/context"`
	}
	if err := jsonv2.Unmarshal(meta, &keys); err != nil {
		return r, fault.New(fault.InvalidInput, "_meta: expected an object with each name once")
	}
	t, err := wire.ReadTool(keys.Tool)
	if err != nil {
		return r, malformed(wire.MetaTool, err)
	}
	c, err := wire.ReadContextLoose(keys.Context)
	if err != nil {
		return r, malformed(wire.MetaContext, err)
	}
	if c.Action != "" && c.Action != wire.ActionRun {
		return r, fault.New(fault.InvalidInput, "_meta %q: a tool on this server can only be run, not %.40q", wire.MetaContext, string(c.Action))
	}
	add(t, c, &r)
	return r, nil
}

// add puts what a host said beside the arguments into r.
func add(t wire.Tool, c wire.Context, r *tool.Request) {
	if len(t.Answers) > 0 {
		r.Answers = make(map[string]elicit.Answer, len(t.Answers))
		for id, content := range t.Answers {
			r.Answers[id] = elicit.Answer{Content: content}
		}
	}
	if len(t.Options) > 0 {
		r.Options = append(r.Options[:len(r.Options):len(r.Options)], json.RawMessage(t.Options))
	}
	if c.Root != "" {
		r.Root = c.Root
	}
	r.WorkspaceID, r.ConversationID = c.WorkspaceID, c.ConversationID
	r.Access = policy(c.Access)
}

func malformed(key string, err error) error {
	return fault.Wrap(err, fault.InvalidInput, "_meta %q: %s", key, err)
}
