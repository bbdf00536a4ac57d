// Package trust decides who is at the other end of a door, and what they may say about
// a call.
//
// A door is where calls come in: standard streams and the one-shot words of a command
// line, at whose other end is the program that started the server, and HTTP, at whose
// other end is anyone who can reach it. What a caller says narrows what the operator of
// the server has set, and never widens it.
package trust

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool"
)

// Said is what a caller says about a call beside its arguments.
type Said struct {
	// Answers are those to questions, by their ids, and Options an object of options.
	Answers map[string]json.RawMessage
	Options json.RawMessage
	// Root is the directory it works in, Access what its user grants there and beyond.
	Root   string
	Access *access.Policy
	// WorkspaceID and ConversationID are JP's.
	WorkspaceID, ConversationID string
}

// A Policy is what holds for the calls that come in by one door.
type Policy struct {
	// Server is the name of the server.
	Server string
	// Trusted says that what callers say counts. What others say is not even read.
	Trusted bool
	// HideErrors says that callers are not told the text of errors without a code.
	HideErrors bool
	// Root is the directory of calls that name none, "" for one that the tool finds by
	// itself. Fence says that no call may leave it; then it is a real path.
	Root  string
	Fence bool
	// Options are objects of options by the name of the tool, which a caller's overrule,
	// and Pins those that no caller overrules.
	Options, Pins map[string]json.RawMessage
	// Timeout is how long a call may take of a tool that does not say so itself, and
	// MaxRounds how many questions it may ask; 0 is the default.
	Timeout   time.Duration
	MaxRounds int
	// Interceptors stand around every call.
	Interceptors []tool.Interceptor
}

// Admit returns what a call of the tool begins with. The principal is who calls, "" where
// the door does not tell; said is nil for a caller that says nothing. The error is a fault
// of the caller's.
func (p *Policy) Admit(contract *manifest.Tool, principal string, said *Said) (tool.Request, error) {
	r := tool.Request{
		Contract: contract, Interceptors: p.Interceptors, Principal: principal, Root: p.Root,
		Timeout: p.Timeout, MaxRounds: p.MaxRounds, HideErrors: p.HideErrors,
	}
	if p.Fence {
		r.Access = &access.Policy{Within: p.Root}
	}
	if own := p.Options[contract.Name]; own != nil {
		r.Options = append(r.Options, own)
	}
	pins := p.Pins[contract.Name]
	if said != nil && p.Trusted {
		if err := p.hear(&r, said); err != nil {
			return r, err
		}
		r.Remarks = overruled(said.Options, pins)
	}
	if pins != nil {
		r.Options = append(r.Options, pins)
	}
	return r, nil
}

// hear puts what a trusted caller says into r.
func (p *Policy) hear(r *tool.Request, said *Said) error {
	if len(said.Answers) > 0 {
		r.Answers = make(map[string]question.Answer, len(said.Answers))
		for id, content := range said.Answers {
			r.Answers[id] = question.Answer{Content: content}
		}
	}
	if len(said.Options) > 0 {
		r.Options = append(r.Options, said.Options)
	}
	r.WorkspaceID, r.ConversationID = said.WorkspaceID, said.ConversationID
	if said.Access != nil {
		granted := *said.Access
		if p.Fence {
			granted.Within = p.Root
		}
		r.Access = &granted
	}
	switch {
	case said.Root == "":
	case p.Fence:
		root, err := access.Root(said.Root, p.Root)
		if err != nil {
			return err
		}
		r.Root = root
	default:
		r.Root = said.Root
	}
	return nil
}

// overruled returns a remark on each option of a caller that the operator has pinned.
func overruled(options, pins json.RawMessage) (remarks []string) {
	var theirs, ours map[string]jsontext.Value
	if len(options) == 0 || len(pins) == 0 || jsonv2.Unmarshal(options, &theirs) != nil || jsonv2.Unmarshal(pins, &ours) != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		if ours[name] != nil {
			remarks = append(remarks, fmt.Sprintf("option %s is pinned by the operator of the server; the value of the call is not used", name))
		}
	}
	return remarks
}

// Scope returns a digest of what a call may do and who makes it: what was agreed to in
// one scope counts for nothing in another. It covers server, tool, arguments, root,
// workspace, grants, options and principal.
func (p *Policy) Scope(toolName string, r tool.Request) []byte {
	h := sha256.New()
	part := func(data []byte) {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(data))))
		h.Write(data)
	}
	for _, text := range []string{p.Server, toolName, r.Principal, r.Root, r.WorkspaceID} {
		part([]byte(text))
	}
	part(canonical(r.Arguments))
	grants, err := json.Marshal(r.Access)
	if err != nil { // a policy is plain data
		grants = nil
	}
	part(grants)
	for _, layer := range r.Options {
		if text := canonical(layer); string(text) != "{}" {
			part(text)
		}
	}
	return h.Sum(nil)
}

// canonical returns an object without what may differ between two sendings of the same:
// blanks and the order of names. Numbers keep their digits.
func canonical(object json.RawMessage) []byte {
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil && len(object) > 0 {
		return object
	}
	if tree == nil {
		return []byte("{}")
	}
	data, err := json.Marshal(tree)
	if err != nil {
		return object
	}
	return data
}
