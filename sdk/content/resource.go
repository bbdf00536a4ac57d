package content

import (
	"errors"
	"net/url"
	"path"
	"strings"
)

// A Resource is content that has an identity: two blocks of one URI are the same
// thing, in whatever call they come. It holds text, or bytes if Blob is not nil.
type Resource struct {
	// URI identifies the resource. It is absolute.
	URI string
	// MIMEType is the kind of content, by which a host formats it; "" says nothing.
	MIMEType string
	// Text is the content of a text.
	Text string
	// Blob is the content of anything else; a resource has not both.
	Blob []byte
	// Formatted is how a model shall see the content, verbatim; "" leaves that to the
	// host. MCP has no place for it and sends the content alone.
	Formatted string
	// Name, Title and Description are shown to people; "" for none. MCP has no place
	// for them in a resource that is embedded in a result.
	Name, Title, Description string
	Annotations              Annotations
}

// File returns a file as a resource. Its URI is [FileURI] of root and name, its MIME type
// comes from the name and the data: see [At]. The file system is not looked at.
// The resource keeps data, which must not be changed afterwards.
func File(root, name string, data []byte) Resource {
	r := typed(name[strings.LastIndexAny(name, `/\`)+1:], data)
	r.URI = FileURI(root, name)
	return r
}

// At returns data as the resource of a URI, which is kept as it is. Data is text
// if it is UTF-8 without NUL, and bytes otherwise. The MIME type of a text
// comes from the last segment of the URI if that names a known kind of source or
// document, else from the data; it is the same on every machine. The resource
// keeps data, which must not be changed afterwards.
func At(uri string, data []byte) Resource {
	name := ""
	if u, err := url.Parse(uri); err == nil {
		name = path.Base(u.Path + u.Opaque)
	}
	r := typed(name, data)
	r.URI = uri
	return r
}

func typed(name string, data []byte) Resource {
	if isText(data) {
		return Resource{MIMEType: textType(name, data), Text: string(data)}
	}
	return Resource{MIMEType: binaryType(data), Blob: data}
}

func (Resource) kind() string { return "resource" }

func (r Resource) text(alone bool) string {
	switch {
	case r.Formatted != "":
		return r.Formatted
	case r.Blob != nil:
		return note(r.MIMEType, len(r.Blob)) + " " + r.URI
	case alone:
		return r.Text
	}
	return strings.TrimSuffix(r.URI+"\n"+r.Text, "\n")
}

func (r Resource) check() error {
	if err := checkURI(r.URI); err != nil {
		return err
	}
	if r.Text != "" && r.Blob != nil {
		return errors.New("it has both a text and a blob")
	}
	return errors.Join(checkType(r.MIMEType), r.Annotations.check())
}
