package jpvet

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
)

// writtenURIs finds strings that begin like the URI of one of the server's resources, because the generated functions
// make URIs that cannot be wrong.
func writtenURIs(c *checker) {
	if c.server == nil {
		return
	}
	var resources []*model.Tool
	for _, t := range c.server.Tools {
		if t.HasURI() && t.URI != "" {
			resources = append(resources, t)
		}
	}
	if len(resources) == 0 {
		return
	}
	for _, f := range c.files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec, *ast.StructType: // a struct has strings only in its tags
				return false
			case *ast.BasicLit:
				if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
					c.writtenURI(n.Pos(), text, resources)
				}
			}
			return true
		})
	}
}

// writtenURI reports a string that begins like the URI of one of the resources.
func (c *checker) writtenURI(pos token.Pos, text string, resources []*model.Tool) {
	var like []*model.Tool // those with the longest part in common with the text
	longest := 0
	for _, t := range resources {
		if !strings.HasPrefix(text, beginning(t)) {
			continue
		}
		common := 0
		for common < min(len(text), len(t.URI)) && text[common] == t.URI[common] && text[common] != '{' {
			common++
		}
		if t.Template == nil && text == t.URI {
			common = len(text) + 1
		}
		if common > longest {
			longest, like = common, nil
		}
		if common == longest {
			like = append(like, t)
		}
	}
	if len(like) == 0 {
		return
	}
	var names []string
	for _, t := range like {
		names = append(names, model.URIName(t.GoName()))
	}
	slices.Sort(names)
	c.report.at(pos, "the string %.60q begins like the URI of resource %s", text, like[0].Name).
		suggest("call %s, which is generated", strings.Join(names, " or "))
}

// commonSchemes are schemes whose URIs are usually not those of the server.
var commonSchemes = []string{"http", "https", "file", "data", "urn", "mailto", "tag"}

// beginning returns the scheme of the URI of a resource, with the slashes after it. For a common scheme, it returns all
// up to the first variable.
func beginning(t *model.Tool) string {
	scheme, rest, _ := strings.Cut(t.URI, ":")
	if slices.Contains(commonSchemes, scheme) {
		literal, _, _ := strings.Cut(t.URI, "{")
		return literal
	}
	if strings.HasPrefix(rest, "//") {
		return scheme + "://"
	}
	return scheme + ":"
}
