package schema

import (
	"go/token"
	"go/types"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/internal/phrase"
)

// A tag holds the constraints from a field's tags.
type tag struct {
	entries []entry
	// shadow is the tag default:"...", or nil if the field lacks it.
	shadow *entry
	// answer is set if the values are answers to a question.
	answer bool
}

// An entry is a key=value pair in a jsonschema tag.
type entry struct {
	key, value string
	pos        token.Pos
}

// A TagForm is a form of a struct tag, with a key and a value. On says which fields may have it.
type TagForm struct{ Key, Value, On, Help string }

// TagForms returns the forms of struct tags. Options of the ask tag are in package model.
func TagForms() []TagForm {
	return []TagForm{
		{"json", "name", "every field", "the name in JSON. It must match `[a-z][a-z0-9_]*` and have at most 40 characters. Without the tag, the name of the Go field is used, and the same rules apply to it"},
		{"json", "-", "every field", "the field is not part of the JSON"},
		{"json", "name,omitempty", "every field", "in an input: optional. In a result: omitted if empty"},
		{"json", "name,omitzero", "every field", "in an input: optional. In a result: omitted if it is zero, or if its method `IsZero` returns true"},
		{"json", "name,string", "numbers and booleans", "the value is a string in JSON"},
		{"jsonschema", "key=value,key=value", "fields and questions", "the constraints in the next table. Escape a comma in a value as `\\\\,`"},
		{"default", "value", "fields and questions", "the default. The same as the `default` key, but commas do not need to be escaped. A field with a default is optional"},
		{"json", "name,string", "integers", "the value is a string of digits, in arguments and in results"},
		{"ask", "id", "questions", "the id of the question. Without the tag, it is the field's name in snake_case"},
	}
}

// jsonOptions returns the options of a json tag.
func jsonOptions() (options []string) {
	for _, f := range TagForms() {
		if _, option, ok := strings.Cut(f.Value, ","); ok && f.Key == "json" {
			options = append(options, option)
		}
	}
	return options
}

// tagOf reads the jsonschema and default tags.
func (a *Analyzer) tagOf(c candidate, at Site) tag {
	var t tag
	place := func(text string) token.Pos { return a.placeInTag(c.variable(), text, at) }
	text := c.tag.Get("jsonschema")
	if isProse(text) {
		if a.source.Ours(c.variable().Pkg()) {
			a.list.Add(place(text), diag.UnknownConstraint, "the jsonschema tag of field %s is a description, as go-sdk expects it", c.variable().Name()).
				Suggest("write the description as a comment above the field, or `jsonschema:\"description=%s\"`", strings.ReplaceAll(text, ",", `\\,`))
		}
		t.entries, text = []entry{{"description", text, place(text)}}, ""
	}
	for _, part := range splitCommas(text) {
		key, value, _ := strings.Cut(part, "=")
		t.entries = append(t.entries, entry{key, value, place(part)})
	}
	if value, ok := c.tag.Lookup("default"); ok {
		t.shadow = &entry{"default", value, place("default:")}
	}
	return t
}

// isProse reports whether a jsonschema tag is a description, which is its whole form in go-sdk.
func isProse(text string) bool {
	first, _, _ := strings.Cut(text, ",")
	key, _, hasValue := strings.Cut(first, "=")
	return strings.Contains(strings.TrimSpace(key), " ") && (!hasValue || strings.Count(key, " ") > 1)
}

// idle reports keys that have no effect, because the author's own schema determines their meaning.
func (a *Analyzer) idle(t *tag) {
	t.entries = slices.DeleteFunc(t.entries, func(e entry) bool {
		idle := a.Exact && e.key != "default" && e.key != "number" && slices.ContainsFunc(Keywords(), func(k Keyword) bool { return k.Name == e.key })
		if idle {
			a.list.Add(e.pos, diag.IdleConstraint, "%s has no effect, because the schema of the tool is exact", e.key).Suggest("delete it")
		}
		return idle
	})
}

