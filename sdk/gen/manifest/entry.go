package manifest

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

// An Entry is a view of what tools, resources and prompts have in common, and of what a tool declares by name. A field
// that this kind of entry does not have is nil.
type Entry struct {
	// Kind is "tool", "resource" or "prompt".
	Kind                              string
	Title, Description, Version, Icon *string
	Toolset                           *string
	Mutates, Files                    *bool
	Budget                            *int
	Meta, Other                       Schema
	Scopes                            []string
}

// Entry returns a view of t. The pointers are to the fields of t.
func (t *Tool) Entry() Entry {
	return Entry{
		Kind: "tool", Title: &t.Title, Description: &t.Description, Version: &t.Version, Icon: &t.Icon,
		Toolset: &t.Toolset, Scopes: t.Scopes,
		Mutates: &t.Mutates, Files: &t.Files, Budget: &t.Budget, Meta: t.Meta, Other: t.Other,
	}
}

// Entry returns a view of r. The pointers are to the fields of r.
func (r *Resource) Entry() Entry {
	return Entry{
		Kind: "resource", Title: &r.Title, Description: &r.Description, Icon: &r.Icon, Files: &r.Files,
		Toolset: &r.Toolset, Scopes: r.Scopes,
		Meta: r.Meta, Other: r.Other,
	}
}

// Entry returns a view of p. The pointers are to the fields of p.
func (p *Prompt) Entry() Entry {
	return Entry{
		Kind: "prompt", Title: &p.Title, Description: &p.Description, Icon: &p.Icon, Files: &p.Files,
		Toolset: &p.Toolset, Scopes: p.Scopes,
		Meta: p.Meta, Other: p.Other,
	}
}

// A Field describes a field of an [Entry] that is a string, a bool or an int.
type Field struct {
	// Name is the name of the member in the contract.
	Name string
	// Key is the argument of //jp:tool that declares the field, or "" if no argument does.
	Key string
	// Label names the field in messages about a rule that covers several fields. Fact and Doc are the formats of a
	// phrase and of a sentence about the field, or "" if it is not described in this way.
	Label, Fact, Doc string
	// Words means that the field does not affect callers, so that only the digest [Hash.Full] covers it.
	Words bool
	// Rule is the rule about changes, without its beginning, which is the kind of the entry, for a string, or without
	// its end: -gained and -lost for a bool, -raised and -lowered for an int.
	Rule string
	// Member is the member of MCP's lists, and Since the version of MCP that added it. Meta is the member of _meta. Both
	// members are "" for a field that is not listed.
	Member, Since, Meta string
	// icon means that the member contains a list of icons, not the string itself.
	icon bool

	at func(Entry) any // a pointer, which is nil if the entry does not have the field
}

// Fields describes the fields of an entry, in the order in which texts and lists contain them.
var Fields = []Field{
	{
		Name: "title", Key: "title", Label: "title", Words: true, Rule: "words", Member: "title", Since: "2025-06-18",
		at: func(e Entry) any { return e.Title },
	},
	{
		Name: "description", Label: "description", Words: true, Rule: "words", Member: "description",
		at: func(e Entry) any { return e.Description },
	},
	{
		Name: "mutates", Key: "mutates", Fact: "reports the state after a change",
		Doc:  "Its result contains the new state in `state_after`.",
		Rule: "mutates", at: func(e Entry) any { return e.Mutates },
	},
	{
		Name: "files", Fact: "works with files",
		Doc:  "It works with files in the root directory. `--root` sets this directory.",
		Rule: "files", at: func(e Entry) any { return e.Files },
	},
	{
		Name: "budget", Key: "budget", Fact: "at most %d bytes",
		Doc:  "Its result has at most %d bytes of text; longer results are truncated.",
		Rule: "budget", Meta: "anthropic/maxResultSizeChars", // Claude Code reads it
		at: func(e Entry) any { return e.Budget },
	},
	{
		Name: "toolset", Key: "toolset", Label: "toolset", Fact: "toolset %s", Doc: "It belongs to the toolset %s.",
		Rule: "toolset-changed", at: func(e Entry) any { return e.Toolset },
	},
	{
		Name: "version", Key: "version", Fact: "version %s", Doc: "Its version is %s.",
		Rule: "version-changed", Meta: "computer.jp/version", at: func(e Entry) any { return e.Version },
	},
	{
		Name: "icon", Key: "icon", Label: "icon", Fact: "icon %s", Words: true,
		Rule: "meta", Member: "icons", Since: "2025-11-25", icon: true, at: func(e Entry) any { return e.Icon },
	},
}

