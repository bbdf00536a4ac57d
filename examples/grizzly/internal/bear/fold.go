package bear

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fold maps letters that differ only in case to one of these letters: it maps K, k and the Kelvin sign to K. It
// works rune by rune, so the number of runes does not change.
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

// needle is a string to search for case-insensitively.
type needle struct {
	text  string // the original text
	runes []rune // folded
	leads []byte // possible first bytes of the first rune
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

// maxSpellings is the maximum number of runes that spellings returns.
const maxSpellings = 4

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

// finder finds a needle in text, from left to right. It stores the next position of each possible first byte, so
// finding all occurrences takes time linear in the length of the text.
type finder struct {
	needle
	text string
	next [maxSpellings]int
	read int // number of bytes that were searched for leads
}

func (n needle) finder(text string) *finder {
	f := &finder{needle: n, text: text}
	for i := range f.leads {
		f.seek(i, 0)
	}
	return f
}

// seek moves the next position of a lead to the first position that is not before from.
func (f *finder) seek(lead, from int) {
	f.next[lead] = indexFrom(f.text, f.leads[lead], from)
	f.read += f.next[lead] - from
}

// find returns the first occurrence that does not begin before from, or the empty span at the end of the text. from
// must not decrease from one call to the next.
func (f *finder) find(from int) span {
	for i, at := range f.next[:len(f.leads)] {
		if at < from {
			f.seek(i, from)
		}
	}
	for {
		first := 0
		for i, at := range f.next[:len(f.leads)] {
			if at < f.next[first] {
				first = i
			}
		}
		begin := f.next[first]
		if begin == len(f.text) {
			return span{begin, begin}
		}
		if end := f.matchAt(f.text, begin); end >= 0 {
			return span{begin, end}
		}
		f.seek(first, begin+1)
	}
}

// span is a part of text, in bytes.
type span struct{ begin, end int }

// indexFrom returns the position of the first b in s that is not before from, or len(s).
func indexFrom(s string, b byte, from int) int {
	if i := strings.IndexByte(s[from:], b); i >= 0 {
		return from + i
	}
	return len(s)
}

// matchAt returns the end of the needle if it begins at i, or -1.
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

func (n needle) in(s string) bool { return n.finder(s).find(0).begin < len(s) }
