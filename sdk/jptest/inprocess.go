package jptest

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// inProcess returns a caller that uses [sdk.Server.Call].
func inProcess(k *Kit) caller {
	return func(ctx context.Context, c *call) error {
		var q question.Question // the last question
		ctx = handler.Observe(ctx, func(e *handler.Event) {
			if e.Moment == handler.Asked {
				q = *e.Question
			}
		})
		result, err := k.server.Call(ctx, c.out.Tool, c.args, sdk.Host{
			Ask: func(_ context.Context, r elicit.Request) (elicit.Response[json.RawMessage], error) {
				first, try := question.Try(q.ID)
				if answer, ok := k.configuredAnswer(c.out.Tool, first); ok && !r.Exclusive {
					if try > 1 { // other wires do not ask again for a configured answer
						return elicit.Response[json.RawMessage]{}, fault.New(fault.InvalidAnswer, "the answer to question %q is invalid", first)
					}
					return elicit.Accepted(answer), nil
				}
				asked := questionOf(r.Schema)
				asked.ID, asked.Text, asked.Preamble, asked.Default = q.ID, r.Message, r.Preamble, r.Default
				reply, err := c.answer(asked)
				return elicit.Response[json.RawMessage]{Action: reply.action, Content: reply.content}, err
			},
			Options: k.toolOptions[c.out.Tool],
			Root:    k.options.Root, Principal: k.options.Principal,
			Progress: c.progress,
			Log:      slog.NewJSONHandler(c, &slog.HandlerOptions{Level: slog.LevelDebug}),
		})
		c.mu.Lock()
		defer c.mu.Unlock()
		c.out.Runs = 1
		if f := fault.From(err); f != nil {
			c.out.Transient, c.out.Trace = f.Transient, f.Trace()
			c.fail(f.Code, f.Message)
			return nil
		}
		for _, w := range result.Warnings {
			result.Blocks = append(result.Blocks, content.Text{Text: "Note: " + w})
		}
		c.out.Blocks, c.out.Text = result.Blocks, result.Blocks.Flatten()
		if result.Structured != "" {
			c.out.Structured = json.RawMessage(result.Structured)
		}
		return nil
	}
}

// Write adds a record to the outcome. slog's handler writes one at a time.
func (c *call) Write(record []byte) (int, error) {
	c.log("", record)
	return len(record), nil
}
