package content

import (
	"errors"
	"fmt"
	"mime"
	"net/url"
	"strings"
	"unicode"
)

// An Error says which block of a result cannot be sent. It never holds content.
type Error struct {
	// Block is the place of the block, from 0.
	Block int
	// Kind is what the block is, as MCP calls it; "" if that cannot be told.
	Kind string
	// Err is what is wrong.
	Err error
}

// Error names the block, counted from 1, and what is wrong with it.
func (e *Error) Error() string {
	if e.Kind == "" {
		return fmt.Sprintf("block %d: %s", e.Block+1, e.Err)
	}
	return fmt.Sprintf("block %d (%s): %s", e.Block+1, e.Kind, e.Err)
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// Check returns an [*Error] about the first block that must not be sent: a
// pointer or nil, an unknown role, a priority that is not from 0 to 1, a URI that
// is missing or relative, a resource with text and blob, a picture or sound without
// data or of another MIME type, a link without a name, a status that is unknown or
// a second one. Clients drop a whole result for one such block (rmcp 1.8), so a
// result that fails here is a fault of its tool.
func (b Blocks) Check() error {
	status := false
	for i, block := range b {
		kind, err := "", error(nil)
		switch block := block.(type) {
		case Text, Resource, Image, Audio, Link:
			kind, err = block.kind(), block.check()
		case Status:
			kind, err = block.kind(), block.check()
			if status {
				err = errors.New("a result may have only one status")
			}
			status = true
		case nil:
			err = errors.New("it is nil")
		default:
			err = fmt.Errorf("it is a %T; use a value instead of a pointer", block)
		}
		if err != nil {
			return &Error{Block: i, Kind: kind, Err: err}
		}
	}
	return nil
}

func (t Text) check() error { return errors.Join(checkType(t.MIMEType), t.Annotations.check()) }

// checkURI does not repeat the URI, which may carry a password.
func checkURI(uri string) error {
	if uri == "" {
		return errors.New("the URI is missing")
	}
	if strings.ContainsFunc(uri, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return errors.New("the URI has blanks or control characters")
	}
	u, err := url.Parse(uri)
	switch {
	case err != nil:
		return errors.New("the URI is malformed")
	case u.Scheme == "":
		return errors.New("the URI is relative")
	case len(u.Scheme) == 1:
		return errors.New("the URI is a Windows path; content.FileURI makes one of it")
	case u.Scheme == "file" && !strings.HasPrefix(u.Path, "/"):
		return errors.New("the URI is of a file without an absolute path")
	}
	return nil
}

func checkType(mimeType string) error {
	if mimeType == "" {
		return nil
	}
	t, _, err := mime.ParseMediaType(mimeType)
	if err != nil || strings.Count(t, "/") != 1 {
		return fmt.Errorf("%.40q is not a MIME type", mimeType)
	}
	return nil
}
