package sdk_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A step is a question of a scenario, and the reaction to it.
type step struct {
	id, message string
	action      string // "" means accept
	answer      string // JSON
	// fields are the questions that are asked instead if the protocol does not support forms.
	fields []step
	// unfit means that the answer is invalid, so that the question is asked again: always, or only if a
	// person is known to have answered.
	unfit unfit
	try   int // 0 for the first time
}

type unfit int

const (
	typed    unfit = iota + 1 // ask again, because a person may have mistyped the answer
	selected                  // ask again only a person, because a JP host offers only valid values
)

// A scenario is a call with its script, and its outcome over every protocol and transport.
type scenario struct {
	name, tool, arguments string
	steps                 []step
	text, code            string

	// every is the reaction to each question, for a scenario without steps. args are additional flags for the
	// server.
	every *step
	args  []string
}

// answer returns the answer to the question at index i, as JSON.
func (s scenario) answer(i int) json.RawMessage {
	if s.every != nil {
		return json.RawMessage(s.every.answer)
	}
	return json.RawMessage(s.steps[i].answer)
}

var scenarios = []scenario{
	{name: "no question", tool: "echo", arguments: `{"text":"hi"}`, text: "hi"},
	{name: "one question", tool: "stage", arguments: `{"hunks":["a"]}`, text: "staged a",
		steps: []step{{id: "stage-a", message: "Stage a?", answer: `true`}}},
	{name: "three dependent questions", tool: "order", arguments: `{}`, text: "2 scoops of lemon", steps: []step{
		{id: "which-flavor", message: "Which flavor?", answer: `"lemon"`},
		{id: "scoops", message: "How many scoops of lemon?", answer: `2`},
		{id: "pay", message: "Pay for 2 scoops of lemon?", answer: `true`},
	}},
	{name: "declined in the middle", tool: "order", arguments: `{}`, code: "input_declined", steps: []step{
		{id: "which-flavor", message: "Which flavor?", answer: `"lemon"`},
		{id: "scoops", message: "How many scoops of lemon?", action: "decline"},
	}},
	{name: "canceled", tool: "order", arguments: `{}`, code: "input_declined", steps: []step{
		{id: "which-flavor", message: "Which flavor?", action: "cancel"},
	}},
	{name: "an answer of the wrong type", tool: "order", arguments: `{}`, code: "invalid_answer", steps: []step{
		{id: "which-flavor", message: "Which flavor?", answer: `true`, unfit: selected},
	}},
	{name: "an answer that is not one of the choices", tool: "order", arguments: `{}`, code: "invalid_answer", steps: []step{
		{id: "which-flavor", message: "Which flavor?", answer: `"chocolate"`, unfit: selected},
	}},
	{name: "a form", tool: "register", arguments: `{}`, text: `Ada with 2, lemon, dinner true, remark ""`, steps: []step{
		{id: "badge", message: "What goes on the badge?", answer: `{"name":"Ada","flavor":"lemon","guests":2,"dinner":true}`, fields: []step{
			{id: "badge-name", message: "What goes on the badge? Name on the badge.", answer: `"Ada"`},
			{id: "badge-flavor", message: "What goes on the badge? Flavor of the ice cream.", answer: `"lemon"`},
			{id: "badge-guests", message: "What goes on the badge? Guests who come along.", answer: `2`},
			{id: "badge-dinner", message: "What goes on the badge? Dinner is included.", answer: `true`},
			{id: "badge-remark", message: "What goes on the badge? Remark for the organizers.", answer: `""`},
		}},
	}},
	{name: "a form that does not fit", tool: "register", arguments: `{}`, code: "invalid_answer", steps: []step{
		{id: "badge", message: "What goes on the badge?", answer: `{"name":"A","flavor":"lemon","guests":2,"dinner":true}`, unfit: typed, fields: []step{
			{id: "badge-name", message: "What goes on the badge? Name on the badge.", answer: `"A"`, unfit: typed},
		}},
	}},
	{name: "one question about five subjects", tool: "stage", arguments: `{"hunks":["a","b","c","d","e"]}`, text: "staged a,c,e", steps: []step{
		{id: "stage-a", message: "Stage a?", answer: `true`},
		{id: "stage-b", message: "Stage b?", answer: `false`},
		{id: "stage-c", message: "Stage c?", answer: `true`},
		{id: "stage-d", message: "Stage d?", answer: `false`},
		{id: "stage-e", message: "Stage e?", answer: `true`},
	}},
	{name: "work done once before a question", tool: "draft", arguments: `{"topic":"tea"}`, text: "published Green as draft 1", steps: []step{
		{id: "title", message: "What is the title of the draft on tea?", answer: `"Green"`},
		{id: "publish", message: `Publish "Green"?`, answer: `true`},
	}},
	{name: "an error after a question", tool: "draft", arguments: `{"topic":"tea"}`, code: "conflict", steps: []step{
		{id: "title", message: "What is the title of the draft on tea?", answer: `"Green"`},
		{id: "publish", message: `Publish "Green"?`, answer: `false`},
	}},
}

