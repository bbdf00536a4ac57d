package sdk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/internal/tty"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/internal/engine"
)

// Exit statuses of [Server.Run].
const (
	ExitOK    = 0 // the input ended; for "call": the tool succeeded or asks a question
	ExitError = 1 // the server failed; for "call": the tool failed
	ExitUsage = 2 // invalid arguments or configuration; nothing was served
)

// Main runs s with the arguments and streams of the process, and exits. While the server runs,
// os.Stdout refers to standard error, and the default logger writes to standard error. Use
// [MainFunc] in a program that has its own commands.
//
// SIGTERM, SIGINT and SIGHUP end the process within two seconds: running calls get time to finish,
// then they are canceled, and their responses are delivered. Functions that are registered with
// [Server.OnStop] have one more second, and --http-drain-grace adds to the time. A second signal ends the process immediately.
func Main(s *Server) {
	MainFunc(func(ctx context.Context) int { return s.Run(ctx, os.Args[1:], nil) })
}

// MainFunc calls run and exits with the status that it returns, for programs in which serving is
// one of several commands: run calls [Server.Run] with the context and the remaining arguments.
//
// The context is canceled on SIGTERM and SIGINT, and on SIGHUP unless the process was started with
// hangups ignored. A second signal ends the process immediately. A signal that arrives within 20
// milliseconds of the start, before the first call, has the same effect. Writing to a closed pipe
// returns an error and does not end the process.
//
//	func main() {
//		sdk.MainFunc(func(ctx context.Context) int {
//			if len(os.Args) > 1 && os.Args[1] == "mcp" {
//				return notes.NewServer(&notes.Notes{}).Run(ctx, os.Args[2:], nil)
//			}
//			return export(ctx, os.Args[1:])
//		})
//	}
func MainFunc(run func(ctx context.Context) int) {
	signal.Ignore(syscall.SIGPIPE) // a closed standard error must not kill the server
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // the server ignores SIGHUP if nohup started it
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, cancel := context.WithCancel(context.Background())
	handleSignals = sync.OnceFunc(func() {
		notified, stop := signal.NotifyContext(ctx, signals...)
		context.AfterFunc(notified, func() {
			stop()
			cancel()
		})
	})
	time.AfterFunc(20*time.Millisecond, handleSignals)
	os.Exit(run(ctx))
}

// handleSignals makes the process of [MainFunc] handle signals. It runs late, because Go starts
// threads to handle signals. At the start, these threads would delay the first answer by 10
// percent.
var handleSignals = func() {}

// Streams are the input and the outputs of [Server.Run]; nil means those of the process.
type Streams struct {
	In  io.ReadCloser
	Out io.WriteCloser
	Err io.Writer
}

type settings struct {
	Options
	level, errorText string
	tasks            string
	options, pins    []string
	http             httpSettings
	face             faceSettings
	flags            *pflag.FlagSet
	version, help    bool
}

