package jpvet

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
)

// idleQuestions finds questions that a tool publishes and never asks.
func idleQuestions(c *checker) {
	c.tools(func(t *model.Tool, fn *ssa.Function) {
		if t.Questions == nil {
			return
		}
		read := c.program.fields(fn, t.Questions.Type)
		for _, q := range t.Questions.List {
			if !read.all && !read.names[q.Field] {
				c.report.at(c.near(q.Pos, t), "question %s is declared, but tool %s never asks it", q.Field, t.Name).
					suggest("ask it, delete it, or declare a separate struct of questions for the tool")
			}
		}
	})
}

// idleOptions finds options that a tool publishes and never reads.
func idleOptions(c *checker) {
	c.tools(func(t *model.Tool, fn *ssa.Function) {
		if t.Options == nil {
			return
		}
		read := c.program.fields(fn, t.Options.Type)
		for _, m := range t.Options.Members {
			if m.Field == nil || read.all || read.names[m.Field.Var.Name()] || m.Path != m.Field.Var.Name() {
				continue // a promoted field may be read through what holds it
			}
			c.report.at(c.near(m.Field.Var.Pos(), t), "option %s is declared, but tool %s never reads it", m.Field.Name, t.Name).
				suggest("read it, delete it, or declare a separate struct of options for the tool")
		}
	})
}

// reading is which fields of a struct are read.
type reading struct {
	names map[string]bool
	// all says that the struct goes where its fields cannot be followed.
	all bool
}

// fields returns which fields of a struct a function reads, or what it calls.
func (p *program) fields(fn *ssa.Function, t types.Type) reading {
	r := reading{names: map[string]bool{}}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		r.all = true
		return r
	}
	is := func(v ssa.Value) bool {
		return types.Identical(deref(v.Type()), t)
	}
	for _, f := range p.reach(fn) {
		for instr := range instructions(f) {
			switch instr := instr.(type) {
			case *ssa.Field:
				if is(instr.X) {
					r.names[st.Field(instr.Field).Name()] = true
				}
				continue
			case *ssa.FieldAddr:
				if is(instr.X) {
					r.names[st.Field(instr.Field).Name()] = true
				}
				continue
			}
			if !p.traceable(instr) {
				for _, operand := range instr.Operands(nil) {
					r.all = r.all || *operand != nil && is(*operand)
				}
			}
		}
	}
	return r
}

// traceable reports whether what an instruction does with a struct can be seen: it is
// kept in a variable, or given to a function of the program.
func (p *program) traceable(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Store:
		_, local := instr.Addr.(*ssa.Alloc)
		return local
	case *ssa.UnOp, *ssa.Phi, *ssa.DebugRef, *ssa.MakeClosure:
		return true
	case ssa.CallInstruction:
		fn, _ := p.callee(instr.Common())
		return fn != nil
	}
	return false
}
