package breaking

import (
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
)

// The rules compare schemas in a normal form, which has fewer texts than the documents that a model reads: the titles
// of constants, the text of a null branch, unused definitions and texts that a sibling of $ref hides are not in it.
// Therefore, a second walk goes over the documents as they are written. It reports each text that differs and that the
// rules have not reported, and lists the places of all other differences that the rules have not reported.

// A ruleLog holds what the rules have reported about two schemas.
type ruleLog struct {
	said    map[saidKey]int // the reported texts
	worded  map[string]bool // the paths with facts that do not affect values
	facts   map[string]bool // the paths with other facts
	above   map[string]bool // the paths that contain a path in facts
	renamed map[string]string
}

type saidKey struct{ where, keyword, from, to string }

func newRuleLog() *ruleLog {
	return &ruleLog{
		said: map[saidKey]int{}, worded: map[string]bool{}, facts: map[string]bool{},
		above: map[string]bool{}, renamed: map[string]string{},
	}
}

func keyOf(where, keyword string, from, to any) saidKey {
	return saidKey{where, keyword, canonical(from), canonical(to)}
}

// say records that a text was reported.
func (l *ruleLog) say(where, keyword string, from, to any) {
	if l != nil {
		l.said[keyOf(where, keyword, from, to)]++
	}
}

// fact records that another difference was reported.
func (l *ruleLog) fact(where string) {
	l.facts[where] = true
	for p := range containers(where) {
		l.above[p] = true
	}
}

// covers reports whether a rule reported a difference at a path or at a path that contains it.
func (l *ruleLog) covers(where string) bool {
	if l.facts[where] {
		return true
	}
	for p := range containers(where) {
		if l.facts[p] {
			return true
		}
	}
	return false
}

// containers yields the paths that contain a path.
func containers(where string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for i := len(where) - 1; i > 0; i-- {
			if (where[i] == '.' || where[i] == '[') && !yield(where[:i]) {
				return
			}
		}
	}
}

// A place is a location in a document.
type place struct {
	where   string   // the path in reports
	inside  string   // the keywords between the path and the place, such as anyOf[1]
	pointer string   // the JSON pointer in the document
	rules   []string // the paths that the rules use: those of the references to a definition, or else only where
}

// key returns the place of the value of a keyword that applies to the same value.
func (p place) key(k string) place {
	p.pointer += "/" + pointerStep(k)
	p.inside = strings.TrimPrefix(p.inside+"."+k, ".")
	return p
}

// member returns the place of a part of the value, whose path ends with suffix.
func (p place) member(step, suffix string) place {
	rules := make([]string, len(p.rules))
	for i, r := range p.rules {
		rules[i] = r + suffix
	}
	return place{p.where + suffix, "", p.pointer + "/" + pointerStep(step), rules}
}

func pointerStep(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }

// A difference is a text, or another part of a document if it has no keyword, that differs.
type difference struct {
	place
	keyword  string
	from, to any
	quiet    bool // a rule has reported the part that contains the text
}

// writtenSchemas compares two schemas as they are written.
type writtenSchemas struct {
	log   *ruleLog
	uses  map[string][]string // the paths of the references to each part of the documents
	found []difference
}

// maxUses is the maximum number of references to a definition whose paths are recorded.
const maxUses = 64

// maxDifferences is the maximum number of differences between two documents that are listed one by one.
const maxDifferences = 10_000

// schemaMaps, schemaLists and innerSchemas are the keywords with schemas inside. The values are suffixes of paths.
var (
	schemaMaps = map[string]string{
		"properties": ".", "patternProperties": ".*", "dependentSchemas": "", "dependencies": "",
		"$defs": ".$defs.", "definitions": ".definitions.",
	}
	schemaLists  = []string{"anyOf", "oneOf", "allOf", "prefixItems", "items", "disallow", "extends", "type"}
	innerSchemas = map[string]string{
		"items": "[]", "additionalItems": "[]", "unevaluatedItems": "[]", "contains": "", "additionalProperties": ".*",
		"unevaluatedProperties": ".*", "propertyNames": ".*", "not": "", "if": "", "then": "", "else": "", "extends": "", "disallow": "",
	}
)

