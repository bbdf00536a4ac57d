// Package lock reads and writes the text of contracts, and computes their digests.
package lock

import (
	"errors"
	"fmt"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/jptool/jptool/internal/declared"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// File is the name of the lock file next to the source.
const File = declared.Contract

// Text returns the text of the lock file for a contract. If the contract has digests, Text replaces
// them with the correct digests.
func Text(c *manifest.Server) ([]byte, error) {
	sealed := *c
	var err error
	if c.Hash != (manifest.Hash{}) {
		sealed.Hash, err = Sum(c)
	}
	data, failed := sealed.Write()
	if err = errors.Join(err, failed); err != nil {
		return nil, fmt.Errorf("the contract of server %s: %w", c.Name, err)
	}
	return data, nil
}

// Read parses a contract. It returns an error for invalid JSON and for a different [manifest.Format].
func Read(data []byte) (*manifest.Server, error) {
	s := new(manifest.Server)
	if err := jsonv2.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("reading the contract: %w", err)
	}
	var texts []*manifest.Schema
	for i := range s.Tools {
		texts = append(texts, &s.Tools[i].Meta, &s.Tools[i].Other)
	}
	for _, list := range [][]manifest.Resource{s.Resources, s.Templates} {
		for i := range list {
			texts = append(texts, &list[i].Meta, &list[i].Other)
		}
	}
	for i := range s.Prompts {
		texts = append(texts, &s.Prompts[i].Meta, &s.Prompts[i].Other)
	}
	for _, m := range texts {
		if *m != nil {
			_ = m.Compact() // cannot fail: Unmarshal has checked the JSON, which is indented in a file
		}
	}
	switch s.Format {
	case manifest.Format:
		return s, nil
	case 0:
		return nil, errors.New("not a contract: \"format\" is missing")
	default:
		return nil, fmt.Errorf("unsupported contract format %d; this program reads format %d", s.Format, manifest.Format)
	}
}
