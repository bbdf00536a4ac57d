package sdk

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/internal/jpbridge"
	"github.com/jptool/jptool/sdk/internal/seal"
	"github.com/jptool/jptool/sdk/internal/stdio"
)

// Options is how [Server.Serve] serves.
type Options struct {
	// JP is the version of JP's protocol in which outcomes go out: "outcome",
	// "outcome-082" or "blocks"; "" is plain MCP.
	JP string
	// Root is a directory that no call may leave, and that of calls that name none. With
	// "" callers that are trusted name any, and the working directory is that of the
	// others, if it is a place for files.
	Root string
	// ToolOptions are JSON objects of options by the name of the tool, which those
	// of a call overrule, and ToolPins those that no call overrules.
	ToolOptions, ToolPins map[string]json.RawMessage
	// StateKeys are the keys, 32 bytes in base64 each, that seal what a client
	// keeps between the rounds of a call; the first seals, all open. With "" only
	// this process can continue what it has begun.
	StateKeys string
	// MaxFrame is the longest message taken, in bytes; 0 is 16 MiB.
	MaxFrame int
	// MaxCalls is how many calls run at once; 0 is 256. More wait.
	MaxCalls int
	// MaxRounds is how many questions a call may ask; 0 is 100.
	MaxRounds int
	// TrustHTTP believes what HTTP callers say in _meta under the keys of computer.jp:
	// root, grants, options and answers. The other end of streams is always believed.
	TrustHTTP bool
	// ErrorText says who is told the text of errors without a code; the zero value is
	// those whose process has started the server.
	ErrorText ErrorText
	// CallTimeout is how long a call may take of a tool that does not declare it; 0 is
	// without end. Waiting for answers does not count.
	CallTimeout time.Duration
	// Log receives what the server and its tools log; nil is the default logger.
	Log *slog.Logger
}

// An ErrorText says whether callers are told the text of errors that have no code. Such a
// text may say anything, a password in an address too.
type ErrorText string

// What is told. An incident id is told instead of what is not, by which the log has it.
const (
	AutoErrorText ErrorText = ""     // on streams and in process, not over HTTP
	ShowErrorText ErrorText = "show" // everywhere
	HideErrorText ErrorText = "hide" // nowhere
)

// grace is how long handlers may go on after the input or the context has ended.
const grace = 300 * time.Millisecond

// serveOptions returns the options that the flags and the environment set.
func (s *Server) serveOptions(set *settings, errw io.Writer) (Options, error) {
	if s.logTo != nil {
		errw = s.logTo
	}
	log, err := newLog(errw, set.level)
	if err != nil {
		return Options{}, err
	}
	layers, err := s.baseOptions(set.options)
	if err != nil {
		return Options{}, err
	}
	pins, err := s.pinnedOptions(set.pins)
	if err != nil {
		return Options{}, err
	}
	o := Options{
		JP: set.jp, Root: set.root, ToolOptions: layers, ToolPins: pins, StateKeys: os.Getenv(stateKeys),
		MaxFrame: set.maxFrame, MaxCalls: set.maxCalls, MaxRounds: set.maxRounds, CallTimeout: set.callTimeout,
		TrustHTTP: set.http.trust, ErrorText: ErrorText(strings.TrimPrefix(set.errorText, "auto")), Log: log,
	}
	if o.MaxFrame < 0 {
		return Options{}, fmt.Errorf("--max-frame %d: write a number of bytes", o.MaxFrame)
	}
	if o.MaxCalls < 1 {
		return Options{}, fmt.Errorf("--max-calls %d: write a number from 1", o.MaxCalls)
	}
	if o.MaxRounds < 1 {
		return Options{}, fmt.Errorf("--max-rounds %d: write a number from 1", o.MaxRounds)
	}
	if o.ErrorText != AutoErrorText && o.ErrorText != ShowErrorText && o.ErrorText != HideErrorText {
		return Options{}, fmt.Errorf("--error-text %q: write auto, show or hide", set.errorText)
	}
	if o.CallTimeout < 0 {
		return Options{}, fmt.Errorf("--call-timeout %s: write a time such as 30s, or 0 for none", o.CallTimeout)
	}
	if o.Root != "" {
		info, err := os.Stat(o.Root)
		if err != nil || !info.IsDir() {
			return Options{}, fmt.Errorf("--root %q is not a directory", o.Root)
		}
	}
	if _, err := o.keys(); err != nil {
		return Options{}, err
	}
	_, err = jpReply(o.JP)
	return o, err
}

