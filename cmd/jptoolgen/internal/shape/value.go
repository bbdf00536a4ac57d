package shape

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
)

// Value converts a command-line word to a JSON value that the schema allows. The error for an invalid word
// describes the allowed values.
func (s *Schema) Value(word string) (jsontext.Value, error) {
	if len(s.Choices) > 0 {
		return s.choice(word)
	}
	if len(s.Types) == 0 {
		return s.parseAs("", word)
	}
	if s.Nullable && word == "null" {
		return jsontext.Value("null"), nil
	}
	order := slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "string" })
	if len(order) < len(s.Types) {
		order = append(order, "string") // accepts every word, so it is tried last
	}
	var first error
	text := len(order) > 0 && order[len(order)-1] == "string"
	for _, t := range order {
		if t == "array" && text && !strings.HasPrefix(strings.TrimSpace(word), "[") {
			continue // the word itself is a valid string
		}
		v, err := s.parseAs(t, word)
		if exact := withoutSafe(s.Limits); err == nil && isLarge(t, v) && exact != s.Limits {
			// The bounds only exclude numbers that clients may round. The server accepts a string of digits.
			unbounded := *s
			unbounded.Limits = exact
			return rawjson.Quote(string(v)), unbounded.holds(t, v, word)
		}
		if err == nil {
			return v, s.holds(t, v, word)
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// maxSafe is the largest integer up to which all integers are exact as a float64 (RFC 8259, section 6).
const maxSafe = "9007199254740991"

// isLarge reports whether a value is an integer beyond maxSafe.
func isLarge(t string, v jsontext.Value) bool {
	digits := strings.TrimLeft(strings.TrimPrefix(string(v), "-"), "0")
	return t == "integer" && (len(digits) > len(maxSafe) || len(digits) == len(maxSafe) && digits > maxSafe)
}

// withoutSafe returns limits without the bounds that only say that an integer must be exact as a float64.
func withoutSafe(l phrase.Limits) phrase.Limits {
	if l.Minimum == "-"+maxSafe {
		l.Minimum = ""
	}
	if l.Maximum == maxSafe {
		l.Maximum = ""
	}
	return l
}

func (s *Schema) choice(word string) (jsontext.Value, error) {
	var words []string
	var similar []jsontext.Value
	for _, c := range s.Choices {
		words = append(words, Word(c.Value))
		if strings.EqualFold(c.Label, word) || strings.EqualFold(Word(c.Value), word) {
			similar = append(similar, c.Value)
		}
	}
	if i := slices.Index(words, word); i >= 0 {
		return s.Choices[i].Value, nil
	}
	if word != "" && len(similar) == 1 {
		return similar[0], nil
	}
	hint := ""
	if near, ok := phrase.Nearest(word, words); ok {
		hint = fmt.Sprintf("; did you mean %q?", near)
	}
	return nil, fmt.Errorf("must be %s, not %s%s", s.Type(), quoteShort(word), hint)
}

func (s *Schema) parseAs(t, word string) (jsontext.Value, error) {
	v := jsontext.Value(strings.TrimSpace(word))
	kind := jsontext.KindInvalid
	if v.IsValid() {
		kind = v.Kind()
	}
	whole := kind == '0' && !strings.ContainsAny(string(v), ".eE")
	switch {
	case t == "string":
		return rawjson.Quote(word), nil
	case t == "boolean" && (kind == 't' || kind == 'f'), t == "integer" && whole, t == "number" && kind == '0', t == "array" && kind == '[', t == "object" && kind == '{':
		return v, nil
	case t == "array":
		items := s.Items
		if items == nil {
			items = &Schema{}
		}
		item, err := items.Value(word)
		if err != nil {
			return nil, err
		}
		return jsontext.Value("[" + string(item) + "]"), nil
	case t == "object":
		return nil, fmt.Errorf(`must be an object, such as {"name":"value"}, not %s`, quoteShort(word))
	case t == "boolean" || t == "integer" || t == "number":
		return nil, fmt.Errorf("must be %s, not %s", phrase.A(t), quoteShort(word))
	case kind == jsontext.KindInvalid:
		return rawjson.Quote(word), nil
	}
	return v, nil
}

// holds checks the limits that the client can check before it sends a request.
func (s *Schema) holds(t string, v jsontext.Value, word string) error {
	l, bounds := s.Limits, Node{}
	for keyword, limit := range map[string]string{
		"minimum": l.Minimum, "exclusiveMinimum": l.ExclusiveMinimum, "maximum": l.Maximum, "exclusiveMaximum": l.ExclusiveMaximum,
		"minLength": l.MinLength, "maxLength": l.MaxLength, "multipleOf": l.MultipleOf,
	} {
		bounds[keyword] = Decode([]byte(limit)) // nil if there is no limit
	}
	switch {
	case !Excludes(bounds, Decode(v)):
		return nil
	case s.Secret:
		return fmt.Errorf("must be %s", l.Of(phrase.A(t)))
	}
	return fmt.Errorf("must be %s, not %s", l.Of(phrase.A(t)), quoteShort(word))
}

// quoteShort quotes and shortens a word for use in a message.
func quoteShort(word string) string {
	return strconv.Quote(phrase.Clip(word, 40))
}

// ReadObject parses a JSON object and returns its members.
func ReadObject(data []byte) (map[string]jsontext.Value, error) {
	var members map[string]jsontext.Value
	err := json.Unmarshal(data, &members)
	switch {
	case err != nil && !jsontext.Value(data).IsValid():
		return nil, fmt.Errorf("not a JSON object: %w", err)
	case members == nil:
		return nil, fmt.Errorf("not a JSON object: %s", strings.TrimSpace(quoteShort(string(data))))
	}
	return members, nil
}
