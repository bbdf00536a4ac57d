package content

import "errors"

// A Link refers to a resource without including its content (MCP, resource_link). Clients before MCP 2025-06-18,
// and JP, receive it as text, since they cannot fetch it.
type Link struct {
	// URI is absolute.
	URI string
	// Name is required.
	Name string
	// Title and Description are shown to people; "" means none.
	Title, Description string
	// MIMEType is the type of the linked content; "" means unspecified.
	MIMEType    string
	Annotations Annotations
	// Whole says that the resource is the whole result. Such a link is sent only if the result is cut to the
	// budget of its tool, and the truncation notice contains its URI.
	Whole bool
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
