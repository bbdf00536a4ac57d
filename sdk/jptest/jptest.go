// Package jptest tests tools, resources and prompts without a host.
//
// A [Kit] serves a server in memory and acts as the host: a test scripts the answers, calls a tool and checks
// the [Outcome]. A wire ([Wire]) is a protocol and its transport. On wires where a handler runs again after each
// answer, the kit runs each round that ends in a question twice. The test fails if a round does not first
// repeat the answered questions, in the same order and with the same ids and messages. It also fails if a result
// is truncated to the budget of its tool, but not if a page returns fewer items and a cursor for the rest. A kit
// also compares the generated code with its source: outdated code fails the test.
//
//	kit := jptest.New(t, notes.NewServer(&notes.Notes{}))
//	out := kit.Call("note_delete", map[string]any{"id": "A1"}, jptest.Answer("confirm", false))
//	out.Failed(t, fault.InputDeclined)
//
// [Kit.Read] reads a resource, [Kit.Get] gets a prompt, and [Kit.Complete] completes a value.
//
// [Wires] runs one script on every wire, [Main] checks how many of the declared questions and error codes occur
// in the tests of a package, [Outcome.Golden] compares a result with a file, and [Fuzz] fuzzes the input of a
// tool.
package jptest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// A Kit is a server under test and the host that calls it. It is safe for concurrent use.
type Kit struct {
	t           testing.TB
	server      *sdk.Server
	options     Options
	ctx         context.Context // the context of the server
	coverage    coverage
	call        caller
	toolOptions map[string]json.RawMessage
	answers     map[string]map[string]json.RawMessage
	written     sync.Map // maps ids of questions about a subject to ids with the original subject
}

// Options configure the host of a [Kit].
type Options struct {
	// Wire is the protocol and transport of the calls.
	Wire Wire
	// Root is the root directory of the calls. If it is "", they use the working directory, which is the
	// directory of the package under test.
	Root string
	// Principal is the caller that [tool.Call.Principal] returns, on the wires that can authenticate callers: MCP over
	// HTTP, and calls in the same process. On other wires, the caller is unknown.
	Principal string
	// ToolOptions contains the options of each tool, encoded as JSON. They override those that environment variables
	// set. Set secrets with [testing.T.Setenv] instead. The test fails if the contract has no such option.
	ToolOptions map[string]any
	// Answers are configured answers, keyed by tool and question id. The script needs no replies to these questions.
	// As in JP, the host sends a configured answer after the tool has asked the question with this id; on
	// [JPOutcomeUntagged] and on MCP's wires, it sends the answers with the first run.
	Answers map[string]map[string]any
	// Mask matches parts of text and structured content that differ from run to run, such as times and random
	// ids. Comparisons between wires and with golden files ignore these parts and Root. Structured content is
	// compared as JSON that is indented with two spaces, as in "id": "x".
	Mask *regexp.Regexp
}

// New returns a kit that serves s to a JP host until the test ends. The test fails if s cannot be served, or
// if its generated code is older than its source. Functions registered with [sdk.Server.OnStart] run only on
// [JPLocal] and [JPPlugin], before each round.
func New(t testing.TB, s *sdk.Server) *Kit {
	t.Helper()
	return NewWith(t, s, Options{})
}

// NewWith is like [New] but configures the host.
func NewWith(t testing.TB, s *sdk.Server, o Options) *Kit {
	t.Helper()
	checkGenerated(t, s)
	if o.Wire.open == nil {
		o.Wire = JPOutcome
	}
	k := &Kit{
		t: t, server: s, options: o, coverage: coverage{servers: []*manifest.Server{s.Contract()}, seen: map[event]bool{}},
		toolOptions: encodeAll(t, o.ToolOptions), answers: map[string]map[string]json.RawMessage{},
	}
	k.ctx = handler.Rehearse(context.Background(), func(problem string) { t.Errorf("%s", problem) })
	k.ctx = handler.Observe(k.ctx, k.observe)
	for tool, byID := range o.Answers {
		k.answers[tool] = encodeAll(t, byID)
	}
	k.checkNames()
	k.call = o.Wire.open(k)
	return k
}

// observe records an event of a run.
func (k *Kit) observe(e *handler.Event) {
	if q := e.Question; e.Moment == handler.Asked && q.Ref.Subject != "" {
		k.written.Store(q.ID, q.Ref.Key+"-"+q.Ref.Subject)
	}
	k.coverage.observe(k.server.Contract(), e)
	all.observe(k.server.Contract(), e)
}

