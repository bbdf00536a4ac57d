package jpvet

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// tabled returns the functions that v may be, if v is looked up in a map, a list, a struct field or a package
// variable.
func (p *program) tabled(v ssa.Value) []ssa.Value {
	if known, done := p.tables[v]; done {
		return known
	}
	var all []ssa.Value
	var t *trace
	t = p.newTrace(func(e traced) bool {
		switch v := e.value.(type) {
		case *ssa.Function, *ssa.MakeClosure:
			all = append(all, v)
		case *ssa.Global:
			for _, store := range p.stores[v] {
				t.follow(e.of(store.Val))
			}
		}
		return false
	})
	t.follow(traced{value: v})
	if field := fieldRead(v); field != nil {
		for _, store := range p.stores[field] {
			t.follow(traced{value: store.Val})
		}
	}
	p.tables[v] = all
	return all
}

// generated returns the behavior of a generated function of the package, such as a function that calls a tool in
// the same process. It returns an empty behavior for other functions.
func (p *program) generated(f *types.Func) *behavior {
	fn := p.ssa.Prog.FuncValue(f)
	if fn == nil || p.owns(fn) || f.Signature().Recv() != nil {
		return new(behavior)
	}
	all := behavior{Module: p.module()}
	for _, f := range append([]*ssa.Function{fn}, fn.AnonFuncs...) {
		for call := range calls(f) {
			if callee := call.Common().StaticCallee(); callee != nil && p.owns(callee) {
				did := *p.behave[callee]
				did.Asks = false // the elicitor is also in this process
				all.add(&did)
			}
		}
	}
	return &all
}

// temporary reports whether a call changes only temporary files and directories.
func (p *program) temporary(call ssa.CallInstruction) bool {
	found := false
	for _, arg := range call.Common().Args {
		if isText(arg.Type()) {
			if found = p.isTemporary(arg); !found {
				return false
			}
		}
	}
	return found
}

// isTemporary reports whether a path is made from the path of a temporary file or directory.
func (p *program) isTemporary(path ssa.Value) bool {
	return p.comesOf(path, func(obj *types.Func) bool {
		return obj.FullName() == "os.MkdirTemp" || obj.FullName() == "os.CreateTemp"
	}, func(obj *types.Func) bool {
		return obj.FullName() == "(*os.File).Name" || obj.Pkg() != nil && plain[obj.Pkg().Path()]
	})
}
