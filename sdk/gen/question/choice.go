package question

import (
	"slices"
	"strconv"

	"github.com/jptool/jptool/internal/phrase"
)

// KindChoice asks for one of the constants of a Go type.
const KindChoice Kind = "choice"

type choice struct{ common }

func (choice) traits() Traits {
	return Traits{Answer: "one of the values below", Prompt: Menu, Source: Constants, Keys: "default"}
}

func (choice) fits(q Spec, content []byte) bool {
	value, isText := text(content)
	return isText && q.accepts(value)
}

func (choice) accepts(q Spec) string { return phrase.OneOf(q.quotedValues()) }

func (choice) schema(q Spec, how titles) schema {
	s := schema{Type: "string"}
	titled := slices.ContainsFunc(q.Options, func(o Option) bool { return o.label() != o.Value })
	for _, o := range q.Options {
		if titled && how == constants {
			s.OneOf = append(s.OneOf, constant{o.Value, o.label()})
			continue
		}
		s.Enum = append(s.Enum, o.Value)
		if titled && how == enumNames {
			s.EnumNames = append(s.EnumNames, o.label())
		}
	}
	return s
}

// accepts reports whether value is one of the options.
func (q Spec) accepts(value string) bool {
	return slices.ContainsFunc(q.Options, func(o Option) bool { return o.Value == value })
}

// value returns the value that text selects: the text itself or, if the text is a title, its value.
func (q Spec) value(text string) string {
	i := slices.IndexFunc(q.Options, func(o Option) bool { return o.Title == text })
	if i < 0 || text == "" || q.accepts(text) {
		return text
	}
	return q.Options[i].Value
}

func (q Spec) quotedValues() []string {
	values := make([]string, len(q.Options))
	for i, o := range q.Options {
		values[i] = strconv.Quote(o.Value)
	}
	return values
}
