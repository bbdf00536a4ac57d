package breaking

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
)

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
	for _, d := range differences(from, to, w.old.Root, w.new.Root, part, w.log) {
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
