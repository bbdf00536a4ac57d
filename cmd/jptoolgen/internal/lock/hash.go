package lock

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

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
	var tree map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber() // numbers beyond 2^53 must stay distinct
	if err := d.Decode(&tree); err != nil {
		return manifest.Hash{}, fmt.Errorf("hashing the contract: %w", err)
	}
	delete(tree, "hash")
	delete(tree, "listed")
	full := digest(tree)
	dropWords(tree, false)
	delete(tree, "list_budget") // it only limits the size of descriptions
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
	data, _ := json.Marshal(tree) // cannot fail, because tree has been decoded from JSON
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// literal contains the keywords whose values are data. A member "title" in such a value is not a title of the schema.
var literal = map[string]bool{"default": true, "enum": true, "const": true}

// dropWords removes titles, descriptions and examples from a JSON tree. The members of
// "properties" are names that an author chose, so they are kept.
func dropWords(node any, names bool) {
	switch node := node.(type) {
	case map[string]any:
		if !names {
			delete(node, "title")
			delete(node, "description")
			delete(node, "examples")
		}
		for key, child := range node {
			if names || !literal[key] {
				dropWords(child, !names && key == "properties")
			}
		}
	case []any:
		for _, child := range node {
			dropWords(child, false)
		}
	}
}
