package crates

import "github.com/jptool/jptool/examples/bookworm/internal/rustdoc"

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
)

// kinds returns the kinds of items of the entry types. No types means all kinds.
func kinds(types []EntryType) []rustdoc.Kind {
	var all []rustdoc.Kind
	for _, t := range types {
		all = append(all, rustdoc.Kind(t))
	}
	return all
}
