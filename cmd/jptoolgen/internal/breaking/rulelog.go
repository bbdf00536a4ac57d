package breaking

import (
	"strings"
)

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
