// caught by: nothing (control)

// Package right24 declares the codes of its file errors.
package right24

import (
	"context"

	"example.com/wrong/kit"

	"github.com/jptool/jptool/sdk/tool"
)

// Store is the server under test.
//
//jp:server clients=mcp
type Store struct{}

// Save is the tool under test.
//
//jp:tool
//jp:fails not_found permission_denied conflict unavailable
func (s *Store) Save(ctx context.Context, in kit.File, call *tool.Call) (string, error) {
	files, err := call.Files()
	if err != nil {
		return "", err
	}
	return "", files.WriteFile(in.Path, nil, 0o600)
}
