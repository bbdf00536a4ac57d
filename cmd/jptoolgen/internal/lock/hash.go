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
// descriptions, examples, icons, _meta, the content of skills, the interval at which clients ask for the state of a
// task, and the members of lists that the contract does not describe.
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
	delete(tree, "other")
	skills, _ := tree["skills"].([]any)
	for _, s := range skills {
		if s, ok := s.(map[string]any); ok {
			delete(s, "frontmatter")
			delete(s, "files")
		}
	}
	for _, k := range []string{"tools", "resources", "resource_templates", "prompts"} {
		list, _ := tree[k].([]any)
		for _, entry := range list {
			if entry, ok := entry.(map[string]any); ok {
				dropUndescribed(entry)
			}
		}
	}
	return manifest.Hash{Contract: digest(tree), Full: full}, nil
}

// dropUndescribed removes the parts of an entry in a list that do not affect callers.
func dropUndescribed(entry map[string]any) {
	other, _ := entry["other"].(map[string]any)
	for _, f := range manifest.Fields {
		if f.Words {
			delete(entry, f.Name)
		}
	}
	delete(entry, "meta")
	delete(entry, "other")
	if execution, ok := other["execution"]; ok {
		entry["execution"] = execution // whether calls must be tasks
	}
	if task, ok := entry["task"].(map[string]any); ok {
		delete(task, "poll_ms") // advice to clients, which each task repeats
	}
	arguments, _ := entry["arguments"].([]any)
	for _, a := range arguments {
		if a, ok := a.(map[string]any); ok {
			delete(a, "other")
		}
	}
}

func digest(tree any) string {
	data, _ := json.Marshal(tree) // cannot fail: tree was decoded from JSON
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}
