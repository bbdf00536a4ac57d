package jptest

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
)

// A Reply is the scripted answer to one question.
type Reply struct {
	id      string
	content json.RawMessage
	cancel  bool
	err     error
}

// Answer answers the question of that id with value, encoded as JSON. An id that
// stands for several subjects answers for each of them that has no reply of its
// own; that of a form answers all its fields, as they are called in JSON.
func Answer(id string, value any) Reply {
	content, err := json.Marshal(value)
	return Reply{id: id, content: content, err: err}
}

// Dismiss cancels the question of that id, as a user may.
func Dismiss(id string) Reply { return Reply{id: id, cancel: true} }

// field returns the member of an answered form that the question of that id asks
// for. One that is left out is an empty text, which is how JP leaves out a field.
func (r Reply) field(id string) json.RawMessage {
	var members map[string]json.RawMessage
	if id == r.id || json.Unmarshal(r.content, &members) != nil {
		return r.content
	}
	if member, ok := members[id[strings.LastIndexByte(id, '-')+1:]]; ok {
		return member
	}
	return json.RawMessage(`""`)
}

// replies are those of one script, and which of them were given. It is safe for use
// by several goroutines.
type replies struct {
	mu     sync.Mutex
	script []Reply
	given  []bool
}

func newReplies(script []Reply) *replies {
	return &replies{script: script, given: make([]bool, len(script))}
}

// to returns the reply to a question: by its id, else by the id it has for all its
// subjects.
func (s *replies) to(id string) (Reply, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	best := -1
	for i, r := range s.script {
		if r.id == id {
			best = i
			break
		}
		if strings.HasPrefix(id, r.id+"-") && (best < 0 || len(r.id) > len(s.script[best].id)) {
			best = i
		}
	}
	if best < 0 {
		return Reply{}, false
	}
	s.given[best] = true
	return s.script[best], true
}

// unused returns the ids of the replies that were not given.
func (s *replies) unused() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []string
	for i, r := range s.script {
		if !s.given[i] {
			ids = append(ids, r.id)
		}
	}
	return ids
}

// Script returns an Asker for [github.com/jptool/jptool/sdk/tool.Invoke], which
// runs a handler without a server. It answers by the script, forms as a whole. A
// question without a reply fails the test, and the call with input_unavailable; a
// reply that no question has asked for by the end of the test fails it, too.
func Script(t testing.TB, script ...Reply) elicit.Asker {
	t.Helper()
	s := &scripted{t: t, replies: newReplies(script)}
	t.Cleanup(func() {
		for _, id := range s.replies.unused() {
			t.Errorf("question %q was not asked", id)
		}
	})
	return s
}

type scripted struct {
	t       testing.TB
	replies *replies
}

// Forms reports that forms are asked as a whole.
func (*scripted) Forms() bool { return true }

// Ask answers q by the script.
func (s *scripted) Ask(_ context.Context, q elicit.Question) (elicit.Answer, error) {
	s.t.Helper()
	r, ok := s.replies.to(q.ID)
	switch {
	case !ok:
		s.t.Errorf("the script has no reply to question %q (%s): %s", q.ID, q.Accepts(), q.Message)
		return elicit.Answer{}, fault.New(fault.InputUnavailable, "the script has no reply to question %q", q.ID)
	case r.err != nil:
		s.t.Errorf("the reply to question %q has no JSON: %v", q.ID, r.err)
		return elicit.Answer{}, fault.Wrap(r.err, fault.InvalidAnswer, "the reply to question %q has no JSON", q.ID)
	case r.cancel:
		return elicit.Answer{Action: elicit.Cancel}, nil
	}
	return elicit.Answer{Content: r.content}, nil
}
