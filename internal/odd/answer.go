package odd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// volatile are parts of answers that differ from call to call: times, the ids of
// incidents, and states that are sealed.
var volatile = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)|incident [A-Za-z0-9]+|"requestState":"[^"]*"`)

// An answer is one message of a server, or what stands for one.
type answer struct {
	shape string // what it is, in words that similar answers share
	text  string // all of it but for what differs from call to call
}

// readAnswer returns an answer to a message whose id is sent, nil if it has none.
func readAnswer(line string, sent json.RawMessage) answer {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(line), &members) != nil {
		head, _, _ := strings.Cut(line, ":")
		status := head[:min(len(head), len("HTTP 400"))]
		return answer{shape: status + masked(head[len(status):]), text: volatile.ReplaceAllString(line, "…")}
	}
	under := ""
	switch got := members["id"]; {
	case got == nil:
	case bytes.Equal(got, sent):
		members["id"] = json.RawMessage(`"…"`)
	case string(got) == "null":
		under = " under id null"
	default:
		under = " under another id"
	}
	text, err := json.Marshal(members) // in the order of the names
	if err != nil {
		return answer{shape: "a message that cannot be written", text: line}
	}
	return answer{shape: shapeOf(members) + under, text: volatile.ReplaceAllString(string(text), "…")}
}

// shapeOf says in a few words what a message is.
func shapeOf(members map[string]json.RawMessage) string {
	var method string
	var result struct {
		IsError    bool
		ResultType string
		Content    []struct{ Text string }
	}
	var fault struct {
		Code    json.Number
		Message string
	}
	switch {
	case members["method"] != nil:
		_ = json.Unmarshal(members["method"], &method) // a method of another type is none
		return "message " + method
	case members["error"] != nil:
		_ = json.Unmarshal(members["error"], &fault) // the same
		return fmt.Sprintf("error %s %s", fault.Code, masked(fault.Message))
	case members["result"] == nil:
		return "a message that is none"
	}
	_ = json.Unmarshal(members["result"], &result) // the same
	if !result.IsError {
		return strings.TrimSpace("result " + strings.TrimPrefix(result.ResultType, "complete"))
	}
	text := ""
	if len(result.Content) > 0 {
		text, _, _ = strings.Cut(result.Content[0].Text, ":")
	}
	return "fault " + masked(text)
}

// particulars are parts of texts that similar texts do not share.
var particulars = regexp.MustCompile("\"(\\\\.|[^\"])*\"|'[^']*'|`[^`]*`|[0-9]+")

// masked returns a text without its particulars, shortened.
func masked(text string) string {
	text = particulars.ReplaceAllString(text, "…")
	const most = 100
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// idOf returns the id of a message as it was sent, nil if that cannot be said.
func idOf(text string) json.RawMessage {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal([]byte(text), &m) != nil {
		return nil
	}
	return m.ID
}

// readAnswers returns the answers to a message, in an order that does not depend on when they
// came.
func readAnswers(m Message, lines []string) []answer {
	sent := idOf(m.Text)
	var all []answer
	for _, line := range lines {
		all = append(all, readAnswer(line, sent))
	}
	slices.SortFunc(all, func(a, b answer) int { return strings.Compare(a.text, b.text) })
	return all
}

// nothing is the shape of no answer.
const nothing = "nothing"

// shape says in a few words what some answers are.
func shape(answers []answer) string {
	if len(answers) == 0 {
		return nothing
	}
	var all []string
	for _, a := range answers {
		all = append(all, a.shape)
	}
	return strings.Join(all, " and ")
}

// same reports whether answers are alike.
func same(a, b []answer) bool {
	return slices.EqualFunc(a, b, func(a, b answer) bool { return a.text == b.text })
}
