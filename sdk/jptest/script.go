package jptest

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/jptool/jptool/sdk/elicit"
)

// A Reply is the scripted answer to one question.
type Reply struct {
	id      string
	action  elicit.Action
	content json.RawMessage
	err     error
}

// Answer answers the question of that id with value, encoded as JSON. An id that
// stands for several subjects answers for each of them that has no reply of its
// own; that of a form answers all its fields, as they are called in JSON. On JP's
// wires without forms a field may have a reply of its own.
func Answer(id string, value any) Reply {
	content, err := json.Marshal(value)
	return Reply{id: id, content: content, err: err}
}

// Decline refuses to answer the question of that id, and Cancel dismisses it, as a user of
// MCP may. A JP host knows one way to refuse, and ends the call by itself.
func Decline(id string) Reply { return Reply{id: id, action: elicit.Decline} }

// Cancel dismisses the question of that id; see [Decline].
func Cancel(id string) Reply { return Reply{id: id, action: elicit.Cancel} }

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
