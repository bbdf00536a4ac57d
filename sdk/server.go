package sdk

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/pflag"

	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/gosdk"
	"github.com/jptool/jptool/sdk/tool"
)

// GeneratedV2 is referenced by generated code that needs this runtime or a later one.
const GeneratedV2 = true

// A Server is a set of tools with their contract. The generated NewServer returns one, and
// [Main] runs it.
type Server struct {
	caller       [1]uintptr // the program counter in NewServer's caller
	contract     *manifest.Server
	broken       error // why the contract cannot be served
	tools        map[string]*tool.Tool
	without      map[string]bool
	flags        *pflag.FlagSet
	defaults     [][2]string // flags and their values
	command      string      // the command that starts the server
	logTo        io.Writer   // nil for standard error
	starts       []func(context.Context) error
	options      mcp.ServerOptions
	mcp          func() *mcp.Server
	extras       *gosdk.Extras
	shared       atomic.Bool // the program has called MCP
	log          *slog.Logger
	quiet        *quietHandler // go-sdk's log
	interceptors []tool.Interceptor
}

// NewServer returns a server for tools and their contract, which must not be modified afterwards.
// Generated code calls it. If the contract does not match the tools, running the server fails.
func NewServer(contract *manifest.Server, tools ...*tool.Tool) *Server {
	s := &Server{contract: contract, tools: make(map[string]*tool.Tool, len(tools)), without: map[string]bool{}}
	runtime.Callers(2, s.caller[:])
	for _, t := range tools {
		s.tools[t.Name()] = t
	}
	s.broken = s.fits()
	s.command = s.contract.Name
	s.flags = pflag.NewFlagSet(s.contract.Name, pflag.ContinueOnError)
	s.flags.SortFlags = false
	s.log = slog.Default()
	s.quiet = &quietHandler{s.log.Handler()}
	s.options = mcp.ServerOptions{
		Instructions: s.contract.Description,
		Logger:       slog.New(s.quiet),
		//lint:ignore SA1019 clients of the versions before 2026-07-28 set a level
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Logging: &mcp.LoggingCapabilities{}},
	}
	s.mcp = sync.OnceValue(func() *mcp.Server {
		m := mcp.NewServer(&mcp.Implementation{Name: s.Name(), Version: version()}, &s.options)
		m.AddReceivingMiddleware(s.extras.Middleware)
		return m
	})
	s.extras = &gosdk.Extras{Server: s.mcp, Used: s.adds, Log: func() *slog.Logger { return s.log }}
	return s
}

// adds reports whether the program may have added to go-sdk's server.
func (s *Server) adds() bool {
	o := &s.options
	return s.shared.Load() || o.CompletionHandler != nil || o.SubscribeHandler != nil || o.UnsubscribeHandler != nil ||
		o.InitializedHandler != nil || o.ProgressNotificationHandler != nil ||
		//lint:ignore SA1019 clients of the versions before 2026-07-28 have roots
		o.RootsListChangedHandler != nil
}

// fits returns an error unless the contract and the tools match.
func (s *Server) fits() error {
	for _, t := range s.contract.Tools {
		if s.tools[t.Name] == nil {
			return fmt.Errorf("the contract has a tool %q that the program lacks: run go generate and build again", t.Name)
		}
	}
	if len(s.tools) != len(s.contract.Tools) {
		return fmt.Errorf("the program has %d tools, but its contract has %d: run go generate and build again", len(s.tools), len(s.contract.Tools))
	}
	return nil
}

// Name returns the name of the server.
func (s *Server) Name() string { return s.contract.Name }

// Contract returns the published contract. It must not be modified.
func (s *Server) Contract() *manifest.Server { return s.contract }

// Source returns the path of the generated code, which called [NewServer]. If the program was built
// with -trimpath, the path starts with an import path.
func (s *Server) Source() string {
	frame, _ := runtime.CallersFrames(s.caller[:]).Next()
	return frame.File
}

// Flags returns the flag set to which a program adds flags of its own, before it calls [Main].
func (s *Server) Flags() *pflag.FlagSet { return s.flags }

// SetDefault sets the default of a flag of the server, such as "log-level". It must be called
// before [Server.Run], which reports an unknown flag or an invalid value.
func (s *Server) SetDefault(flag, value string) {
	s.defaults = append(s.defaults, [2]string{flag, value})
}

// SetCommand sets the command that starts the server, for help and messages, if it is not the
// server's name alone, such as "bookworm mcp" (see [MainFunc]).
func (s *Server) SetCommand(command string) { s.command = command }

// SetLog sets the destination of the log instead of standard error, before [Server.Run] is called.
func (s *Server) SetLog(w io.Writer) { s.logTo = w }

// OnStart registers a function that is called after the flags are parsed and before the server
// serves. If it returns an error, the server does not start. The context ends with the server.
func (s *Server) OnStart(f func(context.Context) error) { s.starts = append(s.starts, f) }

// Without removes a tool that the user must enable. It must be called in a function that is
// registered with [Server.OnStart], or earlier.
func (s *Server) Without(name string) { s.without[name] = true }

// MCP returns go-sdk's server, to which a program can add resources and prompts. Tools belong in the
// contract instead. Receiving middleware sees the MCP calls to all tools, which makes them slower,
// but not calls from the command line (BIN call) or through [Server.Call].
func (s *Server) MCP() *mcp.Server {
	s.shared.Store(true)
	return s.mcp()
}

// MCPOptions returns the options of go-sdk's server, for completions and resource subscriptions.
// Changes have no effect after the first call to [Server.MCP] or the start of the server.
func (s *Server) MCPOptions() *mcp.ServerOptions { return &s.options }

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
