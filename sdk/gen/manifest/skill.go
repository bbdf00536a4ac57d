package manifest

import (
	"iter"
	"path"
	"strings"
)

// SkillFileName is the name of the file that every skill has.
const SkillFileName = "SKILL.md"

// A Skill is a directory of files with instructions for a model (MCP extension io.modelcontextprotocol/skills).
type Skill struct {
	// Path is the path of the directory, such as billing/refunds. Its last element is the name of the skill.
	Path string `json:"path"`
	// Frontmatter is the front matter of SKILL.md, which is an object.
	Frontmatter Schema `json:"frontmatter"`
	// Files are the files of the skill, sorted by path, with those of skills in its directory.
	Files []SkillFile `json:"files"`
}

// A SkillFile is a file of a skill.
type SkillFile struct {
	// Path is relative to the directory of the skill.
	Path string `json:"path"`
	// Digest is "sha256:" followed by 64 hexadecimal digits.
	Digest string `json:"digest"`
	// Size is in bytes.
	Size int `json:"size"`
}

// URI returns the URI of a file of the skill, or of the skill's directory for "".
func (s *Skill) URI(file string) string { return "skill://" + strings.TrimSuffix(s.Path+"/"+file, "/") }

// URIs yields the URIs of the files of the skill, and of its directories with a nil file. A directory may occur several
// times.
func (s *Skill) URIs() iter.Seq2[string, *SkillFile] {
	return func(yield func(string, *SkillFile) bool) {
		for i := range s.Files {
			f := &s.Files[i]
			if !yield(s.URI(f.Path), f) {
				return
			}
			for dir := path.Dir(f.Path); ; dir = path.Dir(dir) {
				if dir == "." {
					break
				}
				if !yield(s.URI(dir), nil) {
					return
				}
			}
		}
		yield(s.URI(""), nil)
	}
}
