package sdk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/pflag"
)

// The exit statuses of [Server.Run].
const (
	ExitOK    = 0 // served to the end of input
	ExitError = 1 // the server failed
	ExitUsage = 2 // it could not be started as asked
)

// notice stands word for word in JP RFD D31, Transitional markers.
const notice = "Enable transitional JP tool protocol. Will be replaced by typed content blocks per RFD 058."

// Main runs s with the arguments and streams of the process, and exits. While it
// runs, os.Stdout is standard error and the default logger writes there.
func Main(s *Server) {
	signal.Ignore(syscall.SIGPIPE) // a closed standard error must not kill the server
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(s.Run(ctx, os.Args[1:], nil))
}

// Streams are what [Server.Run] serves on; nil stands for those of the process.
type Streams struct {
	In  io.ReadCloser
	Out io.WriteCloser
	Err io.Writer
}

// settings is what the flags say.
type settings struct {
	jp       string
	root     string
	level    string
	options  []string
	maxFrame int
	http     httpSettings
	version  bool
	help     bool
}

// Run parses args and serves until the input or ctx ends. It returns the exit
// status of the process; what went wrong is said on the error stream.
//
// The word "contract" instead of serving prints what the server publishes.
func (s *Server) Run(ctx context.Context, args []string, streams *Streams) int {
	errw := io.Writer(os.Stderr)
	if streams != nil {
		errw = streams.Err
	}
	set, flags := s.settings()
	if err := flags.Parse(args); err != nil {
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
	case flags.NArg() == 1 && flags.Arg(0) == "contract":
		fmt.Fprint(out(), s.text)
		return ExitOK
	case flags.NArg() > 0:
		return usage(errw, flags, fmt.Errorf("unexpected argument %q; the one word taken is contract", flags.Arg(0)))
	}
	o, err := s.serveOptions(set, errw)
	if err != nil {
		return usage(errw, flags, err)
	}
	service, err := set.http.service()
	if err != nil {
		return usage(errw, flags, err)
	}
	if streams == nil {
		slog.SetDefault(o.Log)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for _, start := range s.starts {
		if err := start(ctx); err != nil {
			fmt.Fprintln(errw, "error:", err)
			return ExitUsage
		}
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
	f := pflag.NewFlagSet(s.Name(), pflag.ContinueOnError)
	f.SortFlags = false
	f.Usage = func() {}
	f.StringVar(&set.jp, "jp", "", notice)
	f.Lookup("jp").NoOptDefVal = "outcome"
	f.Lookup("jp").DefValue = ""
	f.StringVar(&set.root, "root", "", "directory that tools work in when a call names none (default the working directory)")
	f.StringArrayVar(&set.options, "option", nil, "set an option of a tool, `TOOL.OPTION=VALUE`; may be repeated")
	f.StringVar(&set.level, "log-level", "info", "what to log on standard error: debug, info, warn or error")
	f.IntVar(&set.maxFrame, "max-frame", 0, "longest message taken, in bytes (default 16777216)")
	f.StringVar(&set.http.addr, "http", "", "serve over HTTP at `HOST:PORT` instead of standard streams")
	f.StringVar(&set.http.tokenFile, "http-token-file", "", "`file` with the secret that HTTP callers must send as bearer token")
	f.AddFlagSet(s.flags)
	f.BoolVar(&set.version, "version", false, "print the version and exit")
	f.BoolVarP(&set.help, "help", "h", false, "print this text and exit")
	return set, f
}

func (s *Server) help(w io.Writer, flags *pflag.FlagSet) int {
	fmt.Fprintf(w, "%s\n\nServes MCP on standard input and output.\n\nUsage:\n  %s [flags]\n  %s contract    print the published contract\n\nFlags:\n%s",
		s.contract.Description, s.Name(), s.Name(), flags.FlagUsages())
	return ExitOK
}

func usage(w io.Writer, flags *pflag.FlagSet, err error) int {
	fmt.Fprintf(w, "error: %s\nRun %s --help for the flags.\n", err, flags.Name())
	return ExitUsage
}
