package bear

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fold maps letters that differ only in case to one of them, rune by rune, so that the number of runes does not
// change: it maps K, k and the Kelvin sign to K.
func fold(r rune) rune {
	if r < utf8.RuneSelf {
		if 'a' <= r && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}
	least := unicode.ToLower(r) // no other step maps the capital İ to i
	for next := unicode.SimpleFold(least); next != least; next = unicode.SimpleFold(next) {
		if next < least {
			least = next
		}
	}
	return least
}

// needle is a text to search for case-insensitively.
type needle struct {
	text  string // the original text
	runes []rune // folded
	leads []byte // possible first bytes of the first rune in a text
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

// spellings returns the runes that fold maps to folded.
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

// find returns the beginning and end of the needle in s, or -1.
func (n needle) find(s string) (begin, end int) {
	next := make([]int, 0, 4) // next position of each lead
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

// indexFrom returns the next position of b in s, or len(s).
func indexFrom(s string, b byte, from int) int {
	if i := strings.IndexByte(s[from:], b); i >= 0 {
		return from + i
	}
	return len(s)
}

// matchAt returns the end of the needle if it begins at i, else -1.
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
