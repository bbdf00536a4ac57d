package question

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
)

// again returns q as it is asked after an invalid answer. try is the number of times that it has
// been asked, including this time.
func (q Question) again(content json.RawMessage, try int) Question {
	q.ID += "--" + strconv.Itoa(try)
	q.Message = phrase.OneLine(visible(q.reason(content)) + " " + q.Message)
	return q
}

// reason returns why content does not answer q, for the person who is asked again. For a form,
// it names the first field with an invalid value.
func (q Question) reason(content json.RawMessage) string {
	what := "The answer"
	var object map[string]jsontext.Value
	if q.Kind == KindForm && jsonv2.Unmarshal(content, &object) == nil {
		for _, f := range q.Fields {
			if value, ok := object[f.ID]; ok && !f.question().fits(bytes.TrimSpace(value)) {
				q, what, content = f.question(), strconv.Quote(f.ID), json.RawMessage(value)
				break
			}
		}
	}
	return fmt.Sprintf("%s must be %s, got %s.", what, q.Accepts(), q.got(content))
}

// isTyped reports whether content has the form in which a JP host returns what a person typed: a
// string or, if the host shows forms, JSON of the answer's type. Yes or no and one of several
// values are selected, so a person cannot mistype them. A person cannot mistype a secret that the
// host does not ask for, either.
func (q Question) isTyped(content json.RawMessage, a Asker) bool {
	kind := jsontext.Value(bytes.TrimSpace(content)).Kind()
	switch q.Kind {
	case KindText:
		return kind == '"'
	case KindSecret:
		return kind == '"' && a.Secrets
	case KindNumber:
		return kind == '"' || a.Forms && kind == '0'
	case KindSeveral:
		return kind == '"' || a.Forms && kind == '['
	case KindForm:
		return a.Forms && kind == '{'
	}
	return false
}

// plain returns an answer in the form that handlers receive. A host that can only ask for text
// sends a number as text, and several values separated by commas; a host that can only show
// titles sends the title of a value. Anything else is returned unchanged, without surrounding
// space.
func (s Spec) plain(content []byte) []byte {
	content = bytes.TrimSpace(content)
	typed, ok := text(content)
	if !ok {
		return content
	}
	switch s.Kind {
	case KindNumber:
		if _, ok := number(content); ok {
			return []byte(strings.TrimSpace(typed))
		}
	case KindPick:
		content, _ = json.Marshal(s.value(typed)) // cannot fail
	case KindSeveral:
		content, _ = json.Marshal(s.several(typed))
	}
	return content
}

// several returns the values in typed text: a JSON list, or words separated by commas.
func (s Spec) several(typed string) []string {
	values := []string{}
	if json.Unmarshal([]byte(typed), &values) == nil && values != nil {
		return values
	}
	for word := range strings.SplitSeq(typed, ",") {
		if word = strings.TrimSpace(word); word != "" {
			values = append(values, s.value(word))
		}
	}
	return values
}
