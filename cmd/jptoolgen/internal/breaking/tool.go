package breaking

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
)

// tools pairs the tools of two contracts by name, by alias and by similarity, and compares the pairs.
func (c *comparison) tools(o, n []manifest.Tool) {
	name := func(t *manifest.Tool) candidate {
		return candidate{name: t.Name, description: t.Description, shape: string(t.Input) + string(t.Output)}
	}
	before, after := index(o, name), index(n, name)
	aliases := map[string]*manifest.Tool{}
	for i := range n {
		for _, a := range n[i].Aliases {
			aliases[a.Name] = &n[i]
		}
	}
	renamed := map[string]bool{}
	for i := range o {
		t := &o[i]
		if now := aliases[t.Name]; now != nil && after[t.Name] == nil {
			c.add("tool-renamed-with-alias", now.Name, now.Name, describeChange(t.Name, now.Name))
			c.tool(t, now)
			renamed[t.Name], renamed[now.Name] = true, before[now.Name] == nil
		}
	}
	paired := func(t manifest.Tool) bool { return renamed[t.Name] }
	alike := func(x, y *candidate) float64 { return itemSimilarity(x, y, 0.4, 0.75) }
	l := list[manifest.Tool]{c: c, kind: "tool", name: name, likeness: alike, tool: func(name string) string { return name }}
	l.compare(slices.DeleteFunc(slices.Clone(o), paired), slices.DeleteFunc(slices.Clone(n), paired), func(o, n *manifest.Tool, _ string) { c.tool(o, n) })
}

// tool compares two versions of a tool.
func (c *comparison) tool(o, n *manifest.Tool) {
	name := n.Name
	c.entry(name, name, o.Entry(), n.Entry())
	before, after := parts(decodeOrNil(o.Other)), parts(decodeOrNil(n.Other))
	c.jsonTexts("execution-changed", name, name+".execution", "", before["execution"], after["execution"])
	delete(before, "execution")
	delete(after, "execution")
	c.jsonTexts("tool-meta", name, name, "", before, after)
	c.aliases(o, n)
	c.task(name, o.Task, n.Task)
	c.hints(name, o.Annotations, n.Annotations)
	c.schemas(o.Input, n.Input, name+".input", c.reporter(Input, name))
	if !c.toggle(name, name+".output", len(o.Output) > 0, len(n.Output) > 0, "output-declared", "output-withdrawn") {
		c.schemas(o.Output, n.Output, name+".output", c.reporter(Output, name))
	}
	c.call(name, name, o, n)
}

// task compares when calls of a tool become tasks. A mode that is not known may exclude clients, like [manifest.TaskRequired].
func (c *comparison) task(tool string, o, n manifest.Task) {
	where := tool + ".task"
	excludes := func(t manifest.Task) bool { return t.Mode != "" && t.Mode != manifest.TaskAuto }
	if !c.toggle(tool, where, excludes(o), excludes(n), "task-required", "task-not-required") {
		c.toggle(tool, where, o.Mode != "", n.Mode != "", "task-gained", "task-lost")
	}
	if o.Mode == "" || n.Mode == "" {
		return
	}
	for _, t := range []struct {
		rule, key string
		from, to  int
	}{{"task-times", "after", o.After, n.After}, {"task-times", "ttl", o.TTL, n.TTL}, {"task-poll", "poll", o.Poll, n.Poll}} {
		c.addChange(t.rule, tool, where+"."+t.key, "", phrase.Duration(t.from), phrase.Duration(t.to))
	}
}

// call compares the options, questions and codes of a tool, or of a resource or prompt as a tool.
func (c *comparison) call(tool, where string, o, n *manifest.Tool) {
	c.schemas(orEmpty(o.Options), orEmpty(n.Options), where+".option", c.reporter(Option, tool))
	options := shape.Read(o.Options)
	for _, p := range shape.Read(n.Options).Properties {
		if _, had := options.Property(p.Name); had && slices.Contains(o.Shared, p.Name) != slices.Contains(n.Shared, p.Name) {
			c.add("option-scope", tool, where+".option."+p.Name, describeChange(o.Flag(p.Name), n.Flag(p.Name)))
		}
	}
	c.questions(tool, where, o.Questions, n.Questions)
	c.order(where+".fails", o.Fails, n.Fails)
	c.order(where+".shared_options", o.Shared, n.Shared)
	for _, code := range slices.Concat(o.Fails, n.Fails) {
		c.toggle(tool, where+".fails."+code, slices.Contains(o.Fails, code), slices.Contains(n.Fails, code), "code-added", "code-removed")
	}
}

