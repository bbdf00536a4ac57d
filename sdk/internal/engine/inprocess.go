package engine

import (
	"encoding/json"
	"io/fs"
	"log/slog"
	"strconv"

	"github.com/jptool/jptool/internal/uris"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// Offers are the resources and prompts of a contract, for calls in the process itself.
type Offers struct{ all *offers }

// ReadOffers returns the resources and prompts of a contract. handlers are keyed by name.
func ReadOffers(c *manifest.Server, handlers map[string]*handler.Tool, skills fs.FS, log *slog.Logger) Offers {
	return Offers{readOffers(c, handlers, skills, log)}
}

// Resource returns the run that reads a URI. The error is a fault.
func (o Offers) Resource(p *trust.Policy, caller handler.Caller, uri string) (*handler.Tool, *handler.Run, error) {
	if len(uri) > uris.MaxLength {
		return nil, nil, fault.New(fault.InvalidInput, `"uri" is longer than %s bytes`, strconv.Itoa(uris.MaxLength))
	}
	found, values := o.all.at(p, caller, uri, nil)
	if found == nil {
		return nil, nil, fault.New(fault.NotFound, "there is no resource %.200q", uri)
	}
	offer := found.offer(handler.Resource)
	offer.URI = uri
	return found.tool, &handler.Run{Contract: found.view, Offer: offer, Arguments: setVariables(offer, values)}, nil
}

// Prompt returns the run that gets a prompt. The error is a fault.
func (o Offers) Prompt(p *trust.Policy, caller handler.Caller, name string, arguments json.RawMessage) (*handler.Tool, *handler.Run, error) {
	found := o.all.prompt[name]
	if found == nil || !p.Sees(caller, found.view) {
		return nil, nil, o.all.unknownPrompt(p, caller, name)
	}
	return found.tool, &handler.Run{Contract: found.view, Offer: found.offer(handler.Prompt), Arguments: arguments}, nil
}

// offer returns the offer for a read.
func (o *offer) offer(kind handler.Kind) *handler.Offer {
	offer := &handler.Offer{Kind: kind, Resource: o.resource, Prompt: o.prompt}
	if o.template != nil {
		offer.Variable = o.template.Variables()[0]
	}
	return offer
}

// unknownPrompt returns the fault for a prompt that does not exist, or that the caller may not see.
func (all *offers) unknownPrompt(p *trust.Policy, caller handler.Caller, name string) *fault.Error {
	var names []string
	for _, o := range all.prompts {
		if p.Sees(caller, o.view) {
			names = append(names, o.prompt.Name)
		}
	}
	return handler.Unknown(handler.Prompt, name, names)
}
