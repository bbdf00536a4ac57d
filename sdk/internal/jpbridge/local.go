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
		return Documents{}, errors.New(`expected one object {"tool":…,"context":…} with each name once`)
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
	t, err := readGiven(d.Tool, wire.ReadTool)
	if err != nil {
		return Call{}, fault.New(fault.InvalidInput, "the document of the tool: %s", err)
	}
	c, err := readGiven(d.Context, wire.ReadContextLoose)
	if err != nil {
		return Call{}, fault.New(fault.InvalidInput, "the document of the context: %s", err)
	}
	return Call{c.Action, json.RawMessage(t.Arguments), said(t, c)}, nil
}

// readGiven reads a document that may be missing, but not be empty: then a script
// had nothing where its call should be.
func readGiven[T any](data jsontext.Value, read func([]byte) (T, error)) (T, error) {
	if data != nil {
		if err := wire.Check(data); err != nil {
			var none T
			return none, err
		}
	}
	return read(data)
}
