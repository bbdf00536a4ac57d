package peer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

// Options configure a client. The zero value has no limits and must not be used.
type Options struct {
	Limits Limits
	// Version is the version to use: [Rounds], [Sessions], or "" for the newest version that the server
	// supports.
	Version string
	// Elicit asks the user. If it is nil, the client declares that it cannot ask.
	Elicit func(context.Context, Elicitation) (Response, error)
	// URL declares that Elicit can also ask the user to open URLs.
	URL bool
	// Tasks declares that the client follows tasks, so that the server may make one of a call (MCP extension
	// io.modelcontextprotocol/tasks). Only version [Rounds] has them.
	Tasks bool
	// Progress receives the progress of a call. If it is nil, the client does not request progress reports.
	Progress func(Progress)
	// Log receives the log records of a call, of all levels. If it is nil, the client does not request them.
	Log func(Log)
	// Trace receives every message that is sent or received.
	Trace func(Direction, []byte)
	// Note receives notes about a call, to be shown to the user. If it is nil, notes are dropped.
	Note func(string)
	// Token returns the bearer token for a request over HTTP. If it is nil, requests have no token.
	Token func(context.Context) (string, error)
	// ClientVersion is the version of this program, which introduces itself as jptoolgen.
	ClientVersion string
}

// A Session is a connection to a server. It must not be used concurrently, and makes one request at a time.
type Session struct {
	connect   func() (transport, error)
	transport transport
	options   Options
	server    Server
	version   string // the version in messages, or "" if it is not known yet

	annotated map[string][]annotation // keyed by tool name
	lastID    int64
	abandoned map[int64]bool // the ids of requests whose responses are not expected any more
	notified  int            // notifications that a server may have answered
	reopening bool
	asked     int            // questions during the current request
	sizes     map[string]int // the sizes of lists in bytes, keyed by method
}

// A Server describes a server, as stated in its handshake.
type Server struct {
	Name, Title, Version string
	// Other holds the other members of the self-description as a JSON object, or nothing.
	Other jsontext.Value
	// Protocol is the negotiated version of MCP.
	Protocol     string
	Instructions string
	// Capabilities are the declared capabilities, keyed by name.
	Capabilities map[string]jsontext.Value
}

// Start runs a command and opens a session with it. The context limits only the handshake. If Start returns an
// error, the command has exited. If the command exits at the first request, as servers of older versions may do,
// Start runs it a second time.
func Start(ctx context.Context, c Command, o Options) (*Session, error) {
	return open(ctx, o, func() (transport, error) {
		t, err := c.start(o.Limits)
		if err != nil {
			return nil, fmt.Errorf("starting the server: %w", err)
		}
		return t, nil
	})
}

// Dial opens a session with the server at a URL. Every request contains the headers.
func Dial(ctx context.Context, url string, header http.Header, o Options) (*Session, error) {
	return open(ctx, o, func() (transport, error) { return newRemote(url, header, o.Token, o.Limits), nil })
}

// Connect opens a session over a stream, which is closed on failure and by [Session.Close].
func Connect(ctx context.Context, stream io.ReadWriteCloser, o Options) (*Session, error) {
	return open(ctx, o, func() (transport, error) { return NewLines(stream, o.Limits.Message), nil })
}

func open(ctx context.Context, o Options, connect func() (transport, error)) (*Session, error) {
	s := &Session{connect: connect, options: o, sizes: map[string]int{}, abandoned: map[int64]bool{}}
	var err error
	if s.transport, err = connect(); err != nil {
		return nil, err
	}
	if err := s.handshake(ctx); err != nil {
		if exit := s.transport.close(); exit != nil && errors.Is(err, ErrEnded) {
			err = fmt.Errorf("%w (%w)", err, exit)
		}
		return nil, err
	}
	return s, nil
}

// Server returns the description of the server.
func (s *Session) Server() Server { return s.server }

// Close ends the session. If the server is a command, Close also ends all processes that the command started,
// and returns its exit error.
func (s *Session) Close() error { return s.transport.close() }

// post sends a message.
func (s *Session) post(ctx context.Context, m request, v any) error {
	data, err := encode(v)
	if err != nil {
		return err
	}
	s.trace(Sent, data)
	m.data = data
	return s.transport.send(ctx, m)
}

func (s *Session) trace(d Direction, data []byte) {
	if s.options.Trace != nil {
		s.options.Trace(d, data)
	}
}

