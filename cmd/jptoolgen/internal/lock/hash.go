package lock

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// Sum returns the digests of a contract. They cover its canonical JSON, which has sorted
// names, no white space and no recorded digests. The contract digest also excludes titles,
// descriptions, examples, icons and _meta.
func Sum(c *manifest.Server) (manifest.Hash, error) {
	data, err := json.Marshal(c)
	if err != nil {
		return manifest.Hash{}, fmt.Errorf("hashing the contract: %w", err)
	}
	tree := shape.Decode(data).(map[string]any) // cannot fail: a contract is an object
	delete(tree, "hash")
	delete(tree, "listed")
	full := digest(tree)
	tree = shape.Bare(tree, []string{"title", "description", "examples"}).(map[string]any)
	delete(tree, "list_budget") // list_budget limits only the size of descriptions
	tools, _ := tree["tools"].([]any)
	for _, t := range tools {
		if t, ok := t.(map[string]any); ok {
			delete(t, "icon")
			delete(t, "meta")
		}
	}
	return manifest.Hash{Contract: digest(tree), Full: full}, nil
}

func digest(tree any) string {
	data, _ := json.Marshal(tree) // cannot fail: tree was decoded from JSON
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}
