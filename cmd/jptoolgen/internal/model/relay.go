package model

import (
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/sdk/gen/question"
)

// relayName returns the name of the argument that relays the answer to the question with the given id.
func relayName(id string) string {
	return "answer_" + strings.ReplaceAll(strings.ToLower(id), "-", "_")
}

// relays reports questions of t whose answers a model must not relay, and arguments for relayed answers whose names
// are too long or already used.
func (b *builder) relays(t *Tool) {
	if t.Questions == nil {
		return
	}
	taken := map[string]string{}
	if t.Input != nil {
		for _, f := range t.Input.Fields() {
			taken[f.Name] = "parameter " + f.Name
		}
	}
	for _, q := range t.Questions.List {
		if q.Relay == "" {
			continue
		}
		switch {
		case q.Exclusive != "":
			b.list.Add(q.Pos, diag.BadRelay, "question %s is exclusive: a person must answer it, so a model cannot relay the answer", q.Field).
				Suggest("delete relay or exclusive from the ask tag")
		case q.Kind.Traits().Needs == question.NeedsSecrecy:
			b.list.Add(q.Pos, diag.BadRelay, "question %s asks for a secret, which a model must not see", q.Field).Suggest("delete relay from the ask tag")
		case q.Kind.Traits().Needs == question.NeedsPage:
			b.list.Add(q.Pos, diag.BadRelay, "question %s opens a page, which a model cannot do for the user", q.Field).Suggest("delete relay from the ask tag")
		case t.mayDestroy() && q.isConfirmation() && !q.Destructive:
			b.list.Add(q.Pos, diag.BadRelay, "question %s confirms a call to tool %s, which may be destructive, but a model could answer the question", q.Field, t.Name).
				Suggest("delete relay, declare the tool with destructive=false, or write relay=destructive to let a model answer it")
		}
		asked := q.contract()
		for _, a := range asked.Arguments() {
			switch other := taken[a.Name]; {
			case other != "":
				b.list.Add(q.Pos, diag.BadRelay, "the answer to question %s is relayed as argument %s, which belongs to %s", q.Field, a.Name, other).
					Suggest("tag the question `ask:\"...\"` with another id")
			case question.ValidID(q.ID) && len(a.Name) > schema.MaxName:
				b.list.Add(q.Pos, diag.BadRelay, "question %s is relayed as argument %s, whose name is longer than %d characters", q.Field, a.Name, schema.MaxName).
					Suggest("tag the question `ask:\"...\"` with a shorter id")
			}
			taken[a.Name] = "question " + q.Field
		}
	}
}

// isConfirmation reports whether the answer to q is yes or no, or a form with a yes-or-no field.
func (q *Question) isConfirmation() bool {
	isConsent := func(s Spec) bool { return s.Kind.Traits().Consent }
	return isConsent(q.Spec) || slices.ContainsFunc(q.Fields, isConsent)
}

// mayDestroy reports whether clients must assume that the tool is destructive (MCP 2025-11-25, ToolAnnotations).
func (t *Tool) mayDestroy() bool {
	a := t.Annotations
	return (a.Destructive == nil || *a.Destructive) && !isTrue(a.ReadOnly)
}
