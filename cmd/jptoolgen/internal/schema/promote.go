package schema

import (
	"cmp"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/internal/phrase"
)

// A candidate is a field that may become a member of the JSON object: a field of the struct itself or of an
// embedded one.
type candidate struct {
	path    []*types.Var // the fields on the path to the field
	index   []int        // the field indexes along the path, which determine the order of members
	tag     reflect.StructTag
	name    string
	tagged  bool
	options []string
}

func (c candidate) variable() *types.Var { return c.path[len(c.path)-1] }

func (c candidate) has(option string) bool { return slices.Contains(c.options, option) }

// pointer returns the index of the first embedded pointer at or after depth, or -1 if there is none.
func (c candidate) pointer(depth int) int {
	for i := depth; i < len(c.path)-1; i++ {
		if _, ok := c.path[i].Type().Underlying().(*types.Pointer); ok {
			return i
		}
	}
	return -1
}

// names returns the names of the fields on the path from depth on.
func (c candidate) names(depth int) []string {
	var names []string
	for _, v := range c.path[depth:] {
		names = append(names, v.Name())
	}
	return names
}

// selector returns the selector for the path from depth on in a value of type owner, as code in home writes it. It
// leaves out embedded structs that are unexported in other packages, because Go promotes their fields. It returns
// "" if Go does not: another field or a method of the same name may hide the field.
func (c candidate) selector(owner types.Type, depth int, home *types.Package) string {
	var names []string
	for i := depth; i < len(c.path); i++ {
		v := c.path[i]
		if i < len(c.path)-1 && !v.Exported() && v.Pkg() != home {
			continue
		}
		found, index, _ := types.LookupFieldOrMethod(owner, true, home, v.Name())
		if _, isField := found.(*types.Var); !isField || !slices.Equal(index, c.index[depth:i+1]) {
			return ""
		}
		names, owner, depth = append(names, v.Name()), sdktypes.Deref(v.Type()), i+1
	}
	return strings.Join(names, ".")
}

// promote collects the fields of a struct, including promoted fields.
func (a *Analyzer) promote(s *types.Struct, path []*types.Var, index []int, at Site) []candidate {
	var found []candidate
	for i := range s.NumFields() {
		v := s.Field(i)
		c := candidate{path: append(slices.Clone(path), v), index: append(slices.Clone(index), i), tag: reflect.StructTag(s.Tag(i))}
		a.CheckTag(v, s.Tag(i), false)
		text, _ := c.tag.Lookup("json")
		inner, embeds := embeddedStruct(v)
		switch {
		case text == "-":
			continue
		case !v.Exported() && !(v.Embedded() && embeds):
			a.unexported(v, text)
			continue
		case slices.Contains(path, v): // the struct embeds itself through a pointer
			continue
		}
		name, options, _ := strings.Cut(text, ",")
		if name != "" && !isJSONName(name) {
			if a.source.Ours(v.Pkg()) {
				a.list.Warn(a.placeInTag(v, name, at), diag.UnsupportedTag, "encoding/json ignores the name %q and uses %s", name, v.Name()).
					Suggest("use only letters, digits, and punctuation other than quotes, backslashes and commas")
			}
			name = ""
		}
		if options != "" {
			c.options = strings.Split(options, ",")
		}
		a.checkOptions(v, c.options, at)
		if _, ptr := v.Type().Underlying().(*types.Pointer); ptr && !v.Exported() {
			here, hint := a.siteOf(v, at), "embed the struct itself, or export the type"
			if !a.source.Ours(v.Pkg()) {
				hint = "exclude the embedded struct with `json:\"-\"`"
			}
			a.list.Add(here.Pos, diag.UnsupportedTag, "%s is embedded as a pointer, but its type is not exported", here.What).Suggest("%s", hint)
			continue
		}
		if embeds && name == "" {
			found = append(found, a.promote(inner, c.path, c.index, at)...)
			continue
		}
		c.name, c.tagged = name, name != ""
		if !c.tagged {
			c.name = v.Name()
		}
		found = append(found, c)
	}
	return found
}

