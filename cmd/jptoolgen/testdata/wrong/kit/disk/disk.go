// Package disk works on files for the wrong programs.
package disk

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/jptool/jptool/sdk/elicit"
)

// Save writes a file.
func Save(name string) error {
	return os.WriteFile(filepath.Join("data", filepath.Base(name)), nil, 0o600)
}

// Read reads any file.
func Read(name string) ([]byte, error) { return os.ReadFile(filepath.Join("data", name)) }

// Stamp returns the time, which differs between runs.
func Stamp() string { return time.Now().Format(time.RFC3339) }

// Sure asks whether to go on with a thing.
func Sure(ctx context.Context, ask elicit.Confirm, name string) (bool, error) {
	return ask.Ask(ctx, "Go on with %s?", name)
}
