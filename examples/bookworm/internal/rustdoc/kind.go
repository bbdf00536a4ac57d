package rustdoc

import "strings"

// A Kind says what an item is. Pages of kinds that are not listed here are items too: their
// kind is the word in the page's name.
type Kind string

// The kinds of items that have pages of their own, and of their members.
const (
	Module      Kind = "Module"
	Struct      Kind = "Struct"
	Enum        Kind = "Enum"
	Union       Kind = "Union"
	Trait       Kind = "Trait"
	TraitAlias  Kind = "TraitAlias"
	Type        Kind = "Type"
	ForeignType Kind = "ForeignType"
	Primitive   Kind = "Primitive"
	Function    Kind = "Function"
	Macro       Kind = "Macro"
	Attribute   Kind = "Attribute"
	Derive      Kind = "Derive"
	Constant    Kind = "Constant"
	Static      Kind = "Static"
	Keyword     Kind = "Keyword"

	Method     Kind = "Method"
	Variant    Kind = "Variant"
	Field      Kind = "Field"
	AssocConst Kind = "AssocConst"
	AssocType  Kind = "AssocType"
)

// pageKinds are the kinds by the first word of a page's name, as in struct.Vec.html.
var pageKinds = map[string]Kind{
	"struct": Struct, "enum": Enum, "union": Union, "trait": Trait, "traitalias": TraitAlias, "type": Type,
	"foreigntype": ForeignType, "primitive": Primitive, "fn": Function, "macro": Macro, "attr": Attribute,
	"derive": Derive, "constant": Constant, "static": Static, "keyword": Keyword, "mod": Module,
}

// memberKinds are the kinds by the first word of an element's id, as in method.push.
var memberKinds = map[string]Kind{
	"method": Method, "tymethod": Method, "variant": Variant, "structfield": Field,
	"associatedconstant": AssocConst, "associatedtype": AssocType,
}

// Kinds lists every kind that has a name here, types first.
func Kinds() []Kind {
	return []Kind{
		Module, Struct, Enum, Union, Trait, TraitAlias, Type, ForeignType, Primitive, Function, Macro, Attribute,
		Derive, Constant, Static, Keyword, Method, Variant, Field, AssocConst, AssocType,
	}
}

// IsType reports whether items of this kind are types or traits.
func (k Kind) IsType() bool {
	switch k {
	case Struct, Enum, Union, Trait, TraitAlias, Type, ForeignType, Primitive:
		return true
	}
	return false
}

// IsMember reports whether items of this kind are parts of another item, without a page.
func (k Kind) IsMember() bool {
	switch k {
	case Method, Variant, Field, AssocConst, AssocType:
		return true
	}
	return false
}

// pageItem reads what a page of the archive is about from its name, such as
// serde_json/value/enum.Value.html: an Enum called serde_json::value::Value. It returns false
// for pages about no item.
func pageItem(page string) (path string, kind Kind, ok bool) {
	dir, file := "", page
	if i := strings.LastIndexByte(page, '/'); i >= 0 {
		dir, file = page[:i], page[i+1:]
	}
	dir = strings.ReplaceAll(dir, "/", "::")
	if file == "index.html" {
		return dir, Module, dir != ""
	}
	parts := strings.Split(file, ".")
	if dir == "" || len(parts) != 3 || parts[2] != "html" || parts[0] == "" || parts[1] == "" {
		return "", "", false
	}
	kind, known := pageKinds[parts[0]]
	if !known {
		kind = Kind(parts[0])
	}
	return dir + "::" + parts[1], kind, true
}

// memberItem reads what an element is about from its id, such as method.push or
// variant.Some.field.0: its path below the item of the page.
func memberItem(id string) (path string, kind Kind, ok bool) {
	word, name, found := strings.Cut(id, ".")
	kind, known := memberKinds[word]
	if !found || !known || name == "" {
		return "", "", false
	}
	if kind == Variant {
		if strings.HasSuffix(name, ".fields") {
			return "", "", false
		}
		if variant, field, ok := strings.Cut(name, ".field."); ok {
			return variant + "::" + field, Field, true
		}
	}
	if strings.Contains(name, ".") {
		return "", "", false
	}
	return trimSuffix(name), kind, true
}

// trimSuffix takes away the -N by which rustdoc keeps the ids of a page apart. No name in Rust
// holds a hyphen.
func trimSuffix(name string) string {
	i := strings.LastIndexByte(name, '-')
	if i <= 0 || i == len(name)-1 || strings.Trim(name[i+1:], "0123456789") != "" {
		return name
	}
	return name[:i]
}
