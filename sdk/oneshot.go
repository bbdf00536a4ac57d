package sdk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/internal/tty"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/stdio"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/jp/jpbridge"
	"github.com/jptool/jptool/sdk/jp/wire"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

const (
	wordContract = "contract"
	wordSettings = "settings"
	wordCall     = "call"
	wordFormat   = "format"
	wordPlugin   = "plugin"
)

// A oneshot is a command that runs one tool: WORD TOOL [TOOL_JSON [CONTEXT_JSON]], or "plugin", whose input names the
// tool.
type oneshot struct {
	word, tool string
	documents  jpbridge.Documents // from the command line; without them, standard input is read
	dash       bool               // whether "-" was given, which means standard input
}

// readOneshot parses the command. The JSON is validated later, so that problems are reported
// as the result of the tool.
func readOneshot(words []string) (*oneshot, error) {
	shot := &oneshot{word: words[0]}
	switch shot.word {
	case wordCall, wordFormat:
	case wordContract, wordSettings, wordPlugin:
		if len(words) == 1 { // Run handles the others itself
			return shot, nil
		}
		return nil, fmt.Errorf("%s takes no arguments", shot.word)
	default:
		return nil, fmt.Errorf("unexpected argument %q; commands are %s, %s, %s, %s and %s",
			shot.word, wordCall, wordFormat, wordContract, wordSettings, wordPlugin)
	}
	if len(words) == 1 {
		return nil, fmt.Errorf("%s requires the name of a tool", shot.word)
	}
	shot.tool, words = words[1], words[2:]
	if shot.dash = len(words) > 0 && words[0] == "-"; shot.dash {
		words = words[1:]
	} else {
		for _, document := range []*jsontext.Value{&shot.documents.Tool, &shot.documents.Context} {
			if len(words) > 0 {
				*document, words = []byte(words[0]), words[1:]
			}
		}
	}
	if len(words) > 0 {
		return nil, fmt.Errorf("%s: unexpected argument %.60q; pass each JSON document as one argument, or - to read both from standard input", shot.word, words[0])
	}
	return shot, nil
}

// runOneshot runs the command, prints the outcome and returns the exit status. Hosts expect an
// Outcome whatever the status, so every problem that can be reported to a model becomes an Outcome.
func (s *Server) runOneshot(ctx context.Context, shot *oneshot, o Options, streams *Streams) int {
	o.JP, _ = wires.ParseVersion(cmp.Or(o.JP, wire.VersionOutcome)) // serveOptions has checked the version
	host := wires.NewLocal(o.JP, wires.Input)
	switch {
	case shot.word == wordPlugin:
		host = wires.NewLocal(wire.VersionOutcome, wires.Plugin) // the only version in this protocol
	case shot.documents.Tool != nil:
		host = wires.NewLocal(o.JP, wires.CommandLine)
	}
	type end struct {
		text   string
		failed bool
	}
	// A host that is killed cannot cancel the call.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	watch := time.AfterFunc(stdio.Patience, func() {
		if stdio.ReaderGone(streams.Out) {
			cancel()
		}
	})
	defer watch.Stop()
	ended := make(chan end, 1)
	go func() {
		var e end
		defer func() { ended <- e }()
		e.text, e.failed = host.Text(handler.Result{}, fault.New(fault.Internal, "the tool called runtime.Goexit"))
		e.text, e.failed = s.answer(ctx, shot, o, streams, host)
	}()
	var e end
	select {
	case e = <-ended:
	case <-ctx.Done():
		// The handler might never return, and a read of input might block.
		select {
		case e = <-ended:
		case <-time.After(grace):
			e.text, e.failed = host.Text(handler.Result{}, ctx.Err())
		}
	}
	if _, err := io.WriteString(streams.Out, e.text+"\n"); err != nil {
		o.Log.Error("writing the result failed", "error", err)
		return ExitError
	}
	if e.failed {
		return ExitError
	}
	return ExitOK
}

