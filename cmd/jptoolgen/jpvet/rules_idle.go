package jpvet

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// unaskedQuestions finds questions that a tool declares but never asks, and parts that are not passed to Together.
func unaskedQuestions(c *checker) {
	for _, call := range c.calls {
		if part, ok := call.(*ssa.Call); ok && isPart(call) && len(*part.Referrers()) == 0 {
			c.report.at(call.Pos(), "the question is not asked").suggest("pass it to elicit.Together, or call Ask")
		}
	}
	c.tools(func(t *model.Tool, fn *ssa.Function) {
		if t.Questions == nil {
			return
		}
		read, all := c.fields(fn, t.Questions.Type)
		for _, q := range t.Questions.List {
			if !all && !read[q.Field] {
				c.report.at(c.nearestPos(q.Pos, t), "question %s is declared, but %s never asks it", q.Field, t).
					suggest("ask it, delete it, or declare a separate questions struct for the tool")
			}
		}
	})
}

// unreadOptions finds options that a tool declares but never reads.
func unreadOptions(c *checker, t *model.Tool, _ *ssa.Function) {
	if t.Options == nil || t.Part != "" {
		return
	}
	read, all := map[string]bool{}, false
	for _, fn := range c.functions(t) {
		names, whole := c.fields(fn, t.Options.Type)
		maps.Copy(read, names)
		all = all || whole
	}
	for _, m := range t.Options.Members {
		if m.Field == nil || all || read[m.Field.Var.Name()] || m.Path != m.Field.Var.Name() || slices.Contains(t.Shared, m.Field.Name) {
			continue // a promoted field may be read through its struct, and a shared option by another tool
		}
		c.report.at(c.nearestPos(m.Field.Var.Pos(), t), "option %s is declared, but %s never reads it", m.Field.Name, t).
			suggest("read it, delete it, or declare a separate options struct for the tool")
	}
}

// fields returns the names of the struct fields that a function, or a function that it calls, reads. all is set
// if the struct is used where its fields cannot be followed.
func (p *program) fields(fn *ssa.Function, t types.Type) (names map[string]bool, all bool) {
	names = map[string]bool{}
	of := func(v ssa.Value) bool { return types.Identical(sdktypes.Deref(v.Type()), t) }
	for instr := range each[ssa.Instruction](p.reach(fn)...) {
		switch v := instr.(type) {
		case *ssa.Field, *ssa.FieldAddr:
			if v := v.(ssa.Value); of(from(v)) {
				names[fieldRead(v).Name()] = true
			}
			continue
		}
		if !p.traceable(instr) {
			for _, operand := range instr.Operands(nil) {
				all = all || *operand != nil && of(*operand)
			}
		}
	}
	return names, all
}

// traceable reports whether the use of a struct by an instruction can be followed: the struct is stored in a
// variable, or passed to a function in the program.
func (p *program) traceable(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Store:
		_, local := instr.Addr.(*ssa.Alloc)
		return local
	case *ssa.UnOp, *ssa.Phi, *ssa.MakeClosure:
		return true
	case ssa.CallInstruction:
		fn, _ := p.callee(instr.Common())
		return fn != nil
	}
	return false
}
