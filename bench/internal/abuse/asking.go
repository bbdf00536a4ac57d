package abuse

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/jptool/jptool/bench/internal/request"
)

const elicitation = `"elicitation":{}`

// maxQuestions is the maximum number of times that a server may ask a question whose answers are invalid.
const maxQuestions = 3

// asking returns trials with clients that answer questions incorrectly.
func asking(era request.Era) []Trial {
	trialOf := func(name string, run func(*server) error) Trial {
		return Trial{Group: "asking", Name: name, NeedsStress: true, Run: func(t Target) error {
			s, err := start(t.Stress, era, 2*patience, nil)
			if err != nil {
				return err
			}
			defer s.kill()
			if err := s.open(elicitation); err != nil {
				return err
			}
			return errors.Join(run(s), s.quotes(9000))
		}}
	}
	if era == request.Requests {
		return rounds(trialOf)
	}
	// answered answers the first question with text, and requires a fault with that code. The server may ask again.
	answered := func(name, text, code string) Trial {
		return trialOf(name, func(s *server) error {
			q, err := s.ask(s.tool(1, "ask", "{}"))
			if err != nil || q.Method != "elicitation/create" {
				return fmt.Errorf("unexpected question: %s (%w)", clip(q.line), err)
			}
			for asked := 0; err == nil && q.Method == "elicitation/create" && asked < maxQuestions; asked++ {
				q, err = s.ask(`{"jsonrpc":"2.0","id":` + string(q.ID) + `,` + text + `}`)
			}
			return errors.Join(err, q.fails(code))
		})
	}
	return []Trial{
		answered("decline", `"result":{"action":"decline"}`, "input_declined"),
		answered("cancel", `"result":{"action":"cancel"}`, "input_declined"),
		answered("an unknown action", `"result":{"action":"dance"}`, "invalid_answer"),
		answered("no action", `"result":{}`, "invalid_answer"),
		answered("an answer of the wrong type", `"result":{"action":"accept","content":{"answer":7}}`, "invalid_answer"),
		answered("an answer that is too long", `"result":{"action":"accept","content":{"answer":"`+strings.Repeat("x", 21)+`"}}`, "invalid_answer"),
		answered("an answer to another question", `"result":{"action":"accept","content":{"other":"abc"}}`, "invalid_answer"),
		answered("an answer without content", `"result":{"action":"accept"}`, "invalid_answer"),
		answered("an error", `"error":{"code":-32601,"message":"method not found"}`, "input_unavailable"),
		answered("an error that is not an object", `"error":7`, "input_unavailable"),
		trialOf("cancellation of a call that asks", func(s *server) error {
			q, err := s.ask(s.tool(1, "ask", "{}"))
			if err != nil || q.Method != "elicitation/create" {
				return fmt.Errorf("unexpected question: %s (%w)", clip(q.line), err)
			}
			return errors.Join(s.send(cancellation(1)), s.send(`{"jsonrpc":"2.0","id":`+string(q.ID)+`,"result":{"action":"accept","content":{"answer":"late"}}}`))
		}),
		trialOf("both questions", func(s *server) error {
			q, err := s.ask(s.tool(1, "ask", "{}"))
			if err != nil {
				return err
			}
			if q, err = s.ask(`{"jsonrpc":"2.0","id":` + string(q.ID) + `,"result":{"action":"accept","content":{"answer":"abc"}}}`); err != nil {
				return err
			}
			m, err := s.ask(`{"jsonrpc":"2.0","id":` + string(q.ID) + `,"result":{"action":"accept","content":{"answer":true}}}`)
			if err == nil && (m.Result == nil || m.Result.text() != "used abc") {
				err = fmt.Errorf("unexpected response: %s", clip(m.line))
			}
			return err
		}),
	}
}

// fails returns an error unless m is a fault with the given code.
func (m message) fails(code string) error {
	if m.Result == nil || !m.Result.IsError || !strings.HasPrefix(m.Result.text(), code+": ") {
		return fmt.Errorf("response: %s, want %s", clip(m.line), code)
	}
	return nil
}