// Run parses args and serves until the input or ctx ends. It returns the exit
// status of the process and writes errors to the error stream.
//
// With a command after the flags, Run runs that command instead of serving. "contract" prints the
// published contract, and "settings" the flags and environment variables, as JSON. "call TOOL [TOOL_JSON [CONTEXT_JSON]]" runs a tool as JP runs a local tool,
// and prints its Outcome, even if the call is invalid. The documents are the values of {{tool}} and
// {{context}} in JP's configuration; without them, or with - for both, Run reads one object
// {"tool":…,"context":…} from standard input. "format", and "call" with the action
// format_arguments, print the arguments as text for the user (see [tool.Formatter]). "plugin" runs a
// tool as JP runs a command plugin: it reads one line of JP's protocol from standard input, which
// contains the call, and prints the lines of the answer. If JP would not write such a line, the answer
// is an error, and no tool runs.
func (s *Server) Run(ctx context.Context, args []string, streams *Streams) int {
	out, errw := io.Writer(os.Stdout), io.Writer(os.Stderr)
	if streams != nil {
		out, errw = streams.Out, streams.Err
	}
	set, flags := s.settings()
	usage := func(err error) int {
		fmt.Fprintf(errw, "error: %s\nRun %s --help for the flags.\n", err, flags.Name())
		return ExitUsage
	}
	fail := func(err error, status int) int {
		fmt.Fprintln(errw, "error:", err)
		return status
	}
	err := s.setDefaults(flags)
	if err == nil {
		err = flags.Parse(args)
	}
	switch {
	case err != nil:
		return usage(err)
	case set.help:
		all, jp := usages(flags)
		fmt.Fprintf(out, strings.ReplaceAll(helpText, "NAME", s.command), s.contract.Description, all, jp)
		return ExitOK
	case set.version:
		fmt.Fprintf(out, "%s %s\n", s.Name(), s.Version())
		return ExitOK
	case s.broken != nil:
		return fail(s.broken, ExitUsage)
	case flags.NArg() == 1 && (flags.Arg(0) == wordContract || flags.Arg(0) == wordSettings):
		write := s.contract.Write
		if flags.Arg(0) == wordSettings {
			write = func() ([]byte, error) { return rawjson.EncodeIndented(s.settingsOf(flags)) }
		}
		text, err := write()
		if err == nil {
			_, err = out.Write(text)
		}
		if err != nil {
			return fail(err, ExitError)
		}
		return ExitOK
	}
	if flags.NArg() > 0 || set.http.addr != "" {
		handleSignals()
	}
	var shot *oneshot
	if flags.NArg() > 0 {
		if shot, err = readOneshot(flags.Args()); err != nil {
			return usage(err)
		}
	}
	log := newLogWriter(errw)
	defer log.close()
	o, err := s.serveOptions(set, log)
	if err == nil && set.http.addr != "" {
		if _, _, err = s.terms(o, true); shot != nil {
			err = fmt.Errorf("--http cannot be combined with %s", shot.word)
		}
	}
	if err != nil {
		return usage(err)
	}
	if streams == nil {
		slog.SetDefault(o.Log)
		out, err := takeStdout() // before the author's code runs
		if err != nil {
			return fail(err, ExitError)
		}
		streams = &Streams{In: os.Stdin, Out: out, Err: os.Stderr}
	}
	ready := ctx
	ctx, cancel := withGrace(ready, set.http.grace)
	defer cancel()
	defer s.stop()
	for _, start := range s.starts {
		if err := start(ctx); err != nil {
			return fail(err, ExitUsage)
		}
	}
	if shot != nil {
		return s.runOneshot(ctx, shot, o, streams)
	}
	if set.http.addr != "" {
		err = s.serveHTTP(ctx, ready, o, set.http)
	} else {
		if tty.Is(streams.In) {
			fmt.Fprintf(streams.Err, "%s serves MCP on standard input, one message per line, until end of input; run %s --help for more\n", s.Name(), s.command)
		}
		err = s.serve(ctx, streams.In, streams.Out, o)
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		o.Log.Error("serving failed", "error", err)
		return ExitError
	}
	return ExitOK
}

// settings returns the flags and the struct that receives their values.
func (s *Server) settings() (*settings, *pflag.FlagSet) {
	f := pflag.NewFlagSet(s.command, pflag.ContinueOnError)
	set := &settings{flags: f, tasks: "on"}
	f.SortFlags = false
	// JP RFD D31, section "Transitional markers", prescribes these words.
	f.StringVar(&set.JP, flagJP, "", "Enable transitional JP tool protocol. Will be replaced by typed content blocks per RFD 058.")
	f.Lookup(flagJP).NoOptDefVal = "outcome"
	f.StringVar(&set.Root, "root", "", "root directory `DIR` of the tools; calls cannot use files outside of it (default: the root directory in the call, or the working directory)")
	f.StringArrayVar(&set.options, "option", nil, "set an option: `TOOL.OPTION=VALUE`, or OPTION=VALUE if the tools share the option; can be repeated")
	f.StringArrayVar(&set.pins, "pin", nil, "set an option, and forbid calls to change it: `TOOL.OPTION=VALUE`, or OPTION=VALUE if the tools share the option; can be repeated")
	set.face.define(f, s)
	f.StringVar(&set.level, "log-level", "info", "minimum level of log messages on standard error: debug, info, warn or error")
	f.IntVar(&set.MaxFrame, "max-frame", 0, "maximum length of a message in bytes (default 16777216)")
	f.IntVar(&set.MaxCalls, "max-calls", engine.DefaultMaxCalls, "maximum number of concurrent calls; further calls wait")
	f.IntVar(&set.MaxRounds, "max-rounds", question.MaxRounds, "maximum number of questions that one call may ask")
	f.StringVar(&set.errorText, "error-text", "auto", "send callers the text of errors without a code: auto (only over stdio), show or hide")
	f.DurationVar(&set.CallTimeout, "call-timeout", 0, "timeout, such as 30s, for calls to tools that do not set their own (default: no timeout)")
	if s.hasTasks() {
		set.taskFlags(f)
	}
	f.StringVar(&set.http.addr, "http", "", "serve over HTTP at `HOST:PORT`, or unix:PATH, instead of stdio")
	f.StringVar(&set.http.tokenFile, "http-token-file", "", "`file` that contains the bearer token that HTTP callers must send")
	f.StringArrayVar(&set.http.Hosts, "http-host", nil, "accept HTTP requests for the host `NAME`, for example behind a proxy; can be repeated")
	f.StringArrayVar(&set.http.Origins, "http-origin", nil, "accept HTTP requests from pages of the origin `URL`, such as https://app.example.com; can be repeated")
	f.BoolVar(&set.http.Stateless, "http-stateless", false, "serve HTTP without sessions, so that several instances can share the load; the server then cannot ask users of older clients")
	f.DurationVar(&set.http.grace, "http-drain-grace", 0, "when the server is told to end, report for this `time`, such as 10s, that it is not ready, and serve requests meanwhile")
	f.BoolVar(&set.http.trust, "http-trust-caller", false, "accept the root directory, options and answers that HTTP callers send in _meta, under computer.jp/")
	f.AddFlagSet(s.flags)
	f.BoolVar(&set.version, "version", false, "print the version and exit")
	f.BoolVarP(&set.help, "help", "h", false, "print this help and exit")
	return set, f
}

