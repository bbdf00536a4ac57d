// Package skill reads the skills that a server embeds, and checks them.
//
// A skill is a directory with a file SKILL.md, which begins with front matter in YAML (MCP extension
// io.modelcontextprotocol/skills and the Agent Skills specification). The server publishes the front matter as JSON, so
// only the generator reads YAML.
package skill

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// The limits of a skill that every host accepts (Skills, Limits), and the depth of its directories.
const (
	maxFiles = 512
	maxSize  = 16 << 20
	maxDepth = 16
)

// A Set is the skills in a directory.
type Set struct {
	Skills []manifest.Skill // sorted by path
	texts  []text
}

// A text is a file whose text the server checks.
type text struct {
	name string // on disk
	data string
}

// A reader reads the skills in a directory.
type reader struct {
	root string
	list *diag.List
	set  *Set
	all  map[string]manifest.SkillFile // keyed by the path below root
}

// Read returns the skills in a directory. It adds findings about them to list. Findings about the directory itself are
// at pos.
func Read(dir string, pos token.Pos, list *diag.List) *Set {
	r := &reader{root: dir, list: list, set: &Set{}, all: map[string]manifest.SkillFile{}}
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		list.Add(pos, diag.BadSkill, "%s is not a directory", diag.Rel(list.Dir(), dir)).
			Suggest("create it with a directory for each skill, such as %s/review/SKILL.md", filepath.Base(dir))
		return r.set
	}
	r.dir(".", nil)
	if len(r.set.Skills) == 0 && list.Len() == 0 {
		list.Add(pos, diag.BadSkill, "%s has no skills", diag.Rel(list.Dir(), dir)).
			Suggest("create a directory for each skill, such as %s/review/SKILL.md", filepath.Base(dir))
	}
	slices.SortFunc(r.set.Skills, func(x, y manifest.Skill) int { return strings.Compare(x.Path, y.Path) })
	return r.set
}

// add adds a finding about a file or a directory.
func (r *reader) add(name string, format string, args ...any) *diag.Finding {
	return r.list.AddAt(token.Position{Filename: filepath.Join(r.root, filepath.FromSlash(name)), Line: 1, Column: 1},
		diag.BadSkill, format, args...)
}

// dir reads a directory. within are the skills that it belongs to.
func (r *reader) dir(name string, within []int) {
	entries, err := os.ReadDir(filepath.Join(r.root, filepath.FromSlash(name)))
	if err != nil {
		r.add(name, "cannot read the directory: %v", err)
		return
	}
	if strings.Count(name, "/") >= maxDepth {
		r.add(name, "the directory is more than %d levels deep", maxDepth).Suggest("move it up")
		return
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.Name()[0] == '.' }) // go:embed leaves them out
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == manifest.SkillFileName }) {
		if name == "." {
			r.add(manifest.SkillFileName, "the file belongs to no skill, because it is not in a directory with the skill's name").
				Suggest("move it to a directory, such as review/SKILL.md")
			return
		}
		within = append(slices.Clip(within), len(r.set.Skills))
		r.set.Skills = append(r.set.Skills, manifest.Skill{Path: name})
	}
	for _, e := range entries {
		at := path.Join(name, e.Name())
		switch why := odd(e); {
		case why != "":
			r.add(at, "%s %s", e.Name(), why).Suggest("rename or delete it")
		case e.IsDir():
			r.dir(at, within)
		case len(within) == 0:
			r.add(at, "the file belongs to no skill").Suggest("move it to a directory with a file SKILL.md, or delete it")
		default:
			r.file(at, within)
		}
	}
}

