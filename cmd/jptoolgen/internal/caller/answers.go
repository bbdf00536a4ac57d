package caller

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/sdk/gen/question"
)

// Answers holds the answers that were given in advance, and asks a person the remaining questions.
type Answers struct {
	// Given holds the answers, keyed by question id, by ID.FIELD, or by FIELD for a form without an id.
	Given map[string]shape.Assignment
	// Server and Tool are the names that a question shows. Kind is like that of a [Call].
	Server, Kind, Tool string
	// Person asks questions at the terminal. It is nil if no terminal is attached.
	Person *terminal.Asker

	used map[string]bool

	mu       sync.Mutex // guards the fields below, which a trace reads
	declared []declaredQuestion
	secrets  []string // the answers that must not be printed
}

// A WaitingError reports a question that could not be asked. Kind is what asks, like that of a [Call].
type WaitingError struct {
	Question Question
	Kind     string
}

// Error describes the question and the flags that answer it.
func (e *WaitingError) Error() string {
	return "the " + cmp.Or(e.Kind, "tool") + " asks a question, but no terminal is attached: " + terminal.Line(e.Question.Text+" "+e.Question.URL, 500) + "\n" + e.Question.Hint()
}

// Hint returns the flags that answer the question.
func (q Question) Hint() string {
	q.ID, _ = question.Try(q.ID)
	switch {
	case q.Exclusive && q.Schema.Secret:
		return "only a person can answer: use jptoolgen call --wire " + string(JP) +
			" and, over HTTP, start the server with --http-trust-caller " + JP.Flags()[0]
	case q.Exclusive:
		return "only a person can answer: use jptoolgen call --wire " + string(Rounds)
	case q.Form && len(q.Schema.Properties) == 0:
		return fmt.Sprintf("add --answer %s=yes to accept (the question has no fields)", terminal.Line(cmp.Or(q.ID, AnswerName), 100))
	case !q.Form:
		return fmt.Sprintf("add --answer %s=… (%s)", terminal.Line(cmp.Or(q.ID, AnswerName), 100), about(q.Schema))
	}
	var lines []string
	for _, p := range q.Schema.Properties {
		optional := ""
		if !p.Required {
			optional = ", optional"
		}
		lines = append(lines, fmt.Sprintf("add --answer %s=… (%s%s)", terminal.Line(fieldOf(q.ID, p.Name), 100), about(p.Schema), optional))
	}
	return strings.Join(lines, "\n")
}

func about(s shape.Schema) string {
	text := s.Type()
	if len(s.Types) == 1 && s.Types[0] == "boolean" {
		text = "yes or no"
	}
	for _, bound := range s.Limits.List() {
		text += ", " + bound
	}
	return terminal.Line(text, 200)
}

func fieldOf(id, field string) string {
	if id == "" {
		return field
	}
	return id + "." + field
}

// Ask returns the given answer, or else the answer of the person. If there is neither, it returns a
// [*WaitingError].
func (a *Answers) Ask(ctx context.Context, q Question) (jsontext.Value, error) {
	value, err := a.Find(q)
	if value != nil || err != nil {
		return value, err
	}
	if a.Person == nil {
		return nil, &WaitingError{q, a.Kind}
	}
	q, warning := q.Guard()
	a.Person.Say(fmt.Sprintf("%s (%s declines, Ctrl-D cancels):", Asker(a.Server, a.Kind, a.Tool), terminal.Decline))
	a.Person.Say(warning)
	a.Person.Say(q.Preamble)
	switch {
	case q.URL != "":
		a.Person.Say(q.Text + "\n\n" + q.URL)
		value, err = a.Person.Value(ctx, "Have you opened this page on "+q.Host()+"?", q.Schema, true)
	case q.Form:
		value, err = a.Person.Form(ctx, q.Text, q.Schema)
	default:
		value, err = a.Person.Value(ctx, q.Text, q.Schema, true)
	}
	a.hide(q, value)
	return value, err
}

// hide marks the answers to secrets, so that [Answers.Redact] removes them.
func (a *Answers) hide(q Question, value jsontext.Value) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if q.Schema.Secret && value.Kind() == '"' {
		a.secrets = append(a.secrets, shape.Word(value))
	}
	members := map[string]jsontext.Value{}
	if !q.Form || json.Unmarshal(value, &members) != nil {
		return
	}
	for _, p := range q.Schema.Properties {
		if p.Secret && members[p.Name] != nil {
			a.secrets = append(a.secrets, shape.Word(members[p.Name]))
		}
	}
}

// Redact prepares a message for a trace: it removes the given secrets and the answers to questions that ask for
// a secret.
func (a *Answers) Redact(message []byte, secrets []string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return Redact(message, slices.Concat(secrets, a.secrets), func(name string) bool {
		owner := a.owner(name)
		return owner != nil && owner.schema.Secret
	})
}

func parseValue(name string, given shape.Assignment, s shape.Schema) (jsontext.Value, error) {
	if given.JSON {
		return jsontext.Value(given.Word), nil
	}
	value, err := terminal.Understand(given.Word, s)
	if word := strings.TrimPrefix(given.Word, ":"); err != nil && (word == "decline" || word == "cancel") {
		return nil, fmt.Errorf("--answer %s %w; only a person at a terminal can decline (%s) or cancel (Ctrl-D)", name, err, terminal.Decline)
	}
	if err != nil {
		return nil, fmt.Errorf("--answer %s %w", name, err)
	}
	return value, nil
}

// Unused returns the sorted names of the given answers that no question used.
func (a *Answers) Unused() []string {
	var names []string
	for name := range a.Given {
		if !a.used[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Undeclared returns the sorted names of the given answers that do not belong to a declared question. It returns
// nil if the questions of the tool are unknown.
func (a *Answers) Undeclared() []string {
	return slices.DeleteFunc(a.Unused(), func(name string) bool {
		id, _, _ := strings.Cut(name, ".")
		return len(a.declared) == 0 || a.owner(id) != nil
	})
}
