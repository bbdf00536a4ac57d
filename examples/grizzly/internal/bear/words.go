package bear

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// prose holds the words of text, for phrase searches. Each word is folded, has no accents, and has one space
// before and after it.
type prose []byte

// A speller converts text to prose. It caches the spelling of each rune, because classifying a rune takes longer
// than the rest of the work.
type speller struct {
	ascii  [256]byte     // the spelling of each ASCII character
	inWord [256]byte     // 1 for ASCII letters and digits, 0 for other ASCII characters
	memo   [1 << 16]rune // the spelling of each rune; 0 if not known yet
}

const (
	gap   = ' ' // spelling of a rune that is not part of a word
	empty = -1  // spelling of an accent on its own
)

func newSpeller() *speller {
	s := &speller{}
	for c := range utf8.RuneSelf {
		s.ascii[c] = byte(spell(rune(c)))
		if s.ascii[c] != gap {
			s.inWord[c] = 1
		}
	}
	return s
}

// spell returns the rune that replaces r in prose.
func spell(r rune) rune {
	switch {
	case unicode.Is(accents, r):
		return empty
	case unicode.IsLetter(r), unicode.IsNumber(r), unicode.Is(unicode.Co, r):
		return removeAccents(fold(r))
	}
	return gap
}

// accents holds the combining marks of the letters in unaccented.
var accents = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x300, Hi: 0x304, Stride: 1}, {Lo: 0x306, Hi: 0x30c, Stride: 1}, {Lo: 0x30f, Hi: 0x311, Stride: 2},
	{Lo: 0x31b, Hi: 0x31b, Stride: 1}, {Lo: 0x323, Hi: 0x328, Stride: 1}, {Lo: 0x32d, Hi: 0x32e, Stride: 1},
	{Lo: 0x330, Hi: 0x331, Stride: 1},
}}

// append appends the prose of text to p. The prose is at most two bytes longer than the text, because fold
// returns the rune with the shortest encoding.
func (s *speller) append(p prose, text string) prose {
	start := len(p)
	p = append(p, make([]byte, len(text)+2)...)
	out, n, inWord := p[start:], 1, byte(0)
	out[0] = gap
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(text[i:])
			i += size - 1
			if r = s.rune(r); r == empty {
				continue
			}
			if r >= utf8.RuneSelf {
				n += utf8.EncodeRune(out[n:], r)
				inWord = 1
				continue
			}
			c = byte(r)
		}
		// There is no branch here, because a processor could not predict it. The next byte overwrites a repeated
		// gap.
		out[n] = s.ascii[c]
		n += int(s.inWord[c] | inWord)
		inWord = s.inWord[c]
	}
	if inWord == 1 {
		out[n] = gap
		n++
	}
	return p[:start+n]
}

func (s *speller) rune(r rune) rune {
	if int(r) >= len(s.memo) {
		return spell(r)
	}
	if s.memo[r] == 0 {
		s.memo[r] = spell(r)
	}
	return s.memo[r]
}

// words returns the number of words in the title and the text of a note, which were appended separately.
func (p prose) words() int { return bytes.Count(p, []byte{gap}) - 2 }

// count returns the number of occurrences of a phrase as whole words, and whether it occurs at all,
// even within words. Occurrences can overlap.
func (p prose) count(phrase prose) (words int, within bool) {
	letters := phrase[1 : len(phrase)-1] // searching for a letter is faster than searching for a gap
	for from := 1; ; from++ {
		i := bytes.Index(p[from:], letters)
		if i < 0 {
			return words, within
		}
		within, from = true, from+i
		if p[from-1] == gap && p[from+len(letters)] == gap {
			words++
		}
	}
}