// isText reports whether a keyword holds text for people and models, and does not restrict values.
func isText(keyword string) bool {
	return slices.Contains(shape.Annotations, keyword) ||
		keyword != "$ref" && !slices.Contains(judged, keyword) && !slices.Contains(vocabulary, keyword)
}

// differences compares two documents. part is the path of both. old and new are the same documents as the rules
// compared them.
func differences(from, to any, old, new node, part string, log *ruleLog) []difference {
	d := &writtenSchemas{log: log, uses: map[string][]string{}}
	for _, root := range []node{old, new} {
		d.references(root, part)
	}
	root := place{where: part, rules: []string{part}}
	d.value(from, to, root)
	left := d.rest()
	if len(d.found) == maxDifferences {
		left = append(left, difference{place: root})
	}
	return left
}

// references records the paths of the references in a document.
func (d *writtenSchemas) references(root node, part string) {
	type reference struct{ target, where string }
	var inner []reference // references in definitions, whose paths begin with the pointer of the definition
	var visit func(v any, where, pointer string, depth int)
	visit = func(v any, where, pointer string, depth int) {
		s, ok := v.(node)
		if !ok || depth > 4*shape.MaxDepth {
			return
		}
		if ref, ok := s["$ref"].(string); ok {
			target := strings.TrimPrefix(ref, "#")
			if plain, err := url.PathUnescape(target); err == nil {
				target = plain
			}
			if strings.Contains(where, "\x00") {
				inner = append(inner, reference{target, where})
			} else if len(d.uses[target]) < maxUses {
				d.uses[target] = append(d.uses[target], where)
			}
		}
		for _, k := range slices.Sorted(maps.Keys(s)) {
			at := pointer + "/" + pointerStep(k)
			suffix, named := schemaMaps[k]
			all, isMap := s[k].(node)
			list, isList := s[k].([]any)
			switch {
			case named && isMap:
				for _, name := range slices.Sorted(maps.Keys(all)) {
					inside := where + suffix
					if k == "properties" {
						inside += name
					} else if strings.HasSuffix(suffix, "s.") {
						inside = at + "/" + pointerStep(name) + "\x00"
					}
					visit(all[name], inside, at+"/"+pointerStep(name), depth+1)
				}
			case isMap:
				visit(all, where+innerSchemas[k], at, depth+1)
			case isList && slices.Contains(schemaLists, k):
				for i, v := range list {
					inside := where
					if k == "prefixItems" {
						inside += "[" + strconv.Itoa(i) + "]"
					}
					visit(v, inside, at+"/"+strconv.Itoa(i), depth+1)
				}
			}
		}
	}
	visit(root, part, "", 0)
	for more, steps := true, 1<<20; more && steps > 0; { // definitions that refer to other definitions
		more = false
		for _, r := range inner {
			def, rest, _ := strings.Cut(r.where, "\x00")
			for _, use := range d.uses[def] {
				all := d.uses[r.target]
				if steps -= 1 + len(all); steps < 0 || len(all) == maxUses || slices.Contains(all, use+rest) || len(use+rest) > 1<<12 {
					continue
				}
				d.uses[r.target], more = append(all, use+rest), true
			}
		}
	}
}

// add records a difference.
func (d *writtenSchemas) add(p place, keyword string, from, to any, quiet bool) {
	if len(d.found) < maxDifferences {
		d.found = append(d.found, difference{p, keyword, from, to, quiet})
	}
}

// value compares two schemas.
func (d *writtenSchemas) value(from, to any, p place) {
	o, isNode := from.(node)
	n, alsoNode := to.(node)
	switch {
	case len(d.found) == maxDifferences || reflect.DeepEqual(from, to):
	case isNode && alsoNode && strings.Count(p.pointer, "/") < 4*shape.MaxDepth:
		d.schema(o, n, p)
	case isNode && alsoNode: // nested too deeply to be listed in detail
		d.add(p, "schema", from, to, false)
	default:
		d.add(p, "", from, to, false)
		d.texts(from, p, false)
		d.texts(to, p, true)
	}
}

