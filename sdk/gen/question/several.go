package question

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
)

// KindSeveral asks for any of the constants of a Go type.
const KindSeveral Kind = "several"

type several struct{ common }

func (several) traits() Traits {
	return Traits{
		Answer: "any of the values below", Typed: ", separated by commas", Source: Constants,
		Keys: "minItems maxItems default",
	}
}

func (several) fits(q Spec, content []byte) bool {
	values, isList := list(content)
	if !isList || len(values) < q.MinItems || q.MaxItems > 0 && len(values) > q.MaxItems {
		return false
	}
	for i, v := range values {
		if !q.accepts(v) || slices.Contains(values[:i], v) {
			return false
		}
	}
	return true
}

func (several) accepts(q Spec) string {
	count := cmp.Or(phrase.Span(length(q.MinItems), length(q.MaxItems)), "any")
	return count + " of " + strings.Join(q.quotedValues(), ", ")
}

// schema returns the schema of a list or, for a client that cannot show lists, of a form with a boolean for each
// option.
func (several) schema(q Spec, how titles) schema {
	if how != enumNames {
		one := choice{}.schema(q, how)
		if one.OneOf != nil { // MCP has a different keyword for items
			one.Type, one.OneOf, one.AnyOf = "", nil, one.OneOf
		}
		return schema{Type: "array", MinItems: q.MinItems, MaxItems: q.MaxItems, UniqueItems: how == untitled, Items: &one}
	}
	var boxes []rawjson.Member
	chosen, _ := list([]byte(q.Default)) // without a default, nothing is chosen
	for _, o := range q.Options {
		box := schema{Type: "boolean", Title: o.label(), Default: strconv.AppendBool(nil, slices.Contains(chosen, o.Value))}
		boxes = append(boxes, rawjson.Member{Name: o.Value, Value: jsontext.Value(box.json())})
	}
	return schema{Type: "object", Properties: json.RawMessage(rawjson.Object(boxes))}
}

// plain accepts text that contains a JSON array, or words separated by commas, and values in another letter case.
func (several) plain(q Spec, content []byte) []byte {
	typed, isText := text(content)
	if isText {
		content = []byte(typed)
	}
	values, isList := list(content)
	switch {
	case !isList && !isText:
		return content
	case !isList:
		values = []string{}
		for word := range strings.SplitSeq(typed, ",") {
			if word = strings.TrimSpace(word); word != "" {
				values = append(values, word)
			}
		}
	}
	content, _ = json.Marshal(q.declaredValues(values)) // cannot fail: the values are strings
	return content
}

func (s several) describe(q Spec, content []byte) string {
	values, isList := list(s.plain(q, content))
	if !isList {
		return s.common.describe(q, content)
	}
	for i, v := range values {
		switch text := strconv.Quote(phrase.Clip(v, shown)); {
		case !q.accepts(v):
			return text
		case slices.Contains(values[:i], v):
			return text + " twice"
		}
	}
	return phrase.Plural(len(values), "value")
}

// list returns the values in a JSON array of strings.
func list(content []byte) (values []string, ok bool) {
	err := json.Unmarshal(content, &values)
	return values, err == nil && values != nil
}

// declaredValues returns values with titles, and values that differ from exactly one option in letter case, replaced
// by the values of the options.
func (q Spec) declaredValues(values []string) []string {
	declared := make([]string, len(values))
	for i, v := range values {
		declared[i] = q.value(v)
		if q.accepts(declared[i]) {
			continue
		}
		alike := slices.DeleteFunc(slices.Clone(q.Options), func(o Option) bool {
			return !strings.EqualFold(o.Value, v) && (o.Title == "" || !strings.EqualFold(o.Title, v))
		})
		if len(alike) == 1 {
			declared[i] = alike[0].Value
		}
	}
	return declared
}
