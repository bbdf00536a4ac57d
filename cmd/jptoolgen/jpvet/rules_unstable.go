package jpvet

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// unstableQuestions finds questions whose text, subject or values differ between runs, or that are asked only in
// some runs.
func unstableQuestions(c *checker, call ssa.CallInstruction) {
	for _, sink := range c.sinks(call) {
		if why := c.unstable(sink, call, nil); why != "" {
			c.reportUnstable(call, "the question depends on "+why, why)
			break
		}
	}
	formatsAddress := func(arg ssa.Value) bool {
		format, _ := stringOf(arg)
		return strings.Contains(format, "%p")
	}
	if c.questionOf(call) != nil && slices.ContainsFunc(call.Common().Args, formatsAddress) {
		c.reportUnstable(call, "the question depends on an address (%p)", "")
	}
	if c.callBehavior(call).Asks {
		c.checkBranch(call)
	}
}

// reportUnstable reports that a question differs between runs.
func (c *checker) reportUnstable(call ssa.CallInstruction, text, why string) {
	found := c.report.at(c.at(call), "%s, which changes when the handler runs again with the answer", text)
	if strings.HasPrefix(why, "the order") {
		found.suggest("sort it first, e.g. with slices.Sorted")
		return
	}
	found.suggest("keep the value with tool.Once, or remove it from the question")
}

// checkBranch finds a question that is asked in one branch of a condition that differs between runs.
func (c *checker) checkBranch(call ssa.CallInstruction) {
	for _, b := range liveBlocks(call.Parent()) {
		branch := branchOf(b)
		if branch == nil {
			continue
		}
		first, second := leadsTo(b.Succs[0], b, call.Block()), leadsTo(b.Succs[1], b, call.Block())
		if first == second || first && fails(b.Succs[1], b) || second && fails(b.Succs[0], b) {
			continue
		}
		if why := c.unstable(traced{value: branch.Cond, order: sum}, nil, nil); why != "" {
			c.reportUnstable(call, "whether the question is asked depends on "+why, why)
			return
		}
	}
}

// leadsTo reports whether there is a path from one block to another that does not lead through excluded.
func leadsTo(from, excluded, to *ssa.BasicBlock) bool {
	return from == to || from != excluded && blocksReachable([]*ssa.BasicBlock{from}, excluded)[to]
}

// blocksReachable returns the blocks in from, and the blocks that may run after them on paths that do not lead
// through excluded.
func blocksReachable(from []*ssa.BasicBlock, excluded *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	found := map[*ssa.BasicBlock]bool{}
	for _, b := range from {
		found[b] = true
	}
	for queue := slices.Clone(from); len(queue) > 0; queue = queue[1:] {
		for _, next := range reachableBlocks(queue[0]) {
			if next != excluded && !found[next] {
				found[next] = true
				queue = append(queue, next)
			}
		}
	}
	return found
}

// fails reports whether every return that is reachable from a block without leading through excluded returns an error.
func fails(from, excluded *ssa.BasicBlock) bool {
	for b := range blocksReachable([]*ssa.BasicBlock{from}, excluded) {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			if i := errorIndex(b.Parent().Signature.Results()); i < 0 || !isMade(ret.Results[i]) {
				return false
			}
		}
	}
	return true
}

// isMade reports whether an error is created where it is returned, and is therefore not nil.
func isMade(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return true
	case *ssa.UnOp:
		_, global := v.X.(*ssa.Global)
		return global
	case *ssa.Call:
		f := v.Call.StaticCallee()
		if f == nil || f.Pkg == nil {
			return false
		}
		path := f.Pkg.Pkg.Path()
		return path == "errors" || path == "fmt" || path == sdktypes.Fault
	}
	return false
}
