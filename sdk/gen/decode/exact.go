package decode

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/jptool/jptool/internal/phrase"
)

// Closed returns a variant of fields that rejects undeclared names.
func Closed[T any](fields func(*Object, *T)) func(*Object, *T) {
	return func(o *Object, dst *T) {
		o.Closed = true
		fields(o, dst)
	}
}

// Exact returns a variant of fields that accepts exactly the objects that the schema allows. Strings
// are not converted, except to an integer beyond 2^53-1.
func Exact[T any](schema string, fields func(*Object, *T)) func(*Object, *T) {
	parsed := sync.OnceValues(func() (*Schema, error) { return ParseSchema([]byte(schema)) })
	return func(o *Object, dst *T) {
		d := (*decoder)(o)
		before := d.problemCount()
		d.Strict, d.Closed = true, false
		if d.nodes[d.object].quoted {
			d.add(Problem{Expected: anObject, Got: "a string"})
		} else if s, err := parsed(); err != nil {
			d.add(Problem{Expected: "a valid schema for the tool", Got: err.Error()})
		} else {
			c := checker{decoder: d, steps: maxSteps}
			if c.check(s, d.object); c.steps < 0 {
				c.refuse(d.object, "arguments that are small enough to check against the schema", "arguments that are too large", "")
			}
		}
		if d.problemCount() == before {
			fields(o, dst)
			return
		}
		d.nodes[d.object].first = 0 // only the schema reports unknown names
	}
}

// Limits on the work for one value, which may come from a hostile caller.
const (
	maxSteps  = 1 << 21
	maxNested = 4 * maxDepth
)

type checker struct {
	*decoder
	steps, depth int
}

func (c *checker) check(s *Schema, at int32) {
	c.steps--
	c.depth++
	defer func() { c.depth-- }()
	if c.depth > maxNested {
		c.steps = -1
	}
	switch {
	case c.steps < 0 || c.trial.refused:
		return
	case s.never:
		c.refuse(at, "no value", "", "")
		return
	case !c.simple(s, at):
		return
	}
	if s.target != nil {
		c.check(s.target, at)
	}
	for _, part := range s.AllOf {
		c.check(part, at)
	}
	if s.AnyOf != nil && !slices.ContainsFunc(s.AnyOf, func(b *Schema) bool { return c.fits(b, at) }) {
		c.reportNoMatch(s.AnyOf, at)
	}
	if s.OneOf != nil {
		n := 0
		for _, b := range s.OneOf {
			if c.fits(b, at) {
				n++
			}
		}
		switch {
		case n == 0:
			c.reportNoMatch(s.OneOf, at)
		case n > 1:
			c.refuse(at, "a value that matches only one alternative", "", fmt.Sprintf("it matches %d of them", n))
		}
	}
	if s.Not != nil && c.fits(s.Not, at) {
		c.refuse(at, `a value that does not match the schema under "not"`, "", "")
	}
	if s.If != nil {
		then := s.Else
		if c.fits(s.If, at) {
			then = s.Then
		}
		if then != nil {
			c.check(then, at)
		}
	}
	switch c.nodes[at].kind {
	case kindObject:
		c.object(s, at)
	case kindList:
		c.list(s, at)
	}
}

func (c *checker) fits(s *Schema, at int32) bool {
	return !c.try(func() { c.check(s, at) }).refused
}

// simple checks the type, the listed values and the limits. A value yields at most one problem.
func (c *checker) simple(s *Schema, at int32) bool {
	v := Value{c.decoder, at}
	if slices.Contains(s.Type, "integer") && !slices.Contains(s.Type, "string") && !c.trial.on && isLarge(v) {
		v.unpack()
	}
	listed := s.allowsType(v.node()) && s.lists(c, at)
	measure, hint, ok := "", "", false
	if listed {
		measure, hint, ok = v.satisfies(s.rules)
	}
	if ok || c.dropsNext() {
		return ok
	}
	if !listed && v.kind() == kindString {
		if near, ok := phrase.Nearest(strconv.Quote(string(v.node().text)), s.texts()); ok {
			hint = "did you mean " + near + "?"
		}
	}
	c.refuse(at, s.describe(0), c.show(at)+measure, hint)
	return false
}

// lists reports whether the schema lists the value or does not restrict it to a list.
func (s *Schema) lists(c *checker, at int32) bool {
	return s.listed == nil || slices.Contains(s.listed, string(c.canonical(nil, at)))
}

func (s *Schema) allowsType(n *node) bool {
	return s.Type == nil || slices.ContainsFunc(s.Type, func(t string) bool {
		return strings.IndexByte(kindsOf[t], byte(n.kind)) >= 0 && (t != "integer" || IsInteger(n.text))
	})
}

// kindsOf maps the types of schemas to the kinds of their values.
var kindsOf = map[string]string{
	"null": "n", "boolean": "tf", "string": `"`, "integer": "0", "number": "0", "array": "[", "object": "{",
}

