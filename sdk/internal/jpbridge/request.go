// Package jpbridge speaks JP.
//
// It reads what a JP host says beside the arguments of a call, and writes what a
// tool answers as an Outcome (JP RFD D31) or as content blocks (JP RFD 058).
package jpbridge

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// Documents are what JP tells a local tool: in the command that is configured for
// it, {{tool}} and {{context}} stand for one each. A nil one was not given.
type Documents struct {
	// Tool is {"name", "arguments", "answers", "options"}.
	Tool jsontext.Value `json:"tool"`
	// Context is {"action", "root", "access", "workspace_id", "conversation_id"}.
	Context jsontext.Value `json:"context"`
}

// ReadDocuments reads both documents out of one object {"tool":…,"context":…},
// either of which may be missing. Anything else is an error.
func ReadDocuments(data []byte) (Documents, error) {
	var d Documents
	if data = bytes.TrimSpace(data); len(data) == 0 {
		return d, errors.New(`expected an object {"tool":…,"context":…}, got nothing`)
	}
	if err := jsonv2.Unmarshal(data, &d); err != nil || data[0] != '{' {
		return Documents{}, errors.New(`expected one object {"tool":…,"context":…} without duplicate names`)
	}
	return d, nil
}

// A Call is what documents say: what to do, with which arguments, and what the host
// says beside them.
type Call struct {
	Action    wire.Action
	Arguments json.RawMessage
	Said      *trust.Said
}

// Read returns what the documents say. Every field may be missing, and so may a document;
// a missing action is to run. A shape that JP does not send is an [fault.InvalidInput]
// that names the field. The name of the tool is not looked at: JP sends its own name for
// it. An action that is not [wire.Action.Known] is returned as it is, and nothing may be
// done under it.
func (d Documents) Read() (Call, error) {
	return d.read(func(document string, err error) error {
		return fault.New(fault.InvalidInput, "the document of the %s: %s", document, err)
	})
}

func (d Documents) read(refuse func(document string, err error) error) (Call, error) {
	t, err := wire.ReadTool(d.Tool)
	if err != nil {
		return Call{}, refuse("tool", err)
	}
	c, err := wire.ReadContext(d.Context)
	if err != nil {
		return Call{}, refuse("context", err)
	}
	return Call{c.Action, t.Arguments, &trust.Said{
		Answers: t.Answers, Options: t.Options, Root: c.Root, Access: c.Access,
		WorkspaceID: c.WorkspaceID, ConversationID: c.ConversationID,
	}}, nil
}

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
		return nil, fault.New(fault.InvalidInput, "_meta: expected an object without duplicate names")
	}
	if keys.Tool == nil && keys.Context == nil {
		return nil, nil
	}
	call, err := Documents(keys).read(func(document string, err error) error {
		return fault.Wrap(err, fault.InvalidInput, "_meta %q: %s", "computer.jp/"+document, err)
	})
	switch {
	case err != nil:
		return nil, err
	case call.Action != "" && call.Action != wire.ActionRun:
		return nil, fault.New(fault.InvalidInput, "_meta %q: a tool on this server can only be run, not %.40q", wire.MetaContext, string(call.Action))
	}
	return call.Said, nil
}
