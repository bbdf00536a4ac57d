package question

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
)

// A Kind is the kind of answer that a question accepts. Contracts and logs contain its text. The type of package
// elicit and the function of package bind for a kind have its text as their name, with an uppercase letter.
type Kind string

// kinds contains all kinds, in the order in which messages list them. Everything else about a kind is in its own file.
var kinds = []struct {
	name Kind
	kind
}{
	{KindConfirm, confirm{}},
	{KindChoice, choice{}},
	{KindSeveral, several{}},
	{KindText, ofText{}},
	{KindNumber, ofNumber{}},
	{KindPick, pick{}},
	{KindSecret, secret{}},
	{KindVisit, visit{}},
	{KindForm, form{}},
}

// A kind implements a [Kind]. The methods of [common] suit most kinds.
type kind interface {
	traits() Traits
	// fits reports whether content is a valid answer to q. Content is in the form that plain returns.
	fits(q Spec, content []byte) bool
	// accepts describes the answers that q accepts.
	accepts(q Spec) string
	// schema returns the schema of the answer, without a description and a default.
	schema(q Spec, how titles) schema
	// plain returns an answer in the form that handlers receive, or unchanged if it is not valid. Hosts that can only
	// ask for text send every answer as text.
	plain(q Spec, content []byte) []byte
	// describe describes an invalid answer.
	describe(q Spec, content []byte) string
	// lacks returns what is wrong with what the handler added to q, or "" if nothing is wrong.
	lacks(q Question) string
}

// Traits describe a kind to the packages that show, generate and document questions.
type Traits struct {
	// Answer describes the answer in documentation.
	Answer string
	// Prompt is how a client asks that cannot show a form. Typed says how to write an answer in a line of text, in
	// addition to what [Spec.Accepts] says.
	Prompt Prompt
	Typed  string
	// Needs is what the client must support.
	Needs Need
	// Consent means that the answer permits something, so that a call ends if the question is not answered.
	Consent bool
	// Source says what determines the valid answers, in addition to the tag of the question.
	Source Source
	// Keys are the keys of the jsonschema tag that apply to the question, separated by spaces.
	Keys string
	// NoDefault says why the tag cannot have a default, as the end of a sentence; "" means that it can. Hint says
	// what to do instead.
	NoDefault, Hint string
}

// A Prompt is how a client asks that shows text and reads a line or a selection, such as a JP host.
type Prompt int

// The prompts of a client.
const (
	Line   Prompt = iota // reads text
	YesNo                // offers yes and no
	Menu                 // offers the options
	Hidden               // reads text, and does not show it
	Fields               // asks for each field with its own prompt
)

// A Need is what a client must support to ask a question.
type Need int

// The needs of questions.
const (
	NeedsNothing Need = iota // all clients that ask questions support it
	NeedsSecrecy             // the answer is not shown, and not seen by a model
	NeedsPage                // the client shows a web page to its user
)

// A Source is what determines the valid answers to a question.
type Source int

// The sources of valid answers.
const (
	Declared  Source = iota // the kind itself
	Constants               // the constants of the type argument
	Struct                  // the fields of the type argument
	Runtime                 // the handler
)

// Kinds returns all kinds, in the order in which messages list them.
func Kinds() (all []Kind) {
	for _, k := range kinds {
		all = append(all, k.name)
	}
	return all
}

// Traits returns the traits of a kind, which are empty for an unknown kind.
func (k Kind) Traits() Traits {
	if known := k.find(); known != nil {
		return known.traits()
	}
	return Traits{}
}

// find returns the implementation of k, or nil for an unknown kind.
func (k Kind) find() kind {
	for _, known := range kinds {
		if known.name == k {
			return known.kind
		}
	}
	return nil
}

// kind returns the implementation of the kind of q.
func (q Spec) kind() kind {
	if known := q.Kind.find(); known != nil {
		return known
	}
	return choice{}
}

// common implements methods in the way that suits most kinds.
type common struct{}

func (common) plain(_ Spec, content []byte) []byte { return content }

func (common) lacks(Question) string { return "" }

func (common) describe(_ Spec, content []byte) string {
	typed, isText := text(content)
	switch {
	case len(content) == 0:
		return "nothing"
	case isText:
		return strconv.Quote(phrase.Clip(typed, shown))
	}
	return phrase.Clip(strings.ToValidUTF8(string(content), "\uFFFD"), shown)
}

// shown is the maximum length of an invalid answer in a message.
const shown = 60

// isUnmet reports whether asker lacks what q needs of a client.
func (q Spec) isUnmet(asker Asker) bool {
	needs := q.Kind.Traits().Needs
	return needs == NeedsSecrecy && !asker.Secrets || needs == NeedsPage && !asker.Visits
}

// mayBeTyped reports whether a host returns what a person types as an answer that begins like content: as a string or,
// if it shows forms, as JSON of the answer's type.
func (q Spec) mayBeTyped(asker Asker, content []byte) bool {
	begins := jsontext.Value(bytes.TrimSpace(content)).Kind()
	types := map[string]jsontext.Kind{"string": '"', "number": '0', "integer": '0', "array": '[', "object": '{'}
	ofType := asker.Forms && begins == types[q.schema(untitled).Type]
	switch q.Kind.Traits().Prompt {
	case Line:
		return begins == '"' || ofType
	case Hidden:
		return begins == '"' && asker.Secrets
	case Fields:
		return ofType
	}
	return false
}
