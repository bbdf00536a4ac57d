package schema

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
)

// literal returns the value in a tag as JSON. If the value is invalid, it returns a
// description of valid values. In tags, lists are written as JSON and scalars without quotes.
func literal(s *Shape, c Constraints, text string) (value, must string) {
	s = s.Base()
	switch s.Kind {
	case Bool:
		if text != "true" && text != "false" {
			return "", "true or false"
		}
		return text, ""
	case String, Text:
		if s.Custom != nil && s.Custom.Pattern != "" {
			c.Limits = phrase.Limits{Pattern: s.Custom.Pattern}
		}
		return string(rawjson.Quote(text)), textMust(c.Limits, text)
	case Float:
		return text, numberMust(s, c, text)
	case Int, Uint:
		return integerText(text), numberMust(s, c, text)
	case Bytes:
		if _, err := base64.StdEncoding.DecodeString(text); err != nil {
			return "", "base64"
		}
		return string(rawjson.Quote(text)), ""
	case Time:
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			return "", "a time such as 2026-01-31T15:04:05Z"
		}
		return string(rawjson.Quote(text)), ""
	case Duration:
		if _, err := time.ParseDuration(text); err != nil {
			return "", "a duration such as 1h30m"
		}
		return string(rawjson.Quote(text)), ""
	case Enum, IntEnum:
		var names []string
		for _, v := range s.Values {
			if v.Name == text {
				return v.Text, ""
			}
			if v.Name != "" {
				names = append(names, v.Name)
			}
		}
		if names == nil {
			return "", "an empty value"
		}
		return "", phrase.OneOf(names)
	case List, Array, Flags:
		return listLiteral(s, c, text)
	case JSON:
		return customLiteral(s, text)
	}
	return "", "nothing"
}

func textMust(l phrase.Limits, text string) string {
	n := uint64(utf8.RuneCountInString(text))
	re, err := regexp.Compile(l.Pattern)
	if !counts(n, l.MinLength, l.MaxLength) || err == nil && !re.MatchString(text) {
		return l.Of("a string")
	}
	return ""
}

// counts reports whether a count is within its limits.
func counts(n uint64, lowest, highest string) bool {
	low, errLow := strconv.ParseUint(lowest, 10, 64)
	high, errHigh := strconv.ParseUint(highest, 10, 64)
	return (errLow != nil || n >= low) && (errHigh != nil || n <= high)
}

func numberMust(s *Shape, c Constraints, text string) string {
	n, ok := parseNumber(text)
	b := boundsOf(s, c)
	noun := "a number"
	if s.Kind != Float {
		noun, ok = "an integer", ok && n.IsInt()
	}
	ok = ok && b.admit(n)
	if ok {
		f, _ := n.Float64()
		ok = !math.IsInf(f, 0)
	}
	if step, stepped := parseNumber(c.MultipleOf); ok && stepped {
		ok = n.Quo(n, step).IsInt()
	}
	if ok {
		return ""
	}
	l := b.limits()
	l.MultipleOf = c.MultipleOf
	return l.Of(noun)
}

func listLiteral(s *Shape, c Constraints, text string) (value, must string) {
	var items []json.RawMessage
	if err := json.Unmarshal([]byte(text), &items); err != nil || items == nil {
		return "", "a JSON array such as [1, 2], with each comma in the jsonschema tag written as \\\\,"
	}
	l := c.Limits
	c.UniqueItems = c.UniqueItems || s.Kind == Flags
	if s.Kind == Array {
		l.MinItems = strconv.FormatInt(s.Len, 10)
		l.MaxItems = l.MinItems
	}
	if !counts(uint64(len(items)), l.MinItems, l.MaxItems) {
		return "", l.Of("a list")
	}
	seen := map[string]bool{}
	for i, item := range items {
		plain := string(item)
		var inner string
		if json.Unmarshal(item, &inner) == nil && plain != "null" {
			plain = inner
		}
		v, must := literal(s.Elem, Constraints{}, plain)
		if must == "" && (v[0] == '"') != (item[0] == '"') {
			must = "a string in quotes, or another value without quotes"
		}
		if must != "" {
			return "", "item " + strconv.Itoa(i+1) + " as " + must
		}
		if c.UniqueItems && seen[v] {
			return "", l.Of("a list")
		}
		seen[v] = true
		items[i] = json.RawMessage(v)
	}
	compact, err := json.Marshal(items)
	if err != nil {
		return "", "a list as JSON"
	}
	return string(compact), ""
}

// integerText writes an integer without a fraction or exponent, as clients expect it for the type integer. It returns
// other text unchanged.
func integerText(text string) string {
	if n, ok := parseNumber(text); ok && n.IsInt() && len(n.Num().String()) <= 20 {
		return n.Num().String()
	}
	return text
}

// customLiteral checks a value of a type with a custom JSON encoding, as far as the //jp:schema line describes it.
func customLiteral(s *Shape, text string) (value, must string) {
	switch s.Custom.Type {
	case "string":
		return string(rawjson.Quote(text)), textMust(phrase.Limits{Pattern: s.Custom.Pattern}, text)
	case "boolean":
		return literal(&Shape{Kind: Bool}, Constraints{}, text)
	case "array":
		return "", "no default"
	}
	n, ok := parseNumber(text)
	if !ok || s.Custom.Type == "integer" && !n.IsInt() {
		return "", "a number"
	}
	if s.Custom.Type == "integer" {
		text = integerText(text)
	}
	return text, ""
}
