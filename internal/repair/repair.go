// Package repair corrects tool calls based on the text of their errors, without knowledge of the tools. Tests
// use it to measure how well a caller can follow error messages.
package repair

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/sdk/tool"
)

// A Call is a call to a tool. Args holds its arguments as encoding/json decodes them, or a string that is not
// JSON.
type Call struct {
	Tool string
	Args any
	// Known holds values that the caller knows, keyed by the name of a member that may need them.
	Known map[string]any
}

var (
	problem = regexp.MustCompile(`^(?:argument (\S.*?)|arguments): expected (.+), got ((?:[^;"]|"(?:[^"\\]|\\.)*")+?)(?:; (.+))?$`)
	noTool  = regexp.MustCompile(`^there is no tool "(.*?)"; (?:did you mean|the tools are) (.+?)(?: and \d+ others)?\??$`)
	next    = regexp.MustCompile(`\b(?:use|call) (\w+_\w+) with (\w+) ("(?:[^"\\]|\\.)*")`)
	quoted  = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	advice  = regexp.MustCompile(`(?:; |: |, )(?:use|write|read|a search returned|did you mean|[^;:]*? such as|for example)\b(.*)$`)
	left    = regexp.MustCompile(`\b(?:leave|omit) (\w+)`)
	extra   = regexp.MustCompile(`and ("(?:[^"\\]|\\.)*") as (\w+)`)
)

// Once returns a call that follows the advice of a message, or false if the message does not say what to change.
func Once(c Call, message string) (Call, bool) {
	if m := noTool.FindStringSubmatch(message); m != nil {
		c.Tool = closest(m[1], strings.Split(m[2], ", "))
		return c, true
	}
	if m := next.FindStringSubmatch(message); m != nil {
		c.Tool, c.Args = m[1], map[string]any{m[2]: unquote(m[3])}
		return c, true
	}
	changed := false
	c.Args = clone(c.Args)
	for line := range strings.Lines(message) {
		if m := problem.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			changed = c.follow(m[1], m[2], m[3], m[4]) || changed
		}
	}
	return c, changed || c.replace(message)
}

// follow corrects the value at a path and reports whether it succeeded.
func (c *Call) follow(path, expected, got, hint string) bool {
	if path == "" {
		if text, ok := c.Args.(string); ok && expected == "valid JSON" {
			return c.complete(text)
		}
		c.Args = map[string]any{}
		return true
	}
	p := parse(path)
	names := quoted.FindAllString(hint, -1)
	switch {
	case strings.HasPrefix(hint, "rename ") && strings.HasSuffix(hint, " to "+quote(p[len(p)-1])):
		return c.rename(p, unquote(names[0]), fmt.Sprint(p[len(p)-1]))
	case got == "an unknown name" && strings.HasPrefix(hint, "did you mean"):
		return c.rename(p, fmt.Sprint(p[len(p)-1]), unquote(names[0]))
	case strings.HasPrefix(expected, "a name that is an integer"):
		return c.rename(p, fmt.Sprint(p[len(p)-1]), fmt.Sprint(number(strings.TrimPrefix(expected, "a name that is "), 0.0)))
	case got == "an unknown name" || strings.HasPrefix(got, "names that differ") || got == "a duplicate name":
		return c.set(p, nil, true)
	}
	known, has := c.Known[fmt.Sprint(p[len(p)-1])]
	switch {
	case got == "nothing" && has:
		return c.set(p, known, false)
	case strings.HasPrefix(hint, "did you mean"), strings.Contains(hint, "such as"), strings.Contains(hint, "write "):
		if at := strings.Index(hint, `["`); at >= 0 {
			return c.set(p, value(hint[at:], nil), false)
		} else if len(names) > 0 {
			return c.set(p, unquote(names[0]), false)
		}
	}
	return c.set(p, value(expected, c.get(p)), false)
}

