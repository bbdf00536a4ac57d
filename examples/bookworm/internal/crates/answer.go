package crates

import (
	"strings"

	"github.com/jptool/jptool/examples/bookworm/internal/render"
	"github.com/jptool/jptool/sdk/content"
)

// blocks converts an answer to the blocks of a result: the resources, then one text with the remarks of the
// caller and of the answer.
func blocks(a render.Answer, remarks ...string) content.Blocks {
	var all content.Blocks
	for _, r := range a.Resources {
		all = append(all, content.Resource{URI: r.URI, MIMEType: r.MIMEType, Text: r.Text})
	}
	remarks = append(remarks, a.Remarks...)
	if len(remarks) > 0 {
		all = append(all, content.Text{Text: strings.Join(remarks, "\n")})
	}
	return all
}