// removeAccents returns a Latin letter without its accents. r is folded.
func removeAccents(r rune) rune {
	switch r {
	case 'À', 'Á', 'Â', 'Ã', 'Ä', 'Å', 'Ā', 'Ă', 'Ą', 'Ǎ', 'Ǟ', 'Ǻ', 'Ȁ', 'Ȃ', 'Ȧ', 'Ḁ', 'Ạ', 'Ả', 'Ấ', 'Ầ', 'Ẩ',
		'Ẫ', 'Ậ', 'Ắ', 'Ằ', 'Ẳ', 'Ẵ', 'Ặ':
		return 'A'
	case 'Ḃ', 'Ḅ', 'Ḇ':
		return 'B'
	case 'Ç', 'Ć', 'Ĉ', 'Ċ', 'Č', 'Ḉ':
		return 'C'
	case 'Ď', 'Ḋ', 'Ḍ', 'Ḏ', 'Ḑ', 'Ḓ':
		return 'D'
	case 'È', 'É', 'Ê', 'Ë', 'Ē', 'Ĕ', 'Ė', 'Ę', 'Ě', 'Ȅ', 'Ȇ', 'Ȩ', 'Ḕ', 'Ḗ', 'Ḙ', 'Ḛ', 'Ḝ', 'Ẹ', 'Ẻ', 'Ẽ', 'Ế',
		'Ề', 'Ể', 'Ễ', 'Ệ':
		return 'E'
	case 'Ḟ':
		return 'F'
	case 'Ĝ', 'Ğ', 'Ġ', 'Ģ', 'Ǧ', 'Ǵ', 'Ḡ':
		return 'G'
	case 'Ĥ', 'Ȟ', 'Ḣ', 'Ḥ', 'Ḧ', 'Ḩ', 'Ḫ', 'ẖ':
		return 'H'
	case 'Ì', 'Í', 'Î', 'Ï', 'Ĩ', 'Ī', 'Ĭ', 'Į', 'İ', 'Ǐ', 'Ȉ', 'Ȋ', 'Ḭ', 'Ḯ', 'Ỉ', 'Ị':
		return 'I'
	case 'Ĵ', 'ǰ':
		return 'J'
	case 'Ķ', 'Ǩ', 'Ḱ', 'Ḳ', 'Ḵ':
		return 'K'
	case 'Ĺ', 'Ļ', 'Ľ', 'Ḷ', 'Ḹ', 'Ḻ', 'Ḽ':
		return 'L'
	case 'Ḿ', 'Ṁ', 'Ṃ':
		return 'M'
	case 'Ñ', 'Ń', 'Ņ', 'Ň', 'Ǹ', 'Ṅ', 'Ṇ', 'Ṉ', 'Ṋ':
		return 'N'
	case 'Ò', 'Ó', 'Ô', 'Õ', 'Ö', 'Ō', 'Ŏ', 'Ő', 'Ơ', 'Ǒ', 'Ǫ', 'Ǭ', 'Ȍ', 'Ȏ', 'Ȫ', 'Ȭ', 'Ȯ', 'Ȱ', 'Ṍ', 'Ṏ', 'Ṑ',
		'Ṓ', 'Ọ', 'Ỏ', 'Ố', 'Ồ', 'Ổ', 'Ỗ', 'Ộ', 'Ớ', 'Ờ', 'Ở', 'Ỡ', 'Ợ':
		return 'O'
	case 'Ṕ', 'Ṗ':
		return 'P'
	case 'Ŕ', 'Ŗ', 'Ř', 'Ȑ', 'Ȓ', 'Ṙ', 'Ṛ', 'Ṝ', 'Ṟ':
		return 'R'
	case 'Ś', 'Ŝ', 'Ş', 'Š', 'Ș', 'Ṡ', 'Ṣ', 'Ṥ', 'Ṧ', 'Ṩ':
		return 'S'
	case 'Ţ', 'Ť', 'Ț', 'Ṫ', 'Ṭ', 'Ṯ', 'Ṱ', 'ẗ':
		return 'T'
	case 'Ù', 'Ú', 'Û', 'Ü', 'Ũ', 'Ū', 'Ŭ', 'Ů', 'Ű', 'Ų', 'Ư', 'Ǔ', 'Ǖ', 'Ǘ', 'Ǚ', 'Ǜ', 'Ȕ', 'Ȗ', 'Ṳ', 'Ṵ', 'Ṷ',
		'Ṹ', 'Ṻ', 'Ụ', 'Ủ', 'Ứ', 'Ừ', 'Ử', 'Ữ', 'Ự':
		return 'U'
	case 'Ṽ', 'Ṿ':
		return 'V'
	case 'Ŵ', 'Ẁ', 'Ẃ', 'Ẅ', 'Ẇ', 'Ẉ', 'ẘ':
		return 'W'
	case 'Ẋ', 'Ẍ':
		return 'X'
	case 'Ý', 'ÿ', 'Ŷ', 'Ȳ', 'Ẏ', 'ẙ', 'Ỳ', 'Ỵ', 'Ỷ', 'Ỹ':
		return 'Y'
	case 'Ź', 'Ż', 'Ž', 'Ẑ', 'Ẓ', 'Ẕ':
		return 'Z'
	}
	return r
}
