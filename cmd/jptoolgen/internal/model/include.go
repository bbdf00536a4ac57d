package model

import (
	"bytes"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
)

// A toolset is a type whose tools belong to a server: the server itself, or a type of an included field.
type toolset struct {
	named *types.Named
	// path is the selector from the server to the toolset, or "" for the server itself.
	path, prefix string
	// within are the types from the server to the toolset.
	within []*types.Named
}

// toolsets returns the toolsets of a server. Included types may include further types.
func (b *builder) toolsets(server *types.Named) []toolset {
	all := []toolset{{named: server, within: []*types.Named{server}}}
	for i := 0; i < len(all); i++ {
		st, ok := all[i].named.Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range st.Fields() {
			if p, ok := b.includedToolset(all[i], f); ok {
				all = append(all, p)
			}
		}
	}
	return all
}

// includedToolset returns the toolset of a field with a //jp:include line.
func (b *builder) includedToolset(by toolset, f *types.Var) (toolset, bool) {
	line, ok := b.docs.directive(f, "include")
	if !ok {
		return toolset{}, false
	}
	typ := types.Unalias(f.Type())
	if p, ok := typ.(*types.Pointer); ok {
		typ = types.Unalias(p.Elem())
	}
	prefix, _ := line.Get("prefix")
	p := toolset{path: strings.TrimPrefix(by.path+"."+f.Name(), "."), prefix: by.prefix + prefix.Value}
	p.named, _ = typ.(*types.Named)
	why := ""
	switch {
	case p.named == nil || p.named.TypeParams().Len() > 0:
		why = "its type is not a named struct or a pointer to one"
	case !f.Exported() && f.Pkg() != b.pkg.Types:
		why = "another package declares it and does not export it"
	case schema.IsHidden(p.named, b.pkg.Types):
		why = "this package cannot refer to its type"
	case slices.Contains(by.within, p.named):
		why = "its type includes itself"
	case !b.hasTools(p.named):
		why = "its type has neither a method with //jp:tool, //jp:resource or //jp:prompt, nor a field with //jp:include"
	}
	if why != "" {
		b.list.Add(b.docs.Pos(f), diag.BadSignature, "field %s cannot be included: %s", f.Name(), why).Suggest("include a struct with tools")
		return toolset{}, false
	}
	p.within = append(slices.Clip(by.within), p.named)
	return p, true
}

// hasTools reports whether a type has its own tools or includes other types.
func (b *builder) hasTools(named *types.Named) bool {
	for m := range named.Methods() {
		for _, kind := range Kinds {
			if _, ok := b.docs.directive(m, string(kind)); ok {
				return true
			}
		}
	}
	if st, ok := named.Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			if _, ok := b.docs.directive(f, "include"); ok {
				return true
			}
		}
	}
	return false
}

// dirOf returns the source directory of a method in another package.
func (b *builder) dirOf(m *types.Func) string {
	return filepath.Dir(b.pkg.Fset.PositionFor(b.docs.Pos(m), false).Filename)
}

// mentionsFiles reports whether a package uses the files or the root of a call. m is a method of that package.
// mentionsFiles only searches for the names, because the function bodies in other packages are not type-checked.
func (b *builder) mentionsFiles(m *types.Func) bool {
	dir := b.dirOf(m)
	files, err := fs.Glob(os.DirFS(dir), "*.go")
	if err != nil {
		return true
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || bytes.Contains(text, []byte(".Files()")) || bytes.Contains(text, []byte(".Root()")) {
			return true
		}
	}
	return false
}
