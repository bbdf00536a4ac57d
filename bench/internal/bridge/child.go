package bridge

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"sync"
)

const (
	methodListen    = "subscriptions/listen"
	keySubscription = "io.modelcontextprotocol/subscriptionId"
)

// A child is a process of the server.
type child struct {
	shared bool // several clients use the process and may use the same ids

	writing sync.Mutex
	in      io.WriteCloser

	mu      sync.Mutex
	next    int
	streams []*stream // the open streams, the newest last
}

// A stream is the response to an HTTP request.
type stream struct {
	id, own json.RawMessage // the id of the client and the id that the process sees; nil for a GET
	token   json.RawMessage
	listens bool
	lines   chan []byte
}

// start starts the command. It exits when the context is done or its input is closed.
func (h *Handler) start(shared bool) (*child, error) {
	cmd := exec.CommandContext(h.ctx, h.command[0], h.command[1:]...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &child{in: in, shared: shared}
	h.running.Go(func() {
		c.read(out)
		_ = cmd.Wait() // the exit status is irrelevant; unanswered requests show a failure
	})
	return c, nil
}

// write sends a message on one line.
func (c *child) write(body []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.in.Write(oneLine(body))
	return err
}

func (c *child) end() { _ = c.in.Close() } // the process may have exited already

// read forwards every line to its stream. When the output ends, it ends all streams.
func (c *child) read(out io.Reader) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, maxBody)
	for lines.Scan() {
		line := bytes.Clone(lines.Bytes())
		var m message
		if json.Unmarshal(line, &m) != nil {
			continue
		}
		c.mu.Lock()
		s := c.owner(&m)
		c.mu.Unlock()
		if s != nil {
			s.lines <- line
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.streams {
		close(s.lines)
	}
	c.streams = nil
}

// owner returns the stream to which a message belongs. A request from the server, or a message that does not
// identify a stream, belongs to the newest call. The caller must hold c.mu.
func (c *child) owner(m *message) (found *stream) {
	subscription := m.Params.Meta[keySubscription]
	for _, s := range c.streams {
		switch {
		case m.Method == "":
			if s.own != nil && bytes.Equal(s.own, m.ID) {
				return s
			}
		case subscription != nil:
			if bytes.Equal(s.own, subscription) {
				return s
			}
		case m.Params.Token != nil && bytes.Equal(s.token, m.Params.Token):
			return s
		case !s.listens && (s.own != nil || found == nil):
			found = s
		}
	}
	if m.Method == "" || subscription != nil {
		return nil
	}
	return found
}

func (c *child) open(s *stream) {
	s.lines = make(chan []byte, 1024)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next++
	s.own = s.id
	if c.shared && s.id != nil {
		s.own = json.RawMessage(strconv.Itoa(c.next))
	}
	c.streams = append(c.streams, s)
}

func (c *child) close(s *stream) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.streams {
		if c.streams[i] == s {
			c.streams = append(c.streams[:i:i], c.streams[i+1:]...)
			return
		}
	}
}

// exchange sends a message from the client and forwards the messages that follow.
func (c *child) exchange(w http.ResponseWriter, r *http.Request, m *message, body []byte) {
	if m.Method == "" || m.ID == nil {
		c.send(w, body)
		return
	}
	s := &stream{id: m.ID, token: m.Params.Meta["progressToken"], listens: m.Method == methodListen}
	c.open(s)
	defer c.close(s)
	if c.shared {
		body = put(body, s.own, "id")
	}
	if err := c.write(body); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if !c.relay(w, r, s) && c.shared {
		// A client of these versions cancels by closing the connection.
		_ = c.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, s.own))
	}
}

func (c *child) send(w http.ResponseWriter, body []byte) {
	if err := c.write(body); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

// listen responds to a GET request with the messages that belong to no call.
func (c *child) listen(w http.ResponseWriter, r *http.Request) {
	s := new(stream)
	c.open(s)
	defer c.close(s)
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	_ = http.NewResponseController(w).Flush()
	c.relay(w, r, s)
}

// relay sends the lines of a stream until it ends, and reports whether it ended.
func (c *child) relay(w http.ResponseWriter, r *http.Request, s *stream) (ended bool) {
	events := s.id == nil
	for {
		select {
		case <-r.Context().Done():
			return false
		case line, ok := <-s.lines:
			if !ok {
				return true
			}
			var m message
			_ = json.Unmarshal(line, &m) // cannot fail: read has already parsed the line
			last := m.Method == ""
			if c.shared {
				line = restore(line, s.id, &m)
			}
			if last && !events {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(c.status(&m))
				_, _ = w.Write(line)
				return true
			}
			if !events {
				events = true
				w.Header().Set("Content-Type", "text/event-stream")
			}
			fmt.Fprintf(w, "event: message\ndata: %s\n\n", line)
			_ = http.NewResponseController(w).Flush()
			if last {
				return true
			}
		}
	}
}

// status returns the HTTP status of an error. Only versions without sessions define one.
func (c *child) status(m *message) int {
	switch {
	case !c.shared || m.Error == nil:
		return http.StatusOK
	case m.Error.Code == -32601:
		return http.StatusNotFound
	case m.Error.Code == -32603:
		return http.StatusInternalServerError
	}
	return http.StatusBadRequest
}

// restore replaces the id in a message from the process with the id of the client.
func restore(line []byte, id json.RawMessage, m *message) []byte {
	if m.Method == "" {
		line = put(line, id, "id")
	}
	if m.Params.Meta[keySubscription] != nil {
		return put(line, id, "params", "_meta", keySubscription)
	}
	if bytes.Contains(line, []byte(keySubscription)) {
		return put(line, id, "result", "_meta", keySubscription)
	}
	return line
}

// put replaces the value at a path in an object. If the path is missing, it returns the object
// unchanged.
func put(object []byte, value json.RawMessage, path ...string) []byte {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil || members[path[0]] == nil {
		return object
	}
	if len(path) > 1 {
		value = put(members[path[0]], value, path[1:]...)
	}
	members[path[0]] = value
	changed, err := json.Marshal(members)
	if err != nil {
		return object
	}
	return changed
}

// oneLine returns JSON without line breaks.
func oneLine(text []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return append(bytes.ReplaceAll(text, []byte("\n"), []byte(" ")), '\n')
	}
	b.WriteByte('\n')
	return b.Bytes()
}
