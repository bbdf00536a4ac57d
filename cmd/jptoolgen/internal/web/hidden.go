package web

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
)

// The page gets each character that [phrase.Visible] escapes as its number in hexadecimal between these two characters
// of private use. It shows the number as an escape, and sends the character back as it was.
const (
	markStart = "\ue000"
	markEnd   = "\ue001"
)

func mark(r rune) string { return fmt.Sprintf("%s%x%s", markStart, r, markEnd) }

// markHidden marks the hidden characters in all strings of a JSON text.
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
			// A mark of a server is a hidden character, too, because both marks are characters of private use.
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
