package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jptool/jptool/internal/peer"
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
// brought to its end: ctx has ended, the connection has, answer failed, the tool asks without end,
// or what is to be sent is not JSON. Where the model gets a text even then, it is in the reply.
func (h *Host) Call(ctx context.Context, tool string, args json.RawMessage, answer Answerer) (Reply, error) {
	return h.opts.call(ctx, tool, answer, func(answers map[string]json.RawMessage) (Reply, error) {
		return h.Round(ctx, tool, args, answers)
	})
}

// call makes rounds until one ends the call.
func (o Options) call(ctx context.Context, tool string, answer Answerer, round func(map[string]json.RawMessage) (Reply, error)) (Reply, error) {
	var reply Reply
	var asked []wire.Question
	rounds := 0
	err := peer.Ask(o.Answers[tool], func(answers map[string]json.RawMessage) (string, json.RawMessage, error) {
		rounds++
		var err error
		if reply, err = round(answers); err != nil || reply.Kind != NeedsInput {
			return "", nil, err
		}
		q := *reply.Outcome.Question
		asked = append(asked, q)
		given, err := o.answer(ctx, tool, q, answer)
		if errors.Is(err, ErrCancelled) {
			reply.Kind, reply.Rule, reply.Text = OK, ruleCancelled, textCancelled
			return "", nil, nil
		}
		return q.ID, given, err
	})
	if err != nil && reply.Kind == NeedsInput { // the call could go on, but for the answer
		reply.Kind, reply.Rule, reply.Text = Error, ruleInquiry, err.Error()
	}
	reply.Rounds, reply.Questions = rounds, asked
	return reply, err
}

// answer returns the answer to a question.
func (o Options) answer(ctx context.Context, tool string, q wire.Question, answer Answerer) (json.RawMessage, error) {
	if a, ok := o.Answers[tool][q.ID]; ok {
		return orNull(a), nil
	}
	if answer == nil {
		return nil, ErrCancelled
	}
	a, err := answer(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("tool %q asked %q: %w", tool, q.Text, err)
	}
	return orNull(a), nil
}

func orNull(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
	}
	return raw
}

// Round makes one exchange, with just these answers. The error is as of [Host.Call].
func (h *Host) Round(ctx context.Context, tool string, args json.RawMessage, answers map[string]json.RawMessage) (Reply, error) {
	m, err := h.conn.request(ctx, func(id int64) ([]byte, error) {
		return request{h.opts, id, progressToken(id), tool, args, answers}.line()
	})
	if errors.Is(err, errClosed) {
		return infra(ruleClosed, "", nil), err
	}
	if err != nil {
		return Reply{}, err
	}
	return m.reply(h.opts.mode, h.opts.Codec), nil
}

// progressToken counts requests from 0 behind the handshake, which has none.
func progressToken(id int64) int64 { return id - 1 }
