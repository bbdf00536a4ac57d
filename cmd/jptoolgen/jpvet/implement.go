package jpvet

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/internal/lazyregexp"
)

// implementations returns the methods that a call to a method of an interface type may run: the methods of types in
// this package, and in the packages of the module that it imports. Interfaces of other modules are left out, because
// too many types have a method such as Write.
func (p *program) implementations(of types.Type, method *types.Func) []*ssa.Function {
	iface, ok := p.ownInterface(of)
	if !ok {
		return nil
	}
	all, known := p.implemented[method]
	if known {
		return all
	}
	for _, pkg := range append([]*types.Package{p.pass.Pkg}, p.pass.Pkg.Imports()...) {
		if !p.ofModule(pkg) {
			continue
		}
		for _, name := range pkg.Scope().Names() {
			of, ok := pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok || of.IsAlias() || types.IsInterface(of.Type()) || sdktypes.Named(of.Type()).TypeParams().Len() > 0 {
				continue
			}
			pointer := types.NewPointer(of.Type())
			if !types.Implements(pointer, iface) {
				continue
			}
			found, _, _ := types.LookupFieldOrMethod(pointer, true, method.Pkg(), method.Name())
			if own, ok := found.(*types.Func); ok {
				if fn := p.ssa.Prog.FuncValue(own); fn != nil {
					all = append(all, fn)
				}
			}
		}
	}
	p.implemented[method] = all
	return all
}

// ownInterface returns the interface behind a type, if this module declares it.
func (p *program) ownInterface(of types.Type) (*types.Interface, bool) {
	if named := sdktypes.Named(of); named != nil && !p.ofModule(named.Obj().Pkg()) {
		return nil, false
	}
	iface, ok := of.Underlying().(*types.Interface)
	return iface, ok
}

// ofModule reports whether a package belongs to the analyzed module.
func (p *program) ofModule(pkg *types.Package) bool {
	return pkg == p.pass.Pkg || pkg != nil && p.inModule(pkg.Path())
}

// inModule reports whether the path of a package is in the analyzed module.
func (p *program) inModule(path string) bool {
	return p.module != "" && (path == p.module || strings.HasPrefix(path, p.module+"/"))
}

// changing matches names of methods that change something in every implementation.
var changing = lazyregexp.New(`^(Remove|Delete|Drop|Truncate|Destroy|Purge|Erase|Overwrite|Rename|Insert|Update|Save)([A-Z0-9_].*)?$`)

// hiddenChange returns the name of a method of an interface type, if the name implies that the method
// changes something and no implementation is visible. Otherwise, it returns "".
func (p *program) hiddenChange(of types.Type, method *types.Func) string {
	_, own := p.ownInterface(of)
	if !own || !changing().MatchString(method.Name()) || len(p.implementations(of, method)) > 0 {
		return ""
	}
	if named := sdktypes.Named(of); named != nil {
		return named.Obj().Name() + "." + method.Name()
	}
	return "interface." + method.Name()
}
