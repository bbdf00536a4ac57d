package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/tool"
)

// asking determines how the questions of a call reach the user.
type asking interface {
	// before adds the state of earlier rounds and the asker to r.
	before(r tool.Request) (tool.Request, error)
	// pending renders the questions whose answers arrive in a later round. An error ends the call
	// instead.
	pending(r tool.Request, out tool.Result, p *question.Pending) (Appender, error)
}

// asking selects how the questions of a call are asked.
func (r *Request) asking(entry Entry) asking {
	e := r.session.engine
	switch {
	case e.Reply != nil:
		return &byReply{e: e, contract: entry.Contract}
	case len(entry.Contract.Questions) == 0 || !r.canAsk():
		return cannotAsk{e, entry.Contract}
	case r.rounds:
		return &byRounds{r: r, contract: entry.Contract}
	}
	return inPlace{r}
}

// canAsk reports whether the client can show questions and respond to them.
func (r *Request) canAsk() bool {
	return r.elicits && (r.rounds || !r.session.alone && r.out.CanSend())
}

// cannotAsk is used for clients that cannot show questions. A model may relay its user's answers to
// some questions.
type cannotAsk struct {
	e        *Engine
	contract *manifest.Tool
}

func (w cannotAsk) before(r tool.Request) (tool.Request, error) {
	r.Asker = w.e.cannotAsk
	if w.e.relays && len(w.contract.Questions) > 0 {
		trust.Relay(w.contract, &r)
		r.Asker = question.CannotAsk(w.resend)
	}
	return r, nil
}

// resend returns text that tells the model how to relay the answer to q, or which clients can ask
// q.
func (w cannotAsk) resend(q question.Question) string {
	for i := range w.contract.Questions {
		declared := &w.contract.Questions[i]
		if declared.ID != q.Ref.Key || q.Ref.Subject != "" && !declared.Subjects {
			continue
		}
		switch arguments := declared.Arguments(); len(arguments) {
		case 0:
		case 1:
			return fmt.Sprintf("Ask the user, and call the tool again with the answer as the argument %q.", arguments[0].Name)
		default:
			names := make([]string, len(arguments))
			for i, a := range arguments {
				names[i] = strconv.Quote(a.Name)
			}
			return "Ask the user, and call the tool again with the answers as the arguments " + strings.Join(names, ", ") + "."
		}
	}
	return w.e.resend(q)
}

func (cannotAsk) pending(_ tool.Request, _ tool.Result, p *question.Pending) (Appender, error) {
	return nil, fault.Wrap(p, fault.InputUnavailable, "%s", p)
}

// inPlace asks while the handler waits (MCP 2025-06-18 to 2025-11-25, Elicitation).
type inPlace struct{ r *Request }

func (w inPlace) before(r tool.Request) (tool.Request, error) {
	r.Asker = question.Asker{
		Ask: w.ask, Forms: true, Person: true, Resend: w.r.session.engine.resend, Visits: w.r.visits, Done: w.r.visited,
	}
	return r, nil
}

func (inPlace) pending(_ tool.Request, _ tool.Result, p *question.Pending) (Appender, error) {
	return nil, fault.Wrap(p, fault.Internal, "%s, although handlers wait for answers in this protocol version", p)
}

// ask sends q to the client and waits for the answer.
func (w inPlace) ask(ctx context.Context, q question.Question) (question.Answer, error) {
	m, err := w.r.session.ask(ctx, w.r.send, methodElicit, appenderFunc(func(out *Writer) { form(out, q, w.r.version) }))
	switch {
	case ctx.Err() != nil:
		return question.Answer{}, ctx.Err()
	case err != nil:
		return question.Answer{}, fault.Wrap(err, fault.Canceled, "the client has disconnected")
	case m.Failure != nil:
		var failure struct{ Message string }
		_ = json.Unmarshal(m.Failure, &failure) // an error without a message is reported without one
		return question.Answer{}, fault.New(fault.InputUnavailable, "the client did not ask question %q: %s", q.ID, cmp.Or(phrase.Clip(failure.Message, mostShown), "it gave no reason"))
	}
	return answerOf(m.Result, q, w.r.version)
}

// visited notifies the client that its user has finished a visit.
func (r *Request) visited(q question.Question) {
	if r.visits {
		// The result tells the client the same, so a failed notification does not matter.
		_ = r.notify(noteVisited, map[string]string{"elicitationId": q.VisitID()})
	}
}

// answerName is the name of the only field in the form of a simple question.
const answerName = "answer"

// form appends q as the params of elicitation/create in a protocol version. A simple question
// becomes a form with one field.
func form(w *Writer, q question.Question, version string) {
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
	e.Mode, e.Message = "form", q.Message
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
	w.Value(e)
}

// answerOf decodes the result of an elicitation in a protocol version. If the result has a
// different shape, answerOf returns a [fault.InvalidAnswer] error.
func answerOf(result jsontext.Value, q question.Question, version string) (question.Answer, error) {
	var reply struct {
		Action  jsontext.Value `json:"action"`
		Content jsontext.Value `json:"content"`
	}
	if err := jsonv2.Unmarshal(result, &reply); err != nil {
		return question.Answer{}, fault.New(fault.InvalidAnswer, "the response to question %q is not the result of an elicitation", q.ID)
	}
	action, _ := unquoted(reply.Action)
	switch string(action) {
	case "accept":
		content := reply.Content
		if q.Kind == question.KindVisit {
			content = jsontext.Value("true") // the client has no form to return
		}
		if q.Kind != question.KindForm && content.Kind() == '{' {
			var fields map[string]jsontext.Value
			if err := jsonv2.Unmarshal(content, &fields); err != nil {
				return question.Answer{}, fault.New(fault.InvalidAnswer, "cannot parse the answer to question %q", q.ID)
			}
			if q.IsForm(version >= listsSince) {
				content = chosen(q, fields)
			} else {
				content = fields[answerName]
			}
		}
		return question.Answer{Content: json.RawMessage(content), Person: true}, nil
	case "decline":
		return question.Answer{Action: question.Decline}, nil
	case "cancel":
		return question.Answer{Action: question.Cancel}, nil
	}
	return question.Answer{}, fault.New(fault.InvalidAnswer, "the action for question %q must be accept, decline or cancel, got %s", q.ID, cmp.Or(phrase.Clip(string(reply.Action), mostShown), "nothing"))
}

// chosen returns the options whose fields are true, as a list.
func chosen(q question.Question, fields map[string]jsontext.Value) jsontext.Value {
	values := []string{}
	for _, o := range q.Options {
		if fields[o.Value].Kind() == 't' {
			values = append(values, o.Value)
		}
	}
	list, _ := rawjson.Encode(values) // strings cannot fail
	return list
}
