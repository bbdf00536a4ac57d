package crates

import (
	"strings"

	"github.com/jptool/jptool/examples/bookworm/internal/render"
	"github.com/jptool/jptool/sdk/content"
)

// blocks converts an answer to the blocks of a result: text with the caller's remarks about the
// source, then the resources, and then text with the remarks of the answer about the rest.
func blocks(a render.Answer, remarks ...string) content.Blocks {
	var all content.Blocks
	if len(remarks) > 0 {
		all = append(all, content.Text{Text: strings.Join(remarks, "\n")})
	}
	for _, r := range a.Resources {
		all = append(all, content.Resource{URI: r.URI, MIMEType: r.MIMEType, Text: r.Text})
	}
	if len(a.Remarks) > 0 {
		all = append(all, content.Text{Text: strings.Join(a.Remarks, "\n")})
	}
	return all
}
