package odd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// volatile matches parts of answers that differ between calls: times, incident ids and sealed states.
var volatile = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)|incident [A-Za-z0-9]+|"requestState":"[^"]*"`)

// An answer is a message from a server, or the description of an HTTP response without a message.
type answer struct {
	shape string // short description, which is the same for similar answers
	text  string // the answer without the parts that differ between calls
}

// readAnswer parses the answer to a message. sent is the message's id, or nil if the message has none.
func readAnswer(line string, sent json.RawMessage) answer {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(line), &members) != nil {
		head, _, _ := strings.Cut(line, ":")
		status := head[:min(len(head), len("HTTP 400"))]
		return answer{shape: status + mask(head[len(status):]), text: volatile.ReplaceAllString(line, "…")}
	}
	under := ""
	switch got := members["id"]; {
	case got == nil:
	case bytes.Equal(got, sent):
		members["id"] = json.RawMessage(`"…"`)
	case string(got) == "null":
		under = " with id null"
	default:
		under = " with another id"
	}
	text, err := json.Marshal(members) // Marshal sorts the names
	if err != nil {
		return answer{shape: "a message that cannot be written", text: line}
	}
	return answer{shape: shapeOf(members) + under, text: volatile.ReplaceAllString(string(text), "…")}
}

// shapeOf returns a short description of a message.
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
		_ = json.Unmarshal(members["method"], &method) // method is "" if it is not a string
		return "message " + method
	case members["error"] != nil:
		_ = json.Unmarshal(members["error"], &fault) // a member of another type is ignored
		return fmt.Sprintf("error %s %s", fault.Code, mask(fault.Message))
	case members["result"] == nil:
		return "an invalid message"
	}
	_ = json.Unmarshal(members["result"], &result) // a member of another type is ignored
	if !result.IsError {
		return strings.TrimSpace("result " + strings.TrimPrefix(result.ResultType, "complete"))
	}
	text := ""
	if len(result.Content) > 0 {
		text, _, _ = strings.Cut(result.Content[0].Text, ":")
	}
	return "fault " + mask(text)
}

// particulars matches the parts that differ in similar texts.
var particulars = regexp.MustCompile("\"(\\\\.|[^\"])*\"|'[^']*'|`[^`]*`|[0-9]+")

// mask returns a shortened text without its particulars.
func mask(text string) string {
	text = particulars.ReplaceAllString(text, "…")
	const limit = 100
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "…"
	}
	return text
}

// idOf returns the id of a message as it was sent, or nil if it cannot be determined.
func idOf(text string) json.RawMessage {
	var members map[string]json.RawMessage // a struct would also match "ID"
	if json.Unmarshal([]byte(text), &members) != nil {
		return nil
	}
	return members["id"]
}

// readAnswers returns the answers to a message, in an order that does not depend on their arrival.
func readAnswers(m Message, lines []string) []answer {
	sent := idOf(m.Text)
	var all []answer
	for _, line := range lines {
		all = append(all, readAnswer(line, sent))
	}
	slices.SortFunc(all, func(a, b answer) int { return strings.Compare(a.text, b.text) })
	return all
}

// nothing is the shape of a missing answer.
const nothing = "nothing"

// shape returns a short description of answers.
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

// equalAnswers reports whether answers are equal.
func equalAnswers(a, b []answer) bool {
	return slices.EqualFunc(a, b, func(a, b answer) bool { return a.text == b.text })
}
