package wire

import "encoding/json"

// AnswerKind is the sort of answer that a [Question] takes.
type AnswerKind string

// The kinds of answer. Secret is known to the "outcome-082" envelope alone.
const (
	Boolean AnswerKind = "boolean"
	Select  AnswerKind = "select"
	Text    AnswerKind = "text"
	Secret  AnswerKind = "secret"
)

// AnswerType is a kind and, for [Select], the options to choose from.
type AnswerType struct {
	Kind AnswerKind
	// Options of a Select, in the order shown. The wire takes none and repeated ones, a host's
	// prompt does not.
	Options []string
}

// Question is what a tool asks through a JP host (jp_tool::Question).
type Question struct {
	// ID names the answer: users configure answers by it and the host remembers them under it.
	ID string
	// Text is the question in one line. It is all that a model sees when the host asks one.
	Text string
	// PreAmble is printed above the text when the host asks a person.
	PreAmble string
	// AnswerType says which answers fit. Hosts do not hold answers to it.
	AnswerType AnswerType
	// Default is any JSON value; nil is none. On the wire null means none as well.
	Default json.RawMessage

	// emptyPreAmble keeps "" apart from null, so that what was read is written back unchanged.
	emptyPreAmble bool
}
