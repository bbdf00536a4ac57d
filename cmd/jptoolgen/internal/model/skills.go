package model

import (
	"go/types"
	"io/fs"
	"path/filepath"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/skill"
	"github.com/jptool/jptool/internal/lazyregexp"
)

// skillDir matches the directories that a go:embed line can name without quotes, and whose files it embeds.
var skillDir = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*$`)

// skills reads the //jp:skills line of the server and the files that it names. before is the number of findings about
// other servers.
func (b *builder) skills(s *Server, t *types.TypeName, before int) {
	line, ok := b.docs.directive(t, "skills")
	if !ok || len(line.Words) != 1 {
		return
	}
	dir, pos := line.Words[0].Value, line.Words[0].Pos
	if !fs.ValidPath(dir) || !skillDir().MatchString(dir) {
		b.list.Add(pos, diag.BadArgument, "invalid directory %q of the skills", dir).
			Suggest("write a path below the directory of this file, such as skills, with letters, digits, ., _, - and /")
		return
	}
	if b.pkg.Dir == "" { // not on disk
		return
	}
	s.SkillDir = dir
	s.Skills = skill.Read(filepath.Join(b.pkg.Dir, filepath.FromSlash(dir)), pos, b.list)
	if b.list.Len() > before { // the contract may lack what the skills mention
		return
	}
	if c, err := s.Contract(); err == nil { // generating the files reports the error
		s.Skills.Check(c, b.list)
	}
}
