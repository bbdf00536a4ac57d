package sdk

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/seal"
	"github.com/jptool/jptool/sdk/internal/stdio"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/jp/wire"
	"github.com/jptool/jptool/sdk/tasks"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// Options configures [Server.Serve].
type Options struct {
	// JP is the version of JP's protocol for outcomes: "outcome", "outcome-untagged" for versions of JP before
	// 2026-08-24, or "blocks"; "" means plain MCP.
	JP string
	// Root is the default directory of calls, which no call may leave. If it is "", trusted callers
	// may name any directory, and other calls use the working directory if it is suitable for
	// files.
	Root string
	// ToolOptions and ToolPins are JSON objects of options, keyed by the name of the tool, resource or prompt. Calls can override
	// ToolOptions, but not ToolPins.
	ToolOptions, ToolPins map[string]json.RawMessage
	// StateKeys are the keys for the state that clients keep between the rounds of a call: each 32
	// bytes in base64, separated by commas or spaces. The first key encrypts, and each of them can
	// decrypt. If StateKeys is "", only this process can continue its calls. Over HTTP, keys mean that
	// several processes serve the clients, which then cannot subscribe to resources.
	StateKeys string
	MaxFrame  int // the maximum message size in bytes; 0 means 16 MiB
	MaxCalls  int // the maximum number of concurrent calls; 0 means 256; further calls wait
	MaxRounds int // the maximum number of questions in a call; 0 means 100
	// TrustHTTP makes the server use the root, grants, options and answers that HTTP callers set in
	// _meta, under keys that start with computer.jp/. Callers on streams are always trusted.
	TrustHTTP bool
	Quota     Quota     // limits the calls of each caller; nil means no limit
	Face      Face      // what the server offers
	ErrorText ErrorText // who receives the text of errors without a code
	// CallTimeout is the time limit of calls to tools that do not declare one; 0 means no limit.
	// Time spent waiting for answers does not count.
	CallTimeout time.Duration
	// TasksOff means that calls never become tasks. The server then has no tools that require tasks.
	TasksOff bool
	// TasksStore is the address of the store of tasks; "" means the memory of this process. Another store needs
	// StateKeys, because other processes must be able to read its tasks. See package tasks.
	TasksStore string
	// TasksLease is the time after which another process continues a task whose process has died; 0 means 10 seconds.
	// TasksQuota is the maximum number of tasks that a caller can have; 0 means 10,000.
	TasksLease time.Duration
	TasksQuota int
	Log        *slog.Logger // the log of the server and its tools; nil means the default logger
}

// An ErrorText selects whether callers receive the text of errors without a code, which may contain
// anything, such as a password in a URL, or only an incident id that is logged with the text.
type ErrorText string

// Values of [ErrorText].
const (
	AutoErrorText ErrorText = ""     // for streams and in-process calls, not over HTTP
	ShowErrorText ErrorText = "show" // always
	HideErrorText ErrorText = "hide" // never
)

const (
	grace     = 300 * time.Millisecond // time for handlers to return after the input or ctx has ended
	stopTime  = time.Second            // time for the functions of Server.OnStop
	stateKeys = "JPTOOL_STATE_KEYS"    // the environment variable that sets [Options.StateKeys]
	// tasksStore is the environment variable that sets [Options.TasksStore] unless --tasks-store does. An address can
	// contain a password, which other users could see in a command line.
	tasksStore = "JPTOOL_TASKS_STORE"
)

