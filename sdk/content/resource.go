package content

import (
	"bytes"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"
)

// A Resource is content with an identity: two blocks with the same URI are the same resource, even in different
// calls. It contains text, or binary data if Blob is not nil.
type Resource struct {
	// URI identifies the resource. It is absolute.
	URI string
	// MIMEType is the type of the content, which hosts use to format it; "" means unspecified.
	MIMEType string
	// Text is the content of a text resource.
	Text string
	// Blob is the content of a binary resource. Text must then be empty.
	Blob []byte
	// Formatted is the content as the model should see it, verbatim; "" leaves formatting to the host. MCP has
	// no field for it and sends only the content.
	Formatted string
	// Name, Title and Description are shown to people; "" means none. MCP has no fields for them in an embedded
	// resource.
	Name, Title, Description string
	Annotations              Annotations
}

// File returns a file as a resource. Its URI is [FileURI] of root and name, and its MIME type depends on the
// name and the data, as described for [At]. File does not read the file system. The resource keeps data, which
// must not be changed afterwards.
func File(root, name string, data []byte) Resource {
	return typed(FileURI(root, name), name[strings.LastIndexAny(name, `/\`)+1:], data)
}

// At returns data as a resource with the given URI, which is used unchanged. The resource contains text if
// data is UTF-8 without NUL, and binary data otherwise. The MIME type of text is determined by the last
// segment of the URI if that is the name of a known kind of source file or document, otherwise by the data;
// it is the same on every machine. The resource keeps data, which must not be changed afterwards.
func At(uri string, data []byte) Resource {
	name := ""
	if u, err := url.Parse(uri); err == nil {
		name = path.Base(u.Path + u.Opaque)
	}
	return typed(uri, name, data)
}

func typed(uri, name string, data []byte) Resource {
	if utf8.Valid(data) && !bytes.ContainsRune(data, 0) { // NUL is valid UTF-8 but does not occur in text
		return Resource{URI: uri, MIMEType: textType(name, data), Text: string(data)}
	}
	return Resource{URI: uri, MIMEType: binaryType(data), Blob: data}
}

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
