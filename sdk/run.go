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
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/internal/engine"
)

// The exit statuses of [Server.Run].
const (
	ExitOK    = 0 // served to the end of input; of a call: a success, or a question
	ExitError = 1 // the server failed; of a call: an error
	ExitUsage = 2 // it could not be started as asked
)

// notice stands word for word in JP RFD D31, Transitional markers.
const notice = "Enable transitional JP tool protocol. Will be replaced by typed content blocks per RFD 058."

// Main runs s with the arguments and streams of the process, and exits. While it
// runs, os.Stdout is standard error and the default logger writes there.
//
// SIGTERM, an interrupt and a hangup end it within two seconds: calls that run may
// end by themselves, then they are canceled, and what they answer is delivered. A
// second signal ends it at once.
//
// A program with commands of its own uses [MainFunc].
func Main(s *Server) {
	MainFunc(func(ctx context.Context) int { return s.Run(ctx, os.Args[1:], nil) })
}

// MainFunc calls run and exits with the status that it returns. The context ends with
// SIGTERM, an interrupt or a hangup, unless the process was started to ignore hangups;
// a second signal ends the process at once. Writing to a closed pipe is an error and
// not the end of the process.
//
// It is for programs that serve by one of several commands: run picks the command, and
// that one calls [Server.Run] with the context and the arguments that are left.
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
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx))
}

// Streams are what [Server.Run] serves on; nil stands for those of the process.
type Streams struct {
	In  io.ReadCloser
	Out io.WriteCloser
	Err io.Writer
}

// settings is what the flags say.
type settings struct {
	jp          string
	root        string
	level       string
	options     []string
	pins        []string
	errorText   string
	maxFrame    int
	maxCalls    int
	maxRounds   int
	callTimeout time.Duration
	http        httpSettings
	version     bool
	help        bool
}

