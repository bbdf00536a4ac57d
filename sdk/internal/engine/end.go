package engine

import "time"

// givenUp is from which age on a call that still runs when a client ends its input counts as
// given up. A client that has waited that long and then ends its input does not want the
// answer any more, and some fail when it comes; a script that writes its requests into a pipe
// ends the input at once, and does want the answers.
const givenUp = 400 * time.Millisecond

// EndInput says that the client sends nothing more: who waits for an answer of its has none.
// Calls that it has given up are stopped and not answered; the end still waits for their
// handlers, which may have to clean up.
func (s *Session) EndInput() {
	var old []*Request
	s.mu.Lock()
	for _, r := range s.flights {
		if r.IsCall() && time.Since(r.came) >= givenUp {
			r.unwanted.Store(true)
			old = append(old, r)
		}
	}
	s.mu.Unlock()
	if len(old) > 0 {
		s.engine.Log.Warn("the input ended, so calls that were running for long are stopped without an answer", "calls", len(old))
	}
	s.unasked()
	for _, r := range old {
		r.Stop()
	}
}

// unasked tells who waits for an answer of the client that none will come.
func (s *Session) unasked() {
	s.mu.Lock()
	asked := s.asked
	s.asked, s.deaf = nil, true
	s.mu.Unlock()
	for _, waiting := range asked {
		close(waiting)
	}
}

// End ends the session: its requests are canceled and not answered, and what is asked has
// no answer.
func (s *Session) End() {
	if s.shared {
		return
	}
	s.mu.Lock()
	s.ended = true
	flights, extras := s.flights, [...]ExtraSession{s.extra, s.former}
	s.flights, s.extra, s.former = nil, nil, nil
	s.mu.Unlock()
	for _, r := range flights {
		r.Cancel()
	}
	s.unasked()
	for _, x := range extras {
		if x != nil {
			x.Close()
		}
	}
}
