package wire

import "strings"

// Code classifies an [Error].
type Code string

// The codes of an [Error].
const (
	CodeSyntax    Code = "syntax"    // not one JSON document, or text that is not valid Unicode
	CodeDepth     Code = "depth"     // containers nested deeper than the reader follows
	CodeNumber    Code = "number"    // a number that no 64-bit float can hold
	CodeMissing   Code = "missing"   // a mandatory field is absent
	CodeDuplicate Code = "duplicate" // a known field is given twice
	CodeType      Code = "type"      // a value of another JSON type
	CodeLength    Code = "length"    // an array with too few or too many elements
	CodeVariant   Code = "variant"   // a value outside a closed set
	CodeVersion   Code = "version"   // an envelope version that no codec speaks
)

// Error says why a document was refused, read or written. Errors of this package are *Error.
type Error struct {
	Code Code
	Key  string // dotted path of the field, as "question.id"; empty for the whole document
	Want string // what was expected, as "a string"
	Got  string // what came: a JSON type, a count, or a short name; never the document itself
	Err  error  // cause of a CodeSyntax error
}

// Error returns one line: the field, what was expected and what came.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Key != "" {
		b.WriteString(e.Key)
		b.WriteString(": ")
	}
	switch {
	case e.Err != nil:
		b.WriteString(e.Err.Error())
	case e.Code == CodeMissing:
		b.WriteString("missing, expected " + e.Want)
	case e.Code == CodeDuplicate:
		b.WriteString("given twice")
	default:
		b.WriteString("expected " + e.Want)
		if e.Got != "" {
			b.WriteString(", got " + e.Got)
		}
	}
	return b.String()
}

// Unwrap returns the cause, if there is one.
func (e *Error) Unwrap() error { return e.Err }

// shorten makes a name from a document fit into an error message.
func shorten(s string) string {
	const limit = 40
	if runes := []rune(s); len(runes) > limit {
		s = string(runes[:limit]) + "…"
	}
	return `"` + strings.ToValidUTF8(s, "�") + `"`
}
