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

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// Read returns what the _meta of a request says under the keys of computer.jp: answers,
// options, where the caller works, and what is granted there; nil for nothing. Both keys
// are optional and independent; the arguments that a host repeats there are not
// looked at. A shape that JP does not send is an [fault.InvalidInput] that names the
// key, since a host that means something must not be misunderstood; so is any action
// but to run, which must have no effects.
func Read(meta []byte) (*trust.Said, error) {
	// Most requests hold nothing of JP's; a name can be hidden by an escape alone.
	if !bytes.Contains(meta, []byte("computer.jp")) && bytes.IndexByte(meta, '\\') < 0 {
		return nil, nil
	}
	var keys struct {
		Tool    jsontext.Value `json:"computer.jp/tool"`
		Context jsontext.Value `json:"computer.jp/context"`
	}
	if err := jsonv2.Unmarshal(meta, &keys); err != nil {
		return nil, fault.New(fault.InvalidInput, "_meta: expected an object with each name once")
	}
	if keys.Tool == nil && keys.Context == nil {
		return nil, nil
	}
	t, err := wire.ReadTool(keys.Tool)
	if err != nil {
		return nil, malformed(wire.MetaTool, err)
	}
	c, err := wire.ReadContextLoose(keys.Context)
	if err != nil {
		return nil, malformed(wire.MetaContext, err)
	}
	if c.Action != "" && c.Action != wire.ActionRun {
		return nil, fault.New(fault.InvalidInput, "_meta %q: a tool on this server can only be run, not %.40q", wire.MetaContext, string(c.Action))
	}
	return said(t, c), nil
}

// said returns what a host said beside the arguments.
func said(t wire.Tool, c wire.Context) *trust.Said {
	s := &trust.Said{
		Options: json.RawMessage(t.Options), Root: c.Root, Access: policy(c.Access),
		WorkspaceID: c.WorkspaceID, ConversationID: c.ConversationID,
	}
	if len(t.Answers) > 0 {
		s.Answers = make(map[string]json.RawMessage, len(t.Answers))
		for id, content := range t.Answers {
			s.Answers[id] = json.RawMessage(content)
		}
	}
	return s
}

func malformed(key string, err error) error {
	return fault.Wrap(err, fault.InvalidInput, "_meta %q: %s", key, err)
}
