package question

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Spec is the declaration of a question or of a form field.
type Spec struct {
	// ID identifies the question in its tool: letters, digits, _ and -. For a field, it is the JSON name.
	ID string
	// Description is the doc comment of the question or of the form field.
	Description string
	Kind        Kind
	// Default is the answer to use if there is no user to ask, as JSON; "" means none.
	Default string
	// Exclusive means that a person must answer. "" means that a host may use its configuration.
	Exclusive Exclusive
	// Subjects means that the question is only asked about a subject, and that an answer under ID
	// applies to every subject without a separate answer.
	Subjects bool
	// Options are the values that a choice, a pick or a several question accepts.
	Options []Option
	// Fields are the fields of a form.
	Fields []Spec
	// MinLength and MaxLength limit text, in runes; a MaxLength of 0 means no limit.
	MinLength, MaxLength int
	// Pattern is a regular expression that text must match; "" means none.
	Pattern string
	// Format is the format that text must have, one of [Formats]; "" means none.
	Format string
	// MinItems and MaxItems limit the values of a several question; a MaxItems of 0 means no limit.
	MinItems, MaxItems int
	// Minimum and Maximum are the inclusive limits of a number; nil means no limit.
	Minimum, Maximum *float64
	// Integer means that the answer must be an integer.
	Integer bool
	// Optional means that a form field may be omitted.
	Optional bool

	blank bool // an empty string is permitted, for an omitted field
}

// An Option is a value that a question accepts.
type Option struct {
	// Value is the answer itself; Description says what it means.
	Value, Description string
	// Title is shown to the user instead of the value; "" means the value itself.
	Title string
}

// label returns a short text for the user: the title, or what the value means.
func (o Option) label() string {
	return cmp.Or(o.Title, strings.TrimSuffix(o.Description, "."), o.Value)
}

// visible returns o with a title and a description without invisible characters.
func (o Option) visible() Option {
	if title := strings.ReplaceAll(escapeInvisible(cmp.Or(o.Title, o.Value)), "\n", " "); title != o.Value {
		o.Title = title
	}
	o.Description = escapeInvisible(o.Description)
	return o
}

// Exclusive declares that only a person may answer (JP RFD 083). MCP distinguishes a person's answer
// from a configured one. JP's current protocol does not; there, the value defines what happens.
type Exclusive string

const (
	// ByPerson fails with input_unavailable if answers may come from a configuration.
	ByPerson Exclusive = "person"
	// ByHost accepts answers that may come from a configuration.
	ByHost Exclusive = "host"
)

// A Set contains the questions that a tool may ask. A tool cannot ask any other questions.
type Set struct {
	tool  string
	specs []*Spec
	taken map[string]bool // all declared ids, including those of form fields

	running sync.Map // maps the goroutines that Ask may end to their sessions
}

// NewSet returns an empty set for the named tool.
func NewSet(tool string) *Set { return &Set{tool: tool} }

// Declare adds a question to the set and returns it.
func (s *Set) Declare(spec Spec) Question {
	if s.taken == nil {
		s.taken = map[string]bool{}
	}
	s.specs = append(s.specs, &spec)
	s.taken[spec.ID] = true
	for _, f := range spec.Fields {
		s.taken[spec.ID+"-"+f.ID] = true
	}
	return Question{Spec: spec, set: s, declared: &spec}
}

// Len returns the number of questions. It is 0 for a nil set.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return len(s.specs)
}

// Has reports whether id may belong to a question of the set, with or without a subject.
func (s *Set) Has(id string) bool {
	return s != nil && slices.ContainsFunc(s.specs, func(spec *Spec) bool {
		return id == spec.ID || strings.HasPrefix(id, spec.ID+"-")
	})
}

// undeclaredMessage returns the message for a question that the tool does not declare.
func undeclaredMessage(tool, id string) string {
	what := "no id"
	if id != "" {
		what = strconv.Quote(id)
	}
	return fmt.Sprintf("tool %q asked a question that it does not declare (%s): "+
		"add it as a field of the questions struct of the tool's method, and run \"go generate\"", tool, what)
}
