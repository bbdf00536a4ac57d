package engine

import (
	"math"

	"github.com/jptool/jptool/sdk/content"
)

// block appends a content block in a form that the protocol version supports: newer kinds of blocks
// become text. Fields without a counterpart in MCP are left out: a status, the MIME type of a text
// block, and the name, title, description and formatted text of a resource. It returns the text of
// a text block, or false for a block that the client does not see.
func (o *outcome) block(w *Writer, b content.Block) (text string, ok bool) {
	version := o.r.version
	var a content.Annotations
	switch b := b.(type) {
	case content.Text:
		return textBlock(w, version, b.Text, b.Annotations), true
	case content.Resource:
		w.Begin('{').Raw(`"type":"resource","resource":{"uri":`).String(b.URI)
		member(w, "mimeType", b.MIMEType)
		if b.Blob != nil {
			w.Name("blob").Base64(b.Blob)
		} else {
			// rmcp drops a whole result that has a resource with neither text nor blob.
			w.Name("text").String(b.Text)
		}
		w.End('}')
		a = b.Annotations
	case content.Image:
		media(w, "image", b.MIMEType, b.Data)
		a = b.Annotations
	case content.Audio:
		if version < audioSince {
			return textBlock(w, version, content.Blocks{b}.Flatten(), b.Annotations), true
		}
		media(w, "audio", b.MIMEType, b.Data)
		a = b.Annotations
	case content.Link:
		if version < linkSince {
			return textBlock(w, version, content.Blocks{b}.Flatten(), b.Annotations), true
		}
		w.Begin('{').Raw(`"type":"resource_link","uri":`).String(b.URI)
		w.Name("name").String(b.Name)
		member(w, "title", b.Title)
		member(w, "description", b.Description)
		member(w, "mimeType", b.MIMEType)
		a = b.Annotations
	default:
		return "", false
	}
	annotations(w, version, a)
	w.End('}')
	return "", true
}

// member appends a string member unless the text is empty.
func member(w *Writer, name, text string) {
	if text != "" {
		w.Name(name).String(text)
	}
}

func media(w *Writer, kind, mimeType string, data []byte) {
	w.Begin('{').Name("type").String(kind)
	w.Name("mimeType").String(mimeType)
	w.Name("data").Base64(data)
}

// textBlock appends a text block and returns its text.
func textBlock(w *Writer, version, text string, a content.Annotations) string {
	w.Begin('{').Raw(`"type":"text","text":`).String(text)
	annotations(w, version, a)
	w.End('}')
	return text
}

// annotations appends the annotations of a block unless they are zero.
func annotations(w *Writer, version string, a content.Annotations) {
	if version < lastModifiedSince {
		a.LastModified = content.Annotations{}.LastModified
	}
	if a.IsZero() {
		return
	}
	if a.Priority != nil && (math.IsNaN(*a.Priority) || math.IsInf(*a.Priority, 0)) {
		a.Priority = nil
	}
	w.Name("annotations").Value(struct {
		Audience     []content.Role `json:"audience,omitempty"`
		LastModified string         `json:"lastModified,omitempty"`
		Priority     *float64       `json:"priority,omitempty"`
	}{a.Audience, a.Modified(), a.Priority})
}
