package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/internal/uris"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// URI returns the URI of a resource that a template describes (RFC 6570). in is a value that encodes as a JSON object, and
// whose members are the variables. Members that are null or missing are left out.
func URI(template string, in any) (string, error) {
	t, err := uris.Parse(template)
	if err != nil {
		return "", err
	}
	values, err := texts(in)
	if err != nil {
		return "", fmt.Errorf("cannot encode the variables of %s: %w", template, err)
	}
	return t.Expand(values)
}

// Read reads the resource at a URI into the pointer out. A *string receives the text of all contents, a *[]byte the data of
// the only content, and a *[]content.Resource the contents. Any other value is decoded from the text, which must be JSON.
//
// If the server refuses with a code, the error is an [*Error] whose Tool is the URI.
func (c *Client) Read(ctx context.Context, uri string, out any) error {
	result, err := c.session.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		return c.refusal("reading "+uri, uri, err)
	}
	var all []content.Resource
	var text strings.Builder
	for _, r := range result.Contents {
		all = append(all, content.Resource{URI: r.URI, MIMEType: r.MIMEType, Text: r.Text, Blob: r.Blob})
		text.WriteString(r.Text)
	}
	switch out := out.(type) {
	case *string:
		*out = text.String()
	case *[]content.Resource:
		*out = all
	case *[]byte:
		if len(all) != 1 {
			return fmt.Errorf("reading %s: the server returned %d contents, not one", uri, len(all))
		}
		if *out = all[0].Blob; all[0].Blob == nil {
			*out = []byte(all[0].Text)
		}
	default:
		if err := json.Unmarshal([]byte(text.String()), out); err != nil {
			return fmt.Errorf("reading %s: cannot decode the content: %w", uri, err)
		}
	}
	return nil
}

// Prompt gets a prompt. in is a value that encodes as a JSON object, or nil for no arguments. Its members are sent as text.
// If the server refuses with a code, the error is an [*Error] whose Tool is the name of the prompt.
func (c *Client) Prompt(ctx context.Context, name string, in any) (content.Messages, error) {
	arguments, err := texts(in)
	if err != nil {
		return nil, fmt.Errorf("getting %s: cannot encode the arguments: %w", name, err)
	}
	result, err := c.session.GetPrompt(ctx, &mcp.GetPromptParams{Name: name, Arguments: arguments})
	if err != nil {
		return nil, c.refusal("getting "+name, name, err)
	}
	var all content.Messages
	for _, m := range result.Messages {
		if block := blockOf(m.Content); block != nil {
			all = append(all, content.Message{Role: content.Role(m.Role), Block: block})
		}
	}
	return all, nil
}

// blockOf returns a block without its annotations, or nil for a block of an unknown type.
func blockOf(b mcp.Content) content.Block {
	switch b := b.(type) {
	case *mcp.TextContent:
		return content.Text{Text: b.Text}
	case *mcp.ImageContent:
		return content.Image{Data: b.Data, MIMEType: b.MIMEType}
	case *mcp.AudioContent:
		return content.Audio{Data: b.Data, MIMEType: b.MIMEType}
	case *mcp.ResourceLink:
		return content.Link{URI: b.URI, Name: b.Name, Title: b.Title, Description: b.Description, MIMEType: b.MIMEType}
	case *mcp.EmbeddedResource:
		if r := b.Resource; r != nil {
			return content.Resource{URI: r.URI, MIMEType: r.MIMEType, Text: r.Text, Blob: r.Blob}
		}
	}
	return nil
}

// Resources returns a page of the server's resources. The first page has the cursor "". If template is not "", the page has
// only the resources of this template, so it may be empty although there are more pages.
func (c *Client) Resources(ctx context.Context, template string, cursor tool.Cursor) (page tool.Page[content.Link], err error) {
	only := (*uris.Template)(nil)
	if template != "" {
		if only, err = uris.Parse(template); err != nil {
			return page, err
		}
	}
	result, err := c.session.ListResources(ctx, &mcp.ListResourcesParams{Cursor: string(cursor)})
	if err != nil {
		return page, c.refusal("listing resources", "", err)
	}
	page.NextCursor, page.HasMore = tool.Cursor(result.NextCursor), result.NextCursor != ""
	for _, r := range result.Resources {
		if only != nil {
			if _, ok := only.Match(r.URI); !ok {
				continue
			}
		}
		page.Items = append(page.Items, content.Link{
			URI: r.URI, Name: r.Name, Title: r.Title, Description: r.Description, MIMEType: r.MIMEType, Size: r.Size,
		})
	}
	return page, nil
}

