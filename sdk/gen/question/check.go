package question

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/fault"
)

// Check returns nil if content is a valid answer to q, or a [fault.InvalidAnswer] error with the
// question, the answers that it accepts and a description of content. Answers are not coerced,
// because a person or a host gave them: "true" is not true. [Spec.plain] describes the exceptions.
func (q Spec) Check(content json.RawMessage) error {
	if q.fits(q.plain(content)) {
		return nil
	}
	got := q.describe(content)
	e := fault.New(fault.InvalidAnswer, "the answer to question %q must be %s, got %s", q.ID, q.Accepts(), got)
	e.Details = map[string]any{"question": q.ID, "expected": q.Accepts(), "got": got}
	return e
}

// Accepts describes the answers that q accepts.
func (q Spec) Accepts() string {
	if q.blank {
		return q.kind().accepts(q) + ", or nothing"
	}
	return q.kind().accepts(q)
}

func (q Spec) fits(content []byte) bool {
	return q.blank && string(content) == `""` || q.kind().fits(q, content)
}

// describe describes an invalid answer for a message.
func (q Spec) describe(content json.RawMessage) string {
	return q.kind().describe(q, bytes.TrimSpace(content))
}

// plain returns an answer in the form that handlers receive. A host that only asks for text sends
// numbers as text and several values separated by commas; one that only shows titles sends titles.
// Several values may have another letter case. Anything else is returned unchanged, without
// surrounding space.
func (q Spec) plain(content []byte) []byte {
	content = bytes.TrimSpace(content)
	if typed, isText := text(content); q.blank && isText && typed == "" {
		return content
	}
	return q.kind().plain(q, content)
}

// retry returns q for the given try, with a message that says why content is invalid. For a form,
// the message names the first invalid field.
func (q Question) retry(content json.RawMessage, try int) Question {
	what, spec := "The answer", q.Spec
	if field, value, ok := q.wrongField(content); ok {
		what, spec, content = strconv.Quote(field.ID), field, value
	}
	reason := fmt.Sprintf("%s must be %s, got %s.", what, spec.Accepts(), spec.describe(content))
	q.ID += "--" + strconv.Itoa(try)
	q.Message = phrase.OneLine(escapeInvisible(reason) + " " + q.Message)
	return q
}
