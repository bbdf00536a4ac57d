package manifest

import (
	"encoding/binary"
	"fmt"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Load is [Read] for a program that publishes the contract it carries, as jptoolgen
// wrote it: schemas lose the blanks that make the file readable, and that no name
// stands twice is not checked again.
func Load(text string) (*Server, error) {
	s := new(Server)
	var c chunk
	// A reader spares a copy of the text, which can be megabytes.
	err := jsonv2.UnmarshalRead(strings.NewReader(text), s,
		jsonv2.WithUnmarshalers(jsonv2.UnmarshalFromFunc(c.read)), jsontext.AllowDuplicateNames(true))
	return s.checked(err)
}

// checked returns s, unless it could not be read or is of another [Format].
func (s *Server) checked(err error) (*Server, error) {
	if err != nil {
		return nil, fmt.Errorf("reading the contract: %w", err)
	}
	if s.Format != Format {
		return nil, fmt.Errorf("the contract has format %d, this program reads format %d", s.Format, Format)
	}
	return s, nil
}

// A chunk is memory that several values share.
type chunk struct{ free []byte }

const chunkSize = 64 << 10

// read decodes a value without its blanks.
func (c *chunk) read(d *jsontext.Decoder, v *jsontext.Value) error {
	text, err := d.ReadValue()
	if err != nil {
		return err
	}
	if len(c.free) < len(text) {
		c.free = make([]byte, max(chunkSize, len(text)))
	}
	n := compact(c.free, text)
	*v, c.free = c.free[:n:n], c.free[n:]
	return nil
}

// compact writes well-formed JSON to dst, which is as long, without the blanks
// outside its strings. It returns how long that is.
func compact(dst, text []byte) (n int) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ', '\t', '\r':
		case '\n':
			// An indented line, most of which is blank.
			for i+8 < len(text) && binary.LittleEndian.Uint64(text[i+1:]) == eightBlanks {
				i += 8
			}
		case '"':
			start := i
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			n += copy(dst[n:], text[start:i+1])
		default:
			dst[n] = c
			n++
		}
	}
	return n
}

const eightBlanks = 0x2020202020202020
