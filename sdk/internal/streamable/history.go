package streamable

import (
	"container/list"
	"sync"
)

// mostKept is how many bytes of events are kept for clients that come back, of all sessions.
// The oldest are forgotten first.
const mostKept = 10 << 20

// perEvent is what an event is counted for beside its data.
const perEvent = 128

// A history keeps events.
type history struct {
	mu     sync.Mutex
	size   int
	events list.List // of *event, the oldest first
	of     map[*stream][]*event
}

// An event is one of a stream.
type event struct {
	stream *stream
	number int
	data   []byte
	at     *list.Element
}

// keep keeps an event.
func (h *history) keep(s *stream, number int, data []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(data)+perEvent > mostKept {
		return
	}
	if h.of == nil {
		h.of = make(map[*stream][]*event)
	}
	e := &event{stream: s, number: number, data: data}
	e.at = h.events.PushBack(e)
	h.of[s] = append(h.of[s], e)
	for h.size += len(data) + perEvent; h.size > mostKept; {
		h.drop(h.events.Front().Value.(*event))
	}
}

// drop forgets the oldest event of a stream. The caller holds h.mu.
func (h *history) drop(e *event) {
	h.events.Remove(e.at)
	h.size -= len(e.data) + perEvent
	if rest := h.of[e.stream][1:]; len(rest) > 0 {
		h.of[e.stream] = rest
	} else {
		delete(h.of, e.stream)
	}
}

// since returns the data of the events of a stream with the numbers from to before, and
// false if not all are kept.
func (h *history) since(s *stream, from, before int) (data [][]byte, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range h.of[s] {
		if e.number >= from && e.number == from+len(data) {
			data = append(data, e.data)
		}
	}
	return data, from <= before && from+len(data) == before
}

// forget forgets the events of a stream.
func (h *history) forget(s *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.of[s] != nil {
		h.drop(h.of[s][0])
	}
}
