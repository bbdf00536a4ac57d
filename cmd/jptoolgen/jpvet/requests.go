package jpvet

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// safe reports whether an HTTP method only reads (RFC 9110, safe methods).
func safe(method string) bool {
	switch method {
	case "", "GET", "HEAD", "OPTIONS", "TRACE":
		return true
	}
	return false
}

// maxDepth is the maximum number of functions through which a request is followed.
const maxDepth = 8

// sent returns the method of the request that a call sends: a constant, a parameter of the calling function, or
// nil if it is not known.
func (p *program) sent(call ssa.CallInstruction) ssa.Value {
	c := call.Common()
	fn, obj := p.callee(c)
	if obj != nil && obj.FullName() == "(*net/http.Client).Do" && len(c.Args) == 2 {
		return p.methodOf(c.Args[1], 0)
	}
	if did := p.behaviorOf(fn, obj); 0 < did.Method && did.Method <= len(c.Args) {
		return c.Args[did.Method-1]
	}
	return nil
}

// methodOf returns the method of a request that is created where it is used, or by a function of the program.
func (p *program) methodOf(v ssa.Value, depth int) ssa.Value {
	if depth > maxDepth {
		return nil
	}
	if e, ok := v.(*ssa.Extract); ok {
		v = e.Tuple
	}
	if made, ok := v.(*ssa.Alloc); ok {
		return methodIn(made)
	}
	call, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	fn, obj := p.callee(&call.Call)
	if obj == nil {
		return nil
	}
	switch obj.FullName() {
	case "net/http.NewRequest":
		return call.Call.Args[0]
	case "net/http.NewRequestWithContext":
		return call.Call.Args[1]
	case "(*net/http.Request).WithContext", "(*net/http.Request).Clone":
		return p.methodOf(call.Call.Args[0], depth+1)
	}
	if fn == nil {
		return nil
	}
	for other := range calls(fn) {
		if made, ok := other.(*ssa.Call); ok && made != call {
			if _, obj := p.callee(&made.Call); obj == nil || inPackage(obj, "net/http") == "" {
				continue
			}
			method := p.methodOf(made, depth+1)
			if param, ok := method.(*ssa.Parameter); ok {
				method = call.Call.Args[slices.Index(fn.Params, param)]
			}
			if method != nil {
				return method
			}
		}
	}
	return nil
}

// methodIn returns the method of an http.Request that is created as a struct literal.
func methodIn(made *ssa.Alloc) ssa.Value {
	of := sdktypes.Deref(made.Type())
	if !sdktypes.Is(of, "net/http", "Request") {
		return nil
	}
	for _, addr := range users[*ssa.FieldAddr](made) {
		if addr.Field == fieldOf(of, "Method") {
			if methods := storedIn(addr); len(methods) > 0 {
				return methods[0]
			}
		}
	}
	return nil
}
