// Package lock writes contracts to lock files.
package lock

import (
	"fmt"

	"github.com/jptool/jptool/internal/declared"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// File is the name of the lock file next to the source.
const File = declared.Contract

// Seal returns a copy of a contract with its digests set.
func Seal(c *manifest.Server) (*manifest.Server, error) {
	sealed := *c
	var err error
	if sealed.Hash, err = c.Sum(); err != nil {
		return nil, fmt.Errorf("the contract of server %s: %w", c.Name, err)
	}
	return &sealed, nil
}

// Text returns the text of the lock file for a contract, with its digests.
func Text(c *manifest.Server) ([]byte, error) {
	sealed, err := Seal(c)
	if err != nil {
		return nil, err
	}
	data, err := sealed.Write()
	if err != nil {
		return nil, fmt.Errorf("the contract of server %s: %w", c.Name, err)
	}
	return data, nil
}