// replace makes the change that a message recommends: it replaces a value, or removes a field. It
// returns false if it recognizes no recommendation.
func (c *Call) replace(message string) bool {
	if m := left.FindStringSubmatch(message); m != nil {
		field, _, _ := strings.Cut(message, ":")
		if m[1] != "it" {
			field = m[1]
		}
		return c.set([]any{field}, nil, true)
	}
	m := advice.FindStringSubmatchIndex(message)
	if m == nil {
		field, _, _ := strings.Cut(message, ": must ")
		known, has := c.Known[field]
		return has && c.set([]any{field}, known, false)
	}
	said, instead := message[:m[0]], message[m[2]:]
	if _, sample, ok := strings.Cut(instead, "such as "); ok && strings.HasPrefix(instead, " a ") {
		instead = sample
	}
	if e := extra.FindStringSubmatch(instead); e != nil {
		c.set([]any{e[2]}, unquote(e[1]), false)
	}
	if q := quoted.FindString(instead); q != "" {
		instead = unquote(q)
	} else if words := strings.FieldsFunc(instead, func(r rune) bool { return r == ' ' || r == ',' || r == ';' }); len(words) > 0 {
		instead = strings.TrimRight(words[0], ".")
	}
	var wrong []string
	for _, q := range quoted.FindAllString(said, -1) {
		wrong = append(wrong, strings.TrimSuffix(unquote(q), "…"))
	}
	at, found := c.locate(said, wrong)
	if !found {
		return false
	}
	text, _ := c.get(at).(string)
	for _, w := range wrong {
		if w != "" && !strings.Contains(instead, "://") && strings.Contains(text, "://") {
			return c.set(at, strings.Replace(text, w, instead, 1), false) // the value is part of a URI
		}
	}
	return c.set(at, instead, false)
}

// locate returns the path of the value that a message is about: the value that it quotes or names, or the only
// value in the arguments. found is false if there is no such value.
func (c *Call) locate(said string, wrong []string) (at []any, found bool) {
	var texts [][]any
	walk(c.Args, nil, func(p []any, v any) {
		texts = append(texts, p)
		text, _ := v.(string)
		for _, w := range wrong {
			if !found && w != "" && strings.Contains(text, w) {
				at, found = p, true
			}
		}
		if !found && text != "" && strings.HasSuffix(said, " "+text) {
			at, found = p, true
		}
	})
	for _, p := range texts {
		if !found && strings.HasPrefix(said, fmt.Sprint(p[0])+":") {
			return p, true
		}
	}
	if !found && len(texts) == 1 {
		return texts[0], true
	}
	return at, found
}

// complete closes the brackets and strings that JSON text leaves open, and reports whether the
// result is valid JSON.
func (c *Call) complete(text string) bool {
	for _, end := range []string{"}", "]}", "\"}", "\"]}"} {
		var v any
		if json.Unmarshal([]byte(text+end), &v) == nil {
			c.Args = v
			return true
		}
	}
	fixed := strings.NewReplacer("'", `"`, "None", "null", "True", "true", "False", "false", ",}", "}", ",]", "]").Replace(text)
	var v any
	if json.Unmarshal([]byte(fixed), &v) != nil {
		return false
	}
	c.Args = v
	return true
}

// closest returns the name that is most similar to the given name. The names may be quoted.
func closest(name string, among []string) string {
	for i := range among {
		among[i] = strings.Trim(among[i], `" ?`)
	}
	if near, ok := tool.Nearest(name, among); ok {
		return near
	}
	best, longest := among[0], 0
	for _, other := range among {
		shared := 0
		for _, word := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r < 'a' || r > 'z' }) {
			if strings.Contains(other, strings.TrimSuffix(word, "s")) {
				shared++
			}
		}
		if shared > longest {
			best, longest = other, shared
		}
	}
	return best
}

func unquote(q string) string {
	text, err := strconv.Unquote(q)
	if err != nil {
		return strings.Trim(q, `"`)
	}
	return text
}

func quote(v any) string { return strconv.Quote(fmt.Sprint(v)) }

var step = regexp.MustCompile(`\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.\[\]]+)`)

// parse returns the names and indexes of a path.
func parse(path string) (p []any) {
	for _, m := range step.FindAllStringSubmatch(path, -1) {
		switch {
		case m[1] != "":
			i, _ := strconv.Atoi(m[1])
			p = append(p, i)
		case m[3] != "":
			p = append(p, m[3])
		default:
			p = append(p, unquote(`"`+m[2]+`"`))
		}
	}
	return p
}

func walk(v any, p []any, f func([]any, any)) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			walk(v[name], append(slices.Clip(p), name), f)
		}
	case []any:
		for i, inner := range v {
			walk(inner, append(slices.Clip(p), i), f)
		}
	default:
		f(p, v)
	}
}