// An ending is the outcome of a call on a wire.
type ending struct {
	text, code string
	asked      int
}

// A wireUnderTest runs a scenario with its own server. The test fails if a question is not the next one in the
// script.
type wireUnderTest struct {
	name string
	// declines reports whether a tool is notified if a question was not answered. A JP host ends such a call
	// itself.
	declines bool
	// forms reports whether the protocol supports forms.
	forms bool
	run   func(t *testing.T, s scenario) ending
}

func TestEveryScenarioOnEveryWire(t *testing.T) {
	for _, w := range wires {
		t.Run(w.name, func(t *testing.T) {
			for _, s := range scenarios {
				refuses := slices.ContainsFunc(s.steps, func(s step) bool { return s.action != "" })
				if refuses && !w.declines {
					continue
				}
				if !w.forms {
					s = s.byFields()
				}
				s = s.again(w.declines)
				t.Run(s.name, func(t *testing.T) {
					t.Parallel()
					got := w.run(t, s)
					if want := (ending{s.text, s.code, len(s.steps)}); got != want {
						t.Errorf("ended with %+v, want %+v", got, want)
					}
				})
			}
		})
	}
}

var wires = []wireUnderTest{
	{"MCP multi round-trip", true, true, runRounds},
	{"MCP elicitation 2025-11-25", true, true, func(t *testing.T, s scenario) ending { return runElicitation(t, "2025-11-25", s) }},
	{"MCP elicitation 2025-06-18", true, true, func(t *testing.T, s scenario) ending { return runElicitation(t, "2025-06-18", s) }},
	{"MCP elicitation, new version by initialize", true, true, func(t *testing.T, s scenario) ending { return runElicitation(t, "2026-07-28", s) }},
	{"MCP multi round-trip over HTTP", true, true, func(t *testing.T, s scenario) ending { return overHTTP(t, s, serve(t, nil, s.args...)) }},
	{"MCP elicitation over HTTP", true, true, func(t *testing.T, s scenario) ending {
		return runClientOver(t, &mcp.StreamableClientTransport{Endpoint: serve(t, nil, s.args...).url}, "2025-11-25", s)
	}},
	{"go-sdk's client", true, true, runClient},
	{"JP Outcome", false, false, func(t *testing.T, s scenario) ending { return runOutcome(t, "outcome", s) }},
	{"JP Outcome, untagged", false, false, func(t *testing.T, s scenario) ending { return runOutcome(t, "outcome-untagged", s) }},
	{"in process", true, true, runInProcess},
	{"JP content blocks", false, true, runBlocks},
	{"JP local tool", false, false, func(t *testing.T, s scenario) ending { return runLocal(t, "outcome", s) }},
	{"JP local tool, untagged", false, false, func(t *testing.T, s scenario) ending { return runLocal(t, "outcome-untagged", s) }},
	{"JP command plugin", false, false, runPlugin},
}

// byFields returns s with separate questions instead of forms.
func (s scenario) byFields() scenario {
	var steps []step
	for _, step := range s.steps {
		if step.fields != nil {
			steps = append(steps, step.fields...)
		} else {
			steps = append(steps, step)
		}
	}
	s.steps = steps
	return s
}

// again returns s with the questions that are asked again. persons is set for protocols that notify a tool
// if a question was declined; they also distinguish a person's answer from a configured one.
func (s scenario) again(persons bool) scenario {
	var steps []step
	for _, step := range s.steps {
		steps = append(steps, step)
		for try := 2; try <= 3 && (step.unfit == typed || step.unfit == selected && persons); try++ {
			next := step
			next.id, next.try = fmt.Sprintf("%s--%d", step.id, try), try
			steps = append(steps, next)
		}
	}
	s.steps = steps
	return s
}

