package jptest

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// overPipes returns the caller of a wire over pipes. If jp is not "", the server runs with --jp.
func overPipes(version, jp string, run func(*call, context.Context, *peer.Session) error) func(*Kit) caller {
	return func(k *Kit) caller {
		return func(ctx context.Context, c *call) error {
			conn, stop := k.serve(ctx, jp)
			defer stop()
			o := c.client(version)
			if jp != "" {
				o.Elicit, o.Progress, o.Log = nil, nil, nil // JP's client does not support these features
			}
			s, err := peer.Connect(ctx, conn, o)
			return c.session(ctx, s, err, run)
		}
	}
}

// overHTTP returns the constructor of callers that use a version of MCP over HTTP.
func overHTTP(version string) func(*Kit) caller {
	return func(k *Kit) caller {
		ctx, cancel := context.WithCancel(k.ctx)
		key := sha256.Sum256([]byte(k.server.Name())) // the same key as on the other wires, so that the cursors are the same
		handler, err := k.server.Handler(ctx, sdk.Options{
			TrustHTTP: true, ErrorText: sdk.ShowErrorText, ToolOptions: k.environment(), StateKeys: base64.StdEncoding.EncodeToString(key[:]),
		}, sdk.HTTPOptions{Principal: func(*http.Request) string { return k.options.Principal }})
		if err != nil {
			cancel()
			k.t.Fatalf("serving HTTP: %v", err)
		}
		server := httptest.NewUnstartedServer(handler)
		server.Config.BaseContext = func(net.Listener) context.Context { return ctx }
		server.Start()
		k.t.Cleanup(func() {
			cancel()
			server.Close()
		})
		return func(ctx context.Context, c *call) error {
			s, err := peer.Dial(ctx, server.URL, nil, c.client(version))
			return c.session(ctx, s, err, (*call).callMCP)
		}
	}
}

// request matches the messages that run a handler.
var request = lazyregexp.New(`"method":"(tools/call|resources/read|prompts/get)"`)

// client returns the options of a client that makes the call and records what it receives.
func (c *call) client(version string) peer.Options {
	limits := peer.DefaultLimits()
	limits.Silence = time.Hour // tests have their own timeout, and debugging takes time
	o := peer.Options{
		Limits: limits, Version: version, Elicit: c.elicit, URL: true,
		Progress: func(p peer.Progress) { c.progress(p.Done, p.Total, p.Message) },
		Log:      func(l peer.Log) { c.log(l.Level, l.Data) },
		Trace: func(d peer.Direction, message []byte) {
			if d == peer.Sent && request().Match(message) {
				c.out.Runs++
			}
		},
	}
	if c.kit.options.Wire.unattended {
		o.Elicit, o.URL = nil, false
	}
	return o
}

// session makes a call in a new session with run, unless opening the session failed with err.
func (c *call) session(ctx context.Context, s *peer.Session, err error, run func(*call, context.Context, *peer.Session) error) error {
	if err != nil {
		return fmt.Errorf("connecting to the server: %w", err)
	}
	if c.run != nil {
		run = c.run
	}
	err = run(c, ctx, s)
	if refused, ok := errors.AsType[*peer.RemoteError](err); ok && refused.Code == -32602 {
		c.fail(fault.NotFound, strings.TrimPrefix(refused.Message, "invalid params: "))
		err = nil
	}
	return errors.Join(err, s.Close())
}

func (c *call) send(ctx context.Context, s *peer.Session, answers map[string]json.RawMessage) (*peer.Result, error) {
	p := peer.Call{Tool: c.out.Tool, Meta: c.meta(answers)}
	if string(c.args) != "null" {
		p.Arguments = jsontext.Value(c.args)
	}
	return s.Call(ctx, p)
}

// meta returns the metadata of a request.
func (c *call) meta(answers map[string]json.RawMessage) map[string]any {
	said := map[string]any{"answers": answers}
	if options := c.kit.toolOptions[c.out.Tool]; options != nil {
		said["options"] = options
	}
	meta := map[string]any{wire.MetaTool: said}
	if c.kit.options.Root != "" {
		meta[wire.MetaContext] = map[string]any{"root": c.kit.options.Root}
	}
	return meta
}

// callMCP makes a call that returns an MCP result.
func (c *call) callMCP(ctx context.Context, s *peer.Session) error {
	r, err := c.send(ctx, s, c.configuredAnswers())
	if err != nil {
		return err
	}
	read, err := r.Blocks()
	if r.IsError {
		var e struct {
			Code      fault.Code
			Transient bool
		}
		_ = json.Unmarshal(r.Meta[wire.MetaError], &e) // without this metadata, the text starts with the code
		c.out.Transient = e.Transient
		c.fail(e.Code, read.Flatten())
		return err
	}
	if n := len(read) - 1; n > 0 { // the text for clients that drop images, audio and links is not part of the result
		_, isText := read[0].(content.Text)
		if last, ok := read[n].(content.Text); ok && !isText && last.Text == read[:n].Flatten() {
			read = read[:n]
		}
	}
	c.out.Blocks, c.out.Text = read, read.Flatten()
	c.out.Structured = json.RawMessage(r.Structured)
	var envelope struct{ Data json.RawMessage }
	if c.kit.server.Contract().Envelope && json.Unmarshal(r.Structured, &envelope) == nil {
		c.out.Structured = envelope.Data
	}
	return err
}

// callBlocks makes a call that returns JP's typed content blocks.
func (c *call) callBlocks(ctx context.Context, s *peer.Session) error {
	return c.rounds(c.unaskableAnswers(), func(answers map[string]json.RawMessage) ([]Question, error) {
		r, err := c.send(ctx, s, answers)
		if err != nil {
			return nil, err
		}
		read, err := r.Blocks()
		d, problems := jpdoc.ReadBlocks([]byte(read.Flatten()))
		return c.document(d), errors.Join(append(problems, err)...)
	})
}

// elicit answers an MCP elicitation according to the script.
func (c *call) elicit(_ context.Context, e peer.Elicitation) (peer.Response, error) {
	var schema struct{ Properties struct{ Answer any } }
	_ = json.Unmarshal(e.Schema, &schema) // for a form, which has no field "answer", Answer stays nil
	q := questionOf(schema.Properties.Answer)
	q.ID, q.Text = e.Key, e.Message
	if at := strings.LastIndex(e.Message, "\n\n"); at >= 0 {
		q.Preamble, q.Text = e.Message[:at], e.Message[at+2:]
	}
	r, err := c.answer(q)
	if err != nil {
		return peer.Response{}, err
	}
	switch {
	case r.action == elicit.Cancel:
		return peer.Response{Action: "cancel"}, nil
	case r.action == elicit.Decline, e.Mode == "url" && string(r.content) != "true":
		return peer.Response{Action: "decline"}, nil
	case e.Mode == "url":
		return peer.Response{Action: "accept"}, nil
	case c.kit.form(c.out.Tool, q.ID) == "" || r.content[0] != '{':
		r.content = slices.Concat([]byte(`{"answer":`), r.content, []byte("}"))
	}
	return peer.Response{Action: "accept", Content: jsontext.Value(r.content)}, nil
}
