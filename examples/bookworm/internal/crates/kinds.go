package crates

import (
	"cmp"
	"slices"
	"strings"

	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// EntryType is a kind of item.
type EntryType string

const (
	Attribute   EntryType = "Attribute"   // An attribute macro.
	Constant    EntryType = "Constant"    // A constant item.
	Derive      EntryType = "Derive"      // A derive macro.
	Enum        EntryType = "Enum"        // An enum.
	Function    EntryType = "Function"    // A free function.
	Macro       EntryType = "Macro"       // A macro by example.
	Method      EntryType = "Method"      // A method or an associated function.
	Module      EntryType = "Module"      // A module.
	Struct      EntryType = "Struct"      // A struct.
	Trait       EntryType = "Trait"       // A trait.
	Type        EntryType = "Type"        // A type alias.
	Variant     EntryType = "Variant"     // A variant of an enum.
	Union       EntryType = "Union"       // A union.
	Static      EntryType = "Static"      // A static.
	TraitAlias  EntryType = "TraitAlias"  // A trait alias.
	ForeignType EntryType = "ForeignType" // A type of another language.
	Primitive   EntryType = "Primitive"   // A primitive type.
	Keyword     EntryType = "Keyword"     // A keyword.
	Field       EntryType = "Field"       // A field of a struct, a union or a variant.
	AssocConst  EntryType = "AssocConst"  // An associated constant.
	AssocType   EntryType = "AssocType"   // An associated type.

	Fn    EntryType = "fn"    // Function, as Rust writes it.
	Mod   EntryType = "mod"   // Module, as Rust writes it.
	Const EntryType = "const" // Constant, as Rust writes it.
	Attr  EntryType = "attr"  // Attribute, as rustdoc writes it.
)

// kinds returns the kinds of items for the given entry types. If types is empty, it returns all kinds.
func kinds(types []EntryType) []rustdoc.Kind {
	short := map[EntryType]rustdoc.Kind{Fn: rustdoc.Function, Mod: rustdoc.Module, Const: rustdoc.Constant, Attr: rustdoc.Attribute}
	var all []rustdoc.Kind
	for _, t := range types {
		all = append(all, cmp.Or(short[t], rustdoc.Kind(t)))
	}
	return all
}

// readKinds returns the kinds in a URI, which are separated by commas.
func readKinds(text string) ([]rustdoc.Kind, error) {
	var types []EntryType
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' }) {
		known := append(rustdoc.Kinds(), rustdoc.Kind(Fn), rustdoc.Kind(Mod), rustdoc.Kind(Const), rustdoc.Kind(Attr))
		i := slices.IndexFunc(known, func(k rustdoc.Kind) bool { return strings.EqualFold(string(k), word) })
		if i < 0 {
			names := make([]string, len(known))
			for i, k := range known {
				names[i] = string(k)
			}
			near, _ := tool.Nearest(word, names)
			return nil, fault.New(fault.InvalidInput, "uri: unknown kind %.40q; use %q or another kind that crate_search_items accepts", word, cmp.Or(near, string(Struct)))
		}
		types = append(types, EntryType(known[i]))
	}
	return kinds(types), nil
}
