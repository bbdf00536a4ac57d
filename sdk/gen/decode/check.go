package decode

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/jptool/jptool/internal/phrase"
)

// apply decodes a value and checks the rules. A problem lists the requirements of all rules.
func apply[T any](v Value, dst *T, f Func[T], rules []Rule) {
	if len(rules) == 0 {
		f(v, dst)
		return
	}
	d := v.d
	before := d.problemCount()
	if find(rules, opSingle) != nil {
		d.single = v.at
	}
	f(v, dst)
	if d.problemCount() == before {
		if measure, hint, ok := v.satisfies(rules); !ok && !d.dropsNext() {
			d.refuse(v.at, describe(noun(d, f), "", rules), d.show(v.at)+measure, hint)
		}
		return
	}
	for i := before; i < len(d.report.Problems); i++ {
		p := &d.report.Problems[i]
		if p.at == v.at && p.noun != "" {
			p.Expected = describe(p.noun, p.extent, rules)
		}
		if p.at == v.at && p.Hint == asString {
			if _, _, ok := v.satisfies(rules); !ok {
				p.Hint = "" // a string would not be accepted either
			}
		}
	}
}

func find(rules []Rule, o op) *Rule {
	for i := range rules {
		if rules[i].op == o {
			return &rules[i]
		}
	}
	return nil
}

// satisfies checks all rules. If a string or an object violates a limit, measure is its size,
// such as " of 5 characters".
func (v Value) satisfies(rules []Rule) (measure, hint string, ok bool) {
	for i := range rules {
		if measure, hint, ok = rules[i].check(v); !ok {
			return measure, hint, false
		}
	}
	return "", "", true
}

func (r *Rule) check(v Value) (measure, hint string, ok bool) {
	n, l := v.node(), &limits[r.op]
	size, unit := int(n.count), "member"
	switch {
	case l.kind != n.kind:
		return "", "", true
	case r.op == opPattern:
		hint, ok = matches(r.text, n.text)
		return "", hint, ok
	case r.op == opUniqueItems:
		hint, ok = v.repeats()
		return "", hint, ok
	case n.kind == kindNumber:
		return "", "", r.bounds(n.text)
	case n.kind == kindString:
		size, unit = utf8.RuneCount(n.text), "character"
	}
	if l.least && uint64(size) >= r.bits || !l.least && uint64(size) <= r.bits {
		return "", "", true
	}
	if n.kind != kindList { // a list is shown with its size
		measure = " of " + phrase.Plural(size, unit)
	}
	return measure, "", false
}

func (r *Rule) bounds(number []byte) bool {
	if x := math.Float64frombits(r.bits); r.form == formFloat && (math.IsNaN(x) || math.IsInf(x, 0)) {
		return true
	}
	var text, digits, limits [40]byte
	value := parseDecimal(digits[:0], number)
	limit := parseDecimal(limits[:0], r.appendNumber(text[:0]))
	switch r.op {
	case opMinimum:
		return value.compare(limit) >= 0
	case opMaximum:
		return value.compare(limit) <= 0
	case opExclusiveMinimum:
		return value.compare(limit) > 0
	case opExclusiveMaximum:
		return value.compare(limit) < 0
	}
	return value.multipleOf(limit)
}

func (r *Rule) appendNumber(b []byte) []byte {
	switch r.form {
	case formInt:
		return strconv.AppendInt(b, int64(r.bits), 10)
	case formFloat:
		return strconv.AppendFloat(b, math.Float64frombits(r.bits), 'g', -1, 64)
	}
	return strconv.AppendUint(b, r.bits, 10)
}

// repeats checks that all elements of a list are distinct.
func (v Value) repeats() (hint string, ok bool) {
	seen := make(map[string]int, v.node().count)
	var form []byte
	for child := v.node().first; child != 0; child = v.d.nodes[child].next {
		form = v.d.canonical(form[:0], child)
		if first, twice := seen[string(form)]; twice {
			return fmt.Sprintf("item [%d] duplicates item [%d]", len(seen), first), false
		}
		seen[string(form)] = len(seen)
	}
	return "", true
}

// canonical appends a form that is the same for equal values, such as 1.0 and 1. It sorts members.
func (t *tape) canonical(b []byte, at int32) []byte {
	switch n := &t.nodes[at]; n.kind {
	case kindString:
		return strconv.AppendQuote(b, string(n.text))
	case kindNumber:
		d := parseDecimal(nil, n.text)
		b = strconv.AppendInt(b, int64(d.sign), 10)
		b = append(append(b, '.'), d.digits...)
		return strconv.AppendInt(append(b, 'e'), int64(d.exponent), 10)
	case kindList:
		b = append(b, '[')
		for child := n.first; child != 0; child = t.nodes[child].next {
			b = append(t.canonical(b, child), ',')
		}
		return append(b, ']')
	case kindObject:
		members := make([]string, 0, n.count)
		for child := n.first; child != 0; child = t.nodes[child].next {
			name := strconv.AppendQuote(nil, string(t.nodes[child].name))
			members = append(members, string(t.canonical(append(name, ':'), child)))
		}
		slices.Sort(members)
		b = append(b, '{')
		for _, member := range members {
			b = append(append(b, member...), ',')
		}
		return append(b, '}')
	default:
		return append(b, n.text...)
	}
}

// maxPatterns is the maximum number of cached patterns. Further patterns are compiled for each use.
const maxPatterns = 1024

var patterns = struct {
	sync.RWMutex
	compiled map[string]*regexp.Regexp // nil if the pattern does not compile
}{compiled: map[string]*regexp.Regexp{}}

// matches reports whether pattern matches text. A pattern that does not compile matches nothing.
func matches(pattern string, text []byte) (hint string, ok bool) {
	patterns.RLock()
	re, known := patterns.compiled[pattern]
	patterns.RUnlock()
	if !known {
		re, _ = regexp.Compile(pattern)
		patterns.Lock()
		if len(patterns.compiled) < maxPatterns {
			patterns.compiled[pattern] = re
		}
		patterns.Unlock()
	}
	if re == nil {
		return "the tool's pattern is not a valid regular expression", false
	}
	return "", re.Match(text)
}
