package jpvet

import (
	"go/token"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/sdk/fault"
)

// isUniversal reports whether a code may occur in every call. Tools need not declare such a code, because the
// runtime uses it as well.
func isUniversal(code string) bool {
	return slices.Contains([]fault.Code{
		fault.InvalidInput, fault.InvalidAnswer, fault.InputUnavailable, fault.InputDeclined, fault.Timeout, fault.Canceled, fault.Internal,
	}, fault.Code(code))
}

// runtimeCode reports whether the runtime may fail with a code in any tool, or assigns the code to errors from file
// operations. Declaring such a code is never wrong.
func runtimeCode(code string) bool {
	return isUniversal(code) || slices.Contains([]fault.Code{fault.NotFound, fault.PermissionDenied, fault.Unavailable}, fault.Code(code))
}

// A drift is the difference between the codes of a tool, or of a resource or a prompt with all of its methods, and its
// //jp:fails line.
type drift struct {
	undeclared, idle []string
	// right holds the codes that the line should list, without codes of other packages.
	right []string
}

func (c *checker) drift(whole *model.Tool) drift {
	var d drift
	all := c.functions(whole)
	for _, code := range whole.Fails {
		used := slices.ContainsFunc(all, func(fn *ssa.Function) bool { return c.fail[fn].Unknown || c.fail[fn].May.has(code) })
		if !used && !runtimeCode(code) {
			d.idle = append(d.idle, code)
		} else {
			d.right = append(d.right, code)
		}
	}
	for _, fn := range all {
		for _, code := range c.fail[fn].Sure {
			if code == "" || isUniversal(code) || slices.Contains(whole.Fails, code) || slices.Contains(d.undeclared, code) {
				continue
			}
			d.undeclared = append(d.undeclared, code)
			if c.isDeclarable(code) {
				d.right = append(d.right, code)
			}
		}
	}
	return d
}

// isDeclarable reports whether //jp:fails may list a code.
func (c *checker) isDeclarable(code string) bool {
	return fault.Code(code).IsBase() || slices.ContainsFunc(c.server.Codes, func(own model.Code) bool { return own.Name == code })
}

// undeclaredFaults finds codes that a tool fails with but that //jp:fails does not list.
func undeclaredFaults(c *checker, t *model.Tool, _ *ssa.Function) {
	if t.Part != "" {
		return // its resource or prompt declares its codes
	}
	d := c.drift(t)
	for _, code := range d.undeclared {
		fails, declares := c.sites.Get(t.Method.Pos(), "fails")
		pos := t.Method.Pos()
		if declares {
			pos = fails.Pos
		}
		found := c.report.at(pos, "%s fails with %s, which //jp:fails does not list", t, code)
		switch {
		case !c.isDeclarable(code):
			found.suggest("declare a constant of type fault.Code with this value in this package, and write //jp:fails %s", code)
			continue
		case declares:
			found.suggest("add %s to //jp:fails", code)
		default:
			found.suggest("write //jp:fails %s", strings.Join(d.right, " "))
		}
		c.rewrite(found, t, d.right)
	}
}

// unusedFaults finds codes that //jp:fails lists but that no path through the tool leads to. It reports nothing
// if an error cannot be followed.
func unusedFaults(c *checker, t *model.Tool, _ *ssa.Function) {
	if t.Part != "" {
		return
	}
	fails, _ := c.sites.Get(t.Method.Pos(), "fails")
	d := c.drift(t)
	for _, word := range fails.Words {
		if slices.Contains(d.idle, word.Value) {
			found := c.report.at(word.Pos, "%s does not fail with %s", t, word.Value).suggest("delete it from //jp:fails")
			c.rewrite(found, t, d.right)
		}
	}
}

// uncodedErrors finds errors without a code that a tool returns. The runtime reports such an error with the code
// internal and its full text. An error in a helper is reported once, for the first tool that returns it.
func uncodedErrors(c *checker) {
	seen := map[token.Pos]bool{}
	c.tools(func(t *model.Tool, fn *ssa.Function) {
		if t.Part == model.Watch {
			return // no caller receives its error
		}
		plain := c.fail[fn].plain
		for _, pos := range slices.Sorted(maps.Keys(plain)) {
			if !seen[pos] {
				seen[pos] = true
				c.report.at(pos, "%s returns an error without a code (from %s), so callers get the code %q", t, plain[pos], fault.Internal).
					suggest("use fault.New or fault.Wrap with a suitable code, e.g. fault.Wrap(err, fault.Unavailable, \"…\")")
			}
		}
	})
}

// computedCodes finds codes that are computed from text at run time, because a contract cannot list them.
func computedCodes(c *checker) {
	for instr := range each[ssa.Instruction](c.funcs...) {
		switch instr.(type) {
		case *ssa.ChangeType, *ssa.Convert:
		default:
			continue
		}
		v := instr.(ssa.Value)
		if sdktypes.Is(v.Type(), sdktypes.Fault, "Code") && !sdktypes.Is(from(v).Type(), sdktypes.Fault, "Code") && c.codesFault(v, 0) {
			c.report.at(v.Pos(), "the error code is computed at run time, so //jp:fails cannot list it").
				suggest("declare a constant of type fault.Code for each code")
		}
	}
}

// codesFault reports whether a value becomes the code of a fault.
func (p *program) codesFault(v ssa.Value, depth int) bool {
	return depth < maxDepth && isUsedBy(v, func(use ssa.Instruction) bool {
		switch use := use.(type) {
		case *ssa.Phi:
			return p.codesFault(use, depth+1)
		case *ssa.Store:
			if at, ok := use.Addr.(*ssa.FieldAddr); ok {
				return use.Val == v && isFaultCode(at)
			}
			variable, ok := use.Addr.(*ssa.Alloc)
			return ok && use.Val == v && slices.ContainsFunc(users[*ssa.UnOp](variable), func(load *ssa.UnOp) bool {
				return p.codesFault(load, depth+1)
			})
		case *ssa.Call:
			fn, obj := p.callee(&use.Call)
			if name := inPackage(obj, sdktypes.Fault); name == "New" || name == "Wrap" {
				return true
			}
			flow := p.flowOf(fn, obj)
			return flow != nil && flow.Params.has(slices.Index(use.Call.Args, v))
		}
		return false
	})
}

// isFaultCode reports whether at is the address of the code of a fault.
func isFaultCode(at *ssa.FieldAddr) bool {
	return sdktypes.Is(sdktypes.Deref(at.X.Type()), sdktypes.Fault, "Error") && fieldAt(at).Name() == "Code"
}

// rewrite sets the fix of a finding: the //jp:fails line with the given codes. All findings about a line get the
// same fix, so that they can be applied together.
func (c *checker) rewrite(found *finding, t *model.Tool, codes []string) {
	text := "//jp:fails " + strings.Join(codes, " ")
	if fails, ok := c.sites.Get(t.Method.Pos(), "fails"); ok {
		pos := fails.Pos
		if len(codes) == 0 {
			// The directive is in the comment on a method, above or below //jp:tool, so delete from the end of the line
			// above.
			file := c.pass.Fset.File(pos)
			if n := file.Line(pos); n > 1 {
				pos = file.LineStart(n) - 1
			}
			text = ""
		}
		found.edit("Declare the error codes of "+t.Name, pos, fails.End, text)
	} else if line, ok := c.sites.Get(t.Method.Pos(), string(t.Kind)); ok {
		found.edit("Declare the error codes of "+t.Name, line.End, line.End, "\n"+text)
	}
}
