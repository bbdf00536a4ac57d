package jpvet

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// lockedQuestions finds questions that are asked while a lock of package sync is held. With some protocols, the handler
// waits for the answer, and so does every call that needs the lock.
func lockedQuestions(c *checker) {
	const (
		waits = ", so other calls that need the lock wait for the user"
		hint  = "unlock it before the question, and check the state again after the answer"
	)
	for _, f := range c.funcs {
		under, _ := c.lockedCalls(f)
		for call := range calls(f) {
			if !isPlainCall(call) || isPart(call) {
				continue
			}
			fn, obj := c.callee(call.Common())
			if lock, held := under[call]; held && c.callBehavior(call).Asks {
				since := c.report.start(lock.call.Pos())
				const message = "the question is asked while %s is locked (at %s)" + waits
				found := c.report.at(c.at(call), message, lock, c.report.place(since)).suggest(hint)
				found.see(since, "the lock")
			} else if slices.ContainsFunc(argsAt(call.Common(), c.behaviorOf(fn, obj).Guards), c.asksAsFunction) {
				name := "the function"
				if obj != nil {
					name = obj.Name()
				}
				const message = "%s calls a function that asks a question while a lock is held" + waits
				c.report.at(c.at(call), message, name).suggest(hint)
			}
		}
	}
}

// asksAsFunction reports whether a function value asks a question.
func (p *program) asksAsFunction(v ssa.Value) bool {
	return slices.ContainsFunc(functionsIn(v), func(v ssa.Value) bool { return p.behaviorOf(p.functionOf(v)).Asks })
}

func isPlainCall(call ssa.CallInstruction) bool {
	_, ok := call.(*ssa.Call)
	return ok
}

// A heldLock is a lock and the call that acquires it.
type heldLock struct {
	name string
	call ssa.CallInstruction
}

// String returns the lock as a user reads it.
func (l heldLock) String() string {
	for i, param := range l.call.Parent().Params {
		if l.name == fmt.Sprint("#", i) {
			return param.Name()
		}
	}
	return l.name[strings.LastIndex(l.name, "/")+1:]
}

// lockedCalls returns the calls in a function that run while it holds a lock, and the locks that it still holds when it
// returns.
func (p *program) lockedCalls(f *ssa.Function) (under map[ssa.CallInstruction]heldLock, kept set[string]) {
	under = map[ssa.CallInstruction]heldLock{}
	for acquire := range calls(f) {
		if !isPlainCall(acquire) {
			continue
		}
		locks, tries := p.acquired(acquire)
		for _, name := range locks {
			visit := func(instr ssa.Instruction) (stop bool) {
				switch instr := instr.(type) {
				case *ssa.Return:
					if !p.unlocksLater(f, name) {
						kept.add(name)
					}
				case *ssa.Defer:
				case ssa.CallInstruction:
					if p.releases(instr, name) {
						return true
					}
					if _, known := under[instr]; !known {
						under[instr] = heldLock{name, acquire}
					}
				}
				return false
			}
			if !tries {
				visitAfter(acquire.Block(), index(acquire)+1, visit)
				continue
			}
			for _, branch := range users[*ssa.If](acquire.Value()) {
				visitAfter(branch.Block().Succs[0], 0, visit)
			}
		}
	}
	return under, kept
}

// visitAfter visits the instructions that may run from a position on, up to those for which visit returns true.
func visitAfter(b *ssa.BasicBlock, at int, visit func(ssa.Instruction) (stop bool)) {
	type place struct {
		b  *ssa.BasicBlock
		at int
	}
	seen := map[*ssa.BasicBlock]bool{}
	for queue := []place{{b, at}}; len(queue) > 0; queue = queue[1:] {
		if slices.ContainsFunc(queue[0].b.Instrs[queue[0].at:], visit) {
			continue
		}
		for _, next := range reachableBlocks(queue[0].b) {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, place{next, 0})
			}
		}
	}
}

// locking determines which locks a function leaves locked or unlocked, and which parameters it calls while it holds a
// lock.
func (p *program) locking(f *ssa.Function, b *behavior) (more bool) {
	under, kept := p.lockedCalls(f)
	var unlocks set[string]
	for release := range calls(f) {
		for _, name := range p.released(release) {
			visitAfter(f.Blocks[0], 0, func(instr ssa.Instruction) (stop bool) {
				call, ok := instr.(ssa.CallInstruction)
				if ok && call == release {
					unlocks.add(name)
				}
				if !ok || !isPlainCall(call) {
					return false
				}
				locks, _ := p.acquired(call)
				return slices.Contains(locks, name)
			})
		}
	}
	guards := p.callsOf(f, calls(f), func(call ssa.CallInstruction) []ssa.Value {
		c := call.Common()
		if _, held := under[call]; !held {
			return argsAt(c, p.behaviorOf(p.callee(c)).Guards)
		}
		if all := onlyFunctions(c.Args); c.IsInvoke() {
			return all
		} else {
			return append(all, c.Value)
		}
	})
	more = longer(&b.Locks, kept)
	more = longer(&b.Unlocks, unlocks) || more
	return longer(&b.Guards, guards) || more
}

