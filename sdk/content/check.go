package content

import (
	"cmp"
	"errors"
	"fmt"
	"mime"
	"net/url"
	"strings"
	"unicode"
)

// An Error describes a block that cannot be sent. It never contains the content of the block.
type Error struct {
	Block int    // the index of the block, starting at 0
	Kind  string // MCP's name for the kind of block, or "" if unknown
	Err   error  // the problem
}

// Error returns the number of the block, counted from 1, and the problem.
func (e *Error) Error() string {
	if e.Kind == "" {
		return fmt.Sprintf("block %d: %s", e.Block+1, e.Err)
	}
	return fmt.Sprintf("block %d (%s): %s", e.Block+1, e.Kind, e.Err)
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Check returns an [*Error] for the first block that cannot be sent:
//
//   - a pointer or nil
//   - a block with an unknown role, or a priority outside 0 to 1
//   - a block with a missing or relative URI
//   - a resource with both text and blob
//   - an image or audio without data, or with a MIME type of another kind
//   - a link without a name
//   - an unknown status, or a second status
//
// Clients discard a whole result because of one such block (rmcp 1.8).
func (b Blocks) Check() error {
	statuses := 0
	for i, block := range b {
		kind, err := check(block)
		if kind == "status" {
			if statuses++; statuses > 1 {
				err = errors.New("a result may have only one status")
			}
		}
		if err != nil {
			return &Error{Block: i, Kind: kind, Err: err}
		}
	}
	return nil
}

// check returns MCP's name for the kind of a block, and an error if the block cannot be sent.
func check(block Block) (kind string, err error) {
	switch b := block.(type) {
	case Text:
		return "text", checkLabels(b.MIMEType, b.Annotations)
	case Resource:
		err := checkURI(b.URI)
		if err == nil && b.Text != "" && b.Blob != nil {
			err = errors.New("the resource has both text and blob")
		}
		return "resource", cmp.Or(err, checkLabels(b.MIMEType, b.Annotations))
	case Image:
		return "image", checkMedia("image/", b.MIMEType, b.Data, b.Annotations)
	case Audio:
		return "audio", checkMedia("audio/", b.MIMEType, b.Data, b.Annotations)
	case Link:
		if b.Name == "" {
			return "resource_link", errors.New("the name is missing")
		}
		return "resource_link", cmp.Or(checkURI(b.URI), checkLabels(b.MIMEType, b.Annotations))
	case Status:
		switch b {
		case Running, Stopped:
			return "status", nil
		case "waiting":
			return "status", errors.New("a tool must ask a question to wait for input")
		}
		return "status", fmt.Errorf("unknown status %.40q", string(b))
	case nil:
		return "", errors.New("the block is nil")
	}
	return "", fmt.Errorf("the block is a %T; use a value instead of a pointer", block)
}

// checkMedia checks the block of an image or audio. It is strict because model APIs reject a whole
// conversation that contains a malformed one.
func checkMedia(family, mimeType string, data []byte, a Annotations) error {
	switch {
	case mimeType == "":
		return errors.New("the MIME type is missing")
	case !strings.HasPrefix(mimeType, family):
		return fmt.Errorf("the MIME type %.40q does not start with %s", mimeType, family)
	case len(data) == 0:
		return errors.New("the data is empty")
	}
	return checkLabels(mimeType, a)
}

// checkURI checks an absolute URI. The error does not repeat the URI, which may contain a password.
func checkURI(uri string) error {
	odd := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	u, err := url.Parse(uri)
	if err != nil {
		u, err = parseName(uri)
	}
	switch {
	case uri == "":
		return errors.New("the URI is missing")
	case strings.ContainsFunc(uri, odd):
		return errors.New("the URI contains spaces or control characters")
	case err != nil:
		return errors.New("the URI is malformed")
	case u.Scheme == "":
		return errors.New("the URI is relative")
	case len(u.Scheme) == 1:
		return errors.New("the URI is a Windows path; convert it with content.FileURI")
	case u.Scheme == "file" && !strings.HasPrefix(u.Path, "/"):
		return errors.New("the file URI has no absolute path")
	}
	return nil
}

// parseName parses a URI with escapes after the slashes, such as note://a%2Fb. RFC 3986 allows them in the name of a host,
// but package net/url does not. For a scheme of the web, the name is that of a real host, which has none.
func parseName(uri string) (*url.URL, error) {
	var plain strings.Builder
	for i := 0; i < len(uri); i++ {
		if uri[i] == '%' && i+2 < len(uri) && isHex(uri[i+1]) && isHex(uri[i+2]) {
			plain.WriteByte('_')
			i += 2
			continue
		}
		plain.WriteByte(uri[i])
	}
	u, err := url.Parse(plain.String())
	if err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		err = errors.New("an escape in the name of a host")
	}
	return u, err
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

func checkLabels(mimeType string, a Annotations) error {
	err := a.check()
	if mimeType == "" {
		return err
	}
	if t, _, bad := mime.ParseMediaType(mimeType); bad != nil || strings.Count(t, "/") != 1 {
		err = errors.Join(fmt.Errorf("%.40q is not a MIME type", mimeType), err)
	}
	return err
}
