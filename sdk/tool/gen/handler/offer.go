package handler

import (
	"cmp"

	"github.com/jptool/jptool/internal/uris"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/tool"
)

// An Offer is what a run serves that is not a call to a tool: it reads a resource, gets a prompt, lists the resources of
// a template, or completes a value.
type Offer struct {
	Kind     Kind
	Action   Action
	URI      string             // of the resource that the caller reads
	Resource *manifest.Resource // the contract of the resource or template; nil for a prompt
	Prompt   *manifest.Prompt   // the contract of the prompt; nil for a resource
	Values   []uris.Value       // of the variables of the URI
	// Variable is the variable of a directory, and After the last file of the previous page of the list.
	Variable, After string
}

// An Action is what a request does with a resource or a prompt. Interceptors see it.
type Action string

// The actions.
const (
	Read     Action = ""         // reads the resource, or gets the prompt
	List     Action = "list"     // lists resources of a template
	Complete Action = "complete" // completes an argument of a prompt, or a variable of a template
	// Subscribe subscribes to changes of a resource. No handler runs.
	Subscribe Action = "subscribe"
)

// Completions returns the result of a completion.
func (r Result) Completions() tool.Completions { return r.completions }

// CursorName returns the name of the argument that says where a page begins, or "".
func (t *Tool) CursorName() string { return t.cursor().name }

// noun returns what t is, for messages.
func (t *Tool) noun() string { return string(cmp.Or(t.kind, Callable)) }

// kind returns what the run serves.
func (r *Run) kind() Kind {
	if r.Offer == nil {
		return Callable
	}
	return r.Offer.Kind
}

// scopeName returns the name of what the run serves, for digests. A tool and a resource never share one.
func (r *Run) scopeName() string {
	if r.Offer == nil {
		return r.Contract.Name
	}
	return string(r.Offer.Kind) + "\x00" + r.Contract.Name
}

// complete returns the result of a run in the form that its offer has on every wire: the parts of a resource as
// [content.Resource] blocks with their URIs, and a prompt as messages.
func (r *Run) complete(result Result) (Result, error) {
	o := r.Offer
	if o == nil {
		return result, nil
	}
	if result.directory != nil && o.Action == List {
		return r.listFiles(result.directory)
	}
	if o.Action != Read {
		return result, nil
	}
	var err error
	if result.directory != nil {
		part, err := r.readFile(result.directory)
		if err != nil {
			return Result{}, err
		}
		result.Blocks = content.Blocks{part}
	}
	if o.Kind == Prompt {
		for _, b := range result.Blocks {
			result.Messages = append(result.Messages, content.Message{Role: content.User, Block: b})
		}
		blocks := make(content.Blocks, len(result.Messages))
		for i, m := range result.Messages {
			if blocks[i] = m.Block; m.Role != content.User && m.Role != content.Assistant {
				err = cmp.Or(err, error(fault.New(fault.Internal, "message %d of the prompt has the unknown role %q; use user or assistant",
					i+1, string(m.Role))))
			}
		}
		result.Blocks = nil
		return result, cmp.Or(err, malformed(blocks))
	}
	mime := o.Resource.MIMEType
	if result.value != nil {
		mime = cmp.Or(mime, "application/json")
		result.Blocks, result.Structured = content.Of(result.value(result.Structured)), ""
	}
	odd := false // a part has what the handler chose
	for i, b := range result.Blocks {
		part, ok := b.(content.Resource)
		if text, isText := b.(content.Text); isText {
			part, ok = content.Resource{Text: text.Text, MIMEType: text.MIMEType, Annotations: text.Annotations}, true
		}
		if !ok {
			return Result{}, fault.New(fault.Internal, "the resource returned a %T, which is not the content of a resource", b)
		}
		plain := part.URI == "" && part.MIMEType == "" && part.Annotations.IsZero() && (part.Text == "" || part.Blob == nil)
		part.URI, part.MIMEType = cmp.Or(part.URI, o.URI), cmp.Or(part.MIMEType, mime)
		result.Blocks[i], odd = part, odd || !plain
	}
	if odd {
		err = malformed(result.Blocks)
	}
	return result, err
}

// malformed returns a fault for blocks that cannot be sent.
func malformed(blocks content.Blocks) error {
	if err := blocks.Check(); err != nil {
		return fault.Wrap(err, fault.Internal, "the handler returned a malformed result: %s", err)
	}
	return nil
}
