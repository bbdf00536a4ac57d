package manifest

import (
	"fmt"
	"slices"

	"github.com/jptool/jptool/internal/rawjson"
)

// An Argument is an argument with which a model relays its user's answer to a question, or to a
// field of a form, if the client cannot ask.
type Argument struct {
	Name string
	// Field is the field of the form, or "" for other questions.
	Field  string
	Schema Schema
}

// Arguments returns the arguments that relay the answer to q, one for each field of a form, or nil
// if a model must not relay it.
func (q *Question) Arguments() (all []Argument) {
	if q.Relay == "" {
		return nil
	}
	fields := rawjson.Get(q.Schema, "properties")
	if fields == nil { // not a form
		return []Argument{{Name: q.Relay, Schema: relaySchema(q, q.Description, q.Schema)}}
	}
	for _, field := range rawjson.Parts(fields) {
		description := q.Description
		if own := rawjson.Get(field.Value, "description"); own != nil {
			description = rawjson.Text(own)
		}
		all = append(all, Argument{q.Relay + "_" + field.Name, field.Name, relaySchema(q, description, field.Value)})
	}
	return all
}

// relaySchema returns the schema of an argument. It has no default, because the model must not answer
// with the default.
func relaySchema(q *Question, description string, schema Schema) Schema {
	members := slices.DeleteFunc(rawjson.Parts(schema), func(m rawjson.Member) bool {
		return m.Name == "default" || m.Name == "description"
	})
	text := fmt.Sprintf("The user's answer to question %q. %s Only set it after the tool has asked and the user has answered.", q.ID, description)
	return rawjson.Object(append(members, rawjson.Member{Name: "description", Value: rawjson.Quote(text)}))
}

// InputForModels returns Input plus the arguments that relay answers, for clients that cannot ask.
func (t *Tool) InputForModels() Schema {
	var arguments []rawjson.Member
	for i := range t.Questions {
		for _, a := range t.Questions[i].Arguments() {
			arguments = append(arguments, rawjson.Member{Name: a.Name, Value: a.Schema})
		}
	}
	if len(arguments) == 0 {
		return t.Input
	}
	properties := rawjson.Get(t.Input, "properties")
	all := rawjson.Object(append(rawjson.Parts(properties), arguments...))
	if properties == nil {
		return rawjson.Object(append(rawjson.Parts(t.Input), rawjson.Member{Name: "properties", Value: all}))
	}
	return rawjson.Replace(t.Input, "properties", all)
}
