package wire

import (
	"math"
	"strconv"
	"strings"

	"github.com/jptool/jptool/internal/rawjson"
)

// appendCanonical appends v as serde_json's Value prints it: compact, in the order of the object, with the
// last value of a repeated member at the member's first position, and numbers as integers or shortest floats.
func appendCanonical(dst []byte, v value) []byte {
	switch v.kind() {
	case '"':
		return appendString(dst, v.text())
	case '0':
		return appendNumber(dst, strings.TrimSpace(string(v)))
	case '[', '{':
		members, end, isObject := v.members(), byte(']'), v.kind() == '{'
		if isObject {
			members, end = lastWins(members), '}'
		}
		dst = append(dst, byte(v.kind()))
		for i, m := range members {
			if i > 0 {
				dst = append(dst, ',')
			}
			if isObject {
				dst = append(appendString(dst, m.Name), ':')
			}
			dst = appendCanonical(dst, value(m.Value))
		}
		return append(dst, end)
	}
	return append(dst, strings.TrimSpace(string(v))...)
}

func lastWins(members []rawjson.Member) []rawjson.Member {
	places := make(map[string]int, len(members))
	kept := members[:0]
	for _, m := range members {
		if i, again := places[m.Name]; again {
			kept[i] = m
			continue
		}
		places[m.Name] = len(kept)
		kept = append(kept, m)
	}
	return kept
}

// appendNumber keeps 64-bit integers unchanged; all other numbers, including -0, become floats.
func appendNumber(dst []byte, text string) []byte {
	if !strings.ContainsAny(text, ".eE") && text != "-0" {
		_, signed := strconv.ParseInt(text, 10, 64)
		_, unsigned := strconv.ParseUint(text, 10, 64)
		if signed == nil || unsigned == nil {
			return append(dst, text...)
		}
	}
	f, _ := strconv.ParseFloat(text, 64)
	return appendFloat(dst, f)
}

// appendFloat appends the shortest digits that parse as f, with at least one decimal place. Values outside
// [1e-5, 1e16) have an exponent.
func appendFloat(dst []byte, f float64) []byte {
	if abs := math.Abs(f); abs != 0 && (abs < 1e-5 || abs >= 1e16) {
		text := strconv.FormatFloat(f, 'e', -1, 64)
		text = strings.Replace(text, "e-0", "e-", 1)
		return append(dst, text...)
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return append(dst, text...)
}