// environment returns the options that environment variables set, as every server that runs as a program reads them.
func (k *Kit) environment() map[string]json.RawMessage {
	values := map[string]any{}
	server := k.server.Contract()
	for _, t := range server.Calls() {
		set := map[string]string{}
		for _, name := range optionNames(t) {
			secret := slices.ContainsFunc(manifest.Secrets(t.Options), func(s manifest.Secret) bool { return s.Name == name })
			for _, named := range append(slices.Clip(t.Aliases), manifest.Alias{Name: t.Name}) {
				variable := (&manifest.Tool{Name: named.Name, Shared: t.Shared}).Variable(server.Name, name)
				if value, found := os.LookupEnv(variable); found && (value != "" || !secret) {
					set[name] = value
				}
			}
		}
		values[t.Name] = set
	}
	return encodeAll(k.t, values)
}

func optionNames(t *manifest.Tool) (names []string) {
	for _, m := range rawjson.Parts(rawjson.Get(jsontext.Value(t.Options), "properties")) {
		names = append(names, m.Name)
	}
	return names
}

// checkNames fails the test if an option or an answer in [Options] belongs to nothing in the contract.
func (k *Kit) checkNames() {
	k.t.Helper()
	find := func(field, name string) *manifest.Tool {
		k.t.Helper()
		t := k.contract(name)
		if t == nil {
			k.t.Fatalf("%s: the server has no tool, resource or prompt %q", field, name)
		}
		return t
	}
	for name, options := range k.toolOptions {
		t := find("ToolOptions", name)
		for _, m := range rawjson.Parts(jsontext.Value(options)) {
			if known := optionNames(t); !slices.Contains(known, m.Name) {
				k.t.Fatalf("ToolOptions: tool %q has no option %q (known: %s)", name, m.Name, cmp.Or(strings.Join(known, ", "), "none"))
			}
		}
	}
	for name, answers := range k.answers {
		find("Answers", name)
		for id := range answers {
			if k.declaredQuestion(name, id).ID == "" {
				k.t.Fatalf("Answers: tool %q has no question %q", name, id)
			}
		}
	}
}

