package jptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/internal/uris"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/tool"
)

// OfferWires returns the wires of [Wires] over which a kit reads resources, gets prompts and completes values: the
// versions of MCP, over stdio and HTTP.
func OfferWires() []Wire { return Wires(MCP, MCPHTTP, Session, SessionHTTP) }

// Read reads the resource with a URI, and answers its questions from the script. The test fails under the same
// conditions as for [Kit.Call]. The blocks of the outcome are [content.Resource] values, and its text is their text. The
// kit must use one of the wires of [OfferWires], or [Unattended].
func (k *Kit) Read(uri string, script ...Reply) Outcome {
	k.t.Helper()
	k.needOffers("Read")
	return k.do(&call{script: script, out: Outcome{Tool: k.resourceName(uri)},
		run: func(c *call, ctx context.Context, s *peer.Session) error {
			r, err := s.Read(ctx, peer.Get{URI: uri, Meta: c.meta(c.configuredAnswers())})
			if err != nil {
				return c.refused(err)
			}
			for _, part := range r.Contents {
				blob, err := part.Binary()
				if err != nil {
					return err
				}
				c.out.Blocks = append(c.out.Blocks, content.Resource{URI: part.URI, MIMEType: part.MIMEType, Text: part.Text, Blob: blob})
			}
			c.out.Text = c.out.Blocks.Flatten()
			return nil
		}})
}

// Get gets a prompt with arguments, and answers its questions from the script. args is a struct or a map, whose values
// are sent as strings. The text of the outcome contains each message after its role. For the wires, see [Kit.Read].
func (k *Kit) Get(prompt string, args any, script ...Reply) Outcome {
	k.t.Helper()
	k.needOffers("Get")
	arguments, err := stringsOf(args)
	if err != nil {
		k.t.Fatalf("%s: encoding the arguments: %v", prompt, err)
	}
	return k.do(&call{script: script, out: Outcome{Tool: prompt},
		run: func(c *call, ctx context.Context, s *peer.Session) error {
			r, err := s.Prompt(ctx, peer.Get{Name: prompt, Arguments: arguments, Meta: c.meta(c.configuredAnswers())})
			if err != nil {
				return c.refused(err)
			}
			var text []string
			for _, m := range r.Messages {
				blocks, err := (&peer.Result{Content: []peer.Block{m.Content}}).Blocks()
				if err != nil || len(blocks) != 1 {
					return errors.Join(fmt.Errorf("a message of the prompt has %d blocks", len(blocks)), err)
				}
				c.out.Messages = append(c.out.Messages, content.Message{Role: content.Role(m.Role), Block: blocks[0]})
				text = append(text, m.Role+":\n"+strings.TrimSpace(blocks.Flatten()))
			}
			c.out.Text = strings.Join(text, "\n\n")
			return nil
		}})
}

// Complete returns the values that the server suggests for an argument of a prompt, or for a variable of the template of
// a resource. name is that of the prompt or resource, value is what the user has typed, and given are the values that the
// user has already chosen, or nil. For the wires, see [Kit.Read].
func (k *Kit) Complete(name, argument, value string, given map[string]string) tool.Completions {
	k.t.Helper()
	k.needOffers("Complete")
	request := peer.Complete{Prompt: name, Argument: argument, Value: value, Given: given}
	for _, r := range k.server.Contract().Templates {
		if r.Name == name {
			request.Template = r.URITemplate
		}
	}
	var result tool.Completions
	err := k.call(k.ctx, &call{kit: k, out: Outcome{Tool: name},
		run: func(_ *call, ctx context.Context, s *peer.Session) error {
			c, err := s.Complete(ctx, request)
			result = tool.Completions(c)
			return err
		}})
	if err != nil {
		k.t.Fatalf("completing %s of %s: %v", argument, name, err)
	}
	return result
}

// needOffers fails the test if the wire of the kit has no resources and prompts.
func (k *Kit) needOffers(method string) {
	k.t.Helper()
	if !k.options.Wire.offers {
		k.t.Fatalf("%s cannot use the wire %q; use one of jptest.OfferWires()", method, k.options.Wire)
	}
}

// resourceName returns the name of the resource with a URI, or the URI if there is none.
func (k *Kit) resourceName(uri string) string {
	server := k.server.Contract()
	if i := slices.IndexFunc(server.Resources, func(r manifest.Resource) bool { return r.URI == uri }); i >= 0 {
		return server.Resources[i].Name
	}
	name, most := uri, -1
	for _, r := range server.Templates {
		t, err := uris.Parse(r.URITemplate)
		if err != nil {
			continue
		}
		if _, ok := t.Match(uri); ok && t.Literals() > most {
			name, most = r.Name, t.Literals()
		}
	}
	return name
}

// refused sets the outcome to the fault of a request that the server refused.
func (c *call) refused(err error) error {
	refused, ok := errors.AsType[*peer.RemoteError](err)
	if !ok {
		return err
	}
	var data struct {
		Code      string
		Transient bool
	}
	if json.Unmarshal(refused.Data, &data) != nil || data.Code == "" {
		return err
	}
	c.out.Transient = data.Transient
	c.fail("", data.Code+": "+refused.Message)
	return nil
}

// stringsOf returns the arguments of a prompt, whose values are strings.
func stringsOf(args any) (jsontext.Value, error) {
	data, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil || members == nil {
		return nil, err
	}
	texts := map[string]string{}
	for name, value := range members {
		if json.Unmarshal(value, new(string)) != nil {
			texts[name] = string(value)
			continue
		}
		var text string
		_ = json.Unmarshal(value, &text) // has been checked
		texts[name] = text
	}
	return json.Marshal(texts)
}