// serveOptions returns the options from the flags and the environment, and resolves the flags for
// HTTP.
func (s *Server) serveOptions(set *settings, errw io.Writer) (Options, error) {
	if s.logTo != nil {
		errw = s.logTo
	}
	o, err := set.Options, error(nil)
	if o.Log, err = newLog(errw, set.level); err != nil {
		return Options{}, err
	}
	if o.ToolOptions, err = s.layers("--option", set.options, true); err != nil {
		return Options{}, err
	}
	if o.ToolPins, err = s.layers("--pin", set.pins, false); err != nil {
		return Options{}, err
	}
	if o.Face, err = set.face.read(set.flags, s); err == nil {
		_, err = s.face(o.Face)
	}
	if err != nil {
		return Options{}, err
	}
	if set.tasks != "on" && set.tasks != "off" {
		return Options{}, fmt.Errorf("invalid --tasks %q (known: on, off)", set.tasks)
	}
	if o.TasksOff = set.tasks == "off"; s.hasTasks() {
		o.TasksStore = cmp.Or(o.TasksStore, os.Getenv(tasksStore))
	}
	o.StateKeys, o.TrustHTTP, o.ErrorText = os.Getenv(stateKeys), set.http.trust, ErrorText(strings.TrimPrefix(set.errorText, "auto"))
	if s.quota != nil {
		o.Quota = s.quota()
	}
	if s.auth != nil {
		if set.http.Auth, err = s.auth(); err != nil {
			return Options{}, err
		}
	}
	if err = o.check(1); err == nil {
		err = set.http.resolve()
	}
	return o, err
}

// check checks the options. least is the minimum number of calls and rounds: 0, which selects the
// default, or 1 for flags.
func (o Options) check(least int) error {
	_, keysErr := o.keys()
	_, versionErr := wires.ParseVersion(cmp.Or(o.JP, wire.VersionOutcome))
	switch {
	case o.MaxFrame < 0:
		return fmt.Errorf("invalid --max-frame %d: must be a positive number of bytes", o.MaxFrame)
	case o.MaxCalls < least:
		return fmt.Errorf("invalid --max-calls %d: must be at least 1", o.MaxCalls)
	case o.MaxRounds < least:
		return fmt.Errorf("invalid --max-rounds %d: must be at least 1", o.MaxRounds)
	case o.ErrorText != AutoErrorText && o.ErrorText != ShowErrorText && o.ErrorText != HideErrorText:
		return fmt.Errorf("invalid --error-text %q (known: auto, show, hide)", string(o.ErrorText))
	case o.CallTimeout < 0:
		return fmt.Errorf("invalid --call-timeout %s: must be positive, e.g. 30s, or 0 for no timeout", o.CallTimeout)
	case o.TasksLease != 0 && o.TasksLease < 100*time.Millisecond:
		return fmt.Errorf("invalid --tasks-lease %s: must be at least 100ms", o.TasksLease)
	case o.TasksQuota < 0:
		return fmt.Errorf("invalid --tasks-quota %d: must be at least 1", o.TasksQuota)
	case !o.TasksOff && o.isShared() && o.StateKeys == "" && keysErr == nil:
		return fmt.Errorf("--tasks-store requires keys with which every process can read the tasks: set %s to the output of "+
			"`openssl rand -base64 32`", stateKeys)
	case o.Root != "":
		if info, err := os.Stat(o.Root); err != nil || !info.IsDir() {
			return fmt.Errorf("--root %q is not a directory", o.Root)
		}
	}
	if versionErr != nil {
		return fmt.Errorf("--jp=%s: %w", o.JP, versionErr)
	}
	return keysErr
}

// isShared reports whether other processes can use the store of tasks.
func (o Options) isShared() bool { return o.TasksStore != "" && o.TasksStore != tasks.Memory }

// hasTasks reports whether calls of the server can become tasks.
func (s *Server) hasTasks() bool {
	return slices.ContainsFunc(s.contract.Tools, func(t manifest.Tool) bool { return t.Task.Mode != "" })
}

// taskOptions returns the options of the engine for tasks, or nil if the server has none.
func (s *Server) taskOptions(o Options) (*engine.TaskOptions, error) {
	if o.TasksOff || !s.hasTasks() {
		return nil, nil
	}
	store, err := s.taskStores.Open(context.Background(), cmp.Or(o.TasksStore, tasks.Memory))
	if err != nil {
		return nil, fmt.Errorf("--tasks-store: %w", err)
	}
	return &engine.TaskOptions{
		Store: store, Shared: o.isShared(), Lease: cmp.Or(o.TasksLease, engine.DefaultLease),
		Quota: cmp.Or(o.TasksQuota, engine.DefaultTaskQuota),
	}, nil
}

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

