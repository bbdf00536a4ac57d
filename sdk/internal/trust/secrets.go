package trust

import (
	"encoding/json"
	"fmt"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/tool"
)

// withoutSecrets returns the options of a caller without secrets, which hosts would store in files and logs. It adds a
// remark for each.
func (p *Policy) withoutSecrets(r *tool.Request, said *Said) json.RawMessage {
	secrets := manifest.Secrets(r.Contract.Options)
	var options map[string]jsontext.Value
	if said.Secrets || len(secrets) == 0 || jsonv2.Unmarshal(said.Options, &options) != nil {
		return said.Options
	}
	for _, s := range secrets {
		if _, sent := options[s.Name]; sent {
			delete(options, s.Name)
			r.Remarks = append(r.Remarks, fmt.Sprintf("option %s is a secret; the value of the call is not used: %s", s.Name, p.toSet(r.Contract, s)))
		}
	}
	rest, err := jsonv2.Marshal(options)
	if err != nil { // cannot happen: the values were parsed above
		return nil
	}
	return rest
}

// lacks returns a fault if a required secret is not set.
func (p *Policy) lacks(contract *manifest.Tool, layers []json.RawMessage) error {
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
	return "set the environment variable " + contract.Variable(p.Server, s.Name) + " where the server starts"
}
