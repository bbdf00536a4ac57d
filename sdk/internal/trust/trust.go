// Package trust decides who is calling, and what a caller may set for a call.
//
// Over stdio and on the command line, the caller is the program that started the server. Over HTTP, it is
// anyone who can reach the server. A caller can narrow what the operator of the server has configured,
// but never widen it.
package trust

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/face"
	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
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
	// Root is the default working directory, or "" if the tool determines one itself. If Confined is set,
	// no call may leave Root, and Root is a path without symbolic links.
	Root     string
	Confined bool
	// Options are option objects, keyed by tool name; callers can override them, but not Pins.
	Options, Pins map[string]json.RawMessage
	// Hidden contains the names of tools that no caller may see or call.
	Hidden map[string]bool
	// Face is what the operator selects, within which callers can select less; nil selects everything.
	Face *face.Face
	// Off contains the toolsets that are off unless the operator or the caller selects toolsets or tools.
	Off map[string]bool
}

// Sees reports whether a caller may see and use a tool, a resource or a prompt. It is asked before they are listed and
// before one is used.
func (p *Policy) Sees(caller handler.Caller, contract *manifest.Tool) bool {
	hides := caller.Lacking == handler.Hides && lacks(caller, contract)
	return !hides && !p.Hidden[contract.Name] && p.SeesAdded(caller, contract)
}

// Needs returns all scopes that a caller needs to use what it sees, if it lacks one of them. Otherwise, it returns nil.
func (p *Policy) Needs(caller handler.Caller, contract *manifest.Tool) []string {
	if caller.Lacking == handler.Nothing || !lacks(caller, contract) {
		return nil
	}
	return contract.Scopes
}

func lacks(caller handler.Caller, contract *manifest.Tool) bool {
	return slices.ContainsFunc(contract.Scopes, func(scope string) bool { return !slices.Contains(caller.Scopes, scope) })
}

// SeesAdded is like Sees for what the program adds to its contract.
func (p *Policy) SeesAdded(caller handler.Caller, contract *manifest.Tool) bool {
	return face.Shows(contract, p.Off, p.Face, caller.Face)
}

// Shows reports whether some caller may see a tool.
func (p *Policy) Shows(contract *manifest.Tool) bool {
	return !p.Hidden[contract.Name] && face.Shows(contract, nil, p.Face, nil)
}

// Admit returns what a call may use. If the caller used a former name of the tool, former is that name; settings may
// be nil. Admit returns a fault if the caller sets something invalid or a required secret is missing.
func (p *Policy) Admit(contract *manifest.Tool, former *manifest.Alias, settings *Settings) (handler.Grant, error) {
	g := handler.Grant{Root: p.Root}
	if p.Confined {
		g.Access = &access.Policy{Within: p.Root}
	}
	if own := p.Options[contract.Name]; own != nil {
		g.Options = append(g.Options, own)
	}
	pins := p.Pins[contract.Name]
	if settings != nil && p.Trusted {
		if err := p.apply(&g, contract, settings); err != nil {
			return g, err
		}
		g.Remarks = append(g.Remarks, pinRemarks(settings.Options, pins)...)
	}
	if former != nil {
		g.Remarks = append(g.Remarks, fmt.Sprintf("%s is a former name of this tool and may be removed after %s; call %s instead",
			former.Name, former.Until, contract.Name))
	}
	if pins != nil {
		g.Options = append(g.Options, pins)
	}
	return g, p.checkSecrets(contract, g.Options)
}

// apply adds what the caller sets to a grant.
func (p *Policy) apply(g *handler.Grant, contract *manifest.Tool, settings *Settings) error {
	if len(settings.Answers) > 0 {
		g.Answers = make(map[string]question.Answer, len(settings.Answers))
		for id, content := range settings.Answers {
			g.Answers[id] = question.Answer{Content: content}
		}
	}
	if len(settings.Options) > 0 {
		g.Options = append(g.Options, p.withoutSecrets(g, contract, settings))
	}
	g.WorkspaceID, g.ConversationID = settings.WorkspaceID, settings.ConversationID
	if settings.Access != nil {
		granted := *settings.Access
		if p.Confined {
			granted.Within = p.Root
		}
		g.Access = &granted
	}
	root, err := settings.Root, error(nil)
	if p.Confined && root != "" {
		root, err = access.Root(root, p.Root)
	}
	g.Root = cmp.Or(root, p.Root)
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

// withoutSecrets returns the caller's options without secrets, which hosts would store in files and
// logs, and adds a remark for each.
func (p *Policy) withoutSecrets(g *handler.Grant, contract *manifest.Tool, settings *Settings) json.RawMessage {
	secrets := manifest.Secrets(contract.Options)
	var options map[string]jsontext.Value
	if settings.Secrets || len(secrets) == 0 || jsonv2.Unmarshal(settings.Options, &options) != nil {
		return settings.Options
	}
	for _, s := range secrets {
		if _, sent := options[s.Name]; sent {
			delete(options, s.Name)
			g.Remarks = append(g.Remarks, fmt.Sprintf("option %s is a secret; the value in the call is ignored: %s", s.Name, p.toSet(contract, s)))
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
