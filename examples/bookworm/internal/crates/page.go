package crates

import (
	"context"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/tool"
)

// PageInput is what follows crate:// in a URI.
type PageInput struct {
	// Page of the crate, such as serde/latest/readme.
	Page string `json:"page" jsonschema:"minLength=1,maxLength=4096"`
}

// Page has the versions, the metadata, the README, the documentation or the sources of a crate. The tool crate_resource
// describes the URIs.
//
//jp:resource name=crate uri=crate://{+page}
//jp:fails not_found unavailable timeout input_declined
func (c *Crates) Page(ctx context.Context, call *tool.Call, in PageInput, ask DocsQuestions, opt DocsOptions) ([]content.Resource, error) {
	found, err := c.Resource(ctx, call, ResourceInput{URI: PageURI(in.Page)}, ask, opt)
	if err != nil {
		return nil, err
	}
	var parts, remarks []content.Resource
	for _, b := range found {
		switch b := b.(type) {
		case content.Resource:
			parts = append(parts, b)
		case content.Text:
			remarks = append(remarks, content.Resource{MIMEType: "text/plain", Text: b.Text})
		}
	}
	if len(parts) == 0 {
		return remarks, nil
	}
	return parts, nil
}

// CompletePage suggests the names of the crates that a search for the typed text finds.
//
//jp:complete crate page
func (c *Crates) CompletePage(ctx context.Context, typed tool.Completion[PageInput]) ([]string, error) {
	if typed.Value == "" {
		return nil, nil
	}
	found, err := c.Library.Registry().Search(ctx, typed.Value)
	if err != nil {
		return nil, faultOf(err)
	}
	var names []string
	for _, hit := range found {
		names = append(names, hit.Name+"/latest")
	}
	return names, nil
}
