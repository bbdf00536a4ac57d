package manifest

import (
	"errors"
	"fmt"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Load is [Read] for a program that publishes the contract it carries as text, which
// jptoolgen wrote: schemas lose the blanks that make the file readable, and that no name
// stands twice is not checked again.
func Load(text string) (*Server, error) {
	s := new(Server)
	err := jsonv2.UnmarshalRead(strings.NewReader(text), s,
		jsonv2.WithUnmarshalers(jsonv2.UnmarshalFromFunc(readCompact)), jsontext.AllowDuplicateNames(true))
	return s.checked(err)
}

// readCompact decodes a value without its blanks.
func readCompact(d *jsontext.Decoder, v *jsontext.Value) error {
	text, err := d.ReadValue()
	if err != nil {
		return err
	}
	*v = text.Clone()
	return v.Compact(jsontext.AllowDuplicateNames(true))
}

// checked returns s, unless it could not be read or is of another [Format].
func (s *Server) checked(err error) (*Server, error) {
	if err != nil {
		return nil, fmt.Errorf("reading the contract: %w", err)
	}
	switch s.Format {
	case Format:
		return s, nil
	case 0:
		return nil, errors.New("this is no contract: it has no format")
	default:
		return nil, fmt.Errorf("the contract has format %d, this program reads format %d", s.Format, Format)
	}
}