// next returns the response to the question at index i of the script, as MCP clients send it.
func (s scenario) next(t *testing.T, i int, id, message string) string {
	t.Helper()
	if s.every == nil && i >= len(s.steps) {
		t.Fatalf("one question too many: %q %s", id, message)
	}
	var want step
	if s.every != nil {
		want = *s.every
	} else {
		want = s.steps[i]
	}
	if s.every == nil && (id != "" && id != want.id || !strings.HasSuffix(message, want.message)) {
		t.Errorf("question %d is %q %q, want %q %q", i+1, id, message, want.id, want.message)
	}
	if want.action != "" {
		return fmt.Sprintf(`{"action":%q}`, want.action)
	}
	if want.fields != nil {
		return `{"action":"accept","content":` + want.answer + `}`
	}
	return `{"action":"accept","content":{"answer":` + want.answer + `}}`
}

func (r result) ending(asked int) ending {
	e := ending{code: r.Meta["computer.jp/error"].Code, asked: asked}
	if !r.IsError {
		e.text = r.text()
	}
	return e
}

// A message is a line from the server, possibly a request.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Message string `json:"message"`
		Mode    string `json:"mode"`
		Schema  struct {
			Type     string
			Required []string
		} `json:"requestedSchema"`
	} `json:"params"`
}

// runElicitation runs a scenario with a client that answers elicitation/create.
func runElicitation(t *testing.T, version string, s scenario) ending {
	p := launch(t, s.args...)
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{"elicitation":{}},"clientInfo":{"name":"test","version":"1"}}}`, version))
	p.recv()
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, s.tool, s.arguments))
	for asked := 0; ; asked++ {
		line := p.recv()
		var m message
		if err := json.Unmarshal([]byte(line.raw), &m); err != nil {
			t.Fatal(err)
		}
		if m.Method == "" {
			return line.Result.ending(asked)
		}
		if m.Method != "elicitation/create" || m.Params.Schema.Type != "object" || len(m.Params.Schema.Required) == 0 {
			t.Fatalf("the server asks %s", line.raw)
		}
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, s.next(t, asked, "", m.Params.Message)))
	}
}

const modernMeta = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`

// A round is a result that may contain questions.
type round struct {
	Type          string                     `json:"resultType"`
	State         string                     `json:"requestState"`
	InputRequests map[string]message         `json:"inputRequests"`
	Content       []map[string]string        `json:"content"`
	Meta          map[string]json.RawMessage `json:"_meta"`
}

// round sends one round of a call and returns its result.
func (p *process) round(tool, arguments, meta, state, responses string) (round, response) {
	p.t.Helper()
	extra := ""
	if state != "" {
		extra = fmt.Sprintf(`,"requestState":%q`, state)
	}
	if responses != "" {
		extra += `,"inputResponses":` + responses
	}
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":%s%s}}`, tool, arguments, meta, extra))
	line := p.recv()
	var r struct{ Result round }
	if err := json.Unmarshal([]byte(line.raw), &r); err != nil || line.Error != nil {
		p.t.Fatalf("%s: %v", line.raw, err)
	}
	return r.Result, line
}

// runRounds runs a scenario with a client of the version in which results contain questions.
func runRounds(t *testing.T, s scenario) ending {
	p := launch(t, s.args...)
	state, responses := "", ""
	for asked := 0; ; asked++ {
		r, line := p.round(s.tool, s.arguments, modernMeta, state, responses)
		if r.Type == "complete" {
			return line.Result.ending(asked)
		}
		if r.Type != "input_required" || len(r.InputRequests) != 1 || r.State == "" || strings.Contains(line.raw, `"content"`) {
			t.Fatalf("round %d: %s", asked+1, line.raw)
		}
		for id, ask := range r.InputRequests {
			if ask.Method != "elicitation/create" || ask.Params.Mode != "form" {
				t.Errorf("request %q is %+v", id, ask)
			}
			state, responses = r.State, fmt.Sprintf(`{%q:%s}`, id, s.next(t, asked, id, ask.Params.Message))
		}
	}
}
