package drive

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"
)

// A Conn is an HTTP/1.1 keep-alive connection. It sends prepared requests and parses only the necessary parts
// of a response, so that its cost is small compared with the measured server.
type Conn struct {
	net  net.Conn
	in   *bufio.Reader
	body []byte
}

// A Response is the response to a request. Its body is valid until the next request.
type Response struct {
	Status  int
	Session string // the value of Mcp-Session-Id
	Events  bool   // the body is a stream of events
	Body    []byte
	Closed  bool // the connection accepts no further request
}

// dialing is the timeout for opening a connection.
const dialing = 10 * time.Second

// Dial connects to a host and port.
func Dial(host string) (*Conn, error) {
	c, err := net.DialTimeout("tcp", host, dialing)
	if err != nil {
		return nil, err
	}
	return &Conn{net: c, in: bufio.NewReaderSize(c, 16<<10)}, nil
}

// Close closes the connection.
func (c *Conn) Close() error { return c.net.Close() }

// Limit sets the deadline for sending and reading; the zero time means no deadline.
func (c *Conn) Limit(t time.Time) error { return c.net.SetDeadline(t) }

// Window sets the size of the system's receive buffer in bytes.
func (c *Conn) Window(bytes int) error {
	tcp, ok := c.net.(*net.TCPConn)
	if !ok {
		return fmt.Errorf("cannot set the receive buffer of %T", c.net)
	}
	return tcp.SetReadBuffer(bytes)
}

// Do sends the bytes of a request and returns the response.
func (c *Conn) Do(request []byte) (Response, error) {
	if err := c.Send(request); err != nil {
		return Response{}, err
	}
	return c.Receive()
}

// Send sends bytes, which may be a part of a request.
func (c *Conn) Send(part []byte) error {
	_, err := c.net.Write(part)
	return err
}

// Receive returns the next response.
func (c *Conn) Receive() (Response, error) {
	for {
		r, err := c.receive()
		if err != nil || r.Status >= 200 {
			return r, err
		}
	}
}

func (c *Conn) receive() (r Response, err error) {
	line, err := c.line()
	if err != nil {
		return r, err
	}
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.")) {
		return r, fmt.Errorf("invalid response: %q", clip(line))
	}
	if r.Status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return r, fmt.Errorf("invalid response: %q", clip(line))
	}
	length, chunked := -1, false
	for {
		if line, err = c.line(); err != nil {
			return r, err
		}
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		switch {
		case isHeader(name, "content-length"):
			if length, err = strconv.Atoi(string(value)); err != nil {
				return r, err
			}
		case isHeader(name, "transfer-encoding"):
			chunked = bytes.EqualFold(value, []byte("chunked"))
		case isHeader(name, "content-type"):
			r.Events = bytes.HasPrefix(value, []byte("text/event-stream"))
		case isHeader(name, "mcp-session-id"):
			r.Session = string(value)
		case isHeader(name, "connection"):
			r.Closed = bytes.EqualFold(value, []byte("close"))
		}
	}
	c.body = c.body[:0]
	switch {
	case chunked:
		err = c.chunks()
	case length >= 0:
		err = c.take(length)
	case r.Status != 204 && r.Status != 304 && r.Status >= 200:
		r.Closed = true
		c.body, err = io.ReadAll(c.in)
	}
	r.Body = c.body
	return r, err
}

func isHeader(name []byte, lower string) bool {
	return len(name) == len(lower) && bytes.EqualFold(name, []byte(lower))
}

// line returns the next line, without its line ending.
func (c *Conn) line() ([]byte, error) {
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	return bytes.TrimRight(line, "\r\n"), nil
}

// take appends the next n bytes to the body.
func (c *Conn) take(n int) error {
	from := len(c.body)
	if cap(c.body)-from < n {
		c.body = append(make([]byte, 0, from+n), c.body...)
	}
	c.body = c.body[:from+n]
	_, err := io.ReadFull(c.in, c.body[from:])
	return err
}

// chunks reads a chunked body.
func (c *Conn) chunks() error {
	for {
		line, err := c.line()
		if err != nil {
			return err
		}
		size, _, _ := bytes.Cut(line, []byte(";"))
		n, err := strconv.ParseInt(string(size), 16, 32)
		if err != nil {
			return fmt.Errorf("invalid chunk: %q", clip(line))
		}
		if err := c.take(int(n)); err != nil {
			return err
		}
		if rest, err := c.line(); err != nil || len(rest) > 0 {
			return errors.Join(err, errors.New("the chunk has no end"))
		}
		if n == 0 {
			return nil
		}
	}
}

// Message returns the message in a response: its body or, in a stream of events, the data of the last event
// that is a response.
func (r Response) Message() []byte {
	if !r.Events {
		return bytes.TrimSpace(r.Body)
	}
	var found []byte
	for line := range bytes.Lines(r.Body) {
		data, ok := bytes.CutPrefix(line, []byte("data:"))
		if ok && (bytes.Contains(data, []byte(`"result":`)) || bytes.Contains(data, []byte(`"error":`))) {
			found = bytes.TrimSpace(data)
		}
	}
	return found
}