func (s *Server) answer(
	ctx context.Context, shot *oneshot, o Options, streams *Streams, host wires.Local,
) (text string, failed bool) {
	limit := min(cmp.Or(o.MaxFrame, engine.DefaultMaxMessage), math.MaxInt-1)
	policy, rules, err := s.terms(o, false)
	if err != nil {
		return host.Text(handler.Result{}, err)
	}
	var caller handler.Caller
	var call jpbridge.Call
	if shot.word == wordPlugin {
		start, err := readPlugin(streams, limit)
		switch {
		case err != nil:
			return jpbridge.Refusal(err), true
		case start.Describe:
			return jpbridge.DescribePlugin(s.contract, s.Version(), s.toolNames(policy, caller)), false
		}
		shot.tool, call = start.Tool, start.Call
	}
	t, contract, former, err := s.find(policy, caller, shot.tool)
	if err != nil {
		return host.Text(handler.Result{}, err)
	}
	if shot.word != wordPlugin {
		call, err = shot.read(streams, limit)
	}
	switch {
	case err != nil:
		return host.Text(handler.Result{}, err)
	case shot.word == wordCall && call.Action == wire.ActionSchema:
		text, err := jpbridge.Describe(contract)
		if err != nil {
			return host.Text(handler.Result{}, err)
		}
		return text, false
	case shot.word == wordFormat || call.Action == wire.ActionFormatArguments:
		run := &handler.Run{Arguments: jpbridge.Given(contract, call.Arguments)}
		run.Log = o.Log
		return host.Shown(t.Format(run)), false
	case call.Action != wire.ActionRun:
		return host.Text(handler.Result{}, fault.New(fault.InvalidInput, "unknown action %.40q; use %q, %q or %q",
			string(call.Action), wire.ActionRun, wire.ActionFormatArguments, wire.ActionSchema))
	}
	run := &handler.Run{Arguments: call.Arguments, Contract: contract, Rules: rules}
	if run.Grant, err = policy.Admit(contract, former, call.Settings); err != nil {
		return host.Text(handler.Result{}, err)
	}
	run.Caller, run.Log = caller, o.Log
	var out wires.Outcome
	_ = out.Run(ctx, host, t, run) // no message that could be refused
	return host.Text(out.Result, out.Err)
}

// find returns a tool that the caller may see, with its contract. If name is a former name of the tool, former is not
// nil.
func (s *Server) find(p *trust.Policy, caller handler.Caller, name string) (
	t *handler.Tool, contract *manifest.Tool, former *manifest.Alias, err error,
) {
	if c, old, ok := s.contract.Resolve(name); ok && p.Sees(caller, c) {
		if needs := p.Needs(caller, c); needs != nil {
			return nil, nil, nil, fault.New(fault.PermissionDenied, "the caller lacks a scope; the call needs %s", strings.Join(needs, " "))
		}
		return s.tools[c.Name], c, old, nil
	}
	return nil, nil, nil, handler.Unknown(handler.Callable, name, s.toolNames(p, caller))
}

// toolNames returns the names of the tools that the caller may see.
func (s *Server) toolNames(p *trust.Policy, caller handler.Caller) []string {
	names := make([]string, 0, len(s.contract.Tools))
	for i := range s.contract.Tools {
		if t := &s.contract.Tools[i]; p.Sees(caller, t) {
			names = append(names, t.Name)
		}
	}
	return names
}

// readPlugin reads the line that starts a command plugin, of at most the given number of bytes. It ignores later input,
// because JP may leave standard input open.
func readPlugin(streams *Streams, limit int) (jpbridge.Start, error) {
	if tty.Is(streams.In) {
		return jpbridge.Start{}, errors.New("standard input is a terminal; JP starts this command as a plugin, with a message on standard input")
	}
	line, tooLong, err := stdio.FirstLine(streams.In, limit)
	switch {
	case err != nil:
		return jpbridge.Start{}, fmt.Errorf("cannot read standard input: %w", err)
	case tooLong:
		return jpbridge.Start{}, fmt.Errorf("the message on standard input is longer than %d bytes; increase --max-frame", limit)
	}
	return jpbridge.ReadStart(line)
}

// read parses the documents, of at most the given number of bytes on standard input. It rejects a
// terminal unless "-" was given, because a program that silently waits looks broken.
func (shot *oneshot) read(streams *Streams, limit int) (call jpbridge.Call, err error) {
	if shot.documents.Tool != nil {
		return shot.documents.Read()
	}
	if tty.Is(streams.In) {
		if !shot.dash {
			return call, fault.New(fault.InvalidInput, `expected the JSON of the call after the tool name, as in %s %s '{"arguments":{}}', or on standard input`, shot.word, shot.tool)
		}
		fmt.Fprintln(streams.Err, `reading {"tool":…,"context":…} from the terminal until end of input (Ctrl-D)`)
	}
	data, err := io.ReadAll(io.LimitReader(streams.In, int64(limit)+1))
	switch {
	case err != nil:
		return call, fault.Wrap(err, fault.InvalidInput, "cannot read standard input")
	case len(data) > limit:
		return call, fault.New(fault.InvalidInput, "standard input is longer than %d bytes; increase --max-frame", limit)
	}
	documents, err := jpbridge.ReadDocuments(rawjson.NoMark(data))
	if err != nil {
		return call, fault.New(fault.InvalidInput, "standard input: %s", err)
	}
	return documents.Read()
}
