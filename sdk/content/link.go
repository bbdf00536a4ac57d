package content

import "errors"

// A Link names a resource without its content (MCP, resource_link). Clients before
// MCP 2025-06-18, and JP, get it as text: they could not fetch it.
type Link struct {
	// URI is absolute.
	URI string
	// Name is mandatory.
	Name string
	// Title and Description are shown to people; "" for none.
	Title, Description string
	// MIMEType is the kind of what the URI leads to; "" says nothing.
	MIMEType    string
	Annotations Annotations
}

func (Link) kind() string         { return "resource_link" }
func (l Link) text(_ bool) string { return l.Name + " <" + l.URI + ">" }

func (l Link) check() error {
	if l.Name == "" {
		return errors.New("the name is missing")
	}
	if err := checkURI(l.URI); err != nil {
		return err
	}
	return errors.Join(checkType(l.MIMEType), l.Annotations.check())
}
