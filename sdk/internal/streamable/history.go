package streamable

import (
	"container/list"
	"sync"
)

// maxKept is the maximum size of all stored events, in bytes. The oldest are dropped first.
const maxKept = 10 << 20

// perEvent is the overhead that is counted for each event, in bytes.
const perEvent = 128

// A history stores the events of streams that clients may resume.
type history struct {
	mu     sync.Mutex
	size   int
	events list.List // *event values, oldest first
}

// An event is a stored event of a stream.
type event struct {
	stream *response
	number int
	data   []byte
	at     *list.Element
}

func (h *history) add(s *response, number int, data []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(data)+perEvent > maxKept {
		return
	}
	e := &event{stream: s, number: number, data: data}
	e.at = h.events.PushBack(e)
	s.events = append(s.events, e)
	for h.size += len(data) + perEvent; h.size > maxKept; {
		h.drop(h.events.Front().Value.(*event))
	}
}

// drop removes the oldest event of a stream. The caller holds h.mu.
func (h *history) drop(e *event) {
	h.events.Remove(e.at)
	h.size -= len(e.data) + perEvent
	e.stream.events[0] = nil // frees the memory of the event
	e.stream.events = e.stream.events[1:]
}

// eventsSince returns the stored events with from <= number < before, or false if some have been dropped.
func (h *history) eventsSince(s *response, from, before int) (missed []*event, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range s.events {
		if e.number >= from {
			missed = append(missed, e)
		}
	}
	return missed, from <= before && len(missed) == before-from
}

func (h *history) remove(s *response) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for len(s.events) > 0 {
		h.drop(s.events[0])
	}
}
