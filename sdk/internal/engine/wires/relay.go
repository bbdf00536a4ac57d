package wires

import (
	"encoding/json"
	"maps"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// relay moves a model's relayed answers from the arguments of a call to the call's answers. It is
// only for clients that cannot ask. Callers that are not trusted may send only these answers,
// because the contract publishes them. They count as configured answers, so exclusive questions
// ignore them. Answers that a trusted caller sets take precedence.
func relay(contract *manifest.Tool, r *handler.Run) {
	if !isRelayed(contract) {
		return
	}
	members, err := rawjson.Members(rawjson.Unpacked(jsontext.Value(r.Arguments)))
	if err != nil {
		return // decoding the arguments reports the error
	}
	sent, given := len(members), map[string]question.Answer{}
	for i := range contract.Questions {
		q := &contract.Questions[i]
		var fields []rawjson.Member
		for _, a := range q.Arguments() {
			var value json.RawMessage
			if members, value = removeMember(members, a.Name); value == nil {
				continue
			}
			if a.Field == "" {
				given[q.ID] = question.Answer{Content: value}
			} else {
				fields = append(fields, rawjson.Member{Name: a.Field, Value: []byte(value)})
			}
		}
		if len(fields) > 0 {
			given[q.ID] = question.Answer{Content: json.RawMessage(rawjson.Object(fields))}
		}
	}
	if len(members) < sent {
		r.Arguments = json.RawMessage(rawjson.Object(members))
	}
	if len(given) > 0 {
		maps.Copy(given, r.Answers)
		r.Answers = given
	}
}

// removeMember removes the member with the given name and returns its value, or nil for null. An object
// with several such members is left for decoding to reject.
func removeMember(members []rawjson.Member, name string) (rest []rawjson.Member, value json.RawMessage) {
	for _, m := range members {
		if m.Name != name {
			rest = append(rest, m)
		} else if value = json.RawMessage(m.Value); string(value) == "null" {
			value = nil // some models send null for members that they omit
		}
	}
	if len(members)-len(rest) > 1 {
		return members, nil
	}
	return rest, value
}
