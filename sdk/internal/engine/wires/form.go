package wires

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/internal/rpc"
)

// answerName is the name of the only field in the form of a simple question.
const answerName = "answer"

// form returns q as the params of elicitation/create. A simple question becomes a form with one
// field.
func form(q question.Question, c Client) any {
	lists := c.Has(Lists)
	var e struct {
		Meta struct {
			Question struct {
				Tool      string `json:"tool"`
				ID        string `json:"id"`
				Exclusive bool   `json:"exclusive,omitempty"`
			} `json:"computer.jp/question"`
		} `json:"_meta"`
		Mode    string          `json:"mode"`
		VisitID string          `json:"elicitationId,omitempty"`
		URL     string          `json:"url,omitempty"`
		Message string          `json:"message"`
		Schema  json.RawMessage `json:"requestedSchema,omitempty"`
	}
	asked := &e.Meta.Question // identifies the question in the contract; other clients show the message
	asked.Tool, asked.ID, asked.Exclusive = q.Ref.Tool, q.ID, q.Exclusive != ""
	e.Mode, e.Message = "form", q.Lines()
	switch {
	case q.Kind == question.KindVisit:
		e.Mode, e.VisitID, e.URL = "url", q.VisitID(), q.URL
	case q.IsForm(lists):
		e.Schema = q.FormSchema(lists)
	default:
		e.Schema = slices.Concat([]byte(`{"type":"object","properties":{"`+answerName+`":`), q.FormSchema(lists), []byte(`},"required":["`+answerName+`"]}`))
	}
	if q.Kind == question.KindSeveral && q.IsForm(lists) {
		e.Message += " (" + q.Accepts() + ")" // the form cannot limit their number
	}
	if q.Preamble != "" {
		e.Message = q.Preamble + "\n\n" + e.Message
	}
	return e
}

// answerOf decodes the result of an elicitation.
func answerOf(result jsontext.Value, q question.Question, c Client) (question.Answer, error) {
	reply, ok := rpc.Members(result)
	if !ok {
		return question.Answer{}, fault.New(fault.InvalidAnswer, "the response to question %q is not the result of an elicitation", q.ID)
	}
	action, _ := rpc.Unquote(reply["action"])
	switch string(action) {
	case "accept":
		content := reply["content"]
		if q.Kind == question.KindVisit {
			content = jsontext.Value("true") // the client has no form to return
		}
		if q.Kind != question.KindForm && content.Kind() == '{' {
			fields, ok := rpc.Members(content)
			if !ok {
				return question.Answer{}, fault.New(fault.InvalidAnswer, "cannot parse the answer to question %q", q.ID)
			}
			content = fields[answerName]
			if q.IsForm(c.Has(Lists)) {
				content = chosenOptions(q, fields)
			}
		}
		return question.Answer{Content: json.RawMessage(content), Person: true}, nil
	case "decline":
		return question.Answer{Action: question.Decline}, nil
	case "cancel":
		return question.Answer{Action: question.Cancel}, nil
	}
	return question.Answer{}, fault.New(fault.InvalidAnswer, "the action for question %q must be accept, decline or cancel, got %s", q.ID, cmp.Or(phrase.Clip(string(reply["action"]), rpc.MaxShown), "nothing"))
}

// chosenOptions returns the options whose fields are true, as a list.
func chosenOptions(q question.Question, fields map[string]jsontext.Value) jsontext.Value {
	values := []string{}
	for _, o := range q.Options {
		if fields[o.Value].Kind() == 't' {
			values = append(values, o.Value)
		}
	}
	list, _ := rawjson.Encode(values) // cannot fail: the values are strings
	return list
}