// isJSONName reports whether encoding/json accepts a name in a tag.
func isJSONName(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
	})
}

// unexported reports a field that is not part of the JSON although nothing says so. Such a field of a result with
// methods, such as Text, is meant for them.
func (a *Analyzer) unexported(v *types.Var, tag string) {
	if v.Name() == "_" || !a.source.Ours(v.Pkg()) {
		return
	}
	if len(a.open) > 0 && a.direction == Out && tag == "" {
		if owner := a.open[len(a.open)-1]; types.NewMethodSet(types.NewPointer(owner)).Len() > 0 {
			return
		}
	}
	hint := "start its name with an uppercase letter, or tag it `json:\"-\"`"
	if tag != "" {
		a.list.Add(a.source.Pos(v), diag.UnsupportedTag, "field %s has a json tag, but is not exported", v.Name()).Suggest("%s", hint)
		return
	}
	a.list.Warn(a.source.Pos(v), diag.UnsupportedTag, "field %s is not part of the JSON, because it is not exported", v.Name()).
		Suggest("%s", hint)
}

// embeddedStruct returns the struct whose fields are promoted by an embedded field.
func embeddedStruct(v *types.Var) (*types.Struct, bool) {
	if !v.Embedded() {
		return nil, false
	}
	s, ok := sdktypes.Deref(v.Type()).Underlying().(*types.Struct)
	return s, ok
}

// checkOptions reports options of a json tag that have no effect. It ignores those of other modules, as encoding/json
// does.
func (a *Analyzer) checkOptions(v *types.Var, options []string, at Site) {
	if a.isForeign(v.Pkg()) {
		return
	}
	known := jsonOptions()
	for _, option := range options {
		if slices.Contains(known, option) || option == "" {
			continue
		}
		pos := a.placeInTag(v, option, at)
		f := a.list.Add(pos, diag.UnsupportedTag, "unknown json tag option %q", option)
		if near, ok := phrase.Nearest(option, known); ok {
			f.Suggest("did you mean %s?", near)
		} else {
			f.Suggest("delete it")
		}
	}
}

// dominantFields selects one field for each name, as encoding/json does: the field with the smallest depth, or else
// the only field at that depth with a tag. If several fields remain, encoding/json ignores all of them; dominantFields
// reports this.
func (a *Analyzer) dominantFields(found []candidate, at Site) []candidate {
	byName := map[string][]candidate{}
	for _, c := range found {
		byName[c.name] = append(byName[c.name], c)
	}
	kept := found[:0:0]
	for _, c := range found {
		rivals := byName[c.name]
		if rivals == nil {
			continue
		}
		byName[c.name] = nil
		least := slices.MinFunc(rivals, func(x, y candidate) int { return cmp.Compare(len(x.path), len(y.path)) })
		rivals = slices.DeleteFunc(slices.Clone(rivals), func(x candidate) bool { return len(x.path) > len(least.path) })
		if tagged := slices.DeleteFunc(slices.Clone(rivals), func(x candidate) bool { return !x.tagged }); len(tagged) > 0 {
			rivals = tagged
		}
		if len(rivals) > 1 {
			first, second := rivals[0], rivals[1]
			hint := "give one of them another name, or `json:\"-\"`"
			if a.isForeign(first.variable().Pkg()) && a.isForeign(second.variable().Pkg()) {
				apart := 0
				for first.path[apart] == second.path[apart] {
					apart++
				}
				if a.isForeign(first.path[apart].Pkg()) {
					continue // encoding/json ignores all of them
				}
				hint = fmt.Sprintf("add a field with the tag `json:%q` to the struct, because encoding/json ignores both", c.name)
			}
			a.list.Add(a.siteOf(second.variable(), at).Pos, diag.DuplicateField, "field %s has the same JSON name %q as field %s",
				strings.Join(second.names(0), "."), c.name, strings.Join(first.names(0), ".")).
				Suggest("%s", hint)
		}
		kept = append(kept, rivals[0])
	}
	slices.SortFunc(kept, func(x, y candidate) int { return slices.Compare(x.index, y.index) })
	return kept
}
