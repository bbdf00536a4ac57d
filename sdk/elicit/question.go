package elicit

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"

	"github.com/jptool/jptool/sdk/content"
)

// A Spec is what is declared of a question, before it is asked.
type Spec struct {
	// ID names the question within its tool: letters, digits, _ and -.
	ID string
	// Description says what the question is about, from its doc comment.
	Description string
	// Default is the answer where nobody can be asked, as JSON; "" for none.
	Default string
	// MinLength and MaxLength bound a text in runes; a MaxLength of 0 is no bound.
	MinLength, MaxLength int
	// Pattern is a regular expression that a text must match; "" for none.
	Pattern string
	// Minimum and Maximum bound a number, both included; nil is no bound.
	Minimum, Maximum *float64
}

// An Option is one value that a question accepts.
type Option struct {
	// Value is the answer itself, Description what it means.
	Value, Description string
}

// A Ref identifies a question that was asked.
type Ref struct {
	// Tool is the name of the tool, Key the id of the question.
	Tool, Key string
	// Call identifies the run of the tool.
	Call string
	// Seq counts the questions of that run from 1.
	Seq int
}

// A Question is a question as it is put to somebody.
type Question struct {
	Spec
	Ref  Ref
	Kind Kind
	// Message is the question itself: one line that stands alone, since a host
	// that lets a model answer shows it nothing else (JP RFD 028).
	Message string
	// Preamble is context to be shown before the message; "" for none.
	Preamble string
	// Context is the same as blocks, for hosts that tell them apart.
	Context content.Blocks
	// Options are what a choice or a pick accepts.
	Options []Option
	// Fields are those of a form.
	Fields []Field

	integer bool // of a number, that it must be whole
	blank   bool // of a text or a number, that it may be left empty
}

// MaxID is the greatest length of a question's id in bytes.
const MaxID = 64

// ValidID reports whether id can name a question: 1 to 64 letters, digits, _ and
// -, and not the id that JP keeps for itself.
func ValidID(id string) bool {
	if id == "" || len(id) > MaxID || id == "__permission__" {
		return false
	}
	return strings.IndexFunc(id, func(r rune) bool { return !idRune(r) }) < 0
}

func idRune(r rune) bool {
	return r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// subjectID returns the id of a question asked about subject. Subjects that
// differ never share an id: what cannot stand in one is replaced, and a digest of
// the subject is added.
func subjectID(id, subject string) string {
	whole := id + "-" + subject
	if subject != "" && ValidID(whole) {
		return whole
	}
	slug := strings.Map(func(r rune) rune {
		if idRune(r) {
			return r
		}
		return '_'
	}, subject)
	sum := sha256.Sum256([]byte(subject))
	tail := "-" + hex.EncodeToString(sum[:6])
	if room := max(MaxID-len(id)-1-len(tail), 0); len(slug) > room {
		slug = slug[:room]
	}
	return id + "-" + slug + tail
}

// oneLine returns text on one line, its blanks and control characters folded.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// Wording returns a digest of q as it was put: message, preamble and what it
// accepts. An answer holds for the wording it was given to.
func (q Question) Wording() string {
	h := sha256.New()
	for _, part := range []string{q.Kind.String(), q.Message, q.Preamble, q.Accepts()} {
		h.Write(strconv.AppendQuote(nil, part))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