func (d *writtenSchemas) schema(o, n node, p place) {
	for _, k := range changedKeys(o, n) {
		a, b := o[k], n[k]
		x, isMap := a.(node)
		y, alsoMap := b.(node)
		before, isList := a.([]any)
		after, alsoList := b.([]any)
		suffix, named := schemaMaps[k]
		inner, single := innerSchemas[k]
		switch {
		case k == "default" && a != nil && b != nil && equalNumbers(a, b):
			d.add(p.key(k), "", a, b, false)
		case k == "default" || isText(k):
			d.add(p, k, a, b, false)
		case named && (isMap || a == nil) && (alsoMap || b == nil):
			d.named(x, y, k, suffix, p)
		case single && isMap && alsoMap && inner == "":
			d.value(a, b, p.key(k))
		case single && isMap && alsoMap:
			d.value(a, b, p.member(k, inner))
		case isList && alsoList && slices.Contains(schemaLists, k):
			d.list(before, after, k, p)
		default:
			d.add(p.key(k), "", a, b, false)
			d.oneSided(k, a, p, false)
			d.oneSided(k, b, p, true)
		}
	}
}

// equalNumbers reports whether two values are equal if 1.0 equals 1.
func equalNumbers(a, b any) bool {
	normal := func(v any) any { return normalizeNumbers(shape.Decode([]byte(canonical(v)))) }
	return reflect.DeepEqual(normal(a), normal(b))
}

