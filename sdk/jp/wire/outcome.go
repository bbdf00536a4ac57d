package wire

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

// outcomes are the shapes of a tool's answer in the versions of the envelope (jp_tool::Outcome).
var outcomes = sync.OnceValue(func() []shape {
	return []shape{
		outcome(questionID, taggedEnum(map[string][]field{"boolean": nil, "select": {options}, "text": nil, "secret": nil})),
		outcome(text, untaggedAnswerType),
	}
})

func outcome(id, answer shape) shape {
	question := record(
		field{"id", required, id},
		field{"text", required, text},
		field{"pre_amble", mayNull, text},
		field{"answer_type", required, answer},
		field{"default", mayNull, ofKind("a value", 't', 'f', '"', '0', '[', '{')},
	)
	return taggedEnum(map[string][]field{
		"success":     {{"content", required, text}},
		"error":       {{"message", required, text}, {"trace", required, list(text)}, {"transient", required, boolean}},
		"needs_input": {{"question", required, question}},
	})
}

var options = field{"options", required, list(text)}

// questionID is the id of a question in [VersionOutcome].
func questionID(v jsontext.Value) (jsontext.Value, error) {
	if id := rawjson.Text(v); id == "" || strings.Contains(id, ".") {
		return nil, errors.New("expected a non-empty id without a dot")
	}
	return v, nil
}

// untaggedAnswerType is the kind of an answer in [VersionOutcomeUntagged]: "Boolean", {"Select":{"options":[…]}},
// "Text". A kind without fields may have a body: null or {}. serde accepts {} because it buffers the kind inside an
// outcome.
func untaggedAnswerType(v jsontext.Value) (jsontext.Value, error) {
	kind, body := rawjson.Text(v), jsontext.Value(nil)
	if members := rawjson.Parts(v); v.Kind() == '{' && len(members) == 1 {
		kind, body = members[0].Name, members[0].Value
	}
	empty := body == nil || body.Kind() == 'n' || body.Kind() == '{' && len(rawjson.Parts(body)) == 0
	switch {
	case kind == "Select":
		return record(options)(body)
	case (kind == "Boolean" || kind == "Text") && empty:
		return v, nil
	}
	return nil, errors.New("unknown kind of answer")
}

// LooksLikeOutcome reports whether a host would treat text as an Outcome of any version: it can be parsed as one, or
// it claims to be a question. A host unwraps such text, whoever wrote it. For ordinary prose, the check reads a
// single byte.
func LooksLikeOutcome(text string) bool {
	return mayBeOutcome(strings.TrimLeft(text, " \t\r\n")) && (ClaimsNeedsInput(text) ||
		Check([]byte(text)) == nil && slices.ContainsFunc(outcomes(), func(s shape) bool {
			_, err := s(jsontext.Value(text))
			return err == nil
		}))
}

// ClaimsNeedsInput reports whether the top level of text says that it is a question. A call fails if its host cannot
// parse such text.
func ClaimsNeedsInput(text string) bool {
	claims := false
	if Check([]byte(text)) == nil && jsontext.Value(text).Kind() == '{' {
		for _, m := range rawjson.Parts(jsontext.Value(text)) {
			if m.Name == "type" { // the last member counts, as in serde_json
				claims = rawjson.Text(m.Value) == "needs_input"
			}
		}
	}
	return claims
}

// mayBeOutcome returns false for most text that is not an Outcome, without parsing it. An Outcome is an
// object with the member "type" or an array, and contains the name of its type. Escapes may hide both.
func mayBeOutcome(text string) bool {
	switch {
	case text == "" || text[0] != '{' && text[0] != '[':
		return false
	case strings.Contains(text, `\u`):
		return true
	case text[0] == '{' && !strings.Contains(text, `"type"`):
		return false
	}
	return strings.Contains(text, `"success"`) || strings.Contains(text, `"error"`) ||
		strings.Contains(text, `"needs_input"`)
}

// LooksLikeBlocks reports whether a host would parse text as typed content blocks.
func LooksLikeBlocks(text string) bool {
	return Check([]byte(text)) == nil && jsontext.Value(text).Kind() == '{' &&
		slices.ContainsFunc(rawjson.Parts(jsontext.Value(text)), func(m rawjson.Member) bool {
			return m.Name == "content" && m.Value.Kind() == '['
		})
}
