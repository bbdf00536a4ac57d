package rustdoc

import "strings"

// A Kind is a kind of item, such as a struct or a method. For kinds of pages that are not listed
// here, it is the first word of the page's name.
type Kind string

// The kinds of items that have their own pages, and of their members.
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

// pageKinds maps the first word of a page's name, as in struct.Vec.html, to a kind.
var pageKinds = map[string]Kind{
	"struct": Struct, "enum": Enum, "union": Union, "trait": Trait, "traitalias": TraitAlias, "type": Type,
	"foreigntype": ForeignType, "primitive": Primitive, "fn": Function, "macro": Macro, "attr": Attribute,
	"derive": Derive, "constant": Constant, "static": Static, "keyword": Keyword, "mod": Module,
}

// memberKinds maps the first word of an element's id, as in method.push, to a kind.
var memberKinds = map[string]Kind{
	"method": Method, "tymethod": Method, "variant": Variant, "structfield": Field,
	"associatedconstant": AssocConst, "associatedtype": AssocType,
}

// Kinds returns all kinds; those of modules and types come first.
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

// IsMember reports whether items of this kind are parts of another item and have no page.
func (k Kind) IsMember() bool {
	switch k {
	case Method, Variant, Field, AssocConst, AssocType:
		return true
	}
	return false
}

// pageItem derives the item from the name of a page: serde_json/value/enum.Value.html is an Enum named
// serde_json::value::Value. It returns false for pages without an item.
func pageItem(page string) (path string, kind Kind, ok bool) {
	const longest = 512 // bytes; a URI has at most 4096, and the names of rustdoc's pages are far shorter
	dir, file := "", page
	if len(page) > longest {
		return "", "", false
	}
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

// memberItem derives a member from the id of an element, such as method.push or variant.Some.field.0. The path
// is relative to the item of the page. It returns false for other ids.
func memberItem(id string) (path string, kind Kind, ok bool) {
	word, name, found := strings.Cut(id, ".")
	kind, known := memberKinds[word]
	if !found || !known || name == "" || len(id) > 512 {
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

// trimSuffix removes the suffix -N, with which rustdoc makes the ids of a page unique. Names in Rust contain no
// hyphen.
func trimSuffix(name string) string {
	i := strings.LastIndexByte(name, '-')
	if i <= 0 || i == len(name)-1 || strings.Trim(name[i+1:], "0123456789") != "" {
		return name
	}
	return name[:i]
}