// stateKeys names the environment variable that holds [Options.StateKeys].
const stateKeys = "JPTOOL_STATE_KEYS"

// keys returns the ring of the state keys, nil for none.
func (o Options) keys() (*seal.Ring, error) {
	if o.StateKeys == "" {
		return nil, nil
	}
	ring, err := seal.ParseRing(o.StateKeys)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", stateKeys, err)
	}
	return ring, nil
}

// jpReply returns how outcomes go out; nil is plain MCP.
func jpReply(version string) (engine.Reply, error) {
	if version == "" {
		return nil, nil
	}
	render, err := jpbridge.RenderIn(version)
	if err != nil {
		return nil, fmt.Errorf("--jp=%s: %w", version, err)
	}
	return engine.Reply(render), nil
}

// serveAs serves over HTTP if a service is given, else on streams.
func (s *Server) serveAs(ctx context.Context, o Options, service *httpService, streams *Streams) error {
	if service != nil {
		return s.serveHTTP(ctx, o, *service)
	}
	if isTerminal(streams.In) {
		fmt.Fprintf(streams.Err, "%s serves MCP on standard input, one message a line, to the end of input; %s --help tells more\n", s.Name(), s.command)
	}
	return s.serve(ctx, streams.In, streams.Out, o)
}

// Serve serves one client over conn until its input or ctx ends. A server serves
// once.
func (s *Server) Serve(ctx context.Context, conn io.ReadWriteCloser, o Options) error {
	if s.broken != nil {
		return s.broken
	}
	// Both halves close conn; the second time does nothing.
	shared := &halves{ReadWriteCloser: conn}
	return s.serve(ctx, shared, shared, o)
}

type halves struct {
	io.ReadWriteCloser
	once sync.Once
	err  error
}

func (h *halves) Close() error {
	h.once.Do(func() { h.err = h.ReadWriteCloser.Close() })
	return h.err
}

// serve returns when the session has ended, and at the latest a moment after its
// input or ctx has: a handler that does not stop is left behind, and so is an answer
// that nobody takes.
func (s *Server) serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser, o Options) error {
	e, err := s.engine(o, door{})
	if err != nil {
		return err
	}
	return stdio.Serve(ctx, e, stdio.Streams{In: in, Out: out, Log: s.log})
}

// engine returns what answers those who come in by a door.
func (s *Server) engine(o Options, d door) (*engine.Engine, error) {
	if o.Log != nil {
		s.log = o.Log
	}
	reply, err := jpReply(o.JP)
	if err != nil {
		return nil, err
	}
	keys, err := o.keys()
	if err != nil {
		return nil, err
	}
	policy, err := s.policy(o, d)
	if err != nil {
		return nil, err
	}
	var entries []engine.Entry
	for i := range s.contract.Tools {
		if c := &s.contract.Tools[i]; !s.without[c.Name] {
			entries = append(entries, engine.Entry{Tool: s.tools[c.Name], Contract: c})
		}
	}
	return engine.New(entries, engine.Options{
		Name: s.info.Name, Version: s.info.Version, Instructions: s.options.Instructions,
		Reply: reply, Forms: jpbridge.ShowsForms(o.JP), Meta: jpbridge.Read, Trust: policy,
		Unknown: s.contract.Unknown, Envelope: s.contract.Envelope, Contract: s.contract, Keys: keys,
		MaxMessage: o.MaxFrame, MaxCalls: o.MaxCalls, Extras: s.extras, Log: s.log,
	}), nil
}
