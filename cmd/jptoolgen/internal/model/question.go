package model

import (
	"cmp"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/question"
)

// KindOf returns the kind of question that the type of package elicit with this name declares, or "" for other types.
func KindOf(name string) question.Kind {
	for _, kind := range question.Kinds() {
		if schema.Title(string(kind)) == name {
			return kind
		}
	}
	return ""
}

// questionTypes lists the types of package elicit that declare questions.
func questionTypes() string {
	var names []string
	for _, kind := range question.Kinds() {
		names = append(names, schema.Title(string(kind)))
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// QuestionKeys returns the keys of the jsonschema tag that a type of package elicit supports.
func QuestionKeys(name string) []string { return strings.Fields(KindOf(name).Traits().Keys) }

// questionsOf reads a questions struct. All tools that use the struct share the result.
func (b *builder) questionsOf(t *Tool, p *types.Var) *Questions {
	q, done := b.questions.At(p.Type()).(*Questions)
	if !done {
		q = &Questions{Type: p.Type(), Name: t.Method.Name() + "Questions"}
		if named, ok := types.Unalias(p.Type()).(*types.Named); ok {
			q.Name = named.Obj().Name()
		}
		st := p.Type().Underlying().(*types.Struct)
		for i := range st.NumFields() {
			b.question(q, st.Field(i), st.Tag(i))
		}
		b.questions.Set(p.Type(), q)
	}
	b.riskyDefaults(t, q)
	return q
}

func (b *builder) question(qs *Questions, v *types.Var, tags string) {
	kind, arg, answer := questionType(v.Type())
	switch {
	case kind == "":
		b.list.Add(b.docs.Pos(v), diag.NotAQuestion, "field %s of a questions struct does not have a question type", v.Name()).
			Suggest("use a type from package elicit (%s), or move the field", questionTypes())
		return
	case v.Embedded():
		b.list.Add(b.docs.Pos(v), diag.NotAQuestion, "question %s is embedded", v.Name()).Suggest("give the field a name")
		return
	case !v.Exported():
		b.list.Add(b.docs.Pos(v), diag.NotAQuestion, "question %s is not exported", v.Name()).Suggest("start its name with an uppercase letter")
		return
	}
	b.in.CheckTag(v, tags, true)
	q := &Question{Spec: Spec{ID: schema.Snake(v.Name()), Kind: kind}, Var: v, Answer: answer, Field: v.Name(), Pos: b.docs.Pos(v)}
	b.askTag(q, tags)
	if !question.ValidID(q.ID) {
		b.list.Add(q.Pos, diag.BadQuestionID, "invalid question id %q: must consist of at most %d letters, digits, _ and -, and must not be reserved", q.ID, question.MaxID).
			Suggest("tag it `ask:\"%s\"`", schema.Snake(q.Field))
	}
	traits, shape := kind.Traits(), b.read(qs, q, arg)
	b.checkDistinct(qs, q)
	_, hasDefault := reflect.StructTag(tags).Lookup("default")
	switch {
	case traits.NoDefault != "" && hasDefault:
		b.list.Add(q.Pos, diag.BadAnswer, "question %s %s", q.Field, traits.NoDefault).Suggest("%s", traits.Hint)
	case shape != nil:
		q.Constraints = b.in.Answer(v, tags, shape, strings.Fields(traits.Keys)...)
		if least := count(q.Constraints.MinItems); least > len(q.Values) && len(q.Values) > 0 {
			b.list.Add(q.Pos, diag.BadConstraint, "question %s asks for at least %d of %d constants", q.Field, least, len(q.Values)).
				Suggest("lower minItems, or add constants")
		}
		if d := q.Constraints.Default; d != "" && q.runtimeSpec().Check([]byte(d)) != nil {
			b.list.Add(q.Pos, diag.BadAnswer, "default %s is not a valid answer to question %s", d, q.Field).Suggest("write %s", q.runtimeSpec().Accepts())
		}
	case traits.Source != question.Constants: // invalid constants have been reported
		q.Constraints = b.in.Answer(v, tags, &schema.Shape{Kind: schema.Any, Type: v.Type()})
	}
	if q.Constraints.Default != "" && q.Exclusive != "" {
		b.list.Add(q.Pos, diag.BadAnswer, "question %s is exclusive: a person must answer it, so it cannot have a default", q.Field).
			Suggest("delete the default")
	}
	q.Description = b.describe(v, q.Pos, "question "+q.Field, "what it asks", q.Constraints.Description)
	q.Comment = b.docs.comment(v)
	q.PerSubject = !q.Subjects && b.isAskedPerSubject(v)
	qs.List = append(qs.List, q)
}

// An AskOption is an option of the ask tag.
type AskOption struct {
	Name, Help string
	set        func(*Question)
}

// AskOptions returns the options of the ask tag.
func AskOptions() []AskOption {
	relay := func(destructive bool) func(*Question) {
		return func(q *Question) { q.Relay, q.Destructive = relayName(q.ID), destructive }
	}
	return []AskOption{
		{"exclusive", "only a person can answer; a default, a model or a configuration cannot. Cannot be used for a secret", func(q *Question) { q.Exclusive = question.ByPerson }},
		{"exclusive=host", "like `exclusive`, but the server also accepts an answer from a host that does not report who answered", func(q *Question) { q.Exclusive = question.ByHost }},
		{"subjects", "the tool asks the question only about subjects, with `For`. An answer under the declared id, if the host sends it, applies to every subject that has no separate answer. Cannot be combined with `exclusive`", func(q *Question) { q.Subjects = true }},
		{"relay", "if the client cannot ask, the model may ask the user and send the answer as the argument `answer_ID`, or `answer_ID_FIELD` for a form. Cannot be combined with `exclusive` or used for a secret", relay(false)},
		{"relay=destructive", "like `relay`, but for the confirmation of a tool that may be destructive, where `relay` alone is not enough", relay(true)},
	}
}

// askTag reads the ask tag of a question, which contains its id and who may answer it.
func (b *builder) askTag(q *Question, tags string) {
	tag, ok := reflect.StructTag(tags).Lookup("ask")
	if !ok {
		return
	}
	id, rest, _ := strings.Cut(tag, ",")
	if id != "" || rest == "" {
		q.ID = id
	}
	for option := range strings.SplitSeq(rest, ",") {
		var known []string
		for _, o := range AskOptions() {
			if known = append(known, o.Name); o.Name == option {
				o.set(q)
			}
		}
		if rest != "" && !slices.Contains(known, option) {
			b.list.Add(q.Pos, diag.BadQuestionID, "question %s has the unknown option %q in its ask tag", q.Field, option).
				Suggest("write one of %s", strings.Join(known, ", "))
		}
	}
	if q.Subjects && q.Exclusive != "" {
		b.list.Add(q.Pos, diag.BadQuestionID, "question %s is exclusive: a person must answer it for each subject, so one answer cannot apply to all", q.Field).
			Suggest("delete subjects from the ask tag")
	}
	if q.Kind.Traits().Needs == question.NeedsSecrecy && q.Exclusive == question.ByPerson {
		b.list.Add(q.Pos, diag.BadQuestionID, "question %s asks for an exclusive secret, which no protocol supports: MCP does not allow secrets, and JP does not report who answered", q.Field).
			Suggest("write exclusive=host in the ask tag, or delete exclusive")
	}
}

// checkDistinct reports questions with the same id, and an id that looks like the id of another question about a
// subject.
func (b *builder) checkDistinct(qs *Questions, q *Question) {
	for _, other := range qs.List {
		for _, pair := range [][2]*Question{{q, other}, {other, q}} {
			if subject, ok := strings.CutPrefix(pair[0].ID, pair[1].ID+"-"); ok && pair[1].Kind.Traits().Source != question.Struct {
				b.list.Add(q.Pos, diag.DuplicateQuestion, "question %s has the id %s, which is also the id of question %s about %q", pair[0].Field, pair[0].ID, pair[1].Field, subject).
					Suggest("tag one of them `ask:\"...\"` with another id")
			}
		}
		for _, id := range q.ids() {
			if slices.Contains(other.ids(), id) {
				b.list.Add(q.Pos, diag.DuplicateQuestion, "question %s has the same id %s as question %s", q.Field, id, other.Field).
					Suggest("tag it `ask:\"...\"` with another id")
			}
		}
	}
}

// checkVisible reports a choice whose type the generated file cannot refer to.
func (b *builder) checkVisible(q *Question, answer types.Type) {
	if schema.IsHidden(answer, b.pkg.Types) {
		name := types.TypeString(answer, func(p *types.Package) string { return p.Name() })
		b.list.Add(q.Pos, diag.NotAQuestion, "the answer to question %s has type %s, which this package cannot refer to", q.Field, name).
			Suggest("use an exported type of a package that this one may import")
	}
}

// questionType returns the kind of question that a type declares, its type argument or nil, and the type of the answer:
// the first result of its Ask method.
func questionType(t types.Type) (kind question.Kind, arg, answer types.Type) {
	if kind = KindOf(sdktypes.Name(t, sdktypes.Elicit)); kind == "" {
		return "", nil, nil
	}
	if args := sdktypes.Named(t).TypeArgs(); args.Len() == 1 {
		arg = args.At(0)
	}
	ask, _, _ := types.LookupFieldOrMethod(t, false, nil, "Ask")
	return kind, arg, ask.Type().(*types.Signature).Results().At(0).Type()
}

// simpleShapes holds the shapes of answers that are neither constants nor structs, keyed by the type in their schema.
var simpleShapes = map[string]*schema.Shape{
	"boolean": {Kind: schema.Bool, Type: types.Typ[types.Bool]},
	"string":  {Kind: schema.String, Type: types.Typ[types.String]},
	"number":  {Kind: schema.Float, Type: types.Typ[types.Float64]},
	"integer": {Kind: schema.Int, Type: types.Typ[types.Int64]},
}

// read reads the declared answers to q and returns the shape of an answer. It returns nil if the shape is only known at
// run time.
func (b *builder) read(qs *Questions, q *Question, arg types.Type) *schema.Shape {
	switch q.Kind.Traits().Source {
	case question.Constants:
		defer b.checkVisible(q, arg)
		if _, several := q.Answer.(*types.Slice); several {
			return b.readChoices(q, arg)
		}
		return b.choice(q, arg)
	case question.Struct:
		b.form(qs, q, arg)
		return nil
	case question.Runtime:
		return nil
	}
	return simpleShapes[rawjson.Text(rawjson.Get(jsontext.Value(q.runtimeSpec().Schema()), "type"))]
}

// choice reads the constants of the type of a choice.
func (b *builder) choice(q *Question, t types.Type) *schema.Shape {
	named, ok := types.Unalias(t).(*types.Named)
	if ok {
		q.Values = b.in.Values(named)
	}
	if len(q.Values) > 0 {
		b.in.SetOf(named, schema.Site{Pos: q.Pos, What: "question " + q.Field})
	} else {
		b.list.Add(q.Pos, diag.NoChoice, "question %s offers the constants of %s, which has no constants", q.Field, types.TypeString(t, types.RelativeTo(b.pkg.Types))).
			Suggest("declare a string type with a constant for each answer")
		return nil
	}
	for _, value := range q.Values {
		if value.Name == "" {
			b.list.Add(value.Const.Pos(), diag.NoChoice, "constant %s is empty, so it cannot be an answer", value.Const.Name()).Suggest("give it a value")
		}
	}
	return &schema.Shape{Kind: schema.Enum, Type: t, Values: q.Values}
}

// readChoices reads the constants of the type of a question with several answers.
func (b *builder) readChoices(q *Question, t types.Type) *schema.Shape {
	one := b.choice(q, t)
	if one == nil {
		return nil
	}
	for _, value := range q.Values {
		if strings.TrimSpace(value.Name) != value.Name || strings.ContainsAny(value.Name, ",[") {
			b.list.Add(value.Const.Pos(), diag.NoChoice, "constant %s is %q, which cannot be used in a comma-separated list of answers", value.Const.Name(), value.Name).
				Suggest("give it a value without commas, brackets or surrounding spaces")
		}
	}
	return &schema.Shape{Kind: schema.List, Type: types.NewSlice(t), Elem: one}
}

// form reads the struct that is the answer to a form.
func (b *builder) form(qs *Questions, q *Question, t types.Type) {
	site := schema.Site{Pos: q.Pos, What: "question " + q.Field, Name: qs.Name + q.Field}
	if q.Object = b.in.Form(t, site); q.Object == nil {
		return
	}
	for _, f := range q.Object.Fields() {
		text, _ := b.docs.Doc(f.Var) // values have separate comments
		field := Spec{
			ID: f.Name, Description: cmp.Or(f.Constraints.Description, text), Kind: question.KindText, Optional: !f.Required,
			Constraints: f.Extent(),
		}
		switch f.Shape.Kind {
		case schema.Bool:
			field.Kind = question.KindConfirm
		case schema.Enum:
			field.Kind, field.Values = question.KindChoice, f.Shape.Values
		case schema.Int, schema.Uint, schema.Float:
			field.Kind, field.Integer = question.KindNumber, f.Shape.Kind != schema.Float
		}
		if f.Shape.Kind != schema.Enum {
			field.Description = f.Description // lists the constants of an open set or of flags
		}
		q.Fields = append(q.Fields, field)
		if id := q.ID + "-" + f.Name; question.ValidID(q.ID) && !question.ValidID(id) {
			why, hint := fmt.Sprintf("is longer than %d characters", question.MaxID), "tag the question `ask:\"...\"` with a shorter id"
			if len(id) <= question.MaxID {
				why, hint = "is not a valid id", "use only letters, digits and _ in the name of the field"
			}
			b.list.Add(q.Pos, diag.BadQuestionID, "question %s would give its field %s the id %q, which %s", q.Field, f.Name, id, why).Suggest("%s", hint)
		}
	}
}

// ids returns all ids under which q is asked. Hosts that do not support forms ask for each field separately.
func (q *Question) ids() []string {
	ids := []string{q.ID}
	for _, f := range q.Fields {
		ids = append(ids, q.ID+"-"+f.ID)
	}
	return ids
}

// riskyDefaults reports destructive tools whose confirmation defaults to yes.
func (b *builder) riskyDefaults(t *Tool, qs *Questions) {
	if !isTrue(t.Annotations.Destructive) {
		return
	}
	for _, q := range qs.List {
		if q.Kind.Traits().Consent && q.Constraints.Default == "true" {
			b.list.Add(q.Pos, diag.RiskyDefault, "the default answer to question %s approves the destructive tool %s", q.Field, t.Name).
				Suggest("delete the default, or make it false")
		}
		for _, f := range q.Fields {
			if f.Kind.Traits().Consent && f.Constraints.Default == "true" {
				b.list.Add(q.Pos, diag.RiskyDefault, "the default of field %[3]s of question %[1]s approves the destructive tool %[2]s", q.Field, t.Name, f.ID).
					Suggest("delete the default, or make it false")
			}
		}
	}
}