// entry compares the fields that entries have in common, or that a tool declares by name, and the declared _meta.
func (c *comparison) entry(tool, where string, o, n manifest.Entry) {
	c.scopes(tool, where, o.Scopes, n.Scopes)
	for _, f := range manifest.Fields {
		from, to := f.Value(o), f.Value(n)
		before, isLimit := from.(int)
		after, isLimitNow := to.(int)
		switch at := where + "." + f.Name; {
		case from == to:
		case from == true, to == true:
			c.toggle(tool, at, from != nil, to != nil, f.Rule+"-gained", f.Rule+"-lost")
		case isLimit && (!isLimitNow || after > before):
			c.add(f.Rule+"-raised", tool, at, describeChange(from, to))
		case isLimit || isLimitNow:
			c.add(f.Rule+"-lowered", tool, at, describeChange(from, to))
		default:
			c.addChange(n.Kind+"-"+f.Rule, tool, where, strings.TrimPrefix(f.Label+" ", " "), from, to)
		}
	}
	before, after := parts(decodeOrNil(o.Meta)), parts(decodeOrNil(n.Meta))
	for _, k := range changedKeys(before, after) {
		c.add(n.Kind+"-meta", tool, where, "_meta "+describeTexts(only(before, k), only(after, k)))
	}
}

// hints compares annotations by their effect on clients. If a hint is missing, a client assumes the worst. A
// read-only tool is not destructive and may be repeated (MCP 2025-11-25, ToolAnnotations).
func (c *comparison) hints(tool string, o, n manifest.Annotations) {
	reads, readsNow := is(o.ReadOnly, false), is(n.ReadOnly, false)
	where := tool + ".annotations"
	changed := c.toggle(tool, where+".read_only", reads, readsNow, "read-only-gained", "read-only-lost")
	if !reads && !readsNow {
		changed = c.toggle(tool, where+".destructive", is(o.Destructive, true), is(n.Destructive, true), "destructive-gained", "destructive-lost") || changed
		changed = c.toggle(tool, where+".idempotent", is(o.Idempotent, false), is(n.Idempotent, false), "idempotent-gained", "idempotent-lost") || changed
	}
	changed = c.toggle(tool, where+".open_world", is(o.OpenWorld, true), is(n.OpenWorld, true), "open-world-gained", "open-world-lost") || changed
	if !changed && !reflect.DeepEqual(o, n) {
		before, _ := json.Marshal(o) // cannot fail
		after, _ := json.Marshal(n)
		c.add("hint-restated", tool, where, "value "+describeTexts(shape.Decode(before), shape.Decode(after)))
	}
}

// only returns an object with one of the members of s, or nil if s does not have it.
func only(s node, name string) any {
	v, ok := s[name]
	if !ok {
		return nil
	}
	return node{name: v}
}

// decodeOrNil returns a JSON value, or nil if there is none.
func decodeOrNil(text manifest.Schema) any {
	if len(text) == 0 {
		return nil
	}
	return shape.Decode(text)
}

// order records that the common entries of two lists are in a different order.
func (c *comparison) order(where string, o, n []string) {
	in := func(list []string) func(string) bool {
		return func(s string) bool { return !slices.Contains(list, s) }
	}
	if !slices.Equal(slices.DeleteFunc(slices.Clone(o), in(n)), slices.DeleteFunc(slices.Clone(n), in(o))) {
		c.respell(where, []string{""})
	}
}

// is returns the value of a hint, or the value that clients assume if the hint is missing.
func is(hint *bool, assumed bool) bool {
	if hint == nil {
		return assumed
	}
	return *hint
}

// orEmpty returns s, or the schema of an empty object if s is empty, because a tool without a schema for options
// has no options.
func orEmpty(s manifest.Schema) manifest.Schema {
	if len(s) == 0 {
		return manifest.Schema(`{"type":"object","properties":{},"additionalProperties":false}`)
	}
	return s
}

// reporter returns a function that records the facts about a part of a tool as changes.
func (c *comparison) reporter(part Part, tool string) func(f fact, path, detail string) {
	return func(f fact, path, detail string) {
		c.add(c.facts[partFact{part, f}], tool, path, detail)
	}
}

// aliases compares the aliases of a tool. If the tool was renamed, the rule about renaming covers the alias for
// its previous name.
func (c *comparison) aliases(o, n *manifest.Tool) {
	without := func(list []manifest.Alias, name string) []manifest.Alias {
		return slices.DeleteFunc(slices.Clone(list), func(a manifest.Alias) bool { return a.Name == name })
	}
	l := list[manifest.Alias]{
		c: c, kind: "alias", where: n.Name + ".aliases.", likeness: zeroLikeness, tool: func(string) string { return n.Name },
		name: func(a *manifest.Alias) candidate { return candidate{name: a.Name} },
	}
	l.compare(without(o.Aliases, n.Name), without(n.Aliases, o.Name), func(o, n *manifest.Alias, where string) {
		c.addChange("alias-end-changed", l.tool(n.Name), where, "until ", orNil(o.Until), orNil(n.Until))
	})
}

