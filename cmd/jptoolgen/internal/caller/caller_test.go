package caller

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
)

func TestRedact(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":1,"password":"x"}`:                             `{"a":1,"password":"***"}`,
		`{"API_KEY":"x","apiKeys":["x","y"],"key":"k"}`:      `{"API_KEY":"***","apiKeys":"***","key":"k"}`,
		`{"clientSecret":7,"authorization":null}`:            `{"clientSecret":"***","authorization":"***"}`,
		`{"progressToken":3,"token":"x"}`:                    `{"progressToken":3,"token":"***"}`,
		`{"properties":{"token":{"type":"string"}}}`:         `{"properties":{"token":{"type":"string"}}}`,
		`{"requestState":"AZk3"}`:                            `{"requestState":"***"}`,
		`{"text":"it is hunter2!"}`:                          `{"text":"it is ***!"}`,
		`{"text":"q\"uo\\te and {\"a\":\"q\\\"uo\\\\te\"}"}`: `{"text":"*** and {\"a\":\"***\"}"}`,
		`["password"]`:     `["password"]`,
		`9007199254740993`: `9007199254740993`,
		`{"password":`:     `(12 bytes that are not JSON)`,
		`listening`:        `(9 bytes that are not JSON)`,
	} {
		if got := Redact([]byte(in), []string{"hunter2", "a", `q"uo\te`}, nil); got != want {
			t.Errorf("Redact(%s) = %s, want %s", in, got, want)
		}
	}
	if got := Redact([]byte(`"`+strings.Repeat("x", 100_000)+`"`), nil, nil); len(got) > 20_000 || !strings.HasSuffix(got, "… (100002 bytes)") {
		t.Errorf("a long message has %d bytes", len(got))
	}
}

