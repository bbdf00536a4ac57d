// Package uris matches URIs with the URI templates of resources, and expands the templates (RFC 6570, levels 1 to 3).
package uris

import (
	"errors"
	"fmt"
	"strings"

	"github.com/yosida95/uritemplate/v3"
)

// MaxLength is the maximum length of the URI of a resource in bytes.
const MaxLength = 8 << 10

// A Template is a URI template. It is safe for concurrent use.
type Template struct {
	text   *uritemplate.Template
	static int
}

// Parse reads a template. It returns an error for invalid templates, and for those of level 4, which have modifiers.
func Parse(text string) (*Template, error) {
	t := &Template{}
	var err error
	if t.text, err = uritemplate.New(text); err != nil {
		return nil, fmt.Errorf("the URI template %q is not valid: %w", text, err)
	}
	for rest := text; ; {
		before, after, more := strings.Cut(rest, "{")
		t.static += len(before)
		if !more {
			return t, nil
		}
		variables, after, _ := strings.Cut(after, "}")
		if strings.ContainsAny(variables, "*:") {
			return nil, errors.New("the URI template " + text + " has a modifier, * or :, which is not supported")
		}
		rest = after
	}
}

// Variables returns the names of the variables, in order of occurrence.
func (t *Template) Variables() []string { return t.text.Varnames() }

// Literals returns the number of bytes outside variables. Of several templates that match a URI, the one with the
// most literals is used.
func (t *Template) Literals() int { return t.static }

// Expand returns the URI for the values of the variables. A variable without a value is left out.
func (t *Template) Expand(values map[string]string) (string, error) {
	given := uritemplate.Values{}
	for name, value := range values {
		given.Set(name, uritemplate.String(value))
	}
	return t.text.Expand(given)
}

// Match returns the values of the variables in a URI. It returns false if the template with these values is not
// exactly the URI.
func (t *Template) Match(uri string) (values map[string]string, ok bool) {
	if len(uri) > MaxLength {
		return nil, false
	}
	found := t.text.Match(uri)
	if found == nil {
		return nil, false
	}
	values = make(map[string]string, len(found))
	for name, value := range found {
		values[name] = value.String()
	}
	again, err := t.Expand(values)
	return values, err == nil && again == uri
}
