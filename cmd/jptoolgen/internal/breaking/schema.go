package breaking

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A node is a decoded JSON Schema. The empty node represents the schema true.
type node = shape.Node

// maxTrials is the maximum depth of nested unions that are compared: each level compares all pairs of branches.
const maxTrials = 3

// A walk compares two schemas of one part of a contract.
type walk struct {
	c          *comparison
	report     func(f fact, path, detail string)
	old, new   *shape.Forms       // the normal forms of the schemas in each document
	sameDefs   bool               // whether equal references mean equal schemas
	references map[[2]string]bool // the references that are being compared
	equal      map[[2]string]bool // references to definitions that do not differ
	reported   *int               // the number of reported facts and skipped references
	trials     int                // the current nesting depth of unions
	parts      []node             // old schemas that also apply to the compared value
	log        *ruleLog           // what was reported, or nil for a comparison that is only a trial
}

// with returns a walk for comparisons of schemas that apply to the same value as parts.
func (w *walk) with(parts []node) *walk {
	same := *w
	same.parts = parts
	return &same
}

// schemas compares two schemas and reports the facts about their values. The reported paths begin with where.
// Differences that do not change the allowed values are reported as reworded.
func (c *comparison) schemas(o, n manifest.Schema, where string, report func(f fact, path, detail string)) {
	if bytes.Equal(o, n) {
		return
	}
	from, to := c.parse(o, where), c.parse(n, where)
	if c.err != nil {
		return
	}
	w := &walk{
		c: c, old: shape.NewForms(from, &c.steps), new: shape.NewForms(to, &c.steps),
		references: map[[2]string]bool{}, equal: map[[2]string]bool{}, reported: new(int), log: newRuleLog(),
		sameDefs: reflect.DeepEqual(from["$defs"], to["$defs"]) && reflect.DeepEqual(from["definitions"], to["definitions"]) &&
			!hasReference(to, isExternal),
	}
	w.report = func(f fact, path, detail string) {
		*w.reported++
		if f != reworded && f != defaultAdded && f != defaultChanged && f != defaultRemoved {
			w.log.fact(path)
		} else {
			w.log.worded[path] = true
		}
		report(f, path, detail)
	}
	known := len(c.changes)
	w.compare(where, from, to, 0)
	if places := documents(decode(o), decode(n), w, where, report); len(c.changes) == known && len(places) > 0 {
		c.respell(where, places)
	}
}

// decode returns a schema as it is written.
func decode(text manifest.Schema) any {
	if len(text) == 0 {
		return node{}
	}
	return shape.Decode(text)
}

// Same reports whether two schemas allow the same values and have the same descriptions, defaults and other
// annotations. It ignores the title of the root, its dialect and its URI.
func Same(a, b manifest.Schema) bool {
	c, same := &comparison{steps: maxSteps}, true
	c.schemas(a, b, "", func(f fact, path, detail string) {
		keyword, _, _ := strings.Cut(detail, " ")
		same = same && f == reworded && path == "" && slices.Contains([]string{"title", "$schema", "$id"}, keyword)
	})
	return same && c.err == nil
}

// parse decodes a schema. Empty text is decoded as the empty schema.
func (c *comparison) parse(text manifest.Schema, where string) node {
	if len(text) == 0 {
		return node{}
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // bounds beyond 2^53 must stay distinct
	if err := d.Decode(&v); err != nil && c.err == nil {
		c.err = fmt.Errorf("the schema of %s: %w", Printable(where), err)
	}
	root := shape.AsNode(normalizeNumbers(v))
	shape.Document(root)
	return root
}

// normalizeNumbers returns v with equal numbers written in the same way: 1.0 becomes 1.
func normalizeNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if text := string(v); strings.Contains(text, ".") && !strings.ContainsAny(text, "eE") {
			return json.Number(strings.TrimSuffix(strings.TrimRight(text, "0"), "."))
		}
	case node:
		for k, child := range v {
			v[k] = normalizeNumbers(child)
		}
	case []any:
		for i, child := range v {
			v[i] = normalizeNumbers(child)
		}
	}
	return v
}

