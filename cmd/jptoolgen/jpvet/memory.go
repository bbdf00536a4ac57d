package jpvet

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// load follows the value at an address.
func (t *trace) load(e traced) {
	switch at := e.value.(type) {
	case *ssa.FieldAddr:
		t.load(e.part(at.X, at.Field))
	case *ssa.IndexAddr:
		t.lookup(e, at)
	case *ssa.FreeVar:
		if e = t.capturedVariable(e, at); e.value == nil {
			t.shared = true // no literal is made from the function, because its code never runs
		} else {
			t.load(e)
		}
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap:
		if alloc, ok := at.(*ssa.Alloc); ok && slices.ContainsFunc(users[*ssa.UnOp](alloc), func(list *ssa.UnOp) bool { return t.isSorted(list) }) {
			e.order = sum
		}
		t.contents(e)
	default: // a pointer, or a package variable
		t.follow(e)
	}
}

// contents follows all values that are stored in a variable, a list or a map that is created here.
func (t *trace) contents(e traced) {
	for _, user := range users[ssa.Instruction](e.value) {
		switch user := user.(type) {
		case *ssa.Store:
			if user.Addr == e.value {
				t.follow(e.of(user.Val))
			} else {
				t.shared = true
			}
		case *ssa.FieldAddr:
			switch {
			case len(e.path) == 0:
				t.contents(e.of(user))
			case e.path[0] == user.Field:
				inner := e.of(user)
				inner.path = e.path[1:]
				t.contents(inner)
			}
		case *ssa.IndexAddr:
			inner := e.selects(user.Index, user)
			switch {
			case inner.value == nil:
			case blocksAfter(user.Block())[user.Block()]:
				t.contents(inner.withOrder(listed))
			default:
				t.contents(inner)
			}
		case *ssa.Slice:
			if user.X == e.value {
				t.contents(e.of(user))
			}
		case *ssa.MapUpdate:
			if user.Map == e.value {
				t.follow(e.selects(user.Key, user.Value))
			} else {
				t.shared = true
			}
		case *ssa.MakeClosure:
			t.contents(e.of(freeVariable(user, e.value)))
		case *ssa.MakeInterface: // an argument of interface type, as in fmt.Fprintf(&b, …)
			t.shared = true
			for _, call := range users[*ssa.Call](user) {
				t.followWrites(e, call, user)
			}
		case *ssa.Call:
			t.followWrites(e, user, e.value)
		case *ssa.UnOp:
		default:
			t.shared = true
		}
	}
}

// followWrites follows the values that a call stores in one of its arguments.
func (t *trace) followWrites(e traced, call *ssa.Call, into ssa.Value) {
	_, obj := t.callee(&call.Call)
	if t.shared = t.shared || !isPart(call); obj == nil || obj.Pkg() == nil {
		return
	}
	name := obj.Pkg().Path() + "." + obj.Name()
	switch {
	case isPart(call): // Into stores the answer
		t.reach(traced{value: call, path: e.path})
	case strings.HasPrefix(obj.Name(), "Write") && obj.Signature().Recv() != nil, strings.HasPrefix(name, "fmt.Fprint"):
		for _, arg := range call.Call.Args {
			if arg != into {
				t.follow(e.whole(arg).withOrder(listed))
			}
		}
	case name == "io.ReadFull", strings.HasSuffix(name, "/rand.Read"):
		t.reach(e.whole(call))
		for _, arg := range call.Call.Args {
			if arg != into {
				t.follow(e.whole(arg))
			}
		}
	}
}
