package caller

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/gen/question"
)

// Assignments returns the command-line words that set the members of an object, sorted by name. It replaces
// secrets with an ellipsis.
func Assignments(object jsontext.Value, s *shape.Schema) []string {
	var members map[string]jsontext.Value
	if json.Unmarshal(object, &members) != nil {
		return nil
	}
	var words []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		p, known := s.Property(name)
		switch {
		case !known:
			words = append(words, name+":="+terminal.Escape(string(members[name])))
		case p.Secret:
			words = append(words, name+"=…")
		default:
			words = append(words, assignment(name, members[name], p.Value))
		}
	}
	return words
}

// Repeat returns the value of --answer that gives the same answer again, or "" if the answer is secret.
func (q Question) Repeat(value jsontext.Value) string {
	q, warning := q.Guard()
	if warning != "" {
		return ""
	}
	id, _ := question.Try(q.ID)
	return assignment(cmp.Or(id, answerName), value, func(word string) (jsontext.Value, error) { return terminal.Understand(word, q.Schema) })
}

// assignment returns NAME=VALUE if the function read parses VALUE as the value, and NAME:=JSON otherwise.
func assignment(name string, value jsontext.Value, read func(word string) (jsontext.Value, error)) string {
	word := shape.Word(value)
	plain := value.Kind() != '{' && value.Kind() != '[' && !strings.HasPrefix(word, "@") && phrase.Hidden(word) == 0
	if again, err := read(word); plain && err == nil && shape.Word(again) == word && again.Kind() == value.Kind() {
		return name + "=" + word
	}
	return name + ":=" + terminal.Escape(string(value))
}