// rounds returns trials for servers whose results contain the questions.
func rounds(trialOf func(string, func(*server) error) Trial) []Trial {
	capable := modern("{" + elicitation + "}")
	// asked returns the id and the state of the only question in m.
	asked := func(m message) (id, state string, err error) {
		if m.Result == nil || m.Result.ResultType != "input_required" || len(m.Result.InputRequests) != 1 || m.Result.RequestState == "" {
			return "", "", fmt.Errorf("unexpected response: %s", clip(m.line))
		}
		for id = range m.Result.InputRequests {
		}
		return id, m.Result.RequestState, nil
	}
	first := func(s *server) (id, state string, err error) {
		m, err := s.ask(s.tool(1, "ask", "{}", capable))
		if err != nil {
			return "", "", err
		}
		return asked(m)
	}
	answer := func(s *server, n int, id, state, response string) (message, error) {
		data, err := json.Marshal(state)
		if err != nil {
			return message{}, err
		}
		return s.ask(s.tool(n, "ask", "{}", capable, `"requestState":`+string(data), fmt.Sprintf(`"inputResponses":{%q:%s}`, id, response)))
	}
	// second answers the question, with a modified copy of its state.
	second := func(name, response string, tamper func(string) string, accepts func(message) error) Trial {
		return trialOf(name, func(s *server) error {
			id, state, err := first(s)
			if err != nil {
				return err
			}
			m, err := answer(s, 2, id, tamper(state), response)
			return errors.Join(err, accepts(m))
		})
	}
	// invalid gives an answer that the server must reject. The server may ask again.
	invalid := func(name, response string) Trial {
		return trialOf(name, func(s *server) error {
			id, state, err := first(s)
			for n := range maxQuestions {
				var m message
				if err == nil {
					m, err = answer(s, n+2, id, state, response)
				}
				if err != nil || m.fails("invalid_answer") == nil {
					return err
				}
				id, state, err = asked(m)
			}
			return errors.Join(err, errors.New("the server did not stop asking"))
		})
	}
	same := func(state string) string { return state }
	fault := func(code string) func(message) error { return func(m message) error { return m.fails(code) } }
	asks := func(m message) error {
		if m.Result == nil || m.Result.ResultType != "input_required" {
			return fmt.Errorf("unexpected response: %s", clip(m.line))
		}
		return nil
	}
	refuses := func(m message) error {
		if m.Error == nil || m.Error.Code != -32602 {
			return fmt.Errorf("unexpected response: %s", clip(m.line))
		}
		return nil
	}
	const good = `{"action":"accept","content":{"answer":"abc"}}`
	return []Trial{
		second("an answer", good, same, asks), // answers the second question
		second("decline", `{"action":"decline"}`, same, fault("input_declined")),
		second("cancel", `{"action":"cancel"}`, same, fault("input_declined")),
		invalid("an answer of the wrong type", `{"action":"accept","content":{"answer":7}}`),
		invalid("an answer that is too short", `{"action":"accept","content":{"answer":"x"}}`),
		invalid("an unknown action", `{"action":"dance"}`),
		second("a state with a suffix", good, func(s string) string { return s + "-TAMPERED" }, refuses),
		second("half of a state", good, func(s string) string { return s[:len(s)/2] }, refuses),
		second("a forged state", good, func(string) string { return `{"admin":true}` }, refuses),
		second("a state with a flipped letter", good, func(s string) string {
			flipped := []byte(s)
			flipped[len(s)/2] ^= 1
			return string(flipped)
		}, refuses),
		trialOf("without the elicitation capability", func(s *server) error {
			m, err := s.ask(s.tool(1, "ask", "{}"))
			return errors.Join(err, m.fails("input_unavailable"))
		}),
		trialOf("an unanswered question", func(s *server) error {
			_, _, err := first(s)
			return err
		}),
	}
}