// CompleteResource returns the values that the server suggests for a variable of a template, and CompletePrompt those for an
// argument of a prompt. value is what the user has typed so far, and given has the other values.
func (c *Client) CompleteResource(ctx context.Context, template, variable, value string, given map[string]string) (tool.Completions, error) {
	return c.complete(ctx, &mcp.CompleteReference{Type: "ref/resource", URI: template}, variable, value, given)
}

// CompletePrompt is described at [Client.CompleteResource].
func (c *Client) CompletePrompt(ctx context.Context, prompt, argument, value string, given map[string]string) (tool.Completions, error) {
	return c.complete(ctx, &mcp.CompleteReference{Type: "ref/prompt", Name: prompt}, argument, value, given)
}

func (c *Client) complete(
	ctx context.Context, ref *mcp.CompleteReference, name, value string, given map[string]string,
) (tool.Completions, error) {
	p := &mcp.CompleteParams{Ref: ref, Argument: mcp.CompleteParamsArgument{Name: name, Value: value}}
	if len(given) > 0 {
		p.Context = &mcp.CompleteContext{Arguments: given}
	}
	result, err := c.session.Complete(ctx, p)
	if err != nil {
		return tool.Completions{}, c.refusal("completing "+name, ref.URI+ref.Name, err)
	}
	r := result.Completion
	return tool.Completions{Values: r.Values, Total: r.Total, HasMore: r.HasMore}, nil
}

// Subscribe asks the server to report changes of the resource at a URI to [Options.Updated], until Unsubscribe is called or
// the session ends.
func (c *Client) Subscribe(ctx context.Context, uri string) error {
	if err := c.session.Subscribe(ctx, &mcp.SubscribeParams{URI: uri}); err != nil {
		return c.refusal("subscribing to "+uri, uri, err)
	}
	return nil
}

// Unsubscribe ends the subscription to a URI.
func (c *Client) Unsubscribe(ctx context.Context, uri string) error {
	if err := c.session.Unsubscribe(ctx, &mcp.UnsubscribeParams{URI: uri}); err != nil {
		return c.refusal("unsubscribing from "+uri, uri, err)
	}
	return nil
}

// notify sets the handlers of notifications.
func (o Options) notify(to *mcp.ClientOptions) {
	if o.Updated != nil {
		to.ResourceUpdatedHandler = func(ctx context.Context, req *mcp.ResourceUpdatedNotificationRequest) {
			o.Updated(ctx, req.Params.URI)
		}
	}
	if o.ListChanged != nil {
		to.ResourceListChangedHandler = func(ctx context.Context, _ *mcp.ResourceListChangedRequest) { o.ListChanged(ctx) }
	}
}

// refusal returns the error of a request. The server sends the code of a fault in the data of a protocol error.
func (c *Client) refusal(what, name string, err error) error {
	wire, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok {
		return fmt.Errorf("%s: %w", what, c.cause(err))
	}
	var data struct {
		Code        fault.Code
		Details     json.RawMessage
		Recoverable bool
		Transient   bool
	}
	if json.Unmarshal(wire.Data, &data) != nil || data.Code == "" {
		return fmt.Errorf("%s: %w", what, err)
	}
	e := &Error{Tool: name, Code: data.Code, Recoverable: data.Recoverable, Transient: data.Transient}
	if e.Message = strings.TrimPrefix(wire.Message, string(e.Code)+": "); string(data.Details) != "null" {
		e.Details = data.Details
	}
	return e
}

// texts returns the members of a value as texts: strings as they are, and other values as JSON.
func texts(in any) (map[string]string, error) {
	if in == nil {
		return nil, nil
	}
	data, err := json.Marshal(in)
	var members map[string]json.RawMessage
	if err == nil {
		err = json.Unmarshal(data, &members)
	}
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	for name, value := range members {
		var text string
		switch {
		case string(value) == "null":
		case json.Unmarshal(value, &text) == nil:
			values[name] = text
		default:
			values[name] = string(value)
		}
	}
	return values, nil
}
