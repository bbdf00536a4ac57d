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

// sent returns the method of the request that a call sends: a constant, a parameter of the calling function, or
// nil if the method is not known.
func (p *program) sent(call ssa.CallInstruction) ssa.Value {
	c := call.Common()
	fn, obj := p.callee(c)
	if obj != nil && obj.FullName() == "(*net/http.Client).Do" && len(c.Args) == 2 {
		return p.methodOf(c.Args[1])
	}
	if did := p.behaviorOf(fn, obj); 0 < did.Method && did.Method <= len(c.Args) {
		return c.Args[did.Method-1]
	}
	return nil
}

// methodOf returns the method of a request, or nil if it is unknown or one of several.
func (p *program) methodOf(request ssa.Value) ssa.Value {
	var methods []ssa.Value
	var t *trace
	t = p.newTrace(func(e traced) bool {
		switch v := e.value.(type) {
		case *ssa.Const, *ssa.Parameter:
			if isText(v.Type()) {
				methods = append(methods, v)
			}
		case *ssa.Call:
			_, obj := p.callee(&v.Call)
			if obj == nil {
				return false
			}
			switch obj.FullName() {
			case "net/http.NewRequest":
				t.follow(e.whole(v.Call.Args[0]))
			case "net/http.NewRequestWithContext":
				t.follow(e.whole(v.Call.Args[1]))
			case "(*net/http.Request).WithContext", "(*net/http.Request).Clone":
				t.follow(e.of(v.Call.Args[0]))
			default:
				return p.isOwn(obj)
			}
		}
		return false
	})
	if of := sdktypes.Deref(request.Type()); sdktypes.Is(of, "net/http", "Request") {
		t.follow(traced{value: request, path: []int{fieldOf(of, "Method")}})
	}
	others := func(v ssa.Value) bool {
		one, known := stringOf(methods[0])
		other, also := stringOf(v)
		return v != methods[0] && !(known && also && one == other)
	}
	if len(methods) == 0 || slices.ContainsFunc(methods, others) {
		return nil
	}
	return methods[0]
}
