package odd

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// random generates values and modifies them.
type random struct{ *rand.Rand }

func newRandom(seed uint64) random { return random{rand.New(rand.NewPCG(seed, 0x6f6464))} }

// oneOf returns one of the given texts.
func (r random) oneOf(texts []string) string { return texts[r.IntN(len(texts))] }

var scalars = []string{
	"null", "true", "false", "0", "-0", "1", "-1", "2", "7", "41", "1.5", "20.0", "2e0", "1e400", "1e-400", "9007199254740993", "18446744073709551616",
	`""`, `"x"`, `"safe"`, `"echo"`, `"names"`, `"2.0"`, `"tools/call"`, `"2026-07-28"`, `"é"`, `"\ud83d\ude00"`, `"\u0000"`, `"{}"`, `"true"`, `"2"`,
}

// broken holds scalars that are not JSON or not Unicode.
var broken = []string{`"\ud800"`, "\"\xff\"", "\"\x01\"", "NaN", "01", "tru", `"`, "'x'", "", "-", "1.", `"\x"`, "+1", "undefined"}

// value returns a random value. In rare cases, the value is broken.
func (r random) value(depth int) *node {
	switch n := r.IntN(16); {
	case n == 0:
		return leaf(r.oneOf(broken))
	case n < 11 || depth > 3:
		return leaf(r.oneOf(scalars))
	case n < 13:
		a := &node{kind: array}
		for range r.IntN(4) {
			a.values = append(a.values, r.value(depth+1))
		}
		return a
	}
	o := &node{kind: object}
	for range r.IntN(4) {
		o.with(r.oneOf(memberNames), r.value(depth+1))
	}
	return o
}

var memberNames = []string{
	"jsonrpc", "id", "method", "params", "result", "error", "name", "arguments", "_meta", "text", "times", "progressToken", "cursor", "level", "uri", "extra", "",
	"task", "requestState", "inputResponses", "computer.jp/tool", "computer.jp/context", "a", "ID", "Method", "Text", "\\u0069d", "é",
}

// mutate changes a value at one to four positions and returns its text. Rarely, it also changes some bytes of
// the text.
func (r random) mutate(tree *node) string {
	for range 1 + r.IntN(4) {
		r.change(tree)
	}
	text := tree.String()
	if r.IntN(8) > 0 || text == "" {
		return text
	}
	at := r.IntN(len(text))
	switch r.IntN(4) {
	case 0:
		return text[:at]
	case 1:
		return text[:at] + text[at+1:]
	case 2:
		return text[:at] + r.oneOf([]string{"{", "}", "[", "]", `"`, ",", ":", " ", "\t", "\\", "0", "\x00", "\xff"}) + text[at:]
	}
	return text + r.oneOf([]string{" ", "\t", "}", "{}", `{"x":1}`, ",", "x"})
}

// change changes a random part of a value.
func (r random) change(tree *node) {
	all := tree.inner()
	n := all[r.IntN(len(all))]
	if n.kind == scalar {
		*n = *r.value(2)
		return
	}
	if len(n.values) == 0 {
		r.insert(n)
		return
	}
	i := r.IntN(len(n.values))
	switch r.IntN(8) {
	case 0:
		n.remove(i)
	case 1: // repeat the member with another value
		n.repeat(i, r.value(1))
	case 2: // repeat the member unchanged
		n.repeat(i, n.values[i])
	case 3:
		if n.kind == object {
			n.names[i] = r.rename(n.names[i])
		}
	case 4:
		n.values[i] = r.value(1)
	case 5:
		n.values[i] = &node{kind: array, values: []*node{n.values[i]}}
	case 6:
		j := r.IntN(len(n.values))
		n.values[i], n.values[j] = n.values[j], n.values[i]
		n.between = r.oneOf([]string{"", " ", "\t", "  "})
	default:
		r.insert(n)
	}
}

// insert inserts a random value.
func (r random) insert(n *node) {
	i := r.IntN(len(n.values) + 1)
	n.values = slices.Insert(n.values, i, r.value(1))
	if n.kind == object {
		n.names = slices.Insert(n.names, i, `"`+r.oneOf(memberNames)+`"`)
	}
}

// repeat inserts a member or an element a second time, after the first.
func (n *node) repeat(i int, value *node) {
	n.values = slices.Insert(n.values, i+1, value)
	if n.kind == object {
		n.names = slices.Insert(n.names, i+1, n.names[i])
	}
}

// rename returns another spelling of a name, or another name.
func (r random) rename(name string) string {
	bare := strings.Trim(name, `"`)
	switch n := r.IntN(5); {
	case n == 0 || bare == "" || bare[0] == '\\':
		return `"` + r.oneOf(memberNames) + `"`
	case n == 1:
		return `"` + strings.ToUpper(bare) + `"`
	case n == 2 && bare[0] < 0x80:
		return `"\u00` + strconv.FormatInt(int64(bare[0]), 16) + bare[1:] + `"`
	case n == 3:
		return `"` + bare + ` "`
	}
	return `"` + strings.ToUpper(bare[:1]) + bare[1:] + `"`
}
