// Package jpbridge translates between JP and tools.
//
// It reads the data that a JP host sends in addition to the arguments of a call, and renders the outcome of a
// call as an Outcome (JP RFD D31) or as content blocks (JP RFD 058).
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

// Documents are the data that JP passes to a local tool, as the values of {{tool}} and {{context}} in the
// configured command. A nil document is absent.
type Documents struct {
	Tool    jsontext.Value `json:"tool"`    // a [wire.Tool]
	Context jsontext.Value `json:"context"` // a [wire.Context]
}

// ReadDocuments reads both documents from an object {"tool":…,"context":…}; either member may be missing. Any
// other input is an error.
func ReadDocuments(data []byte) (Documents, error) {
	var d Documents
	if data = bytes.TrimSpace(data); len(data) == 0 {
		return d, errors.New(`expected an object {"tool":…,"context":…}, got nothing`)
	}
	if err := jsonv2.Unmarshal(data, &d); err != nil || data[0] != '{' {
		return Documents{}, errors.New(`expected one object {"tool":…,"context":…} without duplicate member names`)
	}
	return d, nil
}

// A Call is the content of the documents.
type Call struct {
	Action    wire.Action
	Arguments json.RawMessage
	Settings  *trust.Settings
}

// Read parses the documents. Every field and either document may be missing; the default action is to run. If
// data has a shape that JP does not send, Read returns a [fault.InvalidInput] error that names the field. The
// name of the tool is ignored: JP sends its own name for it. An unknown action is returned unchanged, and the
// caller must not act on it.
func (d Documents) Read() (Call, error) {
	return d.read(func(document string, err error) error {
		return fault.New(fault.InvalidInput, "the %s document: %s", document, err)
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
	return Call{c.Action, t.Arguments, &trust.Settings{
		Answers: t.Answers, Options: t.Options, Root: c.Root, Access: c.Access,
		WorkspaceID: c.WorkspaceID, ConversationID: c.ConversationID,
	}}, nil
}

// Read parses JP's keys in the _meta of a request: answers, options, and the caller's root and access policy.
// It returns nil if there is nothing. Both keys are optional and independent. Read ignores the copy of the
// arguments that a host sends there.
//
// If data has a shape that JP does not send, Read returns a [fault.InvalidInput] error that names the key,
// because ignoring the data could change what the host meant. It returns the same error for any action other
// than run, because such a call must not have effects.
func Read(meta []byte) (*trust.Settings, error) {
	// Most requests contain no JP data. Only an escape sequence can hide a key from this check.
	if !bytes.Contains(meta, []byte("computer.jp")) && bytes.IndexByte(meta, '\\') < 0 {
		return nil, nil
	}
	var keys struct {
		Tool    jsontext.Value `json:"computer.jp/tool"`
		Context jsontext.Value `json:"computer.jp/context"`
	}
	if err := jsonv2.Unmarshal(meta, &keys); err != nil {
		return nil, fault.New(fault.InvalidInput, "_meta: expected an object without duplicate member names")
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
		return nil, fault.New(fault.InvalidInput, "_meta %q: this server supports only the action \"run\", not %.40q", wire.MetaContext, string(call.Action))
	}
	return call.Settings, nil
}
