package abusehttp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/jptool/jptool/bench/internal/drive"
	"github.com/jptool/jptool/bench/internal/request"
)

const (
	// life is the maximum lifetime of the server of a trial.
	life = 5 * time.Minute
	// patience is the timeout for an ordinary response.
	patience = 10 * time.Second
)

// A server is a process whose port the trial uses.
type server struct {
	*drive.Service
	era     request.Era
	session string
}

// start starts a server and opens a session, in the generation with sessions.
func start(command []string, era request.Era) (*server, error) {
	d, err := drive.Serve(command, nil, life)
	if err != nil {
		return nil, err
	}
	s := &server{Service: d, era: era}
	if era == request.Sessions {
		if s.session, err = s.open(); err != nil {
			s.Kill()
			return nil, err
		}
	}
	return s, nil
}

// with runs a trial on a server, and then kills the server.
func with(command []string, era request.Era, run func(*server) (string, error)) (string, error) {
	s, err := start(command, era)
	if err != nil {
		return "", err
	}
	defer s.Kill()
	return run(s)
}

// open opens a session over a separate connection.
func (s *server) open() (string, error) {
	c, err := s.dial(patience)
	if err != nil {
		return "", err
	}
	defer c.Close()
	return s.enter(c)
}

// enter opens a session over a connection.
func (s *server) enter(c *drive.Conn) (string, error) {
	r, err := c.Do(s.post(request.Headers(request.Sessions, "", "", ""), request.Initialize))
	if err != nil {
		return "", err
	}
	id := r.Session
	if r.Status != http.StatusOK || id == "" {
		return "", fmt.Errorf("response to initialize: %s", read(r))
	}
	_, err = c.Do(s.post(request.Headers(request.Sessions, "", "", id), request.Initialized))
	return id, err
}

// dial connects with a timeout.
func (s *server) dial(limit time.Duration) (*drive.Conn, error) {
	c, err := s.Dial()
	if err != nil {
		return nil, err
	}
	return c, c.Limit(time.Now().Add(limit))
}

func (s *server) post(fields []string, body string) []byte {
	return request.Post(s.Host, s.Path, fields, body)
}

// ask sends a request over a separate connection and returns the response.
func (s *server) ask(r []byte, limit time.Duration) (answer, error) {
	c, err := s.dial(limit)
	if err != nil {
		return answer{}, err
	}
	defer c.Close()
	sent := c.Send(r) // a server may respond before it has read everything
	got, err := c.Receive()
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return answer{}, fmt.Errorf("no response within %s", limit)
	}
	if err != nil {
		return answer{}, errors.Join(err, sent)
	}
	return read(got), nil
}

// call returns the request for a call to the search tool.
func (s *server) call(id int, arguments string) []byte {
	return request.PostCall(s.Host, s.Path, s.era, s.session, id, arguments)
}

// checkAlive returns an error unless the server responds to a valid call in time.
func (s *server) checkAlive(limit time.Duration) error {
	a, err := s.ask(s.call(7001, request.Arguments), limit)
	if err == nil {
		err = a.checkGood("7001")
	}
	if err != nil {
		err = fmt.Errorf("a valid call after the trial failed: %w", err)
	}
	return err
}

// An answer holds the parts of a response that trials check.
type answer struct {
	status  int
	json    bool // the body is a JSON-RPC message
	id      string
	result  bool
	isError bool
	code    int
	text    []byte
}

// read reads a response.
func read(r drive.Response) answer {
	a := answer{status: r.Status, text: bytes.Clone(r.Message())}
	var m struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  *struct{ IsError bool }
		Error   *struct{ Code int }
	}
	if json.Unmarshal(a.text, &m) != nil || m.Version != "2.0" {
		return a
	}
	a.json, a.id, a.result = true, string(m.ID), m.Result != nil
	if m.Result != nil {
		a.isError = m.Result.IsError
	}
	if m.Error != nil {
		a.code = m.Error.Code
	}
	return a
}

// String describes an answer in a few words.
func (a answer) String() string {
	switch {
	case a.result && a.isError:
		return fmt.Sprintf("%d, an error result with id %s", a.status, a.id)
	case a.result:
		return fmt.Sprintf("%d, a result with id %s", a.status, a.id)
	case a.json:
		id := a.id
		if id == "" {
			id = "null"
		}
		return fmt.Sprintf("%d, error %d with id %s", a.status, a.code, id)
	case len(a.text) == 0:
		return fmt.Sprintf("%d without a body", a.status)
	}
	return fmt.Sprintf("%d %q", a.status, bytes.TrimSpace(a.text[:min(len(a.text), 60)]))
}

// A judge returns an error if a response is wrong.
type judge func(answer) error

// checkGood requires a result for the call with the given id.
func (a answer) checkGood(id string) error {
	if a.status != http.StatusOK || !a.result || a.isError || a.id != id {
		return fmt.Errorf("want a result with id %s", id)
	}
	return nil
}

func wantGood(id string) judge { return func(a answer) error { return a.checkGood(id) } }

// wantRejection requires that the server rejected the request, with a status or a JSON-RPC error.
func wantRejection(a answer) error {
	if a.result || a.status < 400 && a.code == 0 || a.status >= 500 || a.code == -32603 {
		return errors.New("want a rejection")
	}
	return nil
}

// wantIntact requires a result with exactly this id, or a rejection.
func wantIntact(id string) judge {
	return func(a answer) error {
		if a.checkGood(id) == nil || wantRejection(a) == nil && (a.id == id || a.id == "" || a.id == "null") {
			return nil
		}
		return fmt.Errorf("want id %s or a rejection", id)
	}
}

// fails requires a JSON-RPC error with the given code, and one of the given statuses.
func fails(code int, id string, status ...int) judge {
	return func(a answer) error {
		if a.code != code || a.id != id || !slices.Contains(status, a.status) {
			return fmt.Errorf("want %s, error %d with id %s", strings.Trim(fmt.Sprint(status), "[]"), code, id)
		}
		return nil
	}
}

// status requires one of the given statuses.
func status(want ...int) judge {
	return func(a answer) error {
		if !slices.Contains(want, a.status) {
			return fmt.Errorf("want %s", strings.Trim(fmt.Sprint(want), "[]"))
		}
		return nil
	}
}

// wantResponse requires a JSON-RPC response with the given id.
func wantResponse(id string) judge {
	return func(a answer) error {
		if !a.json || a.id != id || a.code == -32603 {
			return fmt.Errorf("want a response with id %s", id)
		}
		return nil
	}
}
