// Package lock writes contracts to lock files.
package lock

import (
	"errors"
	"fmt"

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
		sealed.Hash, err = c.Sum()
	}
	data, failed := sealed.Write()
	if err = errors.Join(err, failed); err != nil {
		return nil, fmt.Errorf("the contract of server %s: %w", c.Name, err)
	}
	return data, nil
}
