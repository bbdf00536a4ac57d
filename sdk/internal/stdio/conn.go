package stdio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A conn is the connection over a [Transport]'s streams. Calls reach go-sdk under
// ids of our own, since it keeps an id as an int64 or a string.
type conn struct {
	in      io.ReadCloser
	out     io.WriteCloser
	maxLine int
	drain   time.Duration
	log     *slog.Logger

	lines  chan *line
	closed chan struct{}
	gone   sync.Once
	over   chan struct{} // closed when nothing more will be read
	expire func()        // closes over

	dealt    atomic.Uint64 // lines that Read has dealt with
	begun    atomic.Bool   // go-sdk takes the session for opened
	opened   atomic.Bool   // by an initialize that has not failed
	hears    atomic.Bool   // the session asks for what is logged, which is go-sdk's to tell
	stopped  atomic.Bool   // no more may be read
	ending   *ending       // nil before the end of input
	watching sync.Once

	versioned bool // a request has named its version; Read's alone
	closing   sync.Once

	flight
	fence fence
	crew  crew

	writing sync.Mutex
}

const methodCancelled = "notifications/cancelled"

// opens reports whether go-sdk takes a session for opened once a call of this method
// has gone well: by initialize, or by a request of a version that has no sessions.
func opens(method string) bool {
	return method == methodInitialize || method == methodCall || method == methodList
}

// SessionID returns "", since standard streams have one session.
func (c *conn) SessionID() string { return "" }

// Read returns the next message. Lines that are none are answered here.
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if in, ok := c.due(); ok {
			if in.req != nil {
				return in.req, nil
			}
			c.begin(in.task)
			continue
		}
		if c.stopped.Load() {
			c.end()
		}
		ping, behind := c.post()
		if ping != nil {
			return ping, nil
		}
		lines := c.lines
		if c.ending != nil {
			if msg, err := c.ended(); msg != nil || err != nil {
				return msg, err
			}
			lines = nil
		} else if behind || c.full() {
			c.watch()
			lines = nil
		}
		var l *line
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case <-c.awake:
			continue
		case next, ok := <-lines:
			if !ok {
				return nil, io.EOF
			}
			l = next
		}
		if l.err != nil {
			if l.err != io.EOF {
				c.log.Error("reading the input failed", "error", l.err)
			}
			c.end()
			continue
		}
		msg, err := c.message(l)
		c.dealt.Add(1)
		if refused, ok := errors.AsType[*refusal](err); ok {
			c.log.Warn("refused a line of input", "reason", refused.message, "bytes", len(l.text))
			c.watch()
			if refused.silent {
				continue
			}
			if err := c.refuse(refused.id, &jsonrpc.Error{Code: refused.code, Message: refused.message, Data: refused.data}); err != nil {
				return nil, err
			}
			continue
		}
		if msg != nil {
			return msg, nil
		}
	}
}

// message returns the message of a line, nil for one that wants no attention or is
// answered here.
func (c *conn) message(l *line) (jsonrpc.Message, error) {
	switch {
	case l.tooLong:
		return nil, &refusal{code: jsonrpc.CodeInvalidRequest, message: fmt.Sprintf("invalid request: the line is longer than %d bytes", c.maxLine)}
	case l.refused != nil:
		return nil, l.refused
	}
	e := &l.envelope
	if !e.isRequest {
		return c.response(e), nil
	}
	if h := c.handlerOf(e); h != nil {
		return nil, c.run(h, e, len(l.text))
	}
	req := &jsonrpc.Request{Method: string(e.method), Params: json.RawMessage(e.params)}
	if e.params.Kind() == 'n' {
		req.Params = nil
	}
	if len(e.id) == 0 {
		if req.Method == methodCancelled {
			return c.cancelled(req), nil
		}
		c.fence.passed++
		return req, nil
	}
	if err := c.gate(e); err != nil {
		return nil, err
	}
	if req.Params == nil {
		// What is not there is judged by who knows the method. go-sdk would call the
		// request invalid, whether or not it is one of the server's.
		req.Params = json.RawMessage("{}")
	}
	if req.Method == methodLevel {
		c.hears.Store(true)
	}
	in := call{id: string(e.id), req: req, size: len(l.text), ofTool: req.Method == methodCall, listens: req.Method == methodListen, opens: opens(req.Method)}
	if meta, token := e.metaOf(), e.call.ProgressToken; meta != nil || token != nil || req.Method == methodList {
		in.beside = &beside{meta: meta, token: token}
		req.Extra = in.beside.extra()
	}
	now, err := c.admit(in)
	if err != nil && req.Method == methodInitialize {
		c.opened.Store(false)
	}
	if err != nil || !now {
		return nil, err
	}
	return req, nil
}

