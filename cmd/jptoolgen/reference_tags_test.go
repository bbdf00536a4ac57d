package main

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/sdk/gen/question"
)

// structTags writes the forms of struct tags. The example uses each of them.
func (r reference) structTags() string {
	forms := schema.TagForms()
	for _, o := range model.AskOptions() {
		forms = append(forms, schema.TagForm{Key: "ask", Value: "id," + o.Name, On: "questions", Help: o.Help})
	}
	rows := [][]string{{"tag", "applies to", "meaning"}}
	text := strings.NewReplacer("name", `\w+`, "id", `[\w-]*`, "key", `\w+`, "value", `[^",]+`)
	for _, f := range forms {
		if !regexp.MustCompile(f.Key + `:"` + text.Replace(f.Value) + `"`).MatchString(r.source("tags")) {
			r.t.Errorf("the example tags lacks %s:%q", f.Key, f.Value)
		}
		rows = append(rows, []string{code(f.Key + `:"` + f.Value + `"`), f.On, f.Help})
	}
	return table(rows...)
}

// formKeys returns the keys that the fields of a form may have, and checks that the fields of the form in the example
// tags have each of them.
func (r reference) formKeys() []string {
	for _, key := range schema.FormKeys() {
		r.checkForm(key + "=")
	}
	return schema.FormKeys()
}

// formats writes the formats of answers. The form in the example tags has each of them.
func (r reference) formats() string {
	rows := [][]string{{"`format`", "the answer must be"}}
	for _, format := range question.Formats() {
		r.checkForm("format=" + format + `[",]`)
		rows = append(rows, []string{code(format), question.Spec{Kind: question.KindText, Format: format}.Accepts()})
	}
	return table(rows...)
}

// checkForm checks that the form in the example tags has a constraint that matches a regular expression.
func (r reference) checkForm(constraint string) {
	form := regexp.MustCompile(`(?s)type Reminder struct.*?\n}`).FindString(r.source("tags"))
	if !regexp.MustCompile(`[",]` + constraint).MatchString(form) {
		r.t.Errorf("the form Reminder in the example tags lacks %s", constraint)
	}
}

// keywords writes the keys of the jsonschema tag. The example uses each of them.
func (r reference) keywords() string {
	rows := [][]string{{"key", "applies to", "in the example"}}
	for _, k := range schema.Keywords() {
		used := regexp.MustCompile(`[",](` + k.Name + `(=[^,"]*)?)[",]`).FindStringSubmatch(r.source("tags"))
		if used == nil {
			r.t.Errorf("the example tags lacks %s", k.Name)
			continue
		}
		rows = append(rows, []string{code(k.Name), k.On, code(used[1])})
	}
	return table(rows...)
}

func alternatives() string {
	rows := [][]string{{"instead of the key", "do this"}}
	all := schema.Elsewhere()
	for _, key := range slices.Sorted(maps.Keys(all)) {
		rows = append(rows, []string{code(key), all[key]})
	}
	return table(rows...)
}