// plain matches the names that need no escape in a URI or a go:embed line.
var plain = lazyregexp.New(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9_-])?$`)

// odd returns why a file or a directory cannot be embedded, or "".
func odd(e fs.DirEntry) string {
	name := e.Name()
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	switch {
	case !e.IsDir() && !e.Type().IsRegular():
		return "is a symbolic link or no regular file, which go:embed refuses"
	case name[0] == '_':
		return "begins with _, so that go:embed leaves it out"
	case !plain().MatchString(name):
		return "has a name with characters other than A-Z, a-z, 0-9, ., _ and -"
	case slices.Contains([]string{"con", "prn", "aux", "nul"}, stem),
		len(stem) == 4 && (stem[:3] == "com" || stem[:3] == "lpt") && stem[3] >= '0' && stem[3] <= '9':
		return "has a name that Windows reserves"
	case name == "go.mod" || name == "vendor":
		return "makes go:embed leave the directory out"
	case name != manifest.SkillFileName && strings.EqualFold(name, manifest.SkillFileName):
		return "is not called SKILL.md, in uppercase letters"
	}
	return ""
}

// file adds a file to the skills that it belongs to.
func (r *reader) file(name string, within []int) {
	full := filepath.Join(r.root, filepath.FromSlash(name))
	data, err := files.Read(full, maxSize)
	if err != nil {
		r.add(name, "cannot read the file: %v", err).Suggest("a skill can have %d MiB", maxSize>>20)
		return
	}
	sum := sha256.Sum256(data)
	for i, at := range within {
		s := &r.set.Skills[at]
		s.Files = append(s.Files, manifest.SkillFile{
			Path: strings.TrimPrefix(name, s.Path+"/"), Digest: "sha256:" + hex.EncodeToString(sum[:]), Size: len(data),
		})
		if i == 0 {
			r.checkLimits(s)
		}
	}
	if path.Base(name) == manifest.SkillFileName {
		r.main(&r.set.Skills[within[len(within)-1]], full, data)
	}
	if slices.Contains([]string{".md", ".txt"}, path.Ext(name)) {
		r.set.texts = append(r.set.texts, text{full, string(data)})
	}
}

// checkLimits reports a skill when it exceeds a limit.
func (r *reader) checkLimits(s *manifest.Skill) {
	size := 0
	for _, f := range s.Files {
		size += f.Size
	}
	switch last := s.Files[len(s.Files)-1]; {
	case len(s.Files) == maxFiles+1:
		r.add(s.Path+"/"+last.Path, "skill %s has more than %d files", s.Path, maxFiles).Suggest("divide it into several skills")
	case size > maxSize && size-last.Size <= maxSize:
		r.add(s.Path+"/"+last.Path, "skill %s has more than %d MiB", s.Path, maxSize>>20).Suggest("divide it into several skills")
	}
}

// names matches the names of skills (Agent Skills specification, name field).
var names = lazyregexp.New(`^[a-z0-9]+(-[a-z0-9]+)*$`)

const (
	maxName        = 64
	maxDescription = 1024
)

// main reads the front matter of SKILL.md.
func (r *reader) main(s *manifest.Skill, name string, data []byte) {
	if !utf8.Valid(data) {
		r.list.AddAt(token.Position{Filename: name, Line: 1, Column: 1}, diag.BadSkill, "the file is not UTF-8").
			Suggest("save it as UTF-8")
		return
	}
	m, err := frontMatter(string(data))
	if err != nil {
		var f *fieldError
		if !errors.As(err, &f) {
			f = &fieldError{1, 1, err.Error(), ""}
		}
		r.list.AddAt(token.Position{Filename: name, Line: f.line, Column: f.column}, diag.BadSkill, "%s", f.message).
			Hint = f.hint
		return
	}
	s.Frontmatter = m.json
	add := func(at place, format string, args ...any) *diag.Finding {
		return r.list.AddAt(token.Position{Filename: name, Line: at.line, Column: at.column}, diag.BadSkill, format, args...)
	}
	dir := path.Base(s.Path)
	switch said, at := m.text("name"); {
	case said == "" && m.has("name"):
		add(at, "the name is not text").Suggest("write name: %s", dir)
	case said == "":
		add(at, "the front matter has no name").Suggest("add name: %s, which is the name of the directory", dir)
	case len(said) > maxName || !names().MatchString(said):
		add(at, "invalid name %q of a skill: must have lowercase letters, digits and single hyphens, and at most %d characters",
			phrase.Clip(said, maxName), maxName).Suggest("rename the skill and its directory")
	case said != dir:
		add(at, "the name %s is not the name of the directory, %s", said, dir).Suggest("write name: %s, or rename the directory", dir)
	}
	switch said, at := m.text("description"); {
	case said == "" && m.has("description"):
		add(at, "the description is not text").Suggest("write what the skill does and when to use it")
	case strings.TrimSpace(said) == "":
		add(at, "the front matter has no description").Suggest("add description: with what the skill does and when to use it")
	case utf8.RuneCountInString(said) > maxDescription:
		add(at, "the description has %d characters, more than %d", utf8.RuneCountInString(said), maxDescription).
			Suggest("move details to the text below the front matter")
	}
}

// A fieldError is an error at a place in a file.
type fieldError struct {
	line, column  int
	message, hint string
}

func (e *fieldError) Error() string { return fmt.Sprintf("%d:%d: %s", e.line, e.column, e.message) }
