// Package trust decides who is calling, and what a caller may set for a call.
//
// Over stdio and on the command line, the caller is the program that started the server. Over HTTP, it is
// anyone who can reach the server. A caller can narrow what the operator of the server has configured,
// but never widen it.
package trust

import (
	"bytes"
	"cmp"
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
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/internal/seal"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// Settings are the values that a caller sets for a call in addition to its arguments.
type Settings struct {
	// Answers are keyed by question id; Options is an object of options.
	Answers map[string]json.RawMessage
	Options json.RawMessage
	// Secrets means that Options may set secrets, because they come from the program itself.
	Secrets bool
	// Root is the working directory; Access is the user's access policy.
	Root   string
	Access *access.Policy
	// WorkspaceID and ConversationID are the ids of JP's workspace and conversation.
	WorkspaceID, ConversationID string
}

// A Policy applies to all calls of a transport.
type Policy struct {
	// Server is the name of the server.
	Server string
	// Trusted means that callers may set the fields of [Settings]. If it is false, this data is not parsed.
	Trusted bool
	// HideErrors hides the text of errors without a code from callers.
	HideErrors bool
	// Root is the default working directory, or "" if the tool determines one itself. If Confined is set,
	// no call may leave Root, and Root is a path without symbolic links.
	Root     string
	Confined bool
	// Options are option objects, keyed by tool name; callers can override them, but not Pins.
	Options, Pins map[string]json.RawMessage
	// Timeout is the time limit for calls whose tool does not declare one. MaxRounds is the maximum
	// number of questions in a call. 0 means the default.
	Timeout   time.Duration
	MaxRounds int
	// Interceptors run around every call.
	Interceptors []tool.Interceptor
	// Cursors returns the keys that encrypt cursors; if nil, cursors are not encrypted.
	Cursors func() *seal.Ring
}

// Admit returns the request for a call. If the caller used a former name of the tool, former is
// that name. The principal is the caller, or "" if unknown; settings may be nil. Admit returns a
// fault if the caller sets something invalid or a required secret is missing.
func (p *Policy) Admit(contract *manifest.Tool, former *manifest.Alias, principal string, settings *Settings) (handler.Request, error) {
	r := handler.Request{
		Caller:   handler.Caller{Principal: principal, Root: p.Root},
		Contract: contract, Interceptors: p.Interceptors, Timeout: p.Timeout, MaxRounds: p.MaxRounds, HideErrors: p.HideErrors,
	}
	if p.Cursors != nil {
		r.Cursors = p
	}
	if p.Confined {
		r.Access = &access.Policy{Within: p.Root}
	}
	if own := p.Options[contract.Name]; own != nil {
		r.Options = append(r.Options, own)
	}
	pins := p.Pins[contract.Name]
	if settings != nil && p.Trusted {
		if err := p.apply(&r, settings); err != nil {
			return r, err
		}
		r.Remarks = append(r.Remarks, pinRemarks(settings.Options, pins)...)
	}
	if former != nil {
		r.Remarks = append(r.Remarks, handler.Deprecated(contract.Name, former))
	}
	if pins != nil {
		r.Options = append(r.Options, pins)
	}
	return r, p.checkSecrets(contract, r.Options)
}

func (p *Policy) apply(r *handler.Request, settings *Settings) error {
	if len(settings.Answers) > 0 {
		r.Answers = make(map[string]question.Answer, len(settings.Answers))
		for id, content := range settings.Answers {
			r.Answers[id] = question.Answer{Content: content}
		}
	}
	if len(settings.Options) > 0 {
		r.Options = append(r.Options, p.withoutSecrets(r, settings))
	}
	r.WorkspaceID, r.ConversationID = settings.WorkspaceID, settings.ConversationID
	if settings.Access != nil {
		granted := *settings.Access
		if p.Confined {
			granted.Within = p.Root
		}
		r.Access = &granted
	}
	root, err := settings.Root, error(nil)
	if p.Confined && root != "" {
		root, err = access.Root(root, p.Root)
	}
	r.Root = cmp.Or(root, p.Root)
	return err
}

// pinRemarks returns a remark for each pinned option that the caller sets.
func pinRemarks(options, pins json.RawMessage) (remarks []string) {
	var theirs, ours map[string]jsontext.Value
	if len(options) == 0 || len(pins) == 0 || jsonv2.Unmarshal(options, &theirs) != nil || jsonv2.Unmarshal(pins, &ours) != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		if ours[name] != nil {
			remarks = append(remarks, fmt.Sprintf("option %s is pinned by the operator of the server; the value in the call is ignored", name))
		}
	}
	return remarks
}

