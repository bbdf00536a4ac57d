package jphost

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/sdk/jp/jpdoc"
)

// An Answerer answers a question of a tool with any JSON value; nil means null. As in JP, the answer is not
// checked against the type of the question. Concurrent calls may call the Answerer concurrently.
type Answerer func(ctx context.Context, q jpdoc.Question) (json.RawMessage, error)

// Call runs a tool until it ends. While the tool needs input, Call gets an answer from the configuration or else from
// answer, and runs the tool again with the same arguments and all answers so far. A question that is asked again is
// answered again. [Untagged] starts with the answers that are configured for the tool.
//
// The reply contains the text for the model. If answer is nil or returns [ErrCancelled], the call
// ends without an error, as in JP if there is no person to ask. Call returns an error if it could
// not complete the call: ctx or the connection has ended, answer failed, the tool keeps asking, or
// the data to send is not JSON. If the model receives text in this case, the reply contains that
// text.
func (h *Host) Call(ctx context.Context, tool string, args json.RawMessage, answer Answerer) (Reply, error) {
	return h.opts.call(ctx, tool, answer, func(answers map[string]json.RawMessage) (Reply, error) {
		return h.Round(ctx, tool, args, answers)
	})
}

// call runs rounds until one of them ends the call.
func (o Options) call(ctx context.Context, tool string, answer Answerer, round func(map[string]json.RawMessage) (Reply, error)) (Reply, error) {
	var reply Reply
	var asked []jpdoc.Question
	rounds := 0
	var given map[string]json.RawMessage
	if o.Version == Untagged {
		given = o.Answers[tool]
	}
	err := peer.Ask(given, func(answers map[string]json.RawMessage) (map[string]json.RawMessage, error) {
		rounds++
		var err error
		if reply, err = round(answers); err != nil || reply.Kind != NeedsInput {
			return nil, err
		}
		q := *reply.Outcome.Question
		asked = append(asked, q)
		given, err := o.answer(ctx, tool, q, answer)
		if errors.Is(err, ErrCancelled) {
			reply.Kind, reply.Rule, reply.Text = OK, ruleCancelled, textCancelled
			return nil, nil
		}
		return map[string]json.RawMessage{q.ID: given}, err
	})
	if err != nil && reply.Kind == NeedsInput { // the call failed only because a question has no answer
		reply.Kind, reply.Rule, reply.Text = Error, ruleInquiry, err.Error()
	}
	reply.Rounds, reply.Questions = rounds, asked
	return reply, err
}

// answer returns the answer to a question.
func (o Options) answer(ctx context.Context, tool string, q jpdoc.Question, answer Answerer) (json.RawMessage, error) {
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

// Round makes one exchange with only the given answers. It returns the same errors as [Host.Call].
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
	return m.reply(h.opts.Version), nil
}

// progressToken returns the progress token of a request. Tokens start at 0 after the handshake,
// whose request has no token.
func progressToken(id int64) int64 { return id - 1 }
