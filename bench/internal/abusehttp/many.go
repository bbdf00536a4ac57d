package abusehttp

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/jptool/jptool/bench/internal/drive"
	"github.com/jptool/jptool/bench/internal/request"
)

// many are too many of something.
func many() []Trial {
	t := func(name string, era request.Era, run func(Target, *server) (string, error)) Trial {
		return Trial{Group: "many", Name: name, Era: era, Run: func(t Target) (string, error) {
			return with(t.Search(era), era, func(s *server) (string, error) { return run(t, s) })
		}}
	}
	crowds := func(n int) func(Target, *server) (string, error) {
		return func(_ Target, s *server) (string, error) { return s.crowd(n) }
	}
	return []Trial{
		t("1,000 sessions that are not closed", request.Sessions, crowds(1000)),
		t("10,000 sessions that are not closed", request.Sessions, crowds(10_000)),
		{Group: "many", Name: "1,100 half requests, 1,024 descriptors", Era: request.Requests, Run: func(t Target) (string, error) {
			limited := append([]string{"sh", "-c", `ulimit -Sn 1024 && ulimit -Hn 1024 && exec "$@"`, "sh"}, t.Search(request.Requests)...)
			return with(limited, request.Requests, (*server).halves)
		}},
		t("5,000 calls at once", request.Requests, func(_ Target, s *server) (string, error) { return s.flood(5000) }),
		t("5,000 calls at once", request.Sessions, func(_ Target, s *server) (string, error) { return s.flood(5000) }),
		t("100 answers of 8 MiB that are not read", request.Requests, unread),
	}
}

// crowd opens sessions and leaves them, after which a new client must get one.
func (s *server) crowd(n int) (string, error) {
	c, err := s.dial(life)
	if err != nil {
		return "", err
	}
	defer c.Close()
	opened := 0
	var refusal error
	for ; opened < n; opened++ {
		if _, refusal = s.enter(c); refusal != nil {
			break
		}
	}
	id, err := s.open()
	if err != nil {
		return fmt.Sprintf("%d were opened, then: %v", opened, refusal), fmt.Errorf("a new client gets none: %w", err)
	}
	s.session = id
	used, err := drive.Resident(s.PID())
	return fmt.Sprintf("a new client gets one, %d MiB are held", used>>20), errors.Join(err, refusal, s.alive(patience))
}

// halves sends more half requests than the server has descriptors, after which a good
// client must be served.
func (s *server) halves() (string, error) {
	const n, limit = 1100, 20 * time.Second
	r := s.call(1, request.Arguments)
	for range n {
		c, err := s.Dial()
		if err != nil {
			return "", err
		}
		defer c.Close()
		if err := c.Send(r[:len(r)-100]); err != nil {
			return "", err
		}
	}
	began := time.Now()
	for time.Since(began) < limit {
		if s.alive(limit-time.Since(began)) == nil {
			return fmt.Sprintf("a good client is served after %.1f s", time.Since(began).Seconds()), nil
		}
	}
	return "", fmt.Errorf("a good client is not served within %s", limit)
}

// flood makes n calls at once, each of which must be answered by its own result, or be
// refused as one too many.
func (s *server) flood(n int) (string, error) {
	conns := make([]*drive.Conn, n)
	for i := range conns {
		c, err := s.dial(time.Minute)
		if err != nil {
			return "", err
		}
		defer c.Close()
		conns[i] = c
	}
	answers, errs := make([]answer, n), make([]error, n)
	var all sync.WaitGroup
	for i, c := range conns {
		r := s.call(i, request.Arguments)
		all.Go(func() {
			got, err := c.Do(r)
			answers[i], errs[i] = read(got), err
		})
	}
	all.Wait()
	refused := 0
	for i, a := range answers {
		err := errs[i]
		switch {
		case err == nil && (a.status == http.StatusServiceUnavailable || a.status == http.StatusTooManyRequests):
			refused++
		case err == nil:
			err = a.good(fmt.Sprint(i))
		}
		if err != nil {
			return a.String(), fmt.Errorf("call %d: %w", i, err)
		}
	}
	peak, err := drive.Peak(s.PID())
	return fmt.Sprintf("%d answered, %d refused, %d MiB at most", n-refused, refused, peak>>20), errors.Join(err, s.alive(patience))
}

// The load of answers that are not read, and what it may take beyond what the floor
// takes for the same.
const (
	hoarders    = 100
	folderSize  = 4<<20 - 16<<10 // an answer has it twice
	giveUp      = 15 * time.Second
	mostHoarded = 1100 << 20 // all answers, and a third
	mostLeft    = 64 << 20
)

// unread has large answers left unread.
func unread(t Target, s *server) (string, error) {
	arguments := strings.Replace(request.Arguments, "inbox/2026", strings.Repeat("x", folderSize), 1)
	a, err := s.ask(s.call(1, arguments), patience)
	if err == nil {
		err = a.good("1")
	}
	if err != nil {
		return "", fmt.Errorf("one large call: %w", err)
	}
	floor, err := hoardOnFloor(t, a.text, arguments)
	if err != nil {
		return "", fmt.Errorf("the floor: %w", err)
	}
	got, err := s.hoard(arguments)
	if err != nil {
		return "", err
	}
	peak, left := max(0, got.peak-floor.peak), max(0, got.left-floor.left)
	came := fmt.Sprintf("%d MiB at most, %d MiB after %s, beyond the floor's %d and %d",
		peak>>20, left>>20, giveUp, floor.peak>>20, floor.left>>20)
	if peak > mostHoarded {
		err = errors.Join(err, fmt.Errorf("more than %d MiB at most", mostHoarded>>20))
	}
	if left > mostLeft {
		err = errors.Join(err, fmt.Errorf("more than %d MiB after", mostLeft>>20))
	}
	return came, errors.Join(err, s.alive(patience))
}

// A hoard is what a server holds of answers that are not read.
type hoard struct{ peak, left int64 }

// hoard makes large calls and reads no answer.
func (s *server) hoard(arguments string) (h hoard, err error) {
	errs := make([]error, hoarders)
	var all sync.WaitGroup
	for i := range hoarders {
		c, err := s.narrow()
		if err != nil {
			return h, err
		}
		defer c.Close()
		all.Go(func() { errs[i] = c.Send(s.call(i+2, arguments)) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return h, err
	}
	time.Sleep(giveUp)
	left, err := drive.Resident(s.PID())
	if err != nil {
		return h, err
	}
	h.left = int64(left)
	h.peak, err = drive.Peak(s.PID())
	return h, err
}

// hoardOnFloor has the floor answer the same calls with the same bytes.
func hoardOnFloor(t Target, text []byte, arguments string) (hoard, error) {
	result, err := resultOf(text)
	if err != nil {
		return hoard{}, err
	}
	file, err := os.CreateTemp("", "answer-")
	if err != nil {
		return hoard{}, err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(result)
	if err = errors.Join(err, file.Close()); err != nil {
		return hoard{}, err
	}
	f, err := start(t.Floor(file.Name()), request.Requests)
	if err != nil {
		return hoard{}, err
	}
	defer f.Kill()
	return f.hoard(arguments)
}
