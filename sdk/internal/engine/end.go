package engine

import "time"

// givenUp is the age at or above which a running call counts as abandoned when its client
// closes the input. A client that closes the input after waiting this long no longer wants the
// answer, and some clients fail when it arrives. A script that pipes its requests closes the
// input at once, and wants the answers.
const givenUp = 400 * time.Millisecond

// EndInput is called when the client can send no more messages. Pending questions fail. Abandoned
// calls are canceled and not answered; shutdown still waits for their handlers, which may have to
// clean up.
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
		s.engine.Log.Warn("input closed: canceling abandoned calls without an answer", "calls", len(old))
	}
	s.unasked()
	for _, r := range old {
		r.Stop()
	}
}

// unasked fails the pending requests to the client.
func (s *Session) unasked() {
	s.mu.Lock()
	asked := s.asked
	s.asked, s.deaf = nil, true
	s.mu.Unlock()
	for _, waiting := range asked {
		close(waiting)
	}
}

// End ends the session: its requests are canceled and not answered, and pending questions
// fail.
func (s *Session) End() {
	if s.shared {
		return
	}
	s.mu.Lock()
	s.ended = true
	flights, extras := s.flights, s.extra
	s.flights, s.extra = nil, nil
	s.mu.Unlock()
	for _, r := range flights {
		r.Cancel()
	}
	s.unasked()
	for _, x := range extras {
		x.Close()
	}
}
