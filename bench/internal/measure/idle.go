package measure

import (
	"time"

	"github.com/jptool/jptool/bench/internal/drive"
)

// settling is the time that a server has to free the memory of closed connections.
const settling = time.Second

// idle opens n sessions, leaves them unused, and returns the memory per session.
func (s *service) idle(n int) (Idle, error) {
	// The first requests and connections need memory that every server keeps.
	if _, err := s.openSessions(min(n, 16)); err != nil {
		return Idle{}, err
	}
	before, err := drive.Resident(s.PID())
	if err != nil {
		return Idle{}, err
	}
	opened, err := s.openSessions(n)
	if err != nil {
		return Idle{}, err
	}
	time.Sleep(settling)
	after, err := drive.Resident(s.PID())
	return Idle{Sessions: opened, Bytes: float64(max(0, after-before)) / float64(max(1, opened))}, err
}