// lockMethod returns the method of package sync that a call calls on a lock, and the name of the lock.
func (p *program) lockMethod(call ssa.CallInstruction) (method, lock string) {
	c := call.Common()
	_, obj := p.callee(c)
	if c.IsInvoke() {
		obj = c.Method
	}
	of, method, _ := strings.Cut(inPackage(obj, "sync"), ".")
	if of != "Mutex" && of != "RWMutex" && of != "Locker" {
		return "", ""
	}
	value := c.Value
	if load, ok := value.(*ssa.UnOp); ok && !c.IsInvoke() {
		value = p.singleValue(load.X)
	}
	switch bound, ok := value.(*ssa.MakeClosure); {
	case len(c.Args) > 0:
		value = c.Args[0]
	case ok && len(bound.Bindings) == 1: // a method value
		value = bound.Bindings[0]
	}
	return method, p.lockName(value, 0)
}

// acquired returns the locks that a call acquires, and whether it only tries.
func (p *program) acquired(call ssa.CallInstruction) (locks []string, tries bool) {
	switch method, lock := p.lockMethod(call); {
	case method == "":
		c := call.Common()
		return p.inCaller(c, p.behaviorOf(p.callee(c)).Locks), false
	case lock == "" || !strings.HasSuffix(method, "Lock") || strings.HasSuffix(method, "Unlock"):
		return nil, false
	default:
		return []string{lock}, strings.HasPrefix(method, "Try")
	}
}

// released returns the locks that a call releases.
func (p *program) released(call ssa.CallInstruction) []string {
	c := call.Common()
	switch method, lock := p.lockMethod(call); method {
	case "":
		return p.inCaller(c, p.behaviorOf(p.callee(c)).Unlocks)
	case "Unlock", "RUnlock":
		return []string{lock}
	}
	return nil
}

// releases reports whether a call may release a lock.
func (p *program) releases(call ssa.CallInstruction, lock string) bool {
	c := call.Common()
	fn, obj := p.callee(c)
	if c.IsInvoke() && strings.Contains(strings.ToLower(c.Method.Name()), "unlock") {
		return true
	}
	_, given := c.Value.(*ssa.Parameter)
	unknown := fn == nil && obj == nil && !given && !c.IsInvoke() && builtinName(c) == ""
	if unknown && len(c.Args) == 0 {
		return true // it may be a function that unlocks
	}
	return slices.ContainsFunc(p.released(call), func(name string) bool { return name == lock || name == "" })
}

// unlocksLater reports whether a deferred call in a function may release a lock.
func (p *program) unlocksLater(f *ssa.Function, lock string) bool {
	for call := range each[*ssa.Defer](f) {
		if p.releases(call, lock) {
			return true
		}
	}
	return false
}

// inCaller returns the names that the locks of a called function have in the caller.
func (p *program) inCaller(c *ssa.CallCommon, locks []string) (all []string) {
	for _, name := range locks {
		var i int
		if n, _ := fmt.Sscanf(name, "#%d", &i); n == 1 {
			if name = ""; i < len(c.Args) {
				name = p.lockName(c.Args[i], 0)
			}
		}
		if name != "" {
			all = append(all, name)
		}
	}
	return all
}

// lockName returns the name of a lock: the field or variable that holds it, or #N for parameter N. It returns "" if the
// lock is not known or is a variable of the function, which other calls do not share.
func (p *program) lockName(v ssa.Value, depth int) string {
	if depth > maxDepth || v == nil {
		return ""
	}
	switch v := v.(type) {
	case *ssa.Global:
		return v.String()
	case *ssa.Parameter:
		return fmt.Sprint("#", slices.Index(v.Parent().Params, v))
	case *ssa.FreeVar:
		return p.lockName(p.binding(v), depth+1)
	case *ssa.FieldAddr, *ssa.Field:
		base, _ := baseOf(v)
		_, made := base.(*ssa.Alloc)
		if made && !slices.ContainsFunc(storedIn(base), func(v ssa.Value) bool { return !isConstant(v) }) {
			return ""
		}
		return fieldName(v)
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return ""
		}
		if field, ok := v.X.(*ssa.FieldAddr); ok {
			return fieldName(field)
		}
		if _, global := v.X.(*ssa.Global); global {
			return p.lockName(v.X, depth+1)
		}
		return p.lockName(p.singleValue(v.X), depth+1)
	case *ssa.Call:
		_, obj := p.callee(&v.Call)
		if inPackage(obj, "sync") == "RWMutex.RLocker" {
			return p.lockName(v.Call.Args[0], depth+1)
		} else if obj != nil && obj.Pkg() != nil {
			return obj.Pkg().Path() + "/" + short(obj) + "()"
		}
	case *ssa.Lookup, *ssa.IndexAddr, *ssa.Extract, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.TypeAssert:
		return p.lockName(from(v), depth+1)
	}
	return ""
}

func isConstant(v ssa.Value) bool {
	_, ok := v.(*ssa.Const)
	return ok
}

// fieldName returns the name of a field that v reads or whose address is v, with its type.
func fieldName(v ssa.Value) string {
	if g, ok := from(v).(*ssa.Global); ok {
		return g.String() + "." + fieldRead(v).Name()
	}
	of := sdktypes.Deref(from(v).Type())
	name := types.TypeString(of, nil)
	if named := sdktypes.Named(of); named != nil {
		name = types.TypeString(named.Origin().Obj().Type(), nil)
		name, _, _ = strings.Cut(name, "[")
	}
	return name + "." + fieldRead(v).Name()
}