// changedKeys returns the sorted names of the members that differ between two objects.
func changedKeys(o, n node) []string {
	keys := map[string]bool{}
	for _, s := range []node{o, n} {
		for k := range s {
			if has(o, k) != has(n, k) || !reflect.DeepEqual(o[k], n[k]) {
				keys[k] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(keys))
}

func has(s node, k string) bool {
	_, ok := s[k]
	return ok
}

// named compares the values of a keyword that maps names to schemas.
func (d *writtenSchemas) named(o, n node, k, suffix string, p place) {
	at := func(name string) place {
		q := place{pointer: p.pointer + "/" + pointerStep(k)}
		switch {
		case k == "properties":
			q = p.member(k, suffix+name)
		case strings.HasPrefix(suffix, ".") && suffix != ".*": // definitions
			q.where = p.where + suffix + name
			q.rules = append(slices.Clone(d.uses[q.pointer+"/"+pointerStep(name)]), q.where)
		case suffix != "":
			q = p.member(k, suffix)
			q.inside = k + "." + name
		default:
			q = p.key(k)
			q.inside += "." + name
		}
		q.pointer += "/" + pointerStep(name)
		return q
	}
	taken := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(n)) {
		q := at(name)
		from := name
		if old, ok := d.log.renamed[q.where]; ok && k == "properties" && !has(o, name) {
			from = old
		}
		taken[from] = true
		if !has(o, from) {
			d.add(q, "", nil, n[name], false)
			d.texts(n[name], q, true)
			continue
		}
		d.value(o[from], n[name], q)
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if !taken[name] {
			d.add(at(name), "", o[name], nil, false)
			d.texts(o[name], at(name), false)
		}
	}
}

// list compares the values of a keyword that has a list of schemas.
func (d *writtenSchemas) list(o, n []any, k string, p place) {
	at := func(v any, i int) place {
		switch constant, ok := shape.AsNode(v)["const"]; {
		case k == "prefixItems" || k == "items":
			q := p.member(k, "["+strconv.Itoa(i)+"]")
			q.pointer += "/" + strconv.Itoa(i)
			return q
		case ok:
			q := p.member(k, "."+wordOf(constant))
			q.pointer += "/" + strconv.Itoa(i)
			return q
		}
		q := p.key(k)
		q.inside += "[" + strconv.Itoa(i) + "]"
		q.pointer += "/" + strconv.Itoa(i)
		return q
	}
	to := pairBranches(o, n, k != "prefixItems" && k != "items")
	taken, last := map[int]bool{}, -1
	for i, j := range to {
		if j < 0 {
			d.add(at(o[i], i), "", o[i], nil, false)
			d.texts(o[i], at(o[i], i), false)
			continue
		}
		if taken[j] = true; j < last {
			d.add(p.key(k), "", o, n, false)
		}
		last = max(last, j)
		d.value(o[i], n[j], at(n[j], j))
	}
	for j := range n {
		if !taken[j] { // a rule names the new values, but not the texts of a new alternative
			first := len(d.found)
			d.add(at(n[j], j), "", nil, n[j], false)
			d.texts(n[j], at(n[j], j), true)
			d.silence(first, false)
		}
	}
}

// wordOf returns a constant as a part of a path.
func wordOf(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return canonical(v)
}

// pairBranches returns the index in n for each schema of o, or -1 for a schema without a counterpart. If order has no
// meaning, equal schemas are paired first, then schemas with different texts, then the others.
func pairBranches(o, n []any, unordered bool) []int {
	to, taken := make([]int, len(o)), make([]bool, len(n))
	for i := range to {
		to[i] = -1
	}
	match := func(form func(any) string) {
		byForm := map[string][]int{}
		for j, v := range n {
			if key := form(v); !taken[j] && key != "" {
				byForm[key] = append(byForm[key], j)
			}
		}
		for i, v := range o {
			if all := byForm[form(v)]; to[i] < 0 && len(all) > 0 {
				to[i], taken[all[0]] = all[0], true
				byForm[form(v)] = all[1:]
			}
		}
	}
	if unordered {
		match(canonical)
		match(func(v any) string {
			return canonical(shape.Bare(v, slices.Concat(shape.Annotations, []string{"default"})))
		})
		match(func(v any) string {
			s := shape.AsNode(v)
			if c, ok := s["const"]; ok {
				return "const" + canonical(c)
			}
			return text(s["$ref"])
		})
	}
	j := 0
	for i := range o {
		for j < len(n) && taken[j] {
			j++
		}
		if to[i] < 0 && j < len(n) {
			to[i], taken[j] = j, true
		}
	}
	return to
}

// oneSided records the texts in a keyword that only one of two schemas has.
func (d *writtenSchemas) oneSided(k string, v any, p place, isNew bool) {
	if isText(k) {
		return
	}
	suffix, named := schemaMaps[k]
	all, isMap := v.(node)
	list, isList := v.([]any)
	inner, single := innerSchemas[k]
	switch {
	case named && isMap && isNew:
		d.named(nil, all, k, suffix, p)
	case named && isMap:
		d.named(all, nil, k, suffix, p)
	case single && isMap && inner != "":
		d.texts(v, p.member(k, inner), isNew)
	case single && isMap:
		d.texts(v, p.key(k), isNew)
	case isList && slices.Contains(schemaLists, k) && isNew:
		d.list(nil, list, k, p)
	case isList && slices.Contains(schemaLists, k):
		d.list(list, nil, k, p)
	}
}

// texts records the texts of a schema that only one of the documents has.
func (d *writtenSchemas) texts(v any, p place, isNew bool) {
	s, ok := v.(node)
	if !ok || strings.Count(p.pointer, "/") >= 4*shape.MaxDepth {
		return
	}
	quiet := slices.ContainsFunc(p.rules, d.log.covers)
	for _, k := range slices.Sorted(maps.Keys(s)) {
		switch from, to := s[k], any(nil); {
		case k == "default" || isText(k):
			if isNew {
				from, to = to, from
			}
			d.add(p, k, from, to, quiet)
		default:
			first := len(d.found)
			if d.oneSided(k, s[k], p, isNew); quiet {
				d.silence(first, true)
			}
		}
	}
}

// silence sets whether a rule has reported the part that contains the differences from an index on.
func (d *writtenSchemas) silence(first int, quiet bool) {
	for i := first; i < len(d.found); i++ {
		d.found[i].quiet = quiet
	}
}

// rest returns the differences that the rules have not reported. A text that has only moved to another part of the
// schema of the same value is a difference without a text.
func (d *writtenSchemas) rest() (left []difference) {
	slices.SortStableFunc(d.found, func(x, y difference) int { // a rule is about the outer text
		return min(len(x.inside), 1) - min(len(y.inside), 1)
	})
	moved := d.moved()
	for i, f := range d.found {
		covered := slices.ContainsFunc(f.rules, d.log.covers)
		switch {
		case f.keyword == "":
			if !covered && !slices.ContainsFunc(f.rules, func(r string) bool { return d.log.above[r] || d.log.worded[r] }) {
				left = append(left, f)
			}
		case f.quiet || d.reported(f) || f.keyword == "default" && covered:
		case moved[i] || canonical(f.from) == `""` && f.to == nil || f.from == nil && canonical(f.to) == `""`:
			f.keyword, f.pointer = "", f.pointer+"/"+pointerStep(f.keyword)
			left = append(left, f)
		default:
			left = append(left, f)
		}
	}
	return left
}

// reported reports whether the rules have reported a text. Each report covers one text of a document, or a text of a
// definition, which the rules report for each reference.
func (d *writtenSchemas) reported(f difference) bool {
	found := false
	for _, r := range f.rules {
		key := keyOf(r, f.keyword, f.from, f.to)
		if d.log.said[key] > 0 {
			d.log.said[key]--
			found = true
		}
	}
	return found
}

// moved returns the indexes of the texts that were removed from one part of the schema of a value, and added to another
// part.
func (d *writtenSchemas) moved() map[int]bool {
	moved, gone := map[int]bool{}, map[saidKey][]int{}
	for i, f := range d.found {
		if f.keyword != "" && f.from != nil && f.to == nil {
			for _, r := range f.rules {
				key := keyOf(r, f.keyword, f.from, nil)
				gone[key] = append(gone[key], i)
			}
		}
	}
	for i, f := range d.found {
		if f.keyword == "" || f.from != nil || f.to == nil {
			continue
		}
		for _, r := range f.rules {
			for _, j := range gone[keyOf(r, f.keyword, f.to, nil)] {
				moved[i], moved[j] = true, true
			}
		}
	}
	return moved
}

// documents reports the texts that differ between two documents and that the rules have not reported. It returns the
// places of the other differences.
func documents(from, to any, w *walk, part string, report func(f fact, path, detail string)) (places []string) {
	for _, d := range differences(from, to, w.old, w.new, part, w.log) {
		f := reworded
		switch {
		case d.keyword == "":
			places = append(places, d.pointer)
			continue
		case d.keyword == "default" && d.from == nil:
			f = defaultAdded
		case d.keyword == "default" && d.to == nil:
			f = defaultRemoved
		case d.keyword == "default":
			f = defaultChanged
		}
		report(f, d.where, strings.TrimPrefix(d.inside+" "+d.keyword, " ")+" "+describeTexts(d.from, d.to))
	}
	return places
}

// respell records places that are written differently without an effect that the rules know.
func (c *comparison) respell(part string, places []string) {
	const most = 20
	list := slices.Compact(slices.Sorted(slices.Values(places)))
	more := ""
	if len(list) > most {
		more, list = " and "+strconv.Itoa(len(list)-most)+" more places", list[:most]
	}
	c.respelled = append(c.respelled, Printable(strings.TrimSpace(part+" "+strings.Join(list, ", ")))+more)
}

// jsonTexts records each difference between two JSON values that are not schemas, such as _meta.
func (c *comparison) jsonTexts(rule, tool, where, what string, o, n any) {
	x, isMap := o.(node)
	y, alsoMap := n.(node)
	before, isList := o.([]any)
	after, alsoList := n.([]any)
	deep := strings.Count(what, ".")+strings.Count(what, "[") > shape.MaxDepth
	switch {
	case reflect.DeepEqual(o, n):
	case isMap && alsoMap && !deep:
		for _, k := range changedKeys(x, y) {
			c.jsonTexts(rule, tool, where, strings.TrimPrefix(what+"."+k, "."), x[k], y[k])
		}
	case isList && alsoList && len(before) == len(after) && !deep:
		for i := range before {
			c.jsonTexts(rule, tool, where, what+"["+strconv.Itoa(i)+"]", before[i], after[i])
		}
	default:
		c.add(rule, tool, where, Printable(what)+" "+describeTexts(o, n))
	}
}