// taskFlags adds the flags of a server whose calls can become tasks.
func (set *settings) taskFlags(f *pflag.FlagSet) {
	f.StringVar(&set.tasks, "tasks", "on", "let calls of tools that declare it become tasks: on or off; off removes the tools that require tasks")
	f.StringVar(&set.TasksStore, "tasks-store", "", "`ADDRESS` of the store of tasks: memory, file:DIR or valkey://HOST:PORT/DB, if the program contains such a store (default: memory, or the variable JPTOOL_TASKS_STORE)")
	f.DurationVar(&set.TasksLease, "tasks-lease", engine.DefaultLease, "time after which another process continues a task whose process has died")
	f.IntVar(&set.TasksQuota, "tasks-quota", engine.DefaultTaskQuota, "maximum number of tasks that one caller can have")
}

// setDefaults applies the defaults of [Server.SetDefault] to flags.
func (s *Server) setDefaults(flags *pflag.FlagSet) error {
	for _, d := range s.defaults {
		flag := flags.Lookup(d[0])
		if flag == nil {
			return fmt.Errorf("the program sets a default for an unknown flag --%s", d[0])
		}
		if err := flag.Value.Set(d[1]); err != nil {
			return fmt.Errorf("the program sets --%s to %q: %w", d[0], d[1], err)
		}
		flag.DefValue = d[1]
	}
	return nil
}

const helpText = `%s

Serve MCP over stdio.

Usage:
  NAME [flags]
  NAME contract
  NAME settings

  contract  print the published contract
  settings  print the flags and the environment variables, as JSON

Flags:
%s
Use with JP (https://github.com/dcdpr/jp):
  NAME [flags] --jp
  NAME [flags] call TOOL [TOOL_JSON [CONTEXT_JSON]]
  NAME [flags] format TOOL [TOOL_JSON [CONTEXT_JSON]]
  NAME [flags] plugin

%s
  call      run a tool as a local tool of JP and print its Outcome
  format    print the arguments of a call as text for the user; do not run the tool
  plugin    run as a command plugin of JP: read one message from standard input, and answer it

TOOL_JSON is {"arguments":{…},"answers":{…},"options":{…}}, and CONTEXT_JSON is
{"root":"…","access":{"fs":[{"lexical_path":".","read":true}]}}, where access is optional.
JP passes them for {{tool}} and {{context}} in its configuration. If they are missing or -,
{"tool":…,"context":…} is read from standard input.
`

// flagJP is the name of the flag that only users of JP need.
const flagJP = "jp"

// usages returns the help for the flags of all hosts, and for the flag of JP.
func usages(flags *pflag.FlagSet) (all, jp string) {
	var groups [2]pflag.FlagSet
	for i := range groups {
		groups[i].SortFlags = false
	}
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name == flagJP {
			groups[1].AddFlag(f)
			return
		}
		groups[0].AddFlag(f)
	})
	return groups[0].FlagUsages(), groups[1].FlagUsages()
}