// response returns the client's response to a call of ours, nil for one that
// answers none: such as a complaint about a line of ours, which must not be
// answered in turn.
func (c *conn) response(e *envelope) jsonrpc.Message {
	var raw any
	if len(e.id) == 0 || json.Unmarshal(e.id, &raw) != nil {
		c.log.Warn("the client sent a response without an id", "error", clip(e.failure))
		return nil
	}
	id, err := jsonrpc.MakeID(raw)
	if err != nil || !id.IsValid() {
		c.log.Warn("the client sent a response whose id is none of ours")
		return nil
	}
	resp := &jsonrpc.Response{ID: id, Result: json.RawMessage(e.result)}
	if e.failure == nil && !e.result.IsValid() {
		resp.Error = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: errTwice.Error()}
	}
	if e.failure != nil {
		failure := new(jsonrpc.Error)
		if err := json.Unmarshal(e.failure, failure); err != nil {
			failure = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the client sent an error that cannot be read"}
		}
		resp.Error = failure
	}
	return resp
}

// clip returns the beginning of a text that a client made up.
func clip(text []byte) string { return string(text[:min(len(text), 200)]) }

// cancelled returns the notification under our id of the call, whose answer is
// then no longer owed; nil when go-sdk has no such call.
func (c *conn) cancelled(req *jsonrpc.Request) jsonrpc.Message {
	var p struct {
		RequestID jsontext.Value `json:"requestId"`
		Reason    string         `json:"reason"`
	}
	if jsonv2.Unmarshal(req.Params, &p) != nil {
		return nil
	}
	ours, theirs := c.cancel(string(p.RequestID))
	if !theirs {
		return nil
	}
	msg, err := cancellation(ours, p.Reason)
	if err != nil {
		return nil
	}
	return msg
}

// Write sends a message. The answer to a canceled call is dropped.
func (c *conn) Write(_ context.Context, msg jsonrpc.Message) error {
	resp, ok := msg.(*jsonrpc.Response)
	if !ok {
		if req, ok := msg.(*jsonrpc.Request); ok && !req.ID.IsValid() {
			params, told := c.subscribed(req.Params)
			if !told {
				return nil
			}
			msg = &jsonrpc.Request{Method: req.Method, Params: params}
		}
		data, err := jsonrpc.EncodeMessage(msg)
		if err != nil {
			return fmt.Errorf("encoding a message: %w", err)
		}
		return c.send(append(data, '\n'))
	}
	ours, isOurs := resp.ID.Raw().(int64)
	in, known := c.answering(ours)
	if !isOurs || !known {
		c.reached(ours)
		return nil
	}
	defer c.done(ours)
	if in.canceled {
		return nil
	}
	switch {
	case in.opens && resp.Error == nil:
		c.begun.Store(true)
	case resp.Error != nil && in.req.Method == methodInitialize:
		c.opened.Store(false)
	}
	switch {
	case resp.Error != nil:
		return c.refuse(in.id, resp.Error)
	case in.beside != nil && in.beside.result != nil:
		return c.respond(in.id, in.beside.result...)
	case len(resp.Result) == 0:
		return c.respond(in.id, []byte("{}"))
	}
	if in.listens {
		resp.Result, _ = c.subscribed(resp.Result)
	}
	return c.respond(in.id, resp.Result)
}

// large is the size of a piece that is rather written by itself than copied.
const large = 32 << 10

// respond answers the call of that id with the result that the pieces are together.
func (c *conn) respond(id string, result ...[]byte) error {
	var pieces [][]byte
	line := append(appendStart(nil, id), `"result":`...)
	for _, piece := range result {
		if len(piece) < large {
			line = append(line, piece...)
		} else {
			pieces = append(pieces, line, piece)
			line = nil
		}
	}
	return c.send(append(pieces, append(line, "}\n"...))...)
}

// refuse answers the call of that id with an error.
func (c *conn) refuse(id string, failure error) error {
	line, err := appendFailure(nil, id, failure)
	if err != nil {
		return err
	}
	return c.send(line)
}

// send writes the pieces of a line, and keeps none of them. When that fails nobody is
// there to serve any more.
func (c *conn) send(line ...[]byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	for _, piece := range line {
		if _, err := c.out.Write(piece); err != nil {
			c.hangUp()
			return fmt.Errorf("writing to the client: %w", err)
		}
	}
	return nil
}

// hangUp has Read return, and calls that are answered here.
func (c *conn) hangUp() {
	c.gone.Do(func() { close(c.closed) })
	c.crew.stop()
	c.expire()
}

// Close ends the connection. Input that is being waited for is given up.
func (c *conn) Close() (err error) {
	c.hangUp()
	c.closing.Do(func() { err = errors.Join(c.in.Close(), c.out.Close()) })
	return err
}
