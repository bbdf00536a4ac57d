package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func addResources(m *mcp.Server) {
	m.AddResource(&mcp.Resource{URI: "test://static-text", Name: "static-text", Description: "Text.", MIMEType: "text/plain"},
		contents(mcp.ResourceContents{MIMEType: "text/plain", Text: "Text that never changes."}))
	m.AddResource(&mcp.Resource{URI: "test://static-binary", Name: "static-binary", Description: "An image.", MIMEType: "image/png"},
		contents(mcp.ResourceContents{MIMEType: "image/png", Blob: picture().Data}))
	m.AddResource(&mcp.Resource{URI: "test://watched-resource", Name: "watched-resource", Description: "Text that may change.", MIMEType: "text/plain"},
		contents(mcp.ResourceContents{MIMEType: "text/plain", Text: "Text that clients can subscribe to."}))
	m.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "test://template/{id}/data", Name: "template", Description: "Data by id.", MIMEType: "application/json"}, readTemplate)
}

func contents(c mcp.ResourceContents) mcp.ResourceHandler {
	return func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		c := c
		c.URI = req.Params.URI
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{&c}}, nil
	}
}

var templateURI = regexp.MustCompile(`^test://template/([^/]+)/data$`)

func readTemplate(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	match := templateURI.FindStringSubmatch(req.Params.URI)
	if match == nil {
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	data, err := json.Marshal(map[string]any{"id": match[1], "templateTest": true, "data": fmt.Sprintf("Data of %s", match[1])})
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "application/json", Text: string(data)}}}, nil
}