// orNil returns v, or nil for the zero value, which means that there is no value.
func orNil[T comparable](v T) any {
	if v == *new(T) {
		return nil
	}
	return v
}

// questions pairs the questions of a tool and compares the pairs.
func (c *comparison) questions(tool, where string, o, n []manifest.Question) {
	name := func(q *manifest.Question) candidate {
		item := candidate{name: q.ID, description: q.Description, shape: q.Kind + string(q.Schema)}
		if len(q.Default) > 0 {
			item.added = "question-added-with-default"
		}
		return item
	}
	const never = 2 // no similarity is that large, so questions of different kinds are paired only if their descriptions are equal
	alike := func(x, y *candidate) float64 { return itemSimilarity(x, y, 0.5, never) }
	l := list[manifest.Question]{
		c: c, kind: "question", where: where + ".question.", name: name, likeness: alike,
		tool: func(string) string { return tool },
	}
	l.compare(o, n, func(o, n *manifest.Question, where string) { c.question(tool, where, o, n) })
}

// question compares two versions of a question.
func (c *comparison) question(tool, where string, o, n *manifest.Question) {
	c.addChange("question-words", tool, where, "", o.Description, n.Description)
	if o.Kind != n.Kind {
		c.add("question-kind-changed", tool, where, describeChange(o.Kind, n.Kind))
		return
	}
	exclusive, relay := "question-exclusive", "question-relayed"
	if n.Exclusive == "" || o.Exclusive == string(question.ByPerson) {
		exclusive = "question-not-exclusive"
	}
	if o.Relay != "" {
		relay = "question-not-relayed"
	}
	c.addChange(exclusive, tool, where, "", cmp.Or(o.Exclusive, "anyone"), cmp.Or(n.Exclusive, "anyone"))
	if !c.toggle(tool, where, o.Subjects, n.Subjects, "question-subjects", "question-no-subjects") {
		c.toggle(tool, where, o.PerSubject, n.PerSubject, "question-per-subject", "question-not-per-subject")
	}
	c.addChange(relay, tool, where, "", cmp.Or(o.Relay, "no argument"), cmp.Or(n.Relay, "no argument"))
	reported := map[fact]bool{}
	report := c.reporter(Question, tool)
	c.answers(where, o.Answers, n.Answers, func(f fact, path, detail string) {
		reported[f] = path == where
		report(f, path, detail)
	})
	c.schemas(defaultSchema(o.Default), defaultSchema(n.Default), where, report)
	c.schemas(o.Schema, n.Schema, where, func(f fact, path, detail string) {
		if strings.TrimSuffix(path, "[]") == where && reported[f] {
			return // the method answers has reported the change
		}
		if path == where && (f == defaultAdded || f == defaultChanged || f == defaultRemoved) ||
			f == reworded && path == where && detail == "description "+describeTexts(o.Description, n.Description) {
			return // the comparison of the question's default and description reports it
		}
		report(f, path, detail)
	})
}

// defaultSchema returns a schema that has only the default of a question.
func defaultSchema(value []byte) manifest.Schema {
	if len(value) == 0 {
		return manifest.Schema(`{}`)
	}
	return manifest.Schema(`{"default":` + string(value) + `}`)
}

// answers compares the values of a choice and their descriptions.
func (c *comparison) answers(where string, o, n []manifest.Value, report func(f fact, path, detail string)) {
	missing := func(all, these []manifest.Value) (names []any) {
		for _, v := range all {
			if !slices.ContainsFunc(these, func(w manifest.Value) bool { return w.Value == v.Value }) {
				names = append(names, v.Value)
			}
		}
		return names
	}
	values := func(all []manifest.Value) (list []string) {
		for _, v := range all {
			list = append(list, v.Value)
		}
		return list
	}
	c.order(where+".answers", values(o), values(n))
	if gone := missing(o, n); len(gone) > 0 {
		report(valuesRemoved, where, "no longer "+show(gone))
	}
	if more := missing(n, o); len(more) > 0 {
		report(valuesAdded, where, "also "+show(more))
	}
	for _, v := range n {
		i := slices.IndexFunc(o, func(w manifest.Value) bool { return w.Value == v.Value })
		if i >= 0 && o[i].Description != v.Description {
			report(reworded, where+"."+v.Value, describeTexts(orNil(o[i].Description), orNil(v.Description)))
		}
	}
}
