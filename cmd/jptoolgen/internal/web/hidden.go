package web

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
)

// For each character that [phrase.Visible] escapes, the page gets the character's number in hexadecimal between
// these two private-use characters. It shows the number as an escape, and sends the original character back.
const (
	markStart = "\ue000"
	markEnd   = "\ue001"
)

func mark(r rune) string { return fmt.Sprintf("%s%x%s", markStart, r, markEnd) }

// markHidden marks the hidden characters in all strings of JSON text.
func markHidden(text []byte) ([]byte, error) {
	var out bytes.Buffer
	options := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	d, e := jsontext.NewDecoder(bytes.NewReader(text), options...), jsontext.NewEncoder(&out, options...)
	for {
		token, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		if token.Kind() == '"' {
			// A mark that the server sent is also a hidden character, because both marks are private-use
			// characters.
			token = jsontext.String(phrase.Escape(strings.ToValidUTF8(token.String(), "\ufffd"), mark))
		}
		if err := e.WriteToken(token); err != nil {
			return nil, err
		}
		if d.StackDepth() == 0 {
			return bytes.TrimSpace(out.Bytes()), nil
		}
	}
}