// compare reports how the allowed values differ between two schemas.
func (w *walk) compare(path string, o, n node, depth int) {
	if w.sameDefs && reflect.DeepEqual(o, n) {
		return
	}
	w.c.steps--
	if depth > shape.MaxDepth || w.trials > maxTrials || w.c.steps < 0 {
		w.report(unjudged, path, "the schema is too large to compare")
		return
	}
	written, nowWritten := o, n
	references := [2]string{text(o["$ref"]), text(n["$ref"])}
	if references != [2]string{} {
		plain, pair := isBareReference(o) && isBareReference(n), references
		if !plain { // the keywords next to $ref matter too
			pair = [2]string{canonical(o), canonical(n)}
			w.c.steps -= len(pair[0]+pair[1]) / 256
		}
		if w.references[pair] {
			*w.reported++
			return // a recursive type, which is being compared already
		}
		if plain && w.equal[references] && reflect.DeepEqual(o, n) {
			return
		}
		w.references[pair] = true
		defer func(reported int) {
			delete(w.references, pair)
			w.equal[references] = plain && *w.reported == reported
		}(*w.reported)
	}
	o, known := w.old.Of(o)
	n, nowKnown := w.new.Of(n)
	if !known || !nowKnown {
		w.report(unjudged, path, "$ref "+describeChange(references[0], references[1]))
		return
	}
	around := w.parts
	parts := append(slices.Clip(around), o)
	w = w.with(nil) // the schemas of members and items apply to other values
	w.words(path, o, n)
	if never, isNow := shape.Never(o), shape.Never(n); never || isNow {
		if f := typeFact(!never, !isNow); never != isNow {
			w.report(f, path, "not "+describeChange(o["not"], n["not"]))
		}
		return
	}
	if w.compareUnions(path, [2]node{o, n}, [2]node{written, nowWritten}, parts, depth) {
		w.defaults(path, o, n)
		return
	}
	reported := w.types(path, o, n)
	if reported == typeChanged {
		return // the other keywords now apply to values of other types
	}
	w.enum(path, o, n)
	w.bounds(path, o, n)
	w.form(path, o, n)
	w.defaults(path, o, n)
	w.object(path, o, n, around, depth)
	w.list(path, o, n, depth)
	w.union(path, o, n, parts, depth, reported)
	w.compareApplied(path, o, n, depth)
	w.rest(path, o, n)
}

// isBareReference reports whether a node consists only of a reference and annotations.
func isBareReference(s node) bool {
	for k := range s {
		if k != "$ref" && !slices.Contains(shape.Annotations, k) {
			return false
		}
	}
	return true
}

// words reports changes to the text for people and models. An empty text is the same as no text.
func (w *walk) words(path string, o, n node) {
	for _, k := range shape.Annotations {
		if !reflect.DeepEqual(o[k], n[k]) && (o[k] != nil || n[k] != "") && (o[k] != "" || n[k] != nil) {
			w.report(reworded, path, k+" "+describeTexts(o[k], n[k]))
			w.log.say(path, k, o[k], n[k])
		}
	}
}

// types compares the types and returns the fact that it reported, or 0 if it reported none.
func (w *walk) types(path string, o, n node) fact {
	if reflect.DeepEqual(o["type"], n["type"]) {
		return 0
	}
	before, after := types(o), types(n)
	lost := slices.ContainsFunc(before, func(t string) bool { return !shape.HasType(after, t) })
	gained := slices.ContainsFunc(after, func(t string) bool { return !shape.HasType(before, t) })
	f := typeFact(lost, gained)
	_, listed := shape.Listed(o)
	_, nowListed := shape.Listed(n)
	if listed && nowListed && f != typeChanged {
		return 0 // the method enum reports the values
	}
	if f != 0 {
		w.report(f, path, "type "+describeChange(o["type"], n["type"]))
	}
	return f
}

// typeFact returns the fact for a list of types that lost or gained types, or 0 if it did neither.
func typeFact(lost, gained bool) fact {
	switch {
	case lost && gained:
		return typeChanged
	case lost:
		return typeNarrowed
	case gained:
		return typeWidened
	}
	return 0
}

// types returns the types that a node allows. Without the "type" keyword, these are the types of the anyOf
// branches, or else all types.
func types(s node) []string {
	if all := shape.Types(s); all != nil {
		return all
	}
	branches, ok := s["anyOf"].([]any)
	if !ok {
		return shape.EveryType
	}
	var all []string
	for _, b := range branches {
		all = append(all, types(shape.AsNode(b))...)
	}
	return all
}

// form reports changes to the format of a string.
func (w *walk) form(path string, o, n node) {
	for _, k := range []string{"pattern", "format", "contentEncoding", "contentMediaType"} {
		_, before := numberFormats[text(o[k])]
		_, after := numberFormats[text(n[k])]
		if k == "format" && (before || o[k] == nil) && (after || n[k] == nil) && !slices.Contains(types(o), "string") {
			continue // the method bounds has compared them
		}
		w.keyword(path, k, o, n, formAdded, formChanged, formDropped)
	}
}

func (w *walk) defaults(path string, o, n node) {
	w.keyword(path, "default", o, n, defaultAdded, defaultChanged, defaultRemoved)
}

// keyword reports that a keyword was added, changed or dropped.
func (w *walk) keyword(path, keyword string, o, n node, added, changed, dropped fact) {
	before, had := o[keyword]
	after, has := n[keyword]
	if had != has || !reflect.DeepEqual(before, after) {
		w.log.say(path, keyword, before, after)
	}
	switch {
	case had && !has:
		w.report(dropped, path, keyword+" "+describeChange(before, nil))
	case !had && has:
		w.report(added, path, keyword+" "+describeChange(nil, after))
	case !reflect.DeepEqual(before, after):
		w.report(changed, path, keyword+" "+describeChange(before, after))
	}
}

func text(v any) string {
	s, _ := v.(string)
	return s
}