// Serve serves one client over conn until its input or ctx ends. A server can be served once.
func (s *Server) Serve(ctx context.Context, conn io.ReadWriteCloser, o Options) error {
	if s.broken != nil {
		return s.broken
	}
	return s.serve(ctx, io.NopCloser(conn), conn, o) // closing the output closes conn
}

// serve serves one session. It returns shortly after the end of in or ctx, even if handlers are
// still running or the client does not read.
func (s *Server) serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser, o Options) error {
	e, err := s.engine(o, false, false)
	if err != nil {
		return err
	}
	return stdio.Serve(ctx, e, in, out, engine.DrainTime, handleSignals)
}

// engine returns the engine for callers over HTTP, or for the caller that started the server.
func (s *Server) engine(o Options, http bool, replicated bool) (*engine.Engine, error) {
	if o.Log != nil {
		s.log.Store(o.Log)
	}
	policy, rules, err := s.terms(o, http)
	if err != nil {
		return nil, err
	}
	if len(s.contract.Skills) > 0 && s.skills == nil {
		return nil, errors.New("the contract has skills that the program does not have: run go generate and rebuild the program")
	}
	keys, _ := o.keys()                    // terms has checked the options
	version, _ := wires.ParseVersion(o.JP) // "" for plain MCP
	long, err := s.taskOptions(o)
	if err != nil {
		return nil, err
	}
	var entries []engine.Entry
	for i := range s.contract.Tools {
		c := &s.contract.Tools[i]
		entries = append(entries, engine.Entry{Tool: s.tools[c.Name], Contract: c})
	}
	return engine.New(entries, engine.Options{
		Contract: s.contract, Offered: s.offered, Version: s.Version(), JP: version, Trust: policy, Rules: rules,
		Skills: s.skills, Replicated: replicated, Keys: keys, MaxMessage: min(o.MaxFrame, math.MaxInt-1), MaxCalls: o.MaxCalls, Extras: s.addedExtras, Log: s.log.Load(),
		Tasks: long,
	}), nil
}

// terms returns what callers may do, and the rules for all calls.
func (s *Server) terms(o Options, http bool) (*trust.Policy, *handler.Rules, error) {
	p := &trust.Policy{
		Server: s.Name(), Trusted: !http || o.TrustHTTP, Options: o.ToolOptions, Pins: o.ToolPins, Hidden: s.without,
		Off: s.off,
	}
	var err error
	if p.Face, err = s.face(o.Face); err != nil {
		return nil, nil, err
	}
	rules := &handler.Rules{
		Server: s.Name(), Decoding: handler.Decoding(s.contract.Unknown), Interceptors: s.interceptors,
		Observer: s.observer, Timeout: o.CallTimeout, MaxRounds: o.MaxRounds, Quota: o.Quota,
		HideErrors: o.ErrorText == HideErrorText || o.ErrorText == AutoErrorText && http,
	}
	if err := o.check(0); err != nil {
		return nil, nil, err
	}
	var ring func() *seal.Ring
	switch keys, _ := o.keys(); {
	case keys != nil:
		ring = func() *seal.Ring { return keys }
	case http: // even a trusted caller must not forge cursors
		ring = sync.OnceValue(seal.NewRing)
	default:
		// The next process must be able to open the cursors of this one. The caller starts the
		// program, so the caller could learn any key.
		ring = sync.OnceValue(func() *seal.Ring { return seal.RingOf(s.Name()) })
	}
	rules.Cursors = func() handler.Marker { return ring() }
	if http && o.JP != "" && !o.TrustHTTP {
		return nil, nil, fmt.Errorf("--jp over HTTP requires --http-trust-caller: JP's protocol lets a caller choose the root directory, the options and the answers of a call")
	}
	if o.Root == "" {
		p.Root, _ = access.WorkingDir() // tools that need a directory report the error
		return p, rules, nil
	}
	root, err := filepath.Abs(o.Root)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("--root %q: %w", o.Root, err)
	}
	p.Root, p.Confined = root, true
	return p, rules, nil
}
