package jptest

import (
	"encoding/json"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
)

// A Reply is the scripted answer to a question.
type Reply struct {
	id      string
	action  elicit.Action
	content json.RawMessage
	err     error
}

// Answer returns the reply to the question with this id: value, encoded as JSON. For a question about several
// subjects, the reply is for every subject that has no separate reply. The id of a separate reply is the id of
// the question, a dash and the subject. For a form, value contains its fields, under their JSON names, and may
// omit optional ones; on JP's wires without forms, a field may have its own reply. On wires that cannot ask for a
// secret, the answer to one is sent with the call. If a question is asked again because the answer is invalid, it
// gets the next reply with the same id, or the last one again.
func Answer(id string, value any) Reply {
	content, err := json.Marshal(value)
	return Reply{id: id, content: content, err: err}
}

// Decline declines the question with this id, and [Cancel] dismisses it, as MCP users can. A JP host does not
// distinguish the two, and ends the call itself. If questions are asked together, decline only the last one,
// because JP does not ask the questions after a declined one. Only [InProcess], [JPOutcome] and [JPPlugin] ask for
// secrets.
func Decline(id string) Reply { return Reply{id: id, action: elicit.Decline} }

// Cancel dismisses the question with this id; see [Decline].
func Cancel(id string) Reply { return Reply{id: id, action: elicit.Cancel} }

// field returns the member of an answered form for the question with this id, which may end with a digest. If
// the member is missing, it returns the default of a boolean or else an empty string, which omits the field.
func (r Reply) field(q Question) json.RawMessage {
	id, _ := question.Try(q.ID)
	var members map[string]json.RawMessage
	if id == r.id || json.Unmarshal(r.content, &members) != nil {
		return r.content
	}
	for parts := strings.Split(id, "-"); len(parts) > 0; parts = parts[:len(parts)-1] {
		if member, ok := members[parts[len(parts)-1]]; ok {
			return member
		}
	}
	if kind := jsontext.Value(q.Default).Kind(); kind == 't' || kind == 'f' {
		return q.Default
	}
	return json.RawMessage(`""`)
}

// isFor reports whether r is for the question with this id, for all its subjects, or for all fields of the form.
func (r Reply) isFor(q manifest.Question, id string) bool {
	if id == r.id || strings.HasPrefix(id, r.id+"-") {
		return true
	}
	subject, ok := strings.CutPrefix(r.id, q.ID+"-")
	digested := question.SubjectID(q.ID, subject)
	readable := digested[:strings.LastIndexByte(digested, '-')+1]
	return ok && (id == digested || question.Kind(q.Kind).Traits().Prompt == question.Fields && strings.HasPrefix(id, readable))
}

// reply returns the reply to the question with this id, as [Answer] describes.
func (c *call) reply(id string) (Reply, bool) {
	id, try := question.Try(id)
	declared := c.kit.declaredQuestion(c.out.Tool, id)
	best := -1
	for i, r := range c.script {
		if r.isFor(declared, id) && (best < 0 || len(r.id) > len(c.script[best].id)) {
			best = i
		}
	}
	if best < 0 {
		return Reply{}, false
	}
	for i := best + 1; i < len(c.script) && try > 1; i++ {
		if c.script[i].id == c.script[best].id {
			best = i
			try--
		}
	}
	c.used[best] = true
	return c.script[best], true
}
