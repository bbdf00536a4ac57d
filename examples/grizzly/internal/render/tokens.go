package render

import "unicode"

// Tokens estimates how many tokens text has for a model. The estimate is too high for most text, and at most
// 20 percent too low for text that is hard to compress, such as base64.
func Tokens(text string) int {
	thirds, run := 0, 0 // thirds of a token, and the number of consecutive characters of the same class
	var before class
	for _, r := range text {
		c := classOf(r)
		if c == lower && before == upper && run == 1 { // a word may begin with a capital letter
			before = lower
		}
		if c != before {
			run = 0
		}
		thirds += cost(c, run)
		before, run = c, run+1
	}
	return (thirds + 2) / 3
}

// A class is a kind of character that tokens consist of.
type class int

const (
	none class = iota
	space
	lower
	upper
	digit
	mark
	letter // in an alphabet that is not Latin
	wide   // a character that is always a token by itself
	rare   // a character of four bytes, which may be four tokens
)

func classOf(r rune) class {
	switch {
	case r == ' ' || r == '\n' || r == '\t' || r == '\r':
		return space
	case 'a' <= r && r <= 'z':
		return lower
	case 'A' <= r && r <= 'Z':
		return upper
	case '0' <= r && r <= '9':
		return digit
	case r < 0x80:
		return mark
	case r > 0xffff:
		return rare
	case 0x370 <= r && r < 0x800 && unicode.IsLetter(r):
		return letter
	}
	return wide
}

// cost returns the number of thirds of a token that the next character of a run adds.
func cost(c class, run int) int {
	const word = 8 // the length of words that are often one token
	switch {
	case c == wide:
		return 3
	case c == rare:
		return 12
	case c == space:
		return min(run, 1) // a single space belongs to the word after it
	case run == 0:
		return 3
	case c == digit, c == letter:
		return min(run/3, 1)
	case c == mark:
		return 2
	case run < word:
		return 0
	}
	return 2
}