// Run parses args and serves until the input or ctx ends. It returns the exit
// status of the process; what went wrong is said on the error stream.
//
// Words after the flags do something else once, instead of serving. "contract"
// prints what the server publishes. "call TOOL [TOOL_JSON [CONTEXT_JSON]]" runs a
// tool as JP runs a local one, and prints its Outcome, or that of what was wrong
// with the call; the documents are what {{tool}} and {{context}} become in JP's
// configuration. Without them, or with - for both, one object
// {"tool":…,"context":…} is read from standard input. Under the action
// format_arguments "call" is "format", which prints the arguments for a person
// (see [tool.Tool.Format]) and runs nothing.
func (s *Server) Run(ctx context.Context, args []string, streams *Streams) int {
	errw := io.Writer(os.Stderr)
	if streams != nil {
		errw = streams.Err
	}
	set, flags := s.settings()
	err := s.setDefaults(flags)
	if err == nil {
		err = flags.Parse(args)
	}
	if err != nil {
		return usage(errw, flags, err)
	}
	out := func() io.Writer {
		if streams != nil {
			return streams.Out
		}
		return os.Stdout
	}
	switch {
	case set.help:
		return s.help(out(), flags)
	case set.version:
		fmt.Fprintf(out(), "%s %s\n", s.Name(), version())
		return ExitOK
	case s.broken != nil:
		fmt.Fprintln(errw, "error:", s.broken)
		return ExitUsage
	case flags.NArg() == 1 && flags.Arg(0) == wordContract:
		return s.publish(out(), errw)
	}
	var shot *oneshot
	if flags.NArg() > 0 {
		if shot, err = readOneshot(flags.Args()); err != nil {
			return usage(errw, flags, err)
		}
	}
	log := newLogWriter(errw)
	defer log.close()
	o, err := s.serveOptions(set, log)
	if err != nil {
		return usage(errw, flags, err)
	}
	service, err := set.http.service()
	if err == nil && service != nil && shot != nil {
		err = fmt.Errorf("--http cannot be combined with %s", shot.word)
	}
	if err == nil && service != nil {
		_, err = s.policy(o, service.door())
	}
	if err != nil {
		return usage(errw, flags, err)
	}
	if streams == nil {
		slog.SetDefault(o.Log)
		// From here on all of the author's code runs.
		out, err := takeStdout()
		if err != nil {
			fmt.Fprintln(errw, "error:", err)
			return ExitError
		}
		streams = &Streams{In: os.Stdin, Out: out, Err: os.Stderr}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for _, start := range s.starts {
		if err := start(ctx); err != nil {
			fmt.Fprintln(errw, "error:", err)
			return ExitUsage
		}
	}
	if shot != nil {
		return s.runOneshot(ctx, shot, o, streams)
	}
	if err := s.serveAs(ctx, o, service, streams); err != nil && !errors.Is(err, context.Canceled) {
		o.Log.Error("serving failed", "error", err)
		return ExitError
	}
	return ExitOK
}

// settings returns the flags of s and where their values go.
func (s *Server) settings() (*settings, *pflag.FlagSet) {
	set := new(settings)
	f := pflag.NewFlagSet(s.command, pflag.ContinueOnError)
	f.SortFlags = false
	f.Usage = func() {}
	f.StringVar(&set.jp, "jp", "", notice)
	f.Lookup("jp").NoOptDefVal = "outcome"
	f.Lookup("jp").DefValue = ""
	f.StringVar(&set.root, "root", "", "`DIR` that tools work in, and that no call may leave (default the working directory, and a call may name another)")
	f.StringArrayVar(&set.options, "option", nil, "set an option of a tool, `TOOL.OPTION=VALUE`; may be repeated")
	f.StringArrayVar(&set.pins, "pin", nil, "set an option of a tool that no call may change, `TOOL.OPTION=VALUE`; may be repeated")
	f.StringVar(&set.level, "log-level", "info", "what to log on standard error: debug, info, warn or error")
	f.IntVar(&set.maxFrame, "max-frame", 0, "longest message taken, in bytes (default 16777216)")
	f.IntVar(&set.maxCalls, "max-calls", engine.DefaultMaxCalls, "calls that run at once; more wait")
	f.IntVar(&set.maxRounds, "max-rounds", question.MaxRounds, "most questions that one call may ask")
	f.StringVar(&set.errorText, "error-text", "auto", "who is told the text of errors without a code: auto (callers on standard streams, not over HTTP), show or hide")
	f.DurationVar(&set.callTimeout, "call-timeout", 0, "how long a call may take of a tool that sets no time, such as 30s (default without end)")
	f.StringVar(&set.http.addr, "http", "", "serve over HTTP at `HOST:PORT`, or unix:PATH, instead of standard streams")
	f.StringVar(&set.http.tokenFile, "http-token-file", "", "`file` with the secret that HTTP callers must send as bearer token")
	f.StringArrayVar(&set.http.hosts, "http-host", nil, "a `NAME` by which a proxy or HTTP callers address the server; may be repeated")
	f.StringArrayVar(&set.http.origins, "http-origin", nil, "a `URL` such as https://app.example.com whose pages may call; may be repeated")
	f.BoolVar(&set.http.stateless, "http-stateless", false, "give no HTTP client a session, so that any of several instances answers it; older clients cannot be asked then")
	f.BoolVar(&set.http.trust, "http-trust-caller", false, "believe what HTTP callers say in _meta under computer.jp/: the root, options and answers of a call")
	f.AddFlagSet(s.flags)
	f.BoolVar(&set.version, "version", false, "print the version and exit")
	f.BoolVarP(&set.help, "help", "h", false, "print this text and exit")
	return set, f
}

// setDefaults gives flags the values of [Server.SetDefault].
func (s *Server) setDefaults(flags *pflag.FlagSet) error {
	for _, d := range s.defaults {
		flag := flags.Lookup(d[0])
		if flag == nil {
			return fmt.Errorf("the program sets a default for --%s, which is not a flag", d[0])
		}
		if err := flag.Value.Set(d[1]); err != nil {
			return fmt.Errorf("the program sets --%s to %q: %w", d[0], d[1], err)
		}
		flag.DefValue = d[1]
	}
	return nil
}

const helpText = `%s

Serves MCP on standard input and output.

Usage:
  NAME [flags]
  NAME [flags] call TOOL [TOOL_JSON [CONTEXT_JSON]]
  NAME [flags] format TOOL [TOOL_JSON [CONTEXT_JSON]]
  NAME contract

  call      run a tool as a local tool of JP and print its Outcome; the documents
            are {{tool}} and {{context}} of JP's configuration, and without them,
            or with -, {"tool":…,"context":…} is read from standard input
  format    print the arguments of a call for a person, and run nothing
  contract  print the published contract

Flags:
%s`

// publish prints the contract.
func (s *Server) publish(out, errw io.Writer) int {
	text, err := s.contract.Write()
	if err == nil {
		_, err = out.Write(text)
	}
	if err != nil {
		fmt.Fprintln(errw, "error:", err)
		return ExitError
	}
	return ExitOK
}

func (s *Server) help(w io.Writer, flags *pflag.FlagSet) int {
	fmt.Fprintf(w, strings.ReplaceAll(helpText, "NAME", s.command), s.contract.Description, flags.FlagUsages())
	return ExitOK
}

func usage(w io.Writer, flags *pflag.FlagSet, err error) int {
	fmt.Fprintf(w, "error: %s\nRun %s --help for the flags.\n", err, flags.Name())
	return ExitUsage
}
