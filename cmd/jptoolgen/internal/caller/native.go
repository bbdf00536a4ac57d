package caller

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/peer"
)

// AnswerName is the name of the field for the answer to a question that is not a form. Such a question is asked
// with a form that has only this field (docs/jp-aware-mcp-tools.md).
const AnswerName = "answer"

// elicit answers an MCP elicitation.
func (ask Ask) elicit(ctx context.Context, e peer.Elicitation) (peer.Response, error) {
	switch e.Mode {
	case "", "form":
	case "url":
		return ask.open(ctx, e)
	default:
		return peer.Response{Action: "decline"}, nil // the client declared support only for forms and URLs
	}
	form := shape.Read(e.Schema)
	q := Question{ID: e.Key, Text: e.Message, Schema: form, Form: true}
	only, single := form.Property(AnswerName)
	if single = single && len(form.Properties) == 1; single {
		q.Schema, q.Form = only.Schema, false
	}
	value, err := ask(ctx, q)
	switch {
	case err != nil:
		return refusal(err)
	case single:
		if value, err = json.Marshal(map[string]jsontext.Value{AnswerName: value}); err != nil {
			return peer.Response{}, fmt.Errorf("writing the answer: %w", err)
		}
	}
	return peer.Response{Action: "accept", Content: value}, nil
}

// refusal returns the response to a question that was not answered.
func refusal(err error) (peer.Response, error) {
	switch {
	case errors.Is(err, terminal.ErrDeclined):
		return peer.Response{Action: "decline"}, nil
	case errors.Is(err, terminal.ErrCanceled):
		return peer.Response{Action: "cancel"}, nil
	}
	return peer.Response{}, err
}

// open asks the person to open a URL (MCP 2025-11-25, Elicitation, URL mode). The person sees the whole URL before
// agreeing.
func (ask Ask) open(ctx context.Context, e peer.Elicitation) (peer.Response, error) {
	if !isWeb(e.URL) {
		return peer.Response{}, fmt.Errorf("the tool asks to open %s, which is not an http or https URL", quoteName(e.URL))
	}
	value, err := ask(ctx, Question{ID: e.Key, Text: e.Message, URL: e.URL, Schema: shape.Schema{Types: []string{"boolean"}}})
	switch {
	case err != nil:
		return refusal(err)
	case string(value) != "true":
		return peer.Response{Action: "decline"}, nil
	}
	return peer.Response{Action: "accept"}, nil
}

// urlRequired is the code of an error that names URLs to open before the call (MCP 2025-11-25, Elicitation).
const urlRequired = -32042

// openRequired asks the person to open the URLs that an error requires. It returns nil if the person agreed to
// open all of them, and an error otherwise.
func (ask Ask) openRequired(ctx context.Context, err error) error {
	e, ok := errors.AsType[*peer.RemoteError](err)
	if !ok || e.Code != urlRequired || ask == nil {
		return err
	}
	var data struct {
		Elicitations []peer.Elicitation `json:"elicitations"`
	}
	if json.Unmarshal(e.Data, &data) != nil || len(data.Elicitations) == 0 {
		return err
	}
	for _, one := range data.Elicitations {
		response, failed := ask.open(ctx, one)
		switch {
		case failed != nil:
			return failed
		case response.Action != "accept":
			return err
		}
	}
	return nil
}

// Plain returns the outcome of a plain MCP result.
func Plain(r *peer.Result) *Outcome {
	out := &Outcome{IsError: r.IsError, Structured: r.Structured, Raw: r.Raw}
	var texts []string
	for _, b := range r.Content {
		if text := BlockText(b); text != "" {
			texts = append(texts, text)
		}
	}
	out.Texts, out.Text = texts, strings.Join(texts, "\n")
	if out.Structured.Kind() == 'n' {
		out.Structured = nil
	}
	code, details := r.Fault()
	out.fault(code, details)
	return out
}

// failedOutcome returns the outcome in a protocol error. It has no code unless the server was built with jptool.
func failedOutcome(err *peer.RemoteError) *Outcome {
	out := &Outcome{IsError: true, Text: err.Message, Raw: err.Data}
	var data struct {
		Code    string         `json:"code"`
		Details jsontext.Value `json:"details"`
	}
	if json.Unmarshal(err.Data, &data) == nil {
		out.fault(data.Code, data.Details)
	}
	if prefix := out.Code + ": "; out.Code != "" && !strings.HasPrefix(out.Text, prefix) { // as in the text of a failed tool
		out.Text = prefix + out.Text
	}
	return out
}

// fault sets the code of a fault, and the question that it names.
func (o *Outcome) fault(code string, details jsontext.Value) {
	o.Code = code
	var asks struct {
		ID     string         `json:"question"`
		Text   string         `json:"message"`
		Schema jsontext.Value `json:"schema"`
	}
	if json.Unmarshal(details, &asks) == nil && asks.ID != "" && asks.Schema != nil {
		schema := shape.Read(asks.Schema)
		o.Unanswered = &Question{ID: asks.ID, Text: asks.Text, Schema: schema, Form: len(schema.Properties) > 0}
	}
}

// BlockText returns the text of a block, or a description of a block that is not text.
func BlockText(b peer.Block) string {
	switch b.Type {
	case "text":
		return b.Text
	case "resource":
		if blob := b.Resource.Blob; blob != nil {
			return fmt.Sprintf("[%s %s, %d bytes]", b.Resource.URI, b.Resource.MIMEType, base64.StdEncoding.DecodedLen(len(*blob)))
		}
		return b.Resource.Text
	case "resource_link":
		return fmt.Sprintf("[%s: %s]", b.Name, b.URI)
	}
	return fmt.Sprintf("[%s %s, %d bytes]", b.Type, b.MIMEType, base64.StdEncoding.DecodedLen(len(b.Data)))
}
