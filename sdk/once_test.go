package sdk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/jphost"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// An opener calls the draft tool and returns when the tool asks its first question. The returned function answers
// the pending question. It returns the result, or "" if there is another question.
type opener func() (reply func(answer string) string)

// callAgainAfterAbandoning starts a call, abandons it, and makes the same call again.
func callAgainAfterAbandoning(t *testing.T, open opener) string {
	open()
	reply := open()
	reply(`"Green"`)
	return workCount(t, reply(`true`))
}

// concurrent makes two equal calls and answers them alternately.
func concurrent(t *testing.T, open opener) string {
	a, b := open(), open()
	a(`"Green"`)
	b(`"Green"`)
	one, two := a(`true`), b(`true`)
	if one == two && !strings.HasSuffix(one, "draft 1") {
		t.Errorf("two calls share what one of them did: %s", one)
	}
	if first, second := workCount(t, one), workCount(t, two); first != second {
		return "done again"
	}
	return workCount(t, two)
}

// workCount reports whether a call did its work once or again. Each time the work is done, the server assigns the
// next number to a draft. Number 2 also counts as once, because an earlier call has used number 1.
func workCount(t *testing.T, result string) string {
	t.Helper()
	var number int
	if _, err := fmt.Sscanf(result, "published Green as draft %d", &number); err != nil {
		t.Fatalf("result %q: %v", result, err)
	}
	switch number {
	case 1, 2:
		return "done once"
	}
	return "done again"
}

const draftOfTea = `{"topic":"tea"}`

func openRounds(t *testing.T) opener {
	p := launch(t)
	return func() func(string) string {
		r, _ := p.round("draft", draftOfTea, modernMeta, "", "")
		return func(answer string) string {
			for id := range r.InputRequests {
				next, line := p.round("draft", draftOfTea, modernMeta, r.State, fmt.Sprintf(`{%q:{"action":"accept","content":{"answer":%s}}}`, id, answer))
				r = next
				return line.Result.text()
			}
			t.Fatalf("nothing is asked: %+v", r)
			return ""
		}
	}
}

func openElicitation(t *testing.T) opener {
	p := launch(t)
	p.send(initialize + `{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`)
	p.recv()
	calls := 0
	return func() func(string) string {
		calls++
		p.send(callOf(1000+calls, "draft", draftOfTea))
		asked := p.recv()
		return func(answer string) string {
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"answer":%s}}}`, asked.ID, answer))
			asked = p.recv()
			return asked.Result.text()
		}
	}
}

// openHost opens a host that stores the answers and uses a version of JP's protocol.
func openHost(version string) func(t *testing.T) opener {
	return func(t *testing.T) opener {
		p := start(t, "--jp="+version)
		return func() func(string) string {
			answers := map[string]json.RawMessage{}
			round := func() (id, text string) {
				meta, err := json.Marshal(map[string]any{wire.MetaTool: map[string]any{"answers": answers}})
				if err != nil {
					t.Fatal(err)
				}
				text = p.callWith("draft", draftOfTea, string(meta)).text()
				if d, problems := jpdoc.ReadBlocks([]byte(text)); version == wire.VersionBlocks && len(problems) == 0 {
					if last := d.Content[len(d.Content)-1]; last.Question != nil {
						return last.Question.ID, ""
					}
					return "", d.Content[0].Text()
				}
				o, err := jpdoc.Tagged().ReadOutcome([]byte(text))
				if err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				if o.Question != nil {
					id = o.Question.ID
				}
				return id, o.Content
			}
			id, _ := round()
			return func(answer string) (text string) {
				answers[id] = json.RawMessage(answer)
				id, text = round()
				return text
			}
		}
	}
}

func openLocal(t *testing.T) opener {
	tool := localTool(t, "draft", jphost.Options{})
	return func() func(string) string {
		answers := map[string]json.RawMessage{}
		round := func() jphost.Reply {
			r, err := tool.Round(t.Context(), json.RawMessage(draftOfTea), answers)
			if err != nil || r.Outcome == nil {
				t.Fatalf("reply %+v, %v", r, err)
			}
			return r
		}
		r := round()
		return func(answer string) string {
			answers[r.Outcome.Question.ID] = json.RawMessage(answer)
			r = round()
			return r.Outcome.Content
		}
	}
}

func openInProcess(t *testing.T) opener {
	var f fixture.Fixture
	return func() func(string) string {
		c := pausedElicitor{asked: make(chan bool), answers: make(chan string)}
		ended := make(chan string, 1)
		go func() {
			text, err := fixture.CallDraft(t.Context(), &f, fixture.DraftInput{Topic: "tea"}, c)
			if err != nil {
				text = err.Error()
			}
			ended <- text
		}()
		<-c.asked
		return func(answer string) string {
			c.answers <- answer
			select {
			case <-c.asked:
				return ""
			case text := <-ended:
				return text
			}
		}
	}
}

// A pausedElicitor waits for the test to send each answer.
type pausedElicitor struct {
	asked   chan bool
	answers chan string
}

func (p pausedElicitor) Title(ctx context.Context, _ elicit.Request) (r elicit.Response[string], err error) {
	err = p.next(ctx, &r.Content)
	return r, err
}

func (p pausedElicitor) Publish(ctx context.Context, _ elicit.Request) (r elicit.Response[bool], err error) {
	err = p.next(ctx, &r.Content)
	return r, err
}

func (p pausedElicitor) next(ctx context.Context, to any) error {
	p.asked <- true
	select {
	case answer := <-p.answers:
		return json.Unmarshal([]byte(answer), to)
	case <-ctx.Done():
		return ctx.Err()
	}
}