// contract returns the contract of a tool, or that of a resource or prompt as that of a tool, or nil.
func (k *Kit) contract(name string) *manifest.Tool {
	if t, _, ok := k.server.Contract().Resolve(name); ok {
		return t
	}
	for _, t := range k.server.Contract().Calls() {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// A call is the state of a call in progress, or of a request that reads a resource or gets a prompt.
type call struct {
	kit    *Kit
	args   json.RawMessage
	script []Reply
	// run makes another request than a call to a tool; nil makes a call.
	run func(*call, context.Context, *peer.Session) error

	mu   sync.Mutex
	used []bool // for each reply of the script
	out  Outcome
	err  error // an error in the script
}

// Call calls a tool with args, encoded as JSON, and answers its questions from the script. The test fails if a
// question has no reply, a reply has no question, the outcome is not valid in JP, or it differs from the outcome
// on another wire.
func (k *Kit) Call(tool string, args any, script ...Reply) Outcome {
	k.t.Helper()
	data, err := json.Marshal(args)
	if err != nil {
		k.t.Fatalf("%s: encoding the arguments: %v", tool, err)
	}
	return k.do(&call{args: data, script: script, out: Outcome{Tool: tool}})
}

// do makes a call and checks its outcome.
func (k *Kit) do(c *call) Outcome {
	k.t.Helper()
	c.kit, c.used = k, make([]bool, len(c.script))
	tool := c.out.Tool
	err := k.call(k.ctx, c)
	if err = cmp.Or(c.err, err); err != nil {
		k.t.Fatalf("%s: %v", tool, err)
	}
	for i, r := range c.script {
		if !c.used[i] {
			k.t.Errorf("%s: question %q was not asked", tool, r.id)
		}
	}
	if seen := k.options.Wire.seen; seen != nil {
		if difference := seen.compare(k.options.Wire.name, tool, k.parts(c.out)); difference != "" {
			k.t.Errorf("%s: the results differ between wires: %s", tool, difference)
		}
	}
	c.out.kit = k
	return c.out
}

// answer records a question, and returns the script's reply to it.
func (c *call) answer(q Question) (Reply, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out.Asked = append(c.out.Asked, Question{ID: q.ID, Text: q.Text, Preamble: q.Preamble, Options: q.Options, Default: q.Default})
	r, ok := c.reply(q.ID)
	err := r.err
	if !ok {
		err = fmt.Errorf("the test has no reply to question %q (%s): %s", c.kit.writtenID(c.out.Tool, q.ID), c.kit.accepts(c.out.Tool, q), q.Text)
	} else if q.field && c.kit.form(c.out.Tool, r.id) != "" {
		r.content = r.field(q)
	}
	if c.err == nil {
		c.err = err
	}
	return r, err
}

// writtenID returns the id of a question as [Answer] accepts it, with the original subject if possible.
func (k *Kit) writtenID(tool, id string) string {
	written, ok := k.written.Load(id)
	if ok && (Reply{id: written.(string)}).isFor(k.declaredQuestion(tool, id), id) {
		return written.(string)
	}
	return id
}

func (k *Kit) accepts(tool string, q Question) string {
	if len(q.Options) > 0 {
		return fmt.Sprintf("one of %q", q.Options)
	}
	if kind := k.declaredQuestion(tool, q.ID).Kind; kind != "" {
		return "kind " + kind
	}
	return "not declared"
}

// declaredQuestion returns the declared question for an id, which may end with a subject or a field, or the
// zero question.
func (k *Kit) declaredQuestion(tool, id string) (best manifest.Question) {
	t := k.contract(tool)
	if t == nil {
		return best
	}
	for _, q := range t.Questions {
		if (id == q.ID || strings.HasPrefix(id, q.ID+"-")) && len(q.ID) > len(best.ID) {
			best = q
		}
	}
	return best
}

// configuredAnswer returns the configured answer for the id of a question or for all its subjects.
func (k *Kit) configuredAnswer(tool, id string) (json.RawMessage, bool) {
	answer, ok := k.answers[tool][id]
	if q := k.declaredQuestion(tool, id); !ok && q.Subjects {
		answer, ok = k.answers[tool][q.ID]
	}
	return answer, ok
}

// form returns the id of the form that contains a question, or "" for a question outside forms.
func (k *Kit) form(tool, id string) string {
	if k.traits(tool, id).Prompt == question.Fields {
		return k.declaredQuestion(tool, id).ID
	}
	return ""
}

// traits returns the traits of the kind of a question.
func (k *Kit) traits(tool, id string) question.Traits {
	return question.Kind(k.declaredQuestion(tool, id).Kind).Traits()
}

// configuredAnswers returns the answers in [Options], and those to questions that the wire cannot ask.
func (c *call) configuredAnswers() map[string]json.RawMessage {
	answers := c.unaskableAnswers()
	maps.Copy(answers, c.kit.answers[c.out.Tool])
	return answers
}

// unaskableAnswers returns the answers, in [Options] and in the script, to secrets and visits that the wire cannot ask
// for.
func (c *call) unaskableAnswers() map[string]json.RawMessage {
	unaskable := func(id string) bool {
		needs := c.kit.traits(c.out.Tool, id).Needs
		return needs != question.NeedsNothing && !slices.Contains(c.kit.options.Wire.meets, needs)
	}
	answers := map[string]json.RawMessage{}
	for id, content := range c.kit.answers[c.out.Tool] {
		if unaskable(id) {
			answers[id] = content
		}
	}
	for _, r := range c.script {
		if unaskable(r.id) && r.action == elicit.Accept {
			answers[r.id] = r.content
			c.reply(r.id) // marks the reply as used
			c.out.Asked = append(c.out.Asked, Question{ID: r.id})
		}
	}
	return answers
}

// Unseen returns the declared questions and codes that have not occurred in calls, sorted: "note_delete asks
// confirm", "note_get fails with not_found".
func (k *Kit) Unseen() []string {
	var list []string
	missing, _ := k.coverage.missingEvents()
	for _, e := range missing {
		list = append(list, e.text)
	}
	return list
}

func encodeAll(t testing.TB, values map[string]any) map[string]json.RawMessage {
	t.Helper()
	out := make(map[string]json.RawMessage, len(values))
	for name, v := range values {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatalf("encoding %q: %v", name, err)
		}
		out[name] = data
	}
	return out
}
