package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/jptool/jptool/sdk/jp/wire"
)

// Answerer answers a question of a tool with any JSON value; nil is null. Answers are not held to
// the question's type, as JP does not either. It may be called from several calls at once.
type Answerer func(ctx context.Context, q wire.Question) (json.RawMessage, error)

// Call runs a tool to its end. It starts with the answers that were configured for the tool. While
// the tool needs input, the question is answered, by the configuration or else by answer, and
// the tool is run again with the same arguments and all answers, one more question a round; an id
// that is asked again gets its new answer.
//
// The reply is what the model gets. A nil answer, or one that returns [ErrCancelled], ends the
// call well, as JP does when nobody can be asked. The error is nil unless the call could not be
// brought to its end: ctx has ended, the connection has ([ErrClosed]), answer failed, the tool asks
// without end ([ErrRounds]), or what is to be sent is not JSON. Where the model gets a text even
// then, it is in the reply.
func (h *Host) Call(ctx context.Context, tool string, args json.RawMessage, answer Answerer) (Reply, error) {
	return h.opts.call(ctx, tool, answer, func(answers map[string]json.RawMessage) (Reply, error) {
		return h.Round(ctx, tool, args, answers)
	})
}

// call makes rounds until one ends the call.
func (o Options) call(ctx context.Context, tool string, answer Answerer, round func(map[string]json.RawMessage) (Reply, error)) (Reply, error) {
	configured := o.Answers[tool]
	answers := make(map[string]json.RawMessage, len(configured))
	maps.Copy(answers, configured)
	var asked []wire.Question
	for n := 1; ; n++ {
		reply, err := round(answers)
		if err == nil && reply.Kind == NeedsInput {
			q := *reply.Outcome.Question
			asked = append(asked, q)
			answers[q.ID], reply, err = o.answer(ctx, tool, reply, n, answer)
		}
		reply.Rounds, reply.Questions = n, asked
		if err != nil || reply.Kind != NeedsInput {
			return reply, err
		}
	}
}

// answer returns the answer to the question in reply, and reply as it is; or the reply that ends
// the call.
func (o Options) answer(ctx context.Context, tool string, reply Reply, round int, answer Answerer) (json.RawMessage, Reply, error) {
	q := *reply.Outcome.Question
	ends := func(kind ReplyKind, rule Rule, text string) Reply {
		reply.Kind, reply.Rule, reply.Text = kind, rule, text
		return reply
	}
	if round >= o.maxRounds() {
		err := fmt.Errorf("%w: %d rounds, last question %q", ErrRounds, round, q.ID)
		return nil, ends(Error, RuleRounds, err.Error()), err
	}
	if a, ok := o.Answers[tool][q.ID]; ok {
		return a, reply, nil
	}
	if answer == nil {
		return nil, ends(OK, RuleCancelled, TextCancelled), nil
	}
	a, err := answer(ctx, q)
	switch {
	case errors.Is(err, ErrCancelled):
		return nil, ends(OK, RuleCancelled, TextCancelled), nil
	case err != nil:
		err = fmt.Errorf("tool %q asked %q: %w", tool, q.Text, err)
		return nil, ends(Error, RuleInquiry, err.Error()), err
	}
	return a, reply, nil
}

// Round makes one exchange, with just these answers. The error is as of [Host.Call].
func (h *Host) Round(ctx context.Context, tool string, args json.RawMessage, answers map[string]json.RawMessage) (Reply, error) {
	m, err := h.conn.request(ctx, func(id int64) ([]byte, error) {
		return BuildRequest(Request{
			ID:            id,
			ProgressToken: progressToken(id),
			Tool:          tool,
			Arguments:     args,
			Answers:       answers,
			Options:       h.opts.ToolOptions[tool],
			Context: wire.Context{
				Root:           h.opts.Root,
				Access:         h.opts.Access,
				WorkspaceID:    h.opts.WorkspaceID,
				ConversationID: h.opts.ConversationID,
			},
			Mode:       h.opts.Mode,
			Profile:    h.opts.Profile,
			AlwaysMeta: h.opts.AlwaysMeta,
			Grease:     !h.opts.NoGrease,
		})
	})
	if errors.Is(err, ErrClosed) {
		return infra(RuleClosed, "", nil), err
	}
	if err != nil {
		return Reply{}, err
	}
	return m.reply(h.opts.Mode, h.opts.Codec), nil
}

// progressToken counts requests from 0 behind the handshake, which has none.
func progressToken(id int64) int64 { return id - 1 }
