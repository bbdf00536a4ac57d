package bear

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fold maps the letters that differ in case only to one of them, rune by rune, so
// that folded text has as many runes as before: K, k and the Kelvin sign to K.
func fold(r rune) rune {
	if r < utf8.RuneSelf {
		if 'a' <= r && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}
	least := unicode.ToLower(r) // the capital İ has no other path to i
	for next := unicode.SimpleFold(least); next != least; next = unicode.SimpleFold(next) {
		if next < least {
			least = next
		}
	}
	return least
}

// needle finds a text, letter case aside.
type needle struct {
	text  string // as it was asked for
	runes []rune // folded
	leads []byte // the first bytes that the first rune may have in a text
}

func newNeedle(text string) needle {
	n := needle{text: text}
	for _, r := range text {
		n.runes = append(n.runes, fold(r))
	}
	for _, r := range spellings(n.runes[0]) {
		var b [utf8.UTFMax]byte
		utf8.EncodeRune(b[:], r)
		if strings.IndexByte(string(n.leads), b[0]) < 0 {
			n.leads = append(n.leads, b[0])
		}
	}
	return n
}

// spellings are the runes that fold maps to folded.
func spellings(folded rune) []rune {
	all := []rune{folded}
	for r := unicode.SimpleFold(folded); r != folded; r = unicode.SimpleFold(r) {
		all = append(all, r)
	}
	if folded == 'I' {
		all = append(all, 'İ')
	}
	return all
}

// find returns where in s the needle begins and ends, or -1.
func (n needle) find(s string) (begin, end int) {
	next := make([]int, 0, 4) // where each lead comes next
	for _, lead := range n.leads {
		next = append(next, indexFrom(s, lead, 0))
	}
	for {
		first := 0
		for i, at := range next {
			if at < next[first] {
				first = i
			}
		}
		begin = next[first]
		if begin == len(s) {
			return -1, -1
		}
		if end = n.matchAt(s, begin); end >= 0 {
			return begin, end
		}
		next[first] = indexFrom(s, n.leads[first], begin+1)
	}
}

// indexFrom is where b comes next in s, len(s) when it does not.
func indexFrom(s string, b byte, from int) int {
	if i := strings.IndexByte(s[from:], b); i >= 0 {
		return from + i
	}
	return len(s)
}

// matchAt returns where the needle ends if it begins at i, else -1.
func (n needle) matchAt(s string, i int) int {
	for _, want := range n.runes {
		if i >= len(s) {
			return -1
		}
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		if fold(r) != want {
			return -1
		}
		i += size
	}
	return i
}

func (n needle) in(s string) bool {
	begin, _ := n.find(s)
	return begin >= 0
}
