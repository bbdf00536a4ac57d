// Package question implements the question types of package elicit: how questions are declared,
// identified, validated and asked. It is for generated code and jptoolgen.
package question

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/content"
)

// A Ref identifies a question in a call.
type Ref struct {
	// Tool is the name of the tool.
	Tool string
	// Key is the declared id. Field is the name of a form field that is asked for separately, or "".
	Key, Field string
	// Subject is the argument of For, or "" if For was not called. Several subjects are joined by slashes.
	Subject string
	// Call is the id of the run.
	Call string
	// Seq is the ordinal of the question in the run, from 1.
	Seq int
}

// A Question is one request for an answer: a declared question with its final text.
type Question struct {
	Spec
	Ref Ref
	// Message is the question on one line. It must be complete by itself, because a host that
	// lets a model answer shows nothing else (JP RFD 028).
	Message string
	// Preamble is text to show before the message, or "".
	Preamble string
	// Context contains the preamble as content blocks.
	Context content.Blocks
	// URL is the page to open, for [KindVisit].
	URL string
	// Reworded means that the question was answered before, with a different wording.
	Reworded bool

	set      *Set
	declared *Spec
	steps    []step
	lines    string // the message with its line breaks, or "" if it has none
}

// Lines returns the message with the line breaks that the tool wrote, for hosts that can show them.
func (q Question) Lines() string { return cmp.Or(q.lines, q.Message) }

// Put returns q with its message, formatted with [fmt.Sprintf] and folded to one line. Invisible characters
// are escaped: hosts print the message unchanged, it may contain text from a model, and an escape sequence
// could replace what a person consents to.
func (q Question) Put(format string, args ...any) Question {
	message := escapeInvisible(fmt.Sprintf(format, args...))
	if u, err := url.Parse(q.URL); err == nil && !strings.Contains(message, u.Host) {
		message += " (" + u.Host + ")"
	}
	q.Message = phrase.OneLine(message)
	q.Preamble = escapeInvisible(cmp.Or(q.Preamble, q.Context.Flatten()))
	if lines := slices.DeleteFunc(strings.Split(message, "\n"), func(line string) bool { return strings.TrimSpace(line) == "" }); len(lines) > 1 {
		q.lines = strings.Join(lines, "\n") // without empty lines, which separate the preamble
	}
	if q.Kind.Traits().Source == Runtime {
		q.Options = slices.Clone(q.Options)
		for i, o := range q.Options {
			q.Options[i] = o.visible()
		}
	}
	return q
}

// escapeInvisible escapes invisible characters, except line breaks.
func escapeInvisible(text string) string {
	return phrase.Visible(strings.ReplaceAll(text, "\r\n", "\n"))
}

// For returns q about a subject, with a separate id.
func (q Question) For(subject string) Question { return q.at(step{'s', subject}) }

func (q Question) at(next step) Question {
	if q.declared == nil {
		return q
	}
	q.steps = append(q.steps[:len(q.steps):len(q.steps)], next)
	q.ID = q.set.idOf(q.declared, q.steps)
	return q
}

// part returns a field of a form as a question.
func (q Question) part(f Spec) Question {
	one := q.at(step{'f', f.ID})
	f.ID, f.Exclusive = one.ID, q.Exclusive
	isYesNo := f.Kind.Traits().Prompt == YesNo
	f.blank = f.Optional && !isYesNo
	if f.Optional && isYesNo && f.Default == "" {
		f.Default = "false" // the value of an omitted field
	}
	one.Spec = f
	one.Message = phrase.OneLine(q.Message + " " + f.Description)
	return one
}

func (q Question) ref(tool, call string, seq int) Ref {
	r := Ref{Tool: tool, Key: q.declared.ID, Call: call, Seq: seq}
	for _, at := range q.steps {
		if at.kind == 'f' {
			r.Field = at.name
		} else {
			r.Subject = strings.TrimPrefix(r.Subject+"/"+at.name, "/")
		}
	}
	return r
}

// Wording returns a digest of the texts of q and of what it accepts. An answer applies to one wording.
func (q Question) Wording() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q%q%q%q", q.Kind, q.Message, q.Preamble, q.Accepts())
	for _, o := range q.Options {
		fmt.Fprintf(h, "%q", o.Title)
	}
	if q.URL != "" {
		fmt.Fprintf(h, "%q", q.URL)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