// IsExtra reports whether MCP's lists contain the field as a member that is not the title or the description.
func (f *Field) IsExtra() bool { return f.Member != "" && f.Rule != "words" }

// FieldOf returns the field that an argument of //jp:tool declares.
func FieldOf(key string) (f *Field, ok bool) {
	i := slices.IndexFunc(Fields, func(f Field) bool { return f.Key == key })
	return &Fields[max(i, 0)], i >= 0
}

// Value returns the value of the field, or nil if the entry does not have the field or the value is zero.
func (f *Field) Value(e Entry) any {
	switch p := f.at(e).(type) { // package reflect would double the time for a list of tools
	case *string:
		if p != nil && *p != "" {
			return *p
		}
	case *bool:
		if p != nil && *p {
			return true
		}
	case *int:
		if p != nil && *p != 0 {
			return *p
		}
	}
	return nil
}

// Clear sets the field to its zero value.
func (f *Field) Clear(e Entry) { reflect.ValueOf(f.at(e)).Elem().SetZero() }

// Set sets the field to the value in text. It reports whether text is valid.
func (f *Field) Set(e Entry, text string) (ok bool) {
	if p, isText := f.at(e).(*string); isText {
		*p = text
		return true
	}
	return json.Unmarshal([]byte(text), f.at(e)) == nil
}

// Describe returns the value in a format, which is Fact or Doc, or "" if there is no value or no format. The function
// show converts a string.
func (f *Field) Describe(e Entry, format string, show func(string) string) string {
	v := f.Value(e)
	switch text, isText := v.(string); {
	case v == nil || format == "":
		return ""
	case v == true:
		return format
	case isText:
		v = show(text)
	}
	return fmt.Sprintf(format, v)
}

// Listed returns the value as MCP's lists contain it.
func (f *Field) Listed(e Entry) jsontext.Value {
	v := f.Value(e)
	if f.icon {
		v = []icon{{v}}
	}
	text, _ := rawjson.Encode(v) // cannot fail: v is a string, a bool or an int
	return text
}

// ReadListed sets the field to a value from one of MCP's lists. It reports whether the field can hold the value.
func (f *Field) ReadListed(e Entry, listed jsontext.Value) (ok bool) {
	if f.icon { // the field holds a single URL
		var icons []map[string]jsontext.Value
		if json.Unmarshal(listed, &icons) != nil || len(icons) != 1 || len(icons[0]) != 1 {
			return false
		}
		listed = icons[0]["src"]
	}
	return json.Unmarshal(listed, f.at(e)) == nil && f.Value(e) != nil
}

// An icon is an entry of the member icons.
type icon struct {
	Source any `json:"src"`
}

// ListedMeta returns the _meta of a tool in tools/list, or nil.
func (t *Tool) ListedMeta() Schema {
	var members []rawjson.Member
	e := t.Entry()
	for i := range Fields {
		if f := &Fields[i]; f.Meta != "" && f.Value(e) != nil {
			members = append(members, rawjson.Member{Name: f.Meta, Value: f.Listed(e)})
		}
	}
	if members = append(members, rawjson.Parts(t.Meta)...); len(members) == 0 {
		return nil
	}
	return rawjson.Object(members)
}

// A Hint describes one of MCP's tool annotations.
type Hint struct {
	// Key is the argument of //jp:tool, and Member the member in MCP's lists.
	Key, Member string
	// Usual is what clients assume about a tool without the hint (MCP 2025-11-25, ToolAnnotations).
	Usual bool
	// At returns the place of the hint.
	At func(*Annotations) **bool
}

// Hints describes the annotations, in the order in which lists contain them.
var Hints = []Hint{
	{"readonly", "readOnlyHint", false, func(a *Annotations) **bool { return &a.ReadOnly }},
	{"destructive", "destructiveHint", true, func(a *Annotations) **bool { return &a.Destructive }},
	{"idempotent", "idempotentHint", false, func(a *Annotations) **bool { return &a.Idempotent }},
	{"openworld", "openWorldHint", true, func(a *Annotations) **bool { return &a.OpenWorld }},
}

// Value returns the hint, or what clients assume if there is none.
func (h Hint) Value(a *Annotations) bool {
	if hint := *h.At(a); hint != nil {
		return *hint
	}
	return h.Usual
}
