package stdio

import (
	"encoding/json"
	"io"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// codeEnding is the code of calls that the server ended before; JSON-RPC leaves
// -32000 to -32099 to servers.
const codeEnding = -32000

// An ending is how a connection whose input has ended comes to an end itself: calls
// have two thirds of the drain to end, then they are canceled and have the rest of
// it to say so.
type ending struct {
	began   time.Time
	gaveUp  bool
	cancels []int64 // our ids of the calls that go-sdk is still to be told of
}

// end begins the end. Nothing is read any more.
func (c *conn) end() {
	if c.ending != nil {
		return
	}
	c.flight.end()
	c.ending = &ending{began: time.Now(), cancels: c.listening()}
	time.AfterFunc(c.drain*2/3, c.wake)
	// The end comes even if Read is stuck in writing to a client that does not read.
	time.AfterFunc(c.drain, func() { c.wake(); c.expire() })
}

// ended returns what Read returns next while the connection ends, and nil to wait.
func (c *conn) ended() (jsonrpc.Message, error) {
	e := c.ending
	owed, running := c.left()
	passed := time.Since(e.began)
	if owed+running > 0 && passed >= c.drain*2/3 && !e.gaveUp {
		e.gaveUp = true
		c.log.Warn("the server ends with calls still running", "calls", max(owed, running))
		var never []string
		e.cancels, never = c.abandon()
		for _, id := range never {
			if err := c.refuse(id, &jsonrpc.Error{Code: codeEnding, Message: "the server ended before this call began; send it again"}); err != nil {
				return nil, err
			}
		}
	}
	if len(e.cancels) > 0 {
		ours := e.cancels[0]
		e.cancels = e.cancels[1:]
		return cancellation(ours, "the server ends")
	}
	if owed, running := c.left(); owed+running == 0 || passed >= c.drain {
		c.expire()
		return nil, io.EOF
	}
	return nil, nil
}

// cancellation returns the notification that ends the context of a call.
func cancellation(ours int64, reason string) (*jsonrpc.Request, error) {
	params, err := json.Marshal(map[string]any{"requestId": ours, "reason": reason})
	return &jsonrpc.Request{Method: methodCancelled, Params: params}, err
}

// watch has the connection end, within its drain, when the client is gone while Read
// cannot get at the end of input: it writes to a client that does not read, or reads
// no further until calls have ended. It costs a thread, so it begins only then.
func (c *conn) watch() {
	c.watching.Do(func() {
		go func() {
			if hungUp(c.in) {
				time.AfterFunc(c.drain, c.expire)
			}
		}()
	})
}
