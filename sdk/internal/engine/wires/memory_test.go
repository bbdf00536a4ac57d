package wires

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jptool/jptool/sdk/gen/question"
)

// A waiter is a call in a scope, with the number of its answered questions.
type waiter struct {
	number, scope, answered int
}

func (w waiter) run() waiting {
	answers := map[string]question.Answer{}
	for i := range w.answered {
		answers[fmt.Sprint("q", i)] = question.Answer{Content: json.RawMessage("true")}
	}
	return waiting{scope: []byte(fmt.Sprint(w.scope)), answers: answers}
}

func (w waiter) asks() []string { return []string{fmt.Sprint("q", w.answered)} }

func (w waiter) did() map[string]json.RawMessage {
	return map[string]json.RawMessage{"number": json.RawMessage(fmt.Sprint(w.number))}
}

// Calls in equal and different scopes are interleaved, answered and abandoned at random. A call never recalls
// the work of another call. It recalls its own work unless another call waited for the same answer.
func TestMemoryInterleaved(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 2))
		var m memory
		var calls []waiter
		abandoned := map[string]bool{} // keys of calls that never continue
		key := func(w waiter) string { return fmt.Sprint(w.scope, "/", w.answered) }
		shared := map[string]bool{} // keys that several calls wait for, until no call does
		for step := range 40 {
			if len(calls) == 0 || r.IntN(3) == 0 {
				w := waiter{number: step, scope: r.IntN(3)}
				shared[key(w)] = shared[key(w)] || abandoned[key(w)] || slices.ContainsFunc(calls, func(o waiter) bool { return key(o) == key(w) })
				m.keep(w.run(), w.asks(), w.did())
				calls = append(calls, w)
				continue
			}
			i := r.IntN(len(calls))
			w := calls[i]
			calls = slices.Delete(calls, i, i+1)
			if r.IntN(4) == 0 {
				abandoned[key(w)] = true
				continue
			}
			before := key(w)
			alone := !shared[before]
			w.answered++
			got := m.recall(w.run(), slog.New(slog.DiscardHandler))
			if got != nil && string(got["number"]) != fmt.Sprint(w.number) {
				t.Fatalf("seed %d: call %d got what call %s did", seed, w.number, got["number"])
			}
			if alone && got == nil {
				t.Fatalf("seed %d: call %d got nothing, though no other call waited", seed, w.number)
			}
			if !abandoned[before] && !slices.ContainsFunc(calls, func(o waiter) bool { return key(o) == before }) {
				delete(shared, before)
			}
			if w.answered < 3 {
				shared[key(w)] = shared[key(w)] || abandoned[key(w)] || slices.ContainsFunc(calls, func(o waiter) bool { return key(o) == key(w) })
				m.keep(w.run(), w.asks(), w.did())
				calls = append(calls, w)
			}
		}
	}
}

// If more calls wait than are remembered, no call recalls the work of another call.
func TestMemoryOverflow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m memory
		log := slog.New(slog.DiscardHandler)
		for i := range maxRemembered + 1 {
			w := waiter{number: i, scope: i}
			m.keep(w.run(), w.asks(), w.did())
		}
		other := waiter{number: -1, scope: 0}
		m.keep(other.run(), other.asks(), other.did())
		if got := m.recall(waiter{scope: 0, answered: 1}.run(), log); got != nil {
			t.Errorf("recalled %s", got)
		}
		<-time.After(stateLife)
		m.keep(other.run(), other.asks(), other.did())
		if got := m.recall(waiter{scope: 0, answered: 1}.run(), log); string(got["number"]) != "-1" {
			t.Errorf("an hour later: %s", got)
		}
	})
}

// A run that has some of the answers that a call waits for recalls the work of that call. If another call
// may wait for the same answers, no run recalls anything.
func TestMemoryOfSeveralQuestions(t *testing.T) {
	at := func(ids ...string) waiting {
		r := waiting{scope: []byte("s"), answers: map[string]question.Answer{}}
		for _, id := range ids {
			r.answers[id] = question.Answer{Content: json.RawMessage(`1`)}
		}
		return r
	}
	work := map[string]json.RawMessage{"number": json.RawMessage("1")}
	for _, tc := range []struct {
		name    string
		waiting [][]string // the questions that the waiting runs asked; these runs have no answers
		next    waiting
		want    bool
	}{
		{"all", [][]string{{"a", "b"}}, at("a", "b"), true},
		{"some", [][]string{{"a", "b"}}, at("b"), true},
		{"no answer", [][]string{{"a", "b"}}, at(), false},
		{"others", [][]string{{"a", "b"}}, at("a", "c"), false},
		{"two equal calls", [][]string{{"a", "b"}, {"a", "b"}}, at("a"), false},
		{"two calls that ask more and less", [][]string{{"a", "b"}, {"a"}}, at("a"), false},
		{"another call", [][]string{{"a", "b"}, {"c"}}, at("a"), true},
	} {
		var m memory
		for _, asked := range tc.waiting {
			m.keep(at(), asked, work)
		}
		log := slog.New(slog.DiscardHandler)
		if got := m.recall(tc.next, log); (got != nil) != tc.want {
			t.Errorf("%s: recalled %s", tc.name, got)
		}
		if got := m.recall(tc.next, log); got != nil {
			t.Errorf("%s: recalled twice: %s", tc.name, got)
		}
	}
}

// If identical calls wait, a log record says that work is repeated, unless none of the calls did work.
func TestMemoryLogsRepeatedWork(t *testing.T) {
	for _, work := range []map[string]json.RawMessage{nil, waiter{}.did()} {
		var m memory
		var text strings.Builder
		for range 2 {
			m.keep(waiter{}.run(), waiter{}.asks(), work)
		}
		m.recall(waiter{answered: 1}.run(), slog.New(slog.NewTextHandler(&text, nil)))
		if logged := text.Len() > 0; logged != (work != nil) {
			t.Errorf("after the work %s: logged %q", work, text.String())
		}
	}
}
