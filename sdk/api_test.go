package sdk_test

import (
	"go/token"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	gopackages "golang.org/x/tools/go/packages"
)

const (
	apiFile = "testdata/api.txt"
	// maxNames limits the number of exported names in the packages that authors import, because each name is
	// a promise of v1. Methods and fields do not count.
	maxNames = 240
)

// TestExportedNames compares the names that authors can use with testdata/api.txt, so that a change cannot export
// a name by accident. JPTOOL_UPDATE=1 updates the file.
func TestExportedNames(t *testing.T) {
	var names, members []string
	for _, p := range authorPackages(t) {
		path := strings.TrimPrefix(p.Path(), module)
		for _, name := range p.Scope().Names() {
			object := p.Scope().Lookup(name)
			if !object.Exported() {
				continue
			}
			names = append(names, path+"."+name)
			if named, ok := object.(*types.TypeName); ok {
				for _, member := range exportedMembers(named.Type()) {
					members = append(members, path+"."+name+"."+member)
				}
			}
		}
	}
	if len(names) > maxNames {
		t.Errorf("the packages that authors import export %d names, want at most %d", len(names), maxNames)
	}
	all := slices.Concat(names, members)
	slices.Sort(all)
	if os.Getenv("JPTOOL_UPDATE") != "" {
		if err := os.WriteFile(apiFile, []byte(strings.Join(all, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(apiFile)
	if err != nil {
		t.Fatal(err)
	}
	listed := strings.Fields(string(data))
	for _, name := range all {
		if !slices.Contains(listed, name) {
			t.Errorf("%s is exported but not listed in sdk/%s; list it with JPTOOL_UPDATE=1, or unexport it", name, apiFile)
		}
	}
	for _, name := range listed {
		if !slices.Contains(all, name) {
			t.Errorf("sdk/%s lists %s, which is not exported; remove it with JPTOOL_UPDATE=1, or restore it", apiFile, name)
		}
	}
}

// TestGeneratedTypes checks that docs/stability.md lists every name whose type contains a type of sdk/gen or of an
// internal package, because other names of these packages may change.
func TestGeneratedTypes(t *testing.T) {
	page, err := os.ReadFile("../docs/stability.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(page), "\n### Names for generated code\n")
	if !found {
		t.Fatal("docs/stability.md has no section with the names for generated code")
	}
	list, _, _ = strings.Cut(list, "\n## ")
	lists := map[string]string{}
	for item := range strings.SplitSeq(strings.ReplaceAll(list, "\n  ", " "), "\n- ") {
		item, _, _ = strings.Cut(item, "\n\n")
		if path, names, ok := strings.Cut(item, ": "); ok {
			lists[strings.Trim(path, "`")] += names
		}
	}
	used := map[string]bool{}
	for _, p := range authorPackages(t) {
		path := strings.TrimPrefix(p.Path(), module)
		for _, name := range p.Scope().Names() {
			object := p.Scope().Lookup(name)
			if !object.Exported() || strings.Contains(lists[path], "`"+name+"`") {
				used[name] = true
				continue
			}
			for member, of := range exportedTypes(object) {
				full := strings.TrimSuffix(name+"."+member, ".")
				used[full] = true
				named := types.TypeString(of, nil)
				if (strings.Contains(named, "/gen/") || strings.Contains(named, "/internal/")) && !strings.Contains(lists[path], "`"+full+"`") {
					t.Errorf("%s.%s has the type %s; list it in docs/stability.md, or change its type", path, full, named)
				}
			}
		}
	}
	for _, names := range lists {
		for i, name := range strings.Split(names, "`") {
			if i%2 == 1 && !used[name] {
				t.Errorf("docs/stability.md lists %s, which is not exported", name)
			}
		}
	}
}

// exportedTypes returns the types that the declaration of a name contains, keyed by the name of the exported field
// or method. The type of a function, a constant or a variable has the name "".
func exportedTypes(object types.Object) map[string]types.Type {
	named, ok := object.(*types.TypeName)
	if !ok {
		return map[string]types.Type{"": object.Type()}
	}
	all := map[string]types.Type{}
	if !types.IsInterface(named.Type()) {
		for m := range types.NewMethodSet(types.NewPointer(named.Type())).Methods() {
			all[m.Obj().Name()] = m.Type()
		}
	}
	if s, ok := named.Type().Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			all[f.Name()] = f.Type()
		}
	}
	maps.DeleteFunc(all, func(name string, _ types.Type) bool { return !token.IsExported(name) })
	return all
}

// authorPackages returns the packages that an author's code may use. It omits the packages that only
// generated code uses, and the transitional packages of JP's protocol.
func authorPackages(t *testing.T) []*types.Package {
	t.Helper()
	mode := gopackages.NeedName | gopackages.NeedTypes | gopackages.NeedExportFile
	loaded, err := gopackages.Load(&gopackages.Config{Mode: mode}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	var kept []*types.Package
	for _, p := range loaded {
		for _, e := range p.Errors {
			t.Fatal(e)
		}
		path := strings.TrimPrefix(p.PkgPath, module)
		parts := strings.Split(path, "/")
		if isWithin(path, "sdk/jp") || slices.Contains(parts, "gen") || slices.Contains(parts, "internal") {
			continue
		}
		kept = append(kept, p.Types)
	}
	if len(kept) == 0 {
		t.Fatal("found no package")
	}
	return kept
}

// exportedMembers returns the names of the exported methods and fields of a type, including those promoted from
// embedded types that are not exported.
func exportedMembers(t types.Type) []string {
	var names []string
	methods := types.NewMethodSet(t)
	if !types.IsInterface(t) {
		methods = types.NewMethodSet(types.NewPointer(t))
	}
	for m := range methods.Methods() {
		if m.Obj().Exported() {
			names = append(names, m.Obj().Name())
		}
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			if f.Exported() {
				names = append(names, f.Name())
			}
		}
	}
	return names
}