// Scope returns a digest of server, tool, arguments, root, workspace, grants, options and
// principal. Consent in one scope does not apply to another.
func (p *Policy) Scope(toolName string, r handler.Request) []byte {
	h := sha256.New()
	part := func(data []byte) {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(data))))
		h.Write(data)
	}
	for _, text := range []string{p.Server, toolName, r.Principal, r.Root, r.WorkspaceID} {
		part([]byte(text))
	}
	part(canonical(r.Arguments))
	grants, _ := json.Marshal(r.Access) // cannot fail, because a policy is plain data
	part(grants)
	for _, layer := range r.Options {
		if text := canonical(layer); string(text) != "{}" {
			part(text)
		}
	}
	return h.Sum(nil)
}

// SealCursor returns the cursor for a position in the list that a call returns.
func (p *Policy) SealCursor(r handler.Request, position string) string {
	return p.Cursors().Mark([]byte(position), p.cursorPurpose(r))
}

// OpenCursor returns the position of a cursor, or false if the cursor does not belong to the list.
func (p *Policy) OpenCursor(r handler.Request, cursor string) (position string, ok bool) {
	plain, err := p.Cursors().OpenMark(cursor, p.cursorPurpose(r))
	return string(plain), err == nil
}

// cursorPurpose binds cursors to the server, the tool, its arguments and the caller, but not to the
// workspace, because JP does not name the workspace in each call.
func (p *Policy) cursorPurpose(r handler.Request) []byte {
	return (&Policy{Server: p.Server}).Scope("cursor of "+r.Contract.Name, handler.Request{Caller: handler.Caller{Principal: r.Principal}, Arguments: r.Arguments})
}

// canonical returns a compact object with its members sorted by name. Numbers keep their digits.
func canonical(object json.RawMessage) []byte {
	if text := bytes.TrimSpace(object); len(text) == 0 || string(text) == "null" {
		return []byte("{}")
	}
	sorted, err := jsontext.AppendFormat(nil, object, jsontext.ReorderRawObjects(true))
	if err != nil {
		return object
	}
	return sorted
}

// withoutSecrets returns the caller's options without secrets, which hosts would store in files and
// logs, and adds a remark for each.
func (p *Policy) withoutSecrets(r *handler.Request, settings *Settings) json.RawMessage {
	secrets := manifest.Secrets(r.Contract.Options)
	var options map[string]jsontext.Value
	if settings.Secrets || len(secrets) == 0 || jsonv2.Unmarshal(settings.Options, &options) != nil {
		return settings.Options
	}
	for _, s := range secrets {
		if _, sent := options[s.Name]; sent {
			delete(options, s.Name)
			r.Remarks = append(r.Remarks, fmt.Sprintf("option %s is a secret; the value in the call is ignored: %s", s.Name, p.toSet(r.Contract, s)))
		}
	}
	rest, _ := jsonv2.Marshal(options) // decoded values can always be encoded
	return rest
}

// checkSecrets returns a fault if the call needs a secret that is not set.
func (p *Policy) checkSecrets(contract *manifest.Tool, layers []json.RawMessage) error {
	for _, s := range manifest.Secrets(contract.Options) {
		if s.Required && !slices.ContainsFunc(layers, func(layer json.RawMessage) bool {
			var options map[string]jsontext.Value
			return jsonv2.Unmarshal(layer, &options) != nil || options[s.Name] != nil
		}) {
			return fault.New(fault.InvalidInput, "option %s is not set: %s", s.Name, p.toSet(contract, s))
		}
	}
	return nil
}

func (p *Policy) toSet(contract *manifest.Tool, s manifest.Secret) string {
	return "set the environment variable " + contract.Variable(p.Server, s.Name) + " for the server"
}