func (s *Session) notify(ctx context.Context, method string, p *params) error {
	s.notified++
	return s.post(ctx, request{method: method}, outgoingMessage{"2.0", nil, method, p})
}

// request sends a request and returns the result. silence is the maximum time without a message
// that shows progress. If the server has ended the session, the client must open a new one (MCP 2025-11-25,
// Session Management), and request repeats the request there.
func (s *Session) request(ctx context.Context, method string, p params, silence time.Duration) (jsontext.Value, error) {
	result, err := s.requestOnce(ctx, method, p, silence)
	lost, ok := errors.AsType[*lostSession](err)
	if !ok || s.reopening || method == "initialize" {
		return result, err
	}
	s.reopening = true
	defer func() { s.reopening = false }()
	version := s.server.Protocol
	s.transport.forget()
	s.setVersion("")
	if err := s.initialize(ctx, version, silence); err != nil {
		return nil, fmt.Errorf("%w; opening a new session: %w", lost, err)
	}
	s.note("the server ended the session; the request was repeated in a new one")
	s.transport.listen(ctx)
	return s.requestOnce(ctx, method, p, silence)
}

func (s *Session) requestOnce(ctx context.Context, method string, p params, silence time.Duration) (jsontext.Value, error) {
	s.lastID++
	id := s.lastID
	if _, wanted := p.Meta[progressToken]; wanted {
		p.Meta[progressToken] = id
	}
	m := request{method: method, name: cmp.Or(p.Name, p.URI, p.TaskID), answered: true, id: id}
	if s.version == Rounds {
		if p.Meta == nil {
			p.Meta = map[string]any{}
		}
		s.introduce(p.Meta)
		m.mirrored = headersFor(s.annotated[p.Name], p.Arguments)
	}
	waiting, done := context.WithCancel(ctx)
	defer done()
	if err := s.post(waiting, m, outgoingMessage{"2.0", &id, method, &p}); err != nil {
		return nil, err
	}
	result, err := s.awaitResponse(ctx, id, silence)
	s.abandoned[id] = err != nil
	if ctx.Err() != nil {
		// Notify the server, without waiting for its response.
		brief, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.options.Limits.Grace)
		defer cancel()
		_ = s.notify(brief, "notifications/cancelled", &params{RequestID: id, Reason: "the user canceled"})
		return nil, ctx.Err()
	}
	return result, err
}

// overhead is the number of bytes that is counted for a message in addition to its size.
const overhead = 256

// awaitResponse receives messages until the response to a request arrives.
func (s *Session) awaitResponse(ctx context.Context, id int64, silence time.Duration) (jsontext.Value, error) {
	timer, end := time.NewTimer(silence), time.Now().Add(silence)
	within, latest := silence, time.Now().Add(Reports*silence)
	defer timer.Stop()
	budget, doubt := s.options.Limits.Exchange, new(doubt)
	suspect := func(wait time.Duration, err error) {
		if doubt.err != nil || err == nil {
			return
		}
		doubt.err = err
		wait = min(wait, silence/4)
		if soon := time.Now().Add(wait); soon.Before(end) {
			end = soon
			timer.Reset(wait)
		}
	}
	s.asked = 0
	for {
		var p packet
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-timer.C:
			return nil, doubt.silent(within)
		case p = <-s.transport.incoming():
		}
		if p.id != 0 && p.id != id {
			continue // a response to an abandoned request
		}
		if p.err != nil {
			if p.data != nil {
				s.trace(Received, p.data)
			}
			return nil, doubt.describe(p.err)
		}
		// Many small messages can do as much harm as a few large ones.
		if budget -= len(p.data) + overhead; budget < 0 {
			return nil, fmt.Errorf("%w: more than %s without a response", ErrTooMuch, size(s.options.Limits.Exchange))
		}
		s.trace(Received, p.data)
		m, err := readMessage(p.data, s.options.Limits.Depth)
		switch {
		case errors.Is(err, ErrTooMuch):
			return nil, err
		case err != nil: // the line is not a message
			doubt.ignored++
			doubt.last = p.data
			suspect(broken(p.data, id, err))
		case m.Method != "":
			before := time.Now()
			heard, err := s.hear(ctx, m, id)
			if err != nil {
				return nil, err
			}
			if heard && m.ID != nil { // a person answered a question
				latest = latest.Add(time.Since(before))
			}
			if heard {
				doubt.err = nil // the server is still working on the request
				if end = time.Now().Add(silence); end.After(latest) {
					end, within = latest, Reports*silence
				}
				timer.Reset(time.Until(end))
			}
			if time.Now().After(end) { // the received messages did not extend the deadline
				return nil, doubt.silent(within)
			}
		case m.ID == nil && m.Result == nil && m.Error == nil:
			doubt.ignored++ // a line of JSON, such as a log record
			doubt.last = p.data
		case !isID(m.ID, id):
			doubt.ignored++
			suspect(s.misaddressed(m, id))
		case m.Error != nil:
			return nil, m.Error
		case m.Result == nil:
			return nil, fmt.Errorf("%w: it is neither a result nor an error", ErrMalformed)
		case m.Result.Kind() == '[' && len(rawjson.Parts(m.Result)) == 0:
			return jsontext.Value("{}"), nil // PHP does not distinguish empty lists and objects
		case m.Result.Kind() != '{':
			return nil, fmt.Errorf("%w: its result is %s, not an object", ErrMalformed, noun(m.Result.Kind()))
		default:
			return m.Result, nil
		}
	}
}

