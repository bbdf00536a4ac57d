package model

import (
	"cmp"
	"go/types"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/sdk/gen/question"
)

// A FormField is a field of a form.
type FormField struct {
	Name        string
	Description string
	Kind        question.Kind
	// Integer is set for numbers that must be integers.
	Integer  bool
	Optional bool
	// Values are the values of a choice.
	Values      []schema.Value
	Constraints schema.Constraints
}

// form reads the struct that is the answer to a form.
func (b *builder) form(qs *Questions, q *Question, v *types.Var, t types.Type) {
	site := schema.Site{Pos: b.docs.Pos(v), What: "question " + v.Name(), Name: qs.Name + v.Name()}
	if q.Object = b.in.Form(t, site); q.Object == nil {
		return
	}
	for _, f := range q.Object.Fields() {
		if f.Shape == nil {
			continue
		}
		text, _ := b.docs.Doc(f.Var) // values have their own comments
		field := FormField{
			Name: f.Name, Description: cmp.Or(f.Constraints.Description, text), Optional: !f.Required,
			Values: f.Shape.Values, Constraints: f.Extent(),
		}
		switch f.Shape.Kind {
		case schema.Bool:
			field.Kind = question.KindConfirm
		case schema.Enum:
			field.Kind = question.KindChoice
		case schema.Int, schema.Uint:
			field.Kind, field.Integer = question.KindNumber, true
		case schema.Float:
			field.Kind = question.KindNumber
		default:
			field.Kind = question.KindText
		}
		q.Fields = append(q.Fields, field)
		if id := q.ID + "-" + f.Name; question.ValidID(q.ID) && !question.ValidID(id) {
			b.list.Add(b.docs.Pos(v), diag.BadQuestionID, "question %s would ask for its field %s under the id %q, which is longer than %d characters", v.Name(), f.Name, id, question.MaxID).
				Suggest("tag the question `ask:\"...\"` with a shorter id")
		}
	}
}

// ids returns all ids under which q is asked. Hosts that do not support forms ask for each field separately.
func (q *Question) ids() []string {
	ids := []string{q.ID}
	for _, f := range q.Fields {
		ids = append(ids, q.ID+"-"+f.Name)
	}
	return ids
}

// asked converts the field to the Spec that the runtime uses.
func (f FormField) asked() question.Spec {
	s := spec(f.Name, f.Description, f.Constraints)
	s.Kind, s.Options, s.Integer, s.Optional = f.Kind, options(f.Values), f.Integer, f.Optional
	return s
}
