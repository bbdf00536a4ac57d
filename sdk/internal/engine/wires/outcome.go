package wires

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/jp/wire"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// The envelopes of an outcome (jp_tool::Outcome). As in JP, every field is present, and the type comes first.
type (
	success struct {
		Type    string `json:"type"`
		Content string `json:"content"`
	}
	failure struct {
		Type      string   `json:"type"`
		Message   string   `json:"message"`
		Trace     []string `json:"trace"`
		Transient bool     `json:"transient"`
	}
	needsInput struct {
		Type     string `json:"type"`
		Question asked  `json:"question"`
	}
	asked struct {
		ID         string         `json:"id"`
		Text       string         `json:"text"`
		PreAmble   *string        `json:"pre_amble"`
		AnswerType any            `json:"answer_type"`
		Default    jsontext.Value `json:"default"`
	}
)

// outcome is JP's Outcome with a tagged answer_type (JP RFD 111, RFD 082), and outcomeUntagged is the Outcome of JP
// before 2026-08-24. Both contain at most one question with one answer.
var (
	outcome = &host{
		version: wire.VersionOutcome, former: "outcome-082", secrets: true, write: outcomeIn(true),
	}
	outcomeUntagged = &host{version: wire.VersionOutcomeUntagged, write: outcomeIn(false)}
)

func outcomeIn(tagged bool) func(*fault.Error, []question.Question, handler.Result) ([]byte, error) {
	return func(f *fault.Error, pending []question.Question, r handler.Result) ([]byte, error) {
		switch {
		case f != nil:
			return encode(failure{"error", f.Error(), f.Trace(), f.Transient}, nil)
		case pending == nil:
			return encode(success{"success", plain(r)}, nil)
		}
		q, err := ask(pending[0], tagged) // only one question, because the asker has no forms
		return encode(needsInput{"needs_input", q}, err)
	}
}

// plain returns a result as one string, with warnings about the call at the end.
func plain(r handler.Result) string {
	text := r.Blocks.Flatten()
	for _, w := range r.Warnings {
		text = strings.TrimPrefix(text+"\n\n", "\n\n") + "Note: " + w
	}
	return text
}

// ask returns q as a JP question. JP has no numbers, lists or bounds, so the description of valid answers
// is part of the text, the only part that a model sees.
func ask(q question.Question, tagged bool) (out asked, err error) {
	q, meanings := titlesAsValues(q)
	out = asked{ID: q.ID, Text: q.Message}
	if q.Preamble != "" && meanings != "" {
		q.Preamble += "\n\n"
	}
	if q.Preamble += meanings; q.Preamble != "" {
		out.PreAmble = &q.Preamble
	}
	if q.Default != "" {
		out.Default = jsontext.Value(q.Default)
	}
	kind, traits := "text", q.Kind.Traits()
	switch traits.Prompt {
	case question.YesNo:
		out.AnswerType, err = answerType("boolean", nil, tagged)
		return out, err
	case question.Menu:
		options := make([]string, len(q.Options))
		for i, o := range q.Options {
			options[i] = o.Value
		}
		out.AnswerType, err = answerType("select", options, tagged)
		return out, err
	case question.Hidden:
		kind = "secret"
	}
	if words := q.Accepts() + traits.Typed; words != "a string" && !strings.Contains(out.Text, words) {
		out.Text += " (" + words + ")"
	}
	if out.Default != nil && out.Default.Kind() != '"' {
		// The text prompt of a host uses a default only if the default is a string.
		var values []string
		if json.Unmarshal(out.Default, &values) == nil {
			q.Default = strings.Join(values, ", ")
		}
		out.Default = rawjson.Quote(q.Default)
	}
	out.AnswerType, err = answerType(kind, nil, tagged)
	return out, err
}

// answerType returns JP's description of valid answers: an object with the type and the options or, if it is not
// tagged, "Boolean", {"Select":{"options":[…]}} or "Text". Only the tagged form supports secrets.
func answerType(kind string, options []string, tagged bool) (any, error) {
	switch {
	case tagged:
		return struct {
			Type    string   `json:"type"`
			Options []string `json:"options,omitzero"`
		}{kind, options}, nil
	case kind == "select":
		return map[string]any{"Select": map[string][]string{"options": options}}, nil
	case kind == "secret":
		return nil, errors.New("it cannot ask for a secret")
	}
	return strings.ToUpper(kind[:1]) + kind[1:], nil
}

// titlesAsValues returns q with the titles of its options as their values, and a line for each option that says
// what it means. A JP host shows only the values. The answer to q may be a title.
func titlesAsValues(q question.Question) (_ question.Question, meanings string) {
	options := slices.Clone(q.Options)
	var lines []string
	for i, o := range options {
		if o.Title != "" && q.Default == string(rawjson.Quote(o.Value)) {
			q.Default = string(rawjson.Quote(o.Title))
		}
		options[i].Value = cmp.Or(o.Title, o.Value)
		if o.Description != "" {
			lines = append(lines, options[i].Value+": "+o.Description)
		}
	}
	q.Options = options
	return q, strings.Join(lines, "\n")
}
