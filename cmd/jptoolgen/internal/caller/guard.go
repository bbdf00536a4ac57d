package caller

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/secret"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/gen/question"
)

// Asker names the tool, or another kind of entry, that asks a question. A person must be able to distinguish a server's
// questions from questions of jptoolgen.
func Asker(server, kind, tool string) string {
	return fmt.Sprintf("The %s %s of the server %s asks", cmp.Or(kind, "tool"), quoteName(tool), quoteName(server))
}

func quoteName(name string) string { return `"` + terminal.Line(name, 100) + `"` }

// Guard marks as secret the fields of a question that look like credentials. It returns the question and, if
// there are such fields, a warning. If only the text of the question mentions a credential, all its fields are
// marked, because any of them may be for the credential.
func (q Question) Guard() (Question, string) {
	fields := []shape.Property{{Schema: q.Schema, Name: q.ID}}
	if q.Form {
		fields = slices.Clone(q.Schema.Properties)
	}
	found := mark(fields, func(p shape.Property) bool {
		return p.Secret || secret.Wanted(p.Name) || secret.Wanted(p.Title) || secret.Wanted(p.Description)
	})
	if !found && secret.Wanted(q.Text+"\n"+q.Preamble) {
		found = mark(fields, func(shape.Property) bool { return true })
	}
	switch {
	case !found:
		return q, ""
	case q.Form:
		q.Schema.Properties = fields
	default:
		q.Schema.Secret = true
	}
	return q, "Warning: the server, not jptoolgen, asks for a password, a token or another secret. The server receives what you type. Your input is not shown."
}

// mark marks the matching fields in which a person types text, and reports whether there are any.
func mark(fields []shape.Property, match func(shape.Property) bool) (found bool) {
	for i := range fields {
		p := &fields[i]
		typed := len(p.Choices) == 0 && !slices.ContainsFunc(p.Kinds(), func(t string) bool { return t == "boolean" || t == "array" || t == "object" })
		if typed && match(*p) {
			p.Secret, found = true, true
		}
	}
	return found
}

// Host returns the host of the question's URL. It escapes characters from other alphabets, because they may
// look like Latin letters.
func (q Question) Host() string {
	u, err := url.Parse(q.URL)
	if err != nil {
		return ""
	}
	return strings.Trim(strconv.QuoteToASCII(u.Host), `"`)
}

// isWeb reports whether a URL belongs to a website.
func isWeb(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != ""
}

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
	return assignment(cmp.Or(id, AnswerName), value, func(word string) (jsontext.Value, error) {
		return terminal.Understand(word, q.Schema)
	})
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
