package caller

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
)

// A declaredQuestion is a question that the contract declares. Its id in a request begins with the
// declared id. If the question is about one of several subjects, a dash and the subject follow. In
// a wire format without forms, each field of a form is a separate question, and a dash and the name
// of the field follow. If the subject contains characters other than letters and digits, the id
// ends with a digest (docs/jp-aware-mcp-tools.md).
type declaredQuestion struct {
	id        string
	schema    shape.Schema
	exclusive bool
}

func (d *declaredQuestion) isForm() bool { return len(d.schema.Properties) > 0 }

// Declare sets the questions that the tool declares.
func (a *Answers) Declare(questions []manifest.Question) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.declared = nil
	for _, q := range questions {
		a.declared = append(a.declared, declaredQuestion{q.ID, shape.Read(q.Schema), q.Exclusive != ""})
	}
}

// owner returns the declared question that an id belongs to, or nil.
func (a *Answers) owner(id string) *declaredQuestion {
	var found *declaredQuestion
	for i := range a.declared {
		d := &a.declared[i]
		if (id == d.id || strings.HasPrefix(id, d.id+"-")) && (found == nil || len(d.id) > len(found.id)) {
			found = d
		}
	}
	return found
}

// Find returns the answer that was given to a question, or nil if the question has no answer. It also returns nil
// if the question is asked again because the given answer was not accepted.
func (a *Answers) Find(q Question) (jsontext.Value, error) {
	if _, try := question.Try(q.ID); try > 1 {
		return nil, nil
	}
	if q.Form {
		return a.form(q)
	}
	if owner := a.owner(q.ID); owner != nil && owner.isForm() {
		return a.part(owner, q)
	}
	for _, id := range a.names(q.ID) {
		name := cmp.Or(id, AnswerName)
		if given, ok := a.take(name); ok {
			value, err := parseValue(name, given, q.Schema)
			if err != nil && q.Titled {
				value, err = rawjson.Quote(given.Word), nil
			}
			a.hide(q, value)
			return value, err
		}
	}
	return nil, nil
}

// names returns the names under which an answer to the question may be given, most specific first. An answer
// given under the id of a declared question applies to that question, whatever its subject, and to no other question
// in the contract.
// Without a contract, an answer may also be given without an id, because some wire formats do not have ids.
func (a *Answers) names(id string) []string {
	names := []string{id}
	if owner := a.owner(id); owner != nil && owner.id != id {
		for other := range a.Given {
			name := a.whole(owner, other)
			if subject, ok := strings.CutPrefix(name, owner.id+"-"); ok && question.SubjectID(owner.id, subject) == id {
				names = append(names, name)
			}
		}
		names = append(names, owner.id)
	}
	if len(a.declared) == 0 && id != "" {
		general := ""
		for other := range a.Given {
			if strings.HasPrefix(id, other+"-") && len(other) > len(general) {
				general = other
			}
		}
		if general != "" {
			names = append(names, general)
		}
		names = append(names, "")
	}
	return names
}

// take returns the answer that was given under a name, and marks it as used. The name of a field may follow a
// dash, as in wire formats without forms, or a dot.
func (a *Answers) take(name string) (shape.Assignment, bool) {
	given, ok := a.Given[name]
	for other := range a.Given {
		if form, field, dotted := strings.Cut(other, "."); !ok && dotted && form+"-"+field == name {
			given, ok, name = a.Given[other], true, other
		}
	}
	if ok {
		if a.used == nil {
			a.used = map[string]bool{}
		}
		a.used[name] = true
	}
	return given, ok
}

// form returns the object that answers a form: the given fields, and the defaults of the remaining fields. It
// returns nil if no field is given or a required field is missing.
func (a *Answers) form(q Question) (jsontext.Value, error) {
	if len(q.Schema.Properties) == 0 {
		return a.consent(q)
	}
	members, whole, err := a.fields(a.names(q.ID), q.Schema)
	if err != nil || len(members) == 0 && !whole {
		return nil, err
	}
	for _, p := range q.Schema.Properties {
		if members[p.Name] == nil && p.Default != nil {
			members[p.Name] = p.Default
		}
		if members[p.Name] == nil && p.Required && !whole { // the server checks an object given as a whole
			return nil, nil
		}
	}
	return jsonv2.Marshal(members, jsonv2.Deterministic(true))
}

// consent returns the answer to a form without fields, which only asks whether to go on: yes, no, or an object.
func (a *Answers) consent(q Question) (jsontext.Value, error) {
	for _, id := range a.names(q.ID) {
		name := cmp.Or(id, AnswerName)
		given, ok := a.take(name)
		if !ok {
			continue
		}
		if v := jsontext.Value(given.Word); v.IsValid() && v.Kind() == '{' {
			return v, nil
		}
		value, err := parseValue(name, given, shape.Schema{Types: []string{"boolean"}})
		if err == nil && string(value) != "true" {
			err = terminal.ErrDeclined
		}
		return jsontext.Value("{}"), err
	}
	return nil, nil
}

