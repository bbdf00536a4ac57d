package stdio

import (
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A fence bounds the notifications that go-sdk has not looked at yet, which it keeps
// in a queue without end and answers by nothing. After so many of them it is sent a
// ping of our own, which it answers when all before it have been handled; reading
// pauses if as many more have come by then.
type fence struct {
	passed int          // notifications since the last ping; Read's alone
	ours   atomic.Int64 // our id of the ping that is not answered, 0 for none
}

// mostNotes is how many notifications pass between two pings.
const mostNotes = 128

// post returns the ping to send now, nil for none, and reports whether reading pauses.
func (c *conn) post() (*jsonrpc.Request, bool) {
	switch {
	case c.fence.passed < mostNotes:
		return nil, false
	case c.fence.ours.Load() != 0:
		return nil, true
	}
	c.fence.passed = 0
	ours := c.number()
	id, err := jsonrpc.MakeID(float64(ours))
	if err != nil {
		return nil, false
	}
	c.fence.ours.Store(ours)
	return &jsonrpc.Request{ID: id, Method: methodPing}, false
}

// reached notes an answer of go-sdk's to no call of the client.
func (c *conn) reached(ours int64) {
	if c.fence.ours.CompareAndSwap(ours, 0) {
		c.wake()
	}
}
