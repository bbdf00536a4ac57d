package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// A suspend renders the questions of a call whose answers arrive in a later round. An error ends
// the call.
type suspend func(call handler.Request, out handler.Result, p *question.Pending) (Appender, error)

// asking adds the asker and the state of earlier rounds to a call. The result is nil if no answer
// arrives in a later round.
func (r *Request) asking(call *handler.Request) (suspend, error) {
	e, contract := r.session.engine, r.entry.Contract
	switch {
	case e.Reply != nil:
		return r.byReply(call), nil
	case len(contract.Questions) == 0 || !r.canAsk():
		call.Asker = e.cannotAsk
		if e.relays && len(contract.Questions) > 0 { // a model may relay its user's answers to some questions
			trust.Relay(contract, call)
			call.Asker = question.CannotAsk(r.resend)
		}
		return nil, nil
	case r.rounds():
		return r.byRounds(call)
	}
	// The handler waits for the answer (MCP 2025-06-18 to 2025-11-25, Elicitation).
	call.Asker = question.Asker{Ask: r.ask, Forms: true, Person: true, Resend: e.resend, Visits: r.visits, Done: r.notifyVisited}
	return nil, nil
}

// canAsk reports whether the client can show questions and respond to them.
func (r *Request) canAsk() bool {
	return r.elicits && (r.rounds() || !r.session.alone && r.out.CanSend())
}

// byReply asks through a [Reply] that renders questions, for hosts that store the answers.
func (r *Request) byReply(call *handler.Request) suspend {
	e, contract := r.session.engine, r.entry.Contract
	current := run{e.Trust.Scope(contract.Name, *call), declaredAnswers(contract, call.Answers)}
	call.Asker = e.Asker
	call.Once = e.memory.recall(current, e.Log)
	if call.Once == nil && call.WorkspaceID != "" {
		// A host's first call lacks the workspace if there are no options and no answers (JP RFD
		// D31).
		unsaid := *call
		unsaid.WorkspaceID = ""
		call.Once = e.memory.recall(run{e.Trust.Scope(contract.Name, unsaid), current.answers}, e.Log)
	}
	return func(_ handler.Request, out handler.Result, p *question.Pending) (Appender, error) {
		e.memory.keep(current, p.IDs(), out.Once)
		return nil, p // the reply renders the questions
	}
}

// resend tells the model how to relay the answer to q, or which clients can ask q.
func (r *Request) resend(q question.Question) string {
	for _, declared := range r.entry.Contract.Questions {
		if declared.ID != q.Ref.Key || q.Ref.Subject != "" && !declared.Subjects {
			continue
		}
		var names []string
		for _, a := range declared.Arguments() {
			names = append(names, strconv.Quote(a.Name))
		}
		if len(names) == 1 {
			return "Ask the user, and call the tool again with the answer as the argument " + names[0] + "."
		}
		if len(names) > 1 {
			return "Ask the user, and call the tool again with the answers as the arguments " + strings.Join(names, ", ") + "."
		}
	}
	return r.session.engine.resend(q)
}

// ask sends q to the client and waits for the answer.
func (r *Request) ask(ctx context.Context, q question.Question) (question.Answer, error) {
	m, err := r.session.ask(ctx, r.send, methodElicit, form(q, r.version))
	switch {
	case ctx.Err() != nil:
		return question.Answer{}, ctx.Err()
	case err != nil:
		return question.Answer{}, fault.Wrap(err, fault.Canceled, "the client has disconnected")
	case m.Failure != nil:
		var failure struct{ Message string }
		_ = json.Unmarshal(m.Failure, &failure) // an error without a message is reported without one
		return question.Answer{}, fault.New(fault.InputUnavailable, "the client did not ask question %q: %s", q.ID, cmp.Or(phrase.Clip(failure.Message, maxShown), "it gave no reason"))
	}
	return answerOf(m.Result, q, r.version)
}

// notifyVisited notifies the client that its user has finished a visit.
func (r *Request) notifyVisited(q question.Question) {
	if r.visits { // the result tells the client the same, so a failure does not matter
		_ = r.notify(noteVisited, map[string]string{"elicitationId": q.VisitID()})
	}
}

// answerName is the name of the only field in the form of a simple question.
const answerName = "answer"

// form returns q as the params of elicitation/create. A simple question becomes a form with one
// field.
func form(q question.Question, version string) any {
	lists := version >= listsSince
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
func answerOf(result jsontext.Value, q question.Question, version string) (question.Answer, error) {
	reply, ok := members(result)
	if !ok {
		return question.Answer{}, fault.New(fault.InvalidAnswer, "the response to question %q is not the result of an elicitation", q.ID)
	}
	action, _ := unquote(reply["action"])
	switch string(action) {
	case "accept":
		content := reply["content"]
		if q.Kind == question.KindVisit {
			content = jsontext.Value("true") // the client has no form to return
		}
		if q.Kind != question.KindForm && content.Kind() == '{' {
			fields, ok := members(content)
			if !ok {
				return question.Answer{}, fault.New(fault.InvalidAnswer, "cannot parse the answer to question %q", q.ID)
			}
			content = fields[answerName]
			if q.IsForm(version >= listsSince) {
				content = chosenOptions(q, fields)
			}
		}
		return question.Answer{Content: json.RawMessage(content), Person: true}, nil
	case "decline":
		return question.Answer{Action: question.Decline}, nil
	case "cancel":
		return question.Answer{Action: question.Cancel}, nil
	}
	return question.Answer{}, fault.New(fault.InvalidAnswer, "the action for question %q must be accept, decline or cancel, got %s", q.ID, cmp.Or(phrase.Clip(string(reply["action"]), maxShown), "nothing"))
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
