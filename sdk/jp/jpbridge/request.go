// Package jpbridge reads what a JP host sends in addition to the arguments of a call, and renders
// the outcome of the call as an Outcome (JP RFD 111) or as content blocks (JP RFD 058).
package jpbridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// Documents are the values of {{tool}} and {{context}} in a local tool's command; nil means absent.
type Documents struct {
	Tool    jsontext.Value `json:"tool"`    // a [wire.Tool]
	Context jsontext.Value `json:"context"` // a [wire.Context]
}

// ReadDocuments reads an object {"tool":…,"context":…}. Members may be missing but not repeated.
func ReadDocuments(data []byte) (Documents, error) {
	var d Documents
	if data = bytes.TrimSpace(data); len(data) == 0 {
		return d, errors.New(`expected an object {"tool":…,"context":…}, got nothing`)
	}
	if err := jsonv2.Unmarshal(data, &d); err != nil || data[0] != '{' {
		return Documents{}, errors.New(`expected one object {"tool":…,"context":…} without duplicate member names`)
	}
	if name := unknownMember(data, "tool", "context"); name != "" {
		return Documents{}, fmt.Errorf(`expected "tool", got %.40q; write the call as {"tool":{"arguments":{…}}}`, name)
	}
	return d, nil
}

// unknownMember returns the alphabetically first member name of an object that has none of the known
// members. Otherwise, it returns "". A person who writes such an object has probably omitted a level of nesting.
// Letter case is ignored.
func unknownMember(object []byte, known ...string) string {
	var members map[string]jsontext.Value
	if jsonv2.Unmarshal(object, &members, jsontext.AllowDuplicateNames(true)) != nil || len(members) == 0 {
		return ""
	}
	for name := range members {
		if slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, name) }) {
			return ""
		}
	}
	return slices.Min(slices.Collect(maps.Keys(members)))
}

// A Call is the content of the documents.
type Call struct {
	Action    wire.Action
	Arguments json.RawMessage
	Settings  *trust.Settings
}

// Read parses the documents. Each document and field may be missing; the default action is to run. A
// shape that JP does not send is a [fault.InvalidInput] error that names the field. The name of the tool
// in the documents is ignored, because JP may use another name for it. The caller must not act on an
// unknown action.
func (d Documents) Read() (Call, error) {
	call, document, err := d.read()
	if err != nil {
		return Call{}, fault.New(fault.InvalidInput, "the %s document: %s", document, err)
	}
	if call.Arguments != nil {
		return call, nil
	}
	if name := unknownMember(d.Tool, "name", "arguments", "answers", "options"); name != "" {
		return Call{}, fault.New(fault.InvalidInput, `the tool document: expected "arguments", got %.40q; write the arguments as {"arguments":{%.40[1]q:…}}`, name)
	}
	return call, nil
}

// read parses the documents. If it returns an error, document is the name of the invalid one.
func (d Documents) read() (call Call, document string, err error) {
	t, err := wire.ReadTool(d.Tool)
	if err != nil {
		return Call{}, "tool", err
	}
	c, err := wire.ReadContext(d.Context)
	if err != nil {
		return Call{}, "context", err
	}
	return Call{c.Action, t.Arguments, &trust.Settings{
		Answers: t.Answers, Options: t.Options, Root: c.Root, Access: c.Access,
		WorkspaceID: c.WorkspaceID, ConversationID: c.ConversationID,
	}}, "", nil
}

// Read parses JP's keys in the _meta of a request: answers, options, and the caller's root and
// access policy. Both keys are optional; without them, Read returns nil. It ignores the copy of the
// arguments that a host sends there.
//
// If a key has a value that JP does not send, Read returns a [fault.InvalidInput] error that names
// the key, because ignoring the value could change what the host meant. Read also returns this error
// for every action except run, because other actions must not have side effects.
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
	call, document, err := Documents(keys).read()
	switch {
	case err != nil:
		return nil, fault.Wrap(err, fault.InvalidInput, "_meta %q: %s", "computer.jp/"+document, err)
	case call.Action != "" && call.Action != wire.ActionRun:
		return nil, fault.New(fault.InvalidInput, "_meta %q: this server supports only the action \"run\", not %.40q", wire.MetaContext, string(call.Action))
	}
	return call.Settings, nil
}
