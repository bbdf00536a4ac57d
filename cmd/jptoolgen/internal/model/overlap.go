package model

import "strings"

// A class is a set of bytes.
type class [256]bool

// classOf returns the bytes that a variable of a URI template expands to, and more.
func classOf(operator byte, more string) (c class) {
	all := "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%" + more
	if operator == '+' {
		all += ":/?#[]@!$&'()*+,;="
	}
	for _, b := range []byte(all) {
		c[b] = true
	}
	return c
}

// A transition leads to a state of a pattern with any byte of a class, or without a byte if empty is set.
type transition struct {
	on    class
	empty bool
	to    int
}

// A pattern is a finite automaton. Its first state is 0, and it accepts in its last state.
type pattern [][]transition

// patternOf returns an automaton that accepts all URIs that a valid template expands to, and possibly more.
func patternOf(template string) pattern {
	p := pattern{nil}
	last := func() int { return len(p) - 1 }
	next := func(e transition) {
		from := last()
		e.to = from + 1
		p[from] = append(p[from], e)
		p = append(p, nil)
	}
	for template != "" {
		inside, ok := strings.CutPrefix(template, "{")
		if !ok {
			var on class
			on[template[0]] = true
			next(transition{on: on})
			template = template[1:]
			continue
		}
		inside, template, _ = strings.Cut(inside, "}")
		separators := map[byte]string{'.': ".", '/': "/", ';': ";=", '?': "&=", '&': "&="}
		operator := inside[0]
		more, leads := separators[operator]
		if !leads {
			if more = ","; operator != '+' {
				operator = 0
			}
		}
		if leads { // the operator comes before the values, unless there are none
			var on class
			on[operator] = true
			next(transition{on: on})
		} else {
			next(transition{empty: true}) // a loop of its own state does not repeat what precedes it
		}
		loop := last()
		p[loop] = append(p[loop], transition{on: classOf(operator, more), to: loop})
		next(transition{empty: true})
		if leads {
			p[loop-1] = append(p[loop-1], transition{empty: true, to: last()})
		}
	}
	return p
}

// overlap reports whether both templates may match the same URI. It may return true for templates that do not.
func overlap(a, b string) bool {
	p, q := patternOf(a), patternOf(b)
	type pair struct{ a, b int }
	seen := map[pair]bool{{}: true}
	todo := []pair{{}}
	add := func(a, b int) {
		if at := (pair{a, b}); !seen[at] {
			seen[at] = true
			todo = append(todo, at)
		}
	}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if at.a == len(p)-1 && at.b == len(q)-1 {
			return true
		}
		for _, e := range p[at.a] {
			if e.empty {
				add(e.to, at.b)
				continue
			}
			for _, f := range q[at.b] {
				if !f.empty && e.on.meets(&f.on) {
					add(e.to, f.to)
				}
			}
		}
		for _, f := range q[at.b] {
			if f.empty {
				add(at.a, f.to)
			}
		}
	}
	return false
}

// meets reports whether two classes have a byte in common.
func (c *class) meets(other *class) bool {
	for b, in := range c {
		if in && other[b] {
			return true
		}
	}
	return false
}
