package question

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// A Spec is what is declared of a question, or of a field of a form.
type Spec struct {
	// ID names the question within its tool: letters, digits, _ and -. That of a
	// field is its name in JSON.
	ID string
	// Description says what the question is about, from its doc comment.
	Description string
	Kind        Kind
	// Default is the answer where no one can be asked, as JSON; "" for none.
	Default string
	// Exclusive says that a person must answer; "" for a question that a host may
	// answer by its configuration.
	Exclusive Exclusive
	// Options are what a choice or a pick accepts.
	Options []Option
	// Fields are those of a form.
	Fields []Spec
	// MinLength and MaxLength bound a text in runes; a MaxLength of 0 is no bound.
	MinLength, MaxLength int
	// Pattern is a regular expression that a text must match; "" for none.
	Pattern string
	// Minimum and Maximum bound a number, both included; nil is no bound.
	Minimum, Maximum *float64
	// Integer says that a number must be whole.
	Integer bool
	// Optional says that a field of a form may be left out.
	Optional bool
}

// An Option is one value that a question accepts.
type Option struct {
	// Value is the answer itself, Description what it means.
	Value, Description string
}

// Exclusive says of a question that only a person may answer it (JP RFD 083). MCP's
// elicitation tells a person's answer from a configured one. JP's protocol of today
// does not, so the declaration says what happens there.
type Exclusive string

const (
	// ByPerson fails with input_unavailable where a person cannot be told from a
	// configuration.
	ByPerson Exclusive = "person"
	// ByHost accepts what such a host answers.
	ByHost Exclusive = "host"
)

// A Set is the questions of one tool. A question that is asked must be of the set of
// the tool that asks.
type Set struct {
	tool  string
	specs []*Spec
	taken map[string]bool // every declared id, those of the fields of forms too

	running sync.Map // the sessions of runs, by the goroutine that they may end
}

// NewSet returns an empty set for the tool of that name.
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

// Len returns the number of questions; that of nil is 0.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return len(s.specs)
}

// Has reports whether an id may be that of a question of the set, or of one about a
// subject. It holds for more ids than are ever made.
func (s *Set) Has(id string) bool {
	return s != nil && slices.ContainsFunc(s.specs, func(spec *Spec) bool {
		return id == spec.ID || strings.HasPrefix(id, spec.ID+"-")
	})
}

// undeclared returns what is said of a question that is not one of the tool's.
func undeclared(tool, id string) string {
	if id == "" {
		id = "without an id"
	} else {
		id = fmt.Sprintf("%q", id)
	}
	return fmt.Sprintf("tool %q asked question %s, which it does not declare: "+
		"declare it as a field of the questions struct that the tool's method takes, and run \"go generate\"", tool, id)
}