func newAnswers(t *testing.T, list ...string) *Answers {
	t.Helper()
	a := &Answers{Given: map[string]shape.Assignment{}}
	for _, word := range list {
		one, err := shape.Assign(word, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		a.Given[one.Name] = one
	}
	return a
}

const ticket = `{"type":"object","required":["holder","class"],"properties":{"holder":{"type":"string"},
	"class":{"type":"string","enum":["first","second"],"default":"second"},"seats":{"type":"integer","default":2},
	"remark":{"type":"string"},"age":{"type":"number"},"dinner":{"type":"boolean"},"color":{"type":"string","enum":["red"]}}}`

func TestAnswers(t *testing.T) {
	yes := shape.Schema{Types: []string{"boolean"}}
	form := shape.Read(jsontext.Value(`{"type":"object","required":["street"],"properties":{"street":{"type":"string"},"floor":{"type":"integer"}}}`))
	one := shape.Read(jsontext.Value(`{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}`))
	questions := []manifest.Question{
		{ID: "pay", Schema: manifest.Schema(`{"type":"boolean"}`)}, {ID: "pay-all", Schema: manifest.Schema(`{"type":"boolean"}`)},
		{ID: "ticket", Schema: manifest.Schema(ticket)},
	}
	holder, seats := shape.Schema{Types: []string{"string"}}, shape.Schema{Types: []string{"string"}, Default: jsontext.Value(`"2"`)}
	text, boolean := shape.Schema{Types: []string{"string"}}, yes
	whole := shape.Read(jsontext.Value(ticket))
	const digest = "-abcdefghijklmnopqrstuvwxyz"
	for _, tc := range []struct {
		name  string
		given []string
		q     Question
		want  string // "" if no answer is found
	}{
		{"by id", []string{"pay=true"}, Question{ID: "pay", Schema: yes}, `true`},
		{"as JSON", []string{"pay:=false"}, Question{ID: "pay", Schema: yes}, `false`},
		{"answer for another question", []string{"pay=true"}, Question{ID: "pay-all", Schema: yes}, ``},
		{"a subject, answered by the plain id", []string{"pay=true"}, Question{ID: "pay-ada", Schema: yes}, `true`},
		{"a subject with its own answer", []string{"pay=true", "pay-ada=false"}, Question{ID: "pay-ada", Schema: yes}, `false`},
		{"an id with a digest", []string{"pay=yes"}, Question{ID: "pay-a_txt" + digest, Schema: yes}, `true`},
		{"any subject with its own answer", []string{"pay=true", "pay-b.c=false"}, Question{ID: question.SubjectID("pay", "b.c"), Schema: yes}, `false`},
		{"another subject", []string{"pay-a=yes"}, Question{ID: "pay-a-b" + digest, Schema: yes}, ``},
		{"a subject of another question", []string{"pay=yes"}, Question{ID: "pay-all-ada", Schema: yes}, ``},
		{"without an id", []string{"answer=true"}, Question{Schema: yes}, `true`},
		{"the fields of a form", []string{"to.street=Main", "to.floor=2"}, Question{ID: "to", Schema: form, Form: true}, `{"floor":2,"street":"Main"}`},
		{"a form as JSON", []string{`to:={"street":"Main"}`}, Question{ID: "to", Schema: form, Form: true}, `{"street":"Main"}`},
		{"a form with one field", []string{"one=7"}, Question{ID: "one", Schema: one, Form: true}, `{"n":7}`},
		{"a form of one field as JSON", []string{`one:={"n":7}`}, Question{ID: "one", Schema: one, Form: true}, `{"n":7}`},
		{"a form of one field, as JSON of that", []string{`one:=7`}, Question{ID: "one", Schema: one, Form: true}, `{"n":7}`},
		{"the name of the only field of a form", []string{`one.n=7`}, Question{ID: "one", Schema: one, Form: true}, `{"n":7}`},
		{"a form without a required field", []string{"to.floor=2"}, Question{ID: "to", Schema: form, Form: true}, ``},
		{"a form without an id", []string{"street=Main"}, Question{Schema: form, Form: true}, `{"street":"Main"}`},
		{"a form with defaults", []string{"ticket.holder=A"}, Question{ID: "ticket", Schema: whole, Form: true}, `{"class":"second","holder":"A","seats":2}`},
		{"a form as JSON, with defaults", []string{`ticket:={"holder":"A"}`}, Question{ID: "ticket", Schema: whole, Form: true}, `{"class":"second","holder":"A","seats":2}`},
		{"a form with dashes", []string{"ticket-holder=A"}, Question{ID: "ticket", Schema: whole, Form: true}, `{"class":"second","holder":"A","seats":2}`},
		{"a form about a subject", []string{"ticket.holder=A", "ticket-ada.holder=B"}, Question{ID: "ticket-ada", Schema: whole, Form: true}, `{"class":"second","holder":"B","seats":2}`},
		{"a form with only defaults", nil, Question{ID: "ticket", Schema: whole, Form: true}, ``},
		{"a field", []string{"ticket.holder=A"}, Question{ID: "ticket-holder", Schema: holder}, `"A"`},
		{"a field of JSON", []string{`ticket:={"holder":"A"}`}, Question{ID: "ticket-holder", Schema: holder}, `"A"`},
		{"a field with a default", []string{"ticket.holder=A"}, Question{ID: "ticket-seats", Schema: seats}, `"2"`},
		{"an optional field", []string{"ticket.holder=A"}, Question{ID: "ticket-remark", Schema: text}, `""`},
		{"an optional number", []string{"ticket.holder=A"}, Question{ID: "ticket-age", Schema: text}, `""`},
		{"an optional boolean", []string{"ticket.holder=A"}, Question{ID: "ticket-dinner", Schema: boolean}, `false`},
		{"an optional choice", []string{"ticket.holder=A"}, Question{ID: "ticket-color", Schema: text}, `""`},
		{"a required field", []string{"ticket.age=7"}, Question{ID: "ticket-holder", Schema: holder}, ``},
		{"a field of a form without answers", nil, Question{ID: "ticket-seats", Schema: seats}, ``},
		{"a field of a form about a subject", []string{"ticket.holder=A"}, Question{ID: "ticket-ada-holder" + digest, Schema: holder}, `"A"`},
		{"a field of a form about a subject with its own answer", []string{"ticket.holder=A", "ticket-ada.holder=B"}, Question{ID: question.SubjectID("ticket", "ada", "holder"), Schema: holder}, `"B"`},
		{"a field of a form about any subject", []string{"ticket.holder=A", "ticket-b.c.holder=B"}, Question{ID: question.SubjectID("ticket", "b.c", "holder"), Schema: holder}, `"B"`},
		{"a form about any subject", []string{"ticket.holder=A", "ticket-b.c.holder=B"}, Question{ID: question.SubjectID("ticket", "b.c"), Schema: whole, Form: true}, `{"class":"second","holder":"B","seats":2}`},
		{"a form about a subject that ends like a field", []string{"ticket-ada-holder=B"}, Question{ID: question.SubjectID("ticket", "ada-holder"), Schema: whole, Form: true}, ``},
		{"a form about a subject that ends like a field, as JSON", []string{`ticket-ada-holder:={"holder":"A"}`}, Question{ID: question.SubjectID("ticket", "ada-holder"), Schema: whole, Form: true}, `{"class":"second","holder":"A","seats":2}`},
		{"a field of a form about a subject that looks like another", []string{"ticket-a_b.holder=B"}, Question{ID: "ticket-a_b-holder" + digest, Schema: holder}, ``},
		{"an unknown field", []string{"ticket.holder=A"}, Question{ID: "ticket-other", Schema: text}, ``},
		{"a field of an unknown form", []string{"to.street=Main"}, Question{ID: "to-street", Schema: text}, `"Main"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			answers := newAnswers(t, tc.given...)
			answers.Declare(questions)
			got, err := answers.Ask(t.Context(), tc.q)
			_, waits := errors.AsType[*WaitingError](err)
			if string(got) != tc.want || waits != (tc.want == "") {
				t.Errorf("%s, %v; want %s", got, err, tc.want)
			}
		})
	}
}

// Consent to one subject does not apply to another.
func TestAnswersForSubjects(t *testing.T) {
	questions := []manifest.Question{
		{ID: "stage", Schema: manifest.Schema(`{"type":"boolean"}`)}, {ID: "name", Schema: manifest.Schema(`{"type":"string"}`)},
		{ID: "seat", Schema: manifest.Schema(`{"type":"object","required":["table"],"properties":{"table":{"type":"integer"}}}`)},
	}
	a := newAnswers(t, "stage-a=true", "stage-b.c=false", "name=Kim", "seat-b.c.table=4", "seat-d-table=5", "other=x")
	a.Declare(questions)
	got, err := a.Typed()
	want := map[string]json.RawMessage{
		"stage-a": []byte("true"), "stage-b.c": []byte("false"), "name": []byte(`"Kim"`), "seat-b.c": []byte(`{"table":4}`), "seat-d": []byte(`{"table":5}`),
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s, %v", got, err)
	}
	if unused := a.Unused(); len(unused) != 1 || unused[0] != "other" {
		t.Errorf("unused: %v", unused)
	}
	maybe := newAnswers(t, "stage-a=maybe")
	maybe.Declare(questions)
	if _, err := maybe.Typed(); err == nil || !strings.Contains(err.Error(), "--answer stage-a must be yes or no") {
		t.Errorf("invalid answer: got %v", err)
	}
}

// Every question is asked with the blocks before it, whatever its position and status.
func TestReadBlocks(t *testing.T) {
	text := func(s string) string { return `{"type":"text","text":"` + s + `"}` }
	question := func(id string) string {
		return `{"type":"question","question":{"id":"` + id + `","text":"` + id + `?","schema":{"type":"boolean"}}}`
	}
	for _, tt := range []struct{ blocks, status, asks, shown string }{
		{text("a") + "," + text("b"), "", "", "a\nb"},
		{question("x"), "", "x()", ""},
		{text("a") + "," + text("b") + "," + question("x") + "," + text("c"), "waiting", "x(a\nb)", "c"},
		{text("a") + "," + question("x") + "," + text("b") + "," + question("y"), "stopped", "x(a) y(b)", ""},
		{question("x") + `,{"type":"other"},` + question("y"), "unknown", "x() y()", ""},
	} {
		doc := `{"content":[` + tt.blocks + `],"_meta":{"computer.jp/status":"` + tt.status + `"}}`
		out := readBlocks(&peer.Result{Content: []peer.Block{{Type: "text", Text: doc}}, IsError: tt.asks != ""})
		var asks []string
		for _, q := range out.Questions {
			asks = append(asks, q.ID+"("+q.Preamble+")")
		}
		if got := strings.Join(asks, " "); got != tt.asks || out.Text != tt.shown || out.Warning != "" {
			t.Errorf("%s: asks %q and shows %q (%s), want %q and %q", doc, got, out.Text, out.Warning, tt.asks, tt.shown)
		}
	}
}
