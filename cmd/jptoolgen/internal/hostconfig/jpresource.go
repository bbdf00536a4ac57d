package hostconfig

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// jpServer matches the names of servers in the URI of an attachment, whose scheme is mcp+SERVER+SCHEME.
var jpServer = lazyregexp.New(`^[A-Za-z0-9.-]+$`)

// resourceRemarks returns notes about attaching the resources of a server to a conversation. JP attaches only those of MCP
// servers, and sends neither options nor answers with the request.
func (e Entry) resourceRemarks() (all []string) {
	c := e.Contract
	if len(c.Resources)+len(c.Templates) == 0 {
		return nil
	}
	if e.As.IsProcess() {
		return []string{"JP attaches the resources of a server only in mode mcp; to attach them, add --as mcp"}
	}
	first := slices.Concat(c.Resources, c.Templates)[0]
	uri := first.URI + first.URITemplate
	if !jpServer().MatchString(e.Name) {
		all = append(all, fmt.Sprintf("JP cannot attach the resources of a server named %q; set a name of letters, digits and hyphens with --name", e.Name))
	} else {
		all = append(all, fmt.Sprintf("JP attaches the text of a resource with jp q -a 'mcp+%s+%s'", e.Name, uri))
	}
	var asks, options []string
	for _, t := range c.Calls()[len(c.Tools):] {
		if len(t.Questions) > 0 {
			asks = append(asks, t.Name)
		}
		if open := shape.Read(t.Options).Properties; len(open) > len(manifest.Secrets(t.Options)) {
			options = append(options, t.Name)
		}
	}
	if len(asks) > 0 {
		all = append(all, "JP cannot ask the questions of "+strings.Join(asks, ", ")+
			"; the default answer is used, or the request fails with input_unavailable if a question has no default")
	}
	if len(options) > 0 {
		all = append(all, "JP does not pass options to "+strings.Join(options, ", ")+
			"; add them to the arguments of the server: -- --option NAME.OPTION=VALUE")
	}
	return all
}
