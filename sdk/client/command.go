package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Command returns a transport that starts a server process, without a shell. [Client.Close] ends
// the process. A response that is not valid JSON, or that has an id of no request, ends the session: without it,
// calls would wait until their context ends.
func Command(ctx context.Context, program string, args ...string) mcp.Transport {
	return &command{process: &mcp.CommandTransport{
		Command: exec.CommandContext(ctx, program, args...), TerminateDuration: 2 * time.Second,
	}}
}

type command struct {
	process *mcp.CommandTransport
	conn    *checked
}

func (c *command) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := c.process.Connect(ctx)
	if err != nil {
		return nil, err
	}
	c.conn = &checked{Connection: conn, sent: map[any]bool{}}
	return c.conn, nil
}

// wrong returns the reason why a wrong response ended the session, or nil.
func (c *command) wrong() error {
	if c.conn == nil {
		return nil
	}
	c.conn.mu.Lock()
	defer c.conn.mu.Unlock()
	return c.conn.wrong
}

// A checked is a connection that checks the ids of responses.
type checked struct {
	mcp.Connection
	mu    sync.Mutex
	sent  map[any]bool // the ids of the requests
	wrong error
}

func (c *checked) Write(ctx context.Context, m jsonrpc.Message) error {
	if r, ok := m.(*jsonrpc.Request); ok && r.ID.IsValid() {
		c.mu.Lock()
		c.sent[r.ID.Raw()] = true
		c.mu.Unlock()
	}
	return c.Connection.Write(ctx, m)
}

func (c *checked) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	if r, ok := m.(*jsonrpc.Response); ok && err == nil && !c.sent[r.ID.Raw()] {
		err = fmt.Errorf("the server's response has the id %#v, which no request has", r.ID.Raw())
		if r.Error != nil {
			err = fmt.Errorf("%w: %w", err, r.Error)
		}
	}
	if err != nil && !errors.Is(err, io.EOF) && ctx.Err() == nil && c.wrong == nil {
		c.wrong = err
	}
	return m, err
}
