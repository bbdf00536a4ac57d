package mcpbridge

import (
	"encoding/json"
	"math"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/content"
)

// The versions that brought a kind of block (MCP, changelogs).
const (
	audioSince        = "2025-03-26"
	linkSince         = "2025-06-18"
	lastModifiedSince = "2025-06-18"
)

// blocks renders in as a client of that protocol version knows it: a kind of block
// that came later as its text, which every version has. What MCP has no place for is
// left out: a status, the MIME type of a text, and name, title, description and
// form of a resource, whose content says the same.
func blocks(version string, in content.Blocks) []mcp.Content {
	out := make([]mcp.Content, 0, len(in))
	for _, b := range in {
		if c := block(version, b); c != nil {
			out = append(out, c)
		}
	}
	return out
}

// block returns nil for a block that a client does not see.
func block(version string, b content.Block) mcp.Content {
	switch b := b.(type) {
	case content.Text:
		return &mcp.TextContent{Text: b.Text, Annotations: annotations(version, b.Annotations)}
	case content.Resource:
		return embedded(b, annotations(version, b.Annotations))
	case content.Image:
		return &mcp.ImageContent{Data: b.Data, MIMEType: b.MIMEType, Annotations: annotations(version, b.Annotations)}
	case content.Audio:
		if version < audioSince {
			return asText(version, b, b.Annotations)
		}
		return &mcp.AudioContent{Data: b.Data, MIMEType: b.MIMEType, Annotations: annotations(version, b.Annotations)}
	case content.Link:
		if version < linkSince {
			return asText(version, b, b.Annotations)
		}
		return &mcp.ResourceLink{
			URI: b.URI, Name: b.Name, Title: b.Title, Description: b.Description, MIMEType: b.MIMEType,
			Annotations: annotations(version, b.Annotations),
		}
	}
	return nil
}

func asText(version string, b content.Block, a content.Annotations) mcp.Content {
	return &mcp.TextContent{Text: content.Blocks{b}.Flatten(), Annotations: annotations(version, a)}
}

func annotations(version string, a content.Annotations) *mcp.Annotations {
	if version < lastModifiedSince {
		a.LastModified = time.Time{}
	}
	if a.IsZero() {
		return nil
	}
	out := &mcp.Annotations{LastModified: a.Modified()}
	for _, role := range a.Audience {
		out.Audience = append(out.Audience, mcp.Role(role))
	}
	if a.Priority != nil {
		// go-sdk leaves a priority of 0 out. The number next to it says the same.
		out.Priority = max(*a.Priority, math.SmallestNonzeroFloat64)
	}
	return out
}

func embedded(r content.Resource, a *mcp.Annotations) mcp.Content {
	out := &mcp.EmbeddedResource{
		Resource:    &mcp.ResourceContents{URI: r.URI, MIMEType: r.MIMEType, Text: r.Text, Blob: r.Blob},
		Annotations: a,
	}
	if r.Text == "" && r.Blob == nil {
		return emptyText{out}
	}
	return out
}

// emptyText is a resource whose text is empty. go-sdk would leave the text out, and
// of a resource with neither text nor blob rmcp drops the whole result.
type emptyText struct{ *mcp.EmbeddedResource }

// MarshalJSON writes the block with its text.
func (e emptyText) MarshalJSON() ([]byte, error) {
	type resource struct {
		URI      string `json:"uri"`
		MIMEType string `json:"mimeType,omitempty"`
		Text     string `json:"text"`
	}
	return json.Marshal(struct {
		Type        string           `json:"type"`
		Resource    resource         `json:"resource"`
		Annotations *mcp.Annotations `json:"annotations,omitempty"`
	}{"resource", resource{URI: e.Resource.URI, MIMEType: e.Resource.MIMEType}, e.Annotations})
}
