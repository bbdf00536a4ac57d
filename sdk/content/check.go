package content

import (
	"errors"
	"fmt"
	"mime"
	"net/url"
	"strings"
	"unicode"
)

// An Error describes a block of a result that cannot be sent. It never contains the content of the block.
type Error struct {
	// Block is the index of the block, starting at 0.
	Block int
	// Kind is MCP's name for the kind of block, or "" if unknown.
	Kind string
	// Err is the problem.
	Err error
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
// Clients discard a whole result because of one such block (rmcp 1.8), so a result that fails Check is a
// bug in its tool.
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
			err = errors.New("the block is nil")
		default:
			err = fmt.Errorf("the block is a %T; use a value instead of a pointer", block)
		}
		if err != nil {
			return &Error{Block: i, Kind: kind, Err: err}
		}
	}
	return nil
}

func (t Text) check() error { return errors.Join(checkType(t.MIMEType), t.Annotations.check()) }

// checkURI returns an error for a missing, relative or malformed URI. The error does not repeat the
// URI, which may contain a password.
func checkURI(uri string) error {
	if uri == "" {
		return errors.New("the URI is missing")
	}
	if strings.ContainsFunc(uri, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return errors.New("the URI contains spaces or control characters")
	}
	u, err := url.Parse(uri)
	switch {
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