// store records the size of a list under its method. It returns an error if all lists together are too large.
func (s *Session) store(method string, bytes int) error {
	s.sizes[method] = bytes
	all, limit := 0, s.options.Limits.Lists
	for _, n := range s.sizes {
		all += n
	}
	if all > limit {
		return fmt.Errorf("%w: more than %s in all lists", ErrTooMuch, size(limit))
	}
	return nil
}

// silent returns the error for a server that has not responded within a time.
func (d *doubt) silent(within time.Duration) error {
	if d.err != nil {
		return d.err
	}
	return d.describe(&silentError{within, d.ignored})
}

// A silentError holds the time without a response, and the number of messages that arrived in that time.
type silentError struct {
	after   time.Duration
	ignored int
}

func (e *silentError) Error() string {
	if e.ignored > 0 {
		return fmt.Sprintf("%v within %v; %d other messages arrived", ErrSilent, e.after, e.ignored)
	}
	return fmt.Sprintf("%v within %v", ErrSilent, e.after)
}

func (e *silentError) Is(target error) bool { return target == ErrSilent }

// hear handles a request or a notification from the server. It reports whether the message shows progress on the
// request with this id.
func (s *Session) hear(ctx context.Context, m message, id int64) (bool, error) {
	if m.ID == nil {
		return s.handleNotification(m, id), nil
	}
	if s.server.Protocol == Rounds {
		return false, nil // in this version, servers send no requests and clients no responses
	}
	reply := answer{Version: "2.0", ID: m.ID}
	switch {
	case m.Method == "ping":
		reply.Result = struct{}{}
	case m.Method == elicitMethod && s.options.Elicit != nil:
		if s.asked++; s.asked > MaxRounds {
			return false, errRounds
		}
		response, err := s.elicit(ctx, "", m.Params)
		if err != nil {
			return false, err
		}
		reply.Result = response
	default:
		reply.Error = &refusal{-32601, "method not found"}
	}
	return reply.Error == nil && m.Method != "ping", s.post(ctx, request{}, reply)
}

// handleNotification handles a notification. It reports whether the notification shows progress on the request
// with this id.
func (s *Session) handleNotification(m message, id int64) bool {
	switch {
	case m.Method == "notifications/progress" && s.options.Progress != nil:
		var p struct {
			Token jsontext.Value `json:"progressToken"`
			Progress
		}
		if json.Unmarshal(m.Params, &p) == nil && string(p.Token) == strconv.FormatInt(id, 10) {
			s.options.Progress(p.Progress)
			return true
		}
	case m.Method == "notifications/message" && s.options.Log != nil:
		var l Log
		if json.Unmarshal(m.Params, &l) == nil {
			s.options.Log(l)
		}
	}
	return false
}

func (s *Session) elicit(ctx context.Context, key string, text jsontext.Value) (Response, error) {
	var in struct {
		Elicitation
		Meta struct {
			Question struct {
				ID string `json:"id"`
			} `json:"computer.jp/question"`
		} `json:"_meta"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return Response{}, fmt.Errorf("%w: cannot parse a question: %s", ErrMalformed, reasonOf(err))
	}
	in.Key = cmp.Or(in.Meta.Question.ID, key)
	return s.options.Elicit(ctx, in.Elicitation)
}
