package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/gofile"
)

// skills returns the variable with the files of the skills, if there are any.
func (e *emitter) skills() []*jen.Statement {
	if e.skillFiles == "" {
		return nil
	}
	return []*jen.Statement{gofile.Comment(e.skillFiles+" has the files of the skills. The contract has their digests.", "").Line().
		Add(verbatim("//go:embed "+e.server.SkillDir)).Line().
		Var().Id(e.skillFiles).Qual("embed", "FS")}
}

// withSkills returns the expression for a server with its skills.
func (e *emitter) withSkills(server *jen.Statement) *jen.Statement {
	if e.skillFiles == "" {
		return server
	}
	return server.Dot("AddSkills").Call(jen.Id(e.skillFiles), jen.Lit(e.server.SkillDir))
}