// texts returns the listed values as JSON.
func (s *Schema) texts() (all []string) {
	for _, value := range s.Enum {
		all = append(all, phrase.Clip(string(value), maxShown))
	}
	return all
}

// describe returns what a schema expects.
func (s *Schema) describe(depth int) string {
	switch {
	case s == nil || depth > maxNested:
		return "a value"
	case s.listed != nil:
		return phrase.OneOf(s.texts())
	case s.Type == nil && s.target != nil:
		return s.target.describe(depth + 1)
	}
	var nouns []string
	for _, t := range s.Type {
		nouns = append(nouns, phrase.A(t))
	}
	noun := cmp.Or(strings.Join(nouns, " or "), "a value")
	if noun == anObject && len(s.Required) > 0 {
		noun += " with " + strings.Join(s.Required, ", ")
	}
	return describe(noun, "", s.rules)
}

// reportNoMatch reports a value that matches no alternative. If only one alternative is plausible, it
// reports the problems with that one. Otherwise, it reports what all alternatives expect.
func (c *checker) reportNoMatch(branches []*Schema, at int32) {
	if c.trial.on {
		c.trial.refused = true
		return
	}
	var meant []*Schema
	var all []string
	for _, b := range branches {
		if c.isPlausible(b, at) {
			meant = append(meant, b)
		}
		if text := b.describe(0); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	if len(meant) == 1 {
		c.check(meant[0], at)
	} else {
		c.refuse(at, strings.Join(all, ", or "), "", "")
	}
}

// isPlausible reports whether a value and its members have the type and the values that s lists.
func (c *checker) isPlausible(s *Schema, at int32) bool {
	for i := 0; i < maxDepth && s.target != nil; i++ {
		s = s.target
	}
	if s.never || !s.allowsType(&c.nodes[at]) {
		return false
	}
	for member := c.nodes[at].first; member != 0; member = c.nodes[member].next {
		if p := s.Properties[string(c.nodes[member].name)]; p != nil && !p.lists(c, member) {
			return false
		}
	}
	return true
}

func (c *checker) object(s *Schema, at int32) {
	strays, expected := 0, ""
	var names []string // the declared names; set once an undeclared name has been found
	for member := c.nodes[at].first; member != 0; member = c.nodes[member].next {
		if c.permits(s, member) {
			continue
		}
		if c.trial.on {
			c.trial.refused = true
			return
		}
		if strays == 0 {
			names = slices.Sorted(maps.Keys(s.Properties))
			expected = oneOfNames(names)
		}
		hint := ""
		if strays < maxCompared {
			hint = didYouMean(string(c.nodes[member].name), names)
		}
		strays++
		c.refuse(member, expected, "an unknown name", hint)
	}
	c.require(s, at, s.Required)
	for _, name := range slices.Sorted(maps.Keys(s.DependentRequired)) {
		if c.member(at, name) != 0 {
			c.require(s, at, s.DependentRequired[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.DependentSchemas)) {
		if c.member(at, name) != 0 {
			c.check(s.DependentSchemas[name], at)
		}
	}
}

// permits checks a member. It returns false if the object must not have it.
func (c *checker) permits(s *Schema, at int32) bool {
	name := c.nodes[at].name
	if s.PropertyNames != nil {
		text := int32(len(c.nodes))
		c.nodes = append(c.nodes, node{kind: kindString, text: name, parent: at})
		if !c.fits(s.PropertyNames, text) && !c.dropsNext() {
			c.refuse(at, "a name that is "+s.PropertyNames.describe(0), "the name "+quote(name), "")
		}
	}
	p, declared := s.Properties[string(name)]
	if declared {
		c.check(p, at)
	}
	for _, pattern := range slices.Sorted(maps.Keys(s.PatternProperties)) {
		if _, ok := matches(pattern, name); ok {
			declared = true
			c.check(s.PatternProperties[pattern], at)
		}
	}
	others := s.AdditionalProperties
	if declared || others == nil {
		return true
	}
	if !others.never {
		c.check(others, at)
	}
	return !others.never
}

func (c *checker) require(s *Schema, at int32, names []string) {
	for _, name := range names {
		if c.member(at, name) == 0 && !c.dropsNext() {
			c.addMissing(at, name, s.Properties[name].describe(0))
		}
	}
}

func (c *checker) list(s *Schema, at int32) {
	prefix, contains := s.PrefixItems, s.Contains == nil
	for item := c.nodes[at].first; item != 0; item = c.nodes[item].next {
		if len(prefix) > 0 {
			c.check(prefix[0], item)
			prefix = prefix[1:]
		} else if s.Items != nil {
			c.check(s.Items, item)
		}
		contains = contains || c.fits(s.Contains, item)
	}
	if !contains {
		c.refuse(at, "a list with "+s.Contains.describe(0), "", "")
	}
}
