package manifest

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	chunkSize   = 64 << 10
	schemaSize  = 8 << 10 // is seldom exceeded
	mostNested  = 200
	eightBlanks = "        "
)

func (s *scanner) string() string {
	text := s.quoted()
	switch {
	case s.bad:
		return ""
	case strings.IndexByte(text, '\\') >= 0:
		return string(s.scratch)
	}
	return text[1 : len(text)-1]
}

func (s *scanner) bool() bool {
	yes := s.next() == 't'
	if yes {
		s.literal("true")
	} else {
		s.literal("false")
	}
	return yes
}

func (s *scanner) number() int {
	s.next()
	start := s.at
	for s.at < len(s.text) && s.text[s.at]-'0' <= 9 {
		s.at++
	}
	n, err := strconv.Atoi(s.text[start:s.at])
	if err != nil || s.text[start] == '0' {
		s.fail()
	}
	return n
}

// value reads a value, and drops its blanks.
func (s *scanner) value() jsontext.Value {
	s.next()
	rest := len(s.text) - s.at // is all that can still be written
	if cap(s.out)-len(s.out) < min(schemaSize, rest) {
		s.out = make([]byte, 0, min(chunkSize, rest))
	}
	start := len(s.out)
	s.out = s.copyValue(s.out)
	return s.out[start:len(s.out):len(s.out)]
}

// A state is what may come next in a value.
type state byte

const (
	wantValue state = iota
	wantItem        // or the end of the array
	wantName
	wantMember // or the end of the object
	wantColon
	wantMore // a comma, or an end
)

// copyValue appends a value without its blanks to out. It has one loop for all of the
// value and keeps what it knows in locals, since that is most of a contract.
func (s *scanner) copyValue(out []byte) []byte {
	text := s.text
	var open [mostNested]byte // what ends the arrays and objects that are open
	depth, state := 0, wantValue
	i := s.at
	from := i // is what is still to be copied
	for i < len(text) {
		c := text[i]
		switch {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			out = append(out, text[from:i]...)
			i = afterBlanks(text, i)
			from = i
			continue
		case c == '"':
			end := s.stringEnd(i + 1)
			switch state {
			case wantValue, wantItem:
				state = wantMore
			case wantName, wantMember:
				state = wantColon
			default:
				end = -1
			}
			if end < 0 {
				s.fail()
				return out
			}
			i = end
		case c == ':' && state == wantColon:
			i++
			state = wantValue
			continue
		case c == ',' && state == wantMore:
			i++
			state = wantValue
			if open[depth-1] == '}' {
				state = wantName
			}
			continue
		case (c == '{' || c == '[') && (state == wantValue || state == wantItem) && depth < mostNested:
			state, open[depth] = wantMember, '}'
			if c == '[' {
				state, open[depth] = wantItem, ']'
			}
			depth++
			i++
			continue
		case depth > 0 && c == open[depth-1] && (state == wantMore || state == wantMember || state == wantItem):
			// The first of an object or an array is not here after a comma.
			state = wantMore
			depth--
			i++
		case state == wantValue || state == wantItem:
			s.at = i
			s.scalar()
			i = s.at
			state = wantMore
		default:
			s.fail()
			return out
		}
		if depth == 0 {
			s.at = i
			return append(out, text[from:i]...)
		}
	}
	s.fail()
	return out
}

// scalar reads a number, or true, false or null.
func (s *scanner) scalar() {
	switch s.text[s.at] {
	case 't':
		s.literal("true")
	case 'f':
		s.literal("false")
	case 'n':
		s.literal("null")
	default:
		s.decimal()
	}
}

// decimal reads a number in the grammar of RFC 8259, section 6.
func (s *scanner) decimal() {
	digits := func() {
		start := s.at
		for s.at < len(s.text) && s.text[s.at]-'0' <= 9 {
			s.at++
		}
		if s.at == start {
			s.fail()
		}
	}
	optional := func(chars string) bool {
		if s.at < len(s.text) && strings.IndexByte(chars, s.text[s.at]) >= 0 {
			s.at++
			return true
		}
		return false
	}
	optional("-")
	if !optional("0") {
		digits()
	}
	if optional(".") {
		digits()
	}
	if optional("eE") {
		optional("+-")
		digits()
	}
}

// quoted reads a string and returns it as it is written.
func (s *scanner) quoted() string {
	if s.next() != '"' {
		s.fail()
		return ""
	}
	start := s.at
	end := s.stringEnd(start + 1)
	if end < 0 {
		s.fail()
		return ""
	}
	s.at = end
	return s.text[start:end]
}

// stringEnd returns where the string ends whose text begins at i, or -1 if it is none.
func (s *scanner) stringEnd(i int) int {
	start, escaped := i-1, false
	for ; i < len(s.text); i++ {
		c := s.text[i]
		if c > '\\' || c > '"' && c < '\\' {
			continue
		}
		switch {
		case c == '"':
			if escaped && !s.unquotes(s.text[start:i+1]) {
				return -1
			}
			return i + 1
		case c == '\\':
			escaped = true
			i++
		case c < ' ':
			return -1
		}
	}
	return -1
}

// unquotes reports whether the escapes of a string are right; scratch then is what it means.
func (s *scanner) unquotes(text string) bool {
	plain, err := jsontext.AppendUnquote(s.scratch[:0], text)
	s.scratch = plain
	return err == nil
}

func (s *scanner) literal(word string) {
	if strings.HasPrefix(s.text[s.at:], word) {
		s.at += len(word)
	} else {
		s.fail()
	}
}

// fail gives up, so that nothing reads on.
func (s *scanner) fail() { s.bad, s.at = true, len(s.text) }

// take reads one character after blanks.
func (s *scanner) take(c byte) {
	if s.next() == c {
		s.at++
	} else {
		s.fail()
	}
}

// next returns the character after the blanks that follow, or 0 at the end.
func (s *scanner) next() byte {
	if s.at < len(s.text) && s.text[s.at] <= ' ' {
		s.blanks()
	}
	if s.at == len(s.text) {
		return 0
	}
	return s.text[s.at]
}

func (s *scanner) blanks() { s.at = afterBlanks(s.text, s.at) }

func afterBlanks(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r') {
		i++
		// An indented line, most of which is blank.
		for len(text)-i >= 8 && text[i:i+8] == eightBlanks {
			i += 8
		}
	}
	return i
}
