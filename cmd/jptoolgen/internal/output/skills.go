package output

import (
	"go/token"
	"maps"
	"path/filepath"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// staleSkills adds a finding for each file of a skill that has changed since the files of the server were generated. It
// reports whether there is one.
func staleSkills(s *model.Server, before, after *manifest.Server, list *diag.List) (found bool) {
	old, made := digests(before), digests(after)
	for _, name := range slices.Sorted(maps.Keys(made)) {
		if old[name] == made[name] {
			continue
		}
		says := "has changed"
		if old[name] == "" {
			says = "was added"
		}
		found = true
		at := token.Position{Filename: filepath.Join(s.Dir, filepath.FromSlash(s.SkillDir), filepath.FromSlash(name)), Line: 1, Column: 1}
		list.AddAt(at, diag.StaleCode, "the file of a skill %s since the code was generated", says).Suggest("run go generate")
	}
	for _, name := range slices.Sorted(maps.Keys(old)) {
		if made[name] == "" {
			found = true
			list.Add(s.Pos, diag.StaleCode, "the file %s of a skill was removed since the code was generated", name).Suggest("run go generate")
		}
	}
	return found
}

// digests returns the digests of all files of skills, keyed by path.
func digests(c *manifest.Server) map[string]string {
	all := map[string]string{}
	if c == nil {
		return all
	}
	for _, s := range c.Skills {
		for _, f := range s.Files {
			all[s.Path+"/"+f.Path] = f.Digest
		}
	}
	return all
}
