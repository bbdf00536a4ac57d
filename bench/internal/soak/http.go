package soak

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/jptool/jptool/bench/internal/drive"
	"github.com/jptool/jptool/bench/internal/request"
)

const (
	// conns is the number of concurrent connections.
	conns = 16
	// perSession is the number of calls that a client makes in a session before it opens another
	// one.
	perSession = 500
	// patience is the timeout for a response.
	patience = 30 * time.Second
)

// RunHTTP is [Run] over HTTP. In the generation with sessions, each connection has its own session and replaces
// it regularly.
func RunHTTP(ctx context.Context, command []string, era request.Era, calls, parts int) (Report, error) {
	s, err := drive.Serve(command, nil, time.Hour)
	if err != nil {
		return Report{}, err
	}
	defer s.Kill()
	r := Report{Calls: calls}
	clients := make([]*client, conns)
	for i := range clients {
		clients[i] = &client{Service: s, era: era}
		if err := clients[i].begin(); err != nil {
			return r, err
		}
		defer clients[i].conn.Close()
	}
	err = r.take(s.PID(), parts, clients[0].goroutines, func(from, calls int) error {
		errs := make([]error, conns)
		var all sync.WaitGroup
		for i, c := range clients {
			all.Go(func() {
				for n := from + i; n < from+calls && errs[i] == nil && ctx.Err() == nil; n += conns {
					errs[i] = c.make(n)
				}
			})
		}
		all.Wait()
		return errors.Join(append(errs, ctx.Err())...)
	})
	if err != nil {
		return r, err
	}
	return r, ends(s.Close)
}

// A client makes calls one at a time.
type client struct {
	*drive.Service
	era     request.Era
	conn    *drive.Conn
	session string
	made    int // calls made in the session
}

// begin connects and opens a session, in the generation with sessions.
func (c *client) begin() (err error) {
	if c.conn, err = c.Dial(); err != nil || c.era == request.Requests {
		return err
	}
	r, err := c.send(c.conn, "", "", request.Initialize)
	if err == nil && (r.Status != http.StatusOK || r.Session == "") {
		err = fmt.Errorf("response to initialize: %d %.200s", r.Status, r.Body)
	}
	if err != nil {
		return err
	}
	c.session = r.Session
	_, err = c.send(c.conn, "", "", request.Initialized)
	return err
}

// send posts a message over a connection.
func (c *client) send(conn *drive.Conn, method, tool, message string) (drive.Response, error) {
	if err := conn.Limit(time.Now().Add(patience)); err != nil {
		return drive.Response{}, err
	}
	return conn.Do(c.post(method, tool, message))
}

func (c *client) post(method, tool, message string) []byte {
	return request.Post(c.Host, c.Path, request.Headers(c.era, method, tool, c.session), message)
}

// make makes call number i.
func (c *client) make(i int) error {
	if c.made++; c.era == request.Sessions && c.made > perSession {
		if err := c.renew(); err != nil {
			return err
		}
	}
	tool, line := message(c.era, i)
	switch kindOf(i) {
	case waits:
		return c.cancel(i, line)
	case noise:
		r, err := c.send(c.conn, "ping", "", line)
		if err == nil && r.Status < 400 && !fits(i, r) {
			err = fmt.Errorf("response to call %d: %d %.300s", i, r.Status, r.Body)
		}
		return err
	}
	r, err := c.send(c.conn, "tools/call", tool, line)
	if err == nil && !fits(i, r) {
		err = fmt.Errorf("response to call %d: %d %.300s", i, r.Status, r.Body)
	}
	return err
}

// fits reports whether a response is valid for call number i.
func fits(i int, r drive.Response) bool {
	var m answer
	return json.Unmarshal(r.Message(), &m) == nil && m.answers(i)
}

// renew closes the session and opens another.
func (c *client) renew() error {
	c.made = 1
	request := strings.Replace(string(c.post("", "", "")), "POST", "DELETE", 1)
	r, err := c.conn.Do([]byte(request))
	if err == nil && r.Status >= 300 {
		err = fmt.Errorf("response to DELETE of a session: %d %.200s", r.Status, r.Body)
	}
	c.session = ""
	return errors.Join(err, c.conn.Close(), c.begin())
}

// cancel makes a call that waits, and cancels it: with a notification in a session, and otherwise by
// closing the connection.
func (c *client) cancel(i int, line string) error {
	if err := c.conn.Limit(time.Now().Add(patience)); err != nil {
		return err
	}
	if err := c.conn.Send(c.post("tools/call", "wait", line)); err != nil {
		return err
	}
	if c.era == request.Requests {
		err := c.conn.Close()
		if err == nil {
			c.conn, err = c.Dial()
		}
		return err
	}
	ended := make(chan error, 1)
	go func() {
		_, err := c.conn.Receive() // any response to a canceled call is valid
		ended <- err
	}()
	other, err := c.Dial()
	if err != nil {
		return err
	}
	defer other.Close()
	for {
		// The notification may arrive before the call.
		if _, err := c.send(other, "", "", cancellation(i)); err != nil {
			return err
		}
		select {
		case err := <-ended:
			return err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// goroutines asks the server for its number of goroutines.
func (c *client) goroutines() (int, error) {
	r, err := c.send(c.conn, "tools/call", "usage", call(c.era, -1, "usage", "{}"))
	if err != nil {
		return 0, err
	}
	return goroutinesIn(r.Message())
}