// splitCommas splits text at commas. A backslash before a comma makes the comma part of a value.
func splitCommas(text string) []string {
	if text == "" {
		return nil
	}
	var parts []string
	for i, part := range strings.Split(text, ",") {
		if last := len(parts) - 1; i > 0 && strings.HasSuffix(parts[last], `\`) {
			parts[last] = strings.TrimSuffix(parts[last], `\`) + "," + part
		} else {
			parts = append(parts, part)
		}
	}
	return parts
}

// CheckTag finds parts of a field's tag that package reflect, and therefore encoding/json and the generator,
// would ignore silently. Only a question has an ask tag.
func (a *Analyzer) CheckTag(v *types.Var, tag string, question bool) {
	if !a.source.Ours(v.Pkg()) {
		return
	}
	seen := map[string]bool{}
	var known []string
	for _, f := range TagForms() {
		if f.Key != "ask" || question {
			known = append(known, f.Key)
		}
	}
	for tag = strings.TrimLeft(tag, " "); tag != ""; tag = strings.TrimLeft(tag, " ") {
		pos, _ := a.inTag(v, tag)
		key, value, _ := strings.Cut(tag, ":")
		quoted, err := strconv.QuotedPrefix(value)
		if err != nil || value[0] != '"' || strings.ContainsAny(key, "\" \t\n") || key == "" {
			a.list.Add(pos, diag.UnsupportedTag, "cannot parse the tag of field %s from %s onward", v.Name(), strconv.Quote(tag)).
				Suggest("write key:\"value\" pairs separated by spaces")
			return
		}
		if seen[key] {
			a.list.Add(pos, diag.Repeated, "the tag of field %s has %s twice", v.Name(), key).Suggest("delete one")
		}
		seen[key] = true
		if hint, ok := otherTags[key]; ok {
			a.list.Add(pos, diag.UnsupportedTag, "field %s has the tag %s of another package, which has no effect", v.Name(), key).
				Suggest("%s", hint)
		}
		if key == "ask" && !question {
			a.list.Add(pos, diag.UnsupportedTag, "field %s has an ask tag, but is not a question", v.Name()).
				Suggest("delete the tag, or move the field to the questions struct")
		}
		if near, ok := phrase.Nearest(key, known); ok && near != "json" && key != "json" {
			a.list.Add(pos, diag.UnsupportedTag, "the tag of field %s has the unknown key %s", v.Name(), strconv.Quote(key)).
				Suggest("did you mean %s?", near)
		}
		tag = value[len(quoted):]
	}
}

// otherTags holds the keys of tags with which other packages describe a schema, and what to write instead.
var otherTags = map[string]string{
	"jsonschema_description": "write the description as a comment above the field",
	"jsonschema_extras":      "write the keys in the jsonschema tag",
}

// placeInTag returns the position of text in a field's tag if the field is in the author's module, or else the
// position where the field's struct is used.
func (a *Analyzer) placeInTag(v *types.Var, text string, at Site) token.Pos {
	if pos, ok := a.inTag(v, text); ok && a.source.Ours(v.Pkg()) {
		return pos
	}
	return a.siteOf(v, at).Pos
}

// inTag returns the position of text in the literal of a field's tag. If text is not found there, it returns the
// position of the literal or of the field. Only tags in backquotes have the same text in the source.
func (a *Analyzer) inTag(v *types.Var, text string) (token.Pos, bool) {
	pos, literal := a.source.Tag(v)
	if !pos.IsValid() {
		return a.source.Pos(v), false
	}
	if i := strings.Index(literal, text); i >= 0 && text != "" {
		return pos + token.Pos(i), true
	}
	// The literal may contain escapes; the key does not.
	key, _, _ := strings.Cut(text, "=")
	if i := strings.Index(literal, key+"="); i >= 0 && key != "" {
		return pos + token.Pos(i), true
	}
	return pos, true
}

// entry returns the first entry that has one of the keys.
func (t tag) entry(keys ...string) (entry, bool) {
	for _, e := range t.entries {
		if slices.Contains(keys, e.key) {
			return e, true
		}
	}
	return entry{}, false
}

// get returns the value of the first entry that has one of the keys.
func (t tag) get(keys ...string) (string, bool) {
	e, ok := t.entry(keys...)
	return e.value, ok
}

// isExactRange reports whether the bound that the keys set limits an integer to the range in which floats are exact.
func (t tag) isExactRange(keys ...string) bool {
	text, ok := t.get(keys...)
	if !ok {
		return false
	}
	n, ok := parseNumber(text)
	return ok && new(big.Rat).Abs(n).Cmp(maxSafe()) <= 0
}