// fields returns the fields that were given for a form, and whether the form was given as an object. For a form
// with one field, the value of the field may be given instead. If a field was given under several names of the
// form, the first name takes precedence.
func (a *Answers) fields(names []string, s shape.Schema) (members map[string]jsontext.Value, whole bool, err error) {
	members = map[string]jsontext.Value{}
	for _, id := range slices.Backward(names) {
		name := cmp.Or(id, AnswerName)
		if given, ok := a.take(name); ok {
			value, err := parseValue(name, given, shape.Schema{Types: []string{"object"}})
			switch only := len(s.Properties) == 1; {
			case only && value.Kind() != '{': // the value of the only field, as profiles and package client allow
				members[s.Properties[0].Name], err = parseValue(name, given, s.Properties[0].Schema)
			case err == nil:
				if whole = true; jsonv2.Unmarshal(value, &members) != nil {
					err = fmt.Errorf("--answer %s must be an object", name)
				}
			}
			if err != nil {
				return nil, false, err
			}
		}
		for _, p := range s.Properties {
			name := fieldOf(id, p.Name)
			given, ok := a.take(name)
			if !ok && id != "" {
				given, ok = a.take(id + "-" + p.Name)
			}
			if !ok {
				continue
			}
			if members[p.Name], err = parseValue(name, given, p.Schema); err != nil {
				return nil, false, err
			}
		}
	}
	return members, whole, nil
}

// part returns the answer to a form field that is asked for separately. It is the same value as in the answer to
// the whole form. If only other fields of the form were given, the answer is the default, or the answer that
// omits an optional field.
func (a *Answers) part(form *declaredQuestion, q Question) (jsontext.Value, error) {
	field := form.field(q.ID)
	if field == nil {
		return nil, nil
	}
	names := []string{form.id}
	for other := range a.Given {
		name := a.whole(form, other)
		if subject, ok := strings.CutPrefix(name, form.id+"-"); ok && question.SubjectID(form.id, subject, field.Name) == q.ID {
			names = []string{name, form.id}
		}
	}
	if given, ok := a.take(q.ID); ok {
		return parseValue(q.ID, given, q.Schema)
	}
	members, whole, err := a.fields(names, form.schema)
	if err != nil || members[field.Name] != nil || len(members) == 0 && !whole {
		return members[field.Name], err
	}
	switch value := cmp.Or(string(q.Schema.Default), string(field.Default)); {
	case value != "":
		return jsontext.Value(value), nil
	case field.Required || len(field.Types) != 1:
		return nil, nil
	case field.Types[0] == "boolean":
		return jsontext.Value(`false`), nil
	}
	return jsontext.Value(`""`), nil
}

// field returns the form field that an id refers to, or nil if the id is not for a single field.
func (d *declaredQuestion) field(id string) (field *shape.Property) {
	rest := strings.TrimPrefix(id, d.id+"-")
	if p, ok := d.schema.Property(rest); ok {
		return p
	}
	dash := strings.LastIndexByte(rest, '-')
	if dash < 0 || !digest().MatchString(rest[dash+1:]) {
		return nil
	}
	for i := range d.schema.Properties {
		p := &d.schema.Properties[i]
		if strings.HasSuffix(rest[:dash], "-"+p.Name) && (field == nil || len(p.Name) > len(field.Name)) {
			field = p
		}
	}
	return field
}

// whole returns the name of a question to which the answer with a given name belongs. If the question is a form,
// a field may follow, after a dot or a dash; an object is an answer to the whole form.
func (a *Answers) whole(d *declaredQuestion, name string) string {
	for _, p := range d.schema.Properties {
		id, ok := strings.CutSuffix(name, p.Name)
		if ok && (strings.HasSuffix(id, ".") || strings.HasSuffix(id, "-")) && !strings.HasPrefix(a.Given[name].Word, "{") {
			return id[:len(id)-1]
		}
	}
	return name
}

// digest matches the digest at the end of an id.
var digest = lazyregexp.New(`^[a-z2-7]{26}$`)

// Typed returns the answers to declared questions as JSON values, and marks them as used. They are sent with the
// call if the server cannot ask questions.
func (a *Answers) Typed() (map[string]json.RawMessage, error) {
	out := map[string]json.RawMessage{}
	for i := range a.declared {
		d := &a.declared[i]
		ids := map[string]bool{d.id: true}
		for name := range a.Given { // the id of an answer about a subject contains the subject
			if id := a.whole(d, name); d.field(id) == nil && a.owner(id) == d {
				ids[id] = true
			}
		}
		for _, id := range slices.Sorted(maps.Keys(ids)) {
			value, err := a.Find(Question{ID: id, Schema: d.schema, Form: d.isForm()})
			if err != nil {
				return nil, err
			}
			if value != nil {
				out[id] = json.RawMessage(value)
			}
		}
	}
	return out, nil
}
