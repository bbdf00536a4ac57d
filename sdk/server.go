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

// GeneratedV2 is named by generated code that needs this runtime or a later one.
const GeneratedV2 = true

// A Server is a set of tools with their contract. NewServer of the generated code
// makes one; [Main] runs it.
type Server struct {
	caller   [1]uintptr // of NewServer
	contract *manifest.Server
	broken   error // why the contract cannot be served
	tools    map[string]*tool.Tool
	without  map[string]bool
	flags    *pflag.FlagSet
	command  string    // what is typed to start the server
	logTo    io.Writer // nil for standard error
	starts   []func(context.Context) error
	info     *mcp.Implementation
	options  mcp.ServerOptions
	mcp      func() *mcp.Server
	extras   *gosdk.Extras
	shared   atomic.Bool // the program has been given go-sdk's server
	log      *slog.Logger
	// interceptors stand around every call.
	interceptors []tool.Interceptor
}

// NewServer returns a server of tools with their contract, which nothing changes from
// then on. Generated code calls it. A contract that does not fit the tools is reported
// when the server is run.
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
	s.info = &mcp.Implementation{Name: s.contract.Name, Version: version()}
	s.options = mcp.ServerOptions{
		Instructions: s.contract.Description,
		Logger:       slog.New(quiet{s}),
		//lint:ignore SA1019 clients of the versions before 2026-07-28 set a level
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Logging: &mcp.LoggingCapabilities{}},
	}
	s.mcp = sync.OnceValue(func() *mcp.Server {
		m := mcp.NewServer(s.info, &s.options)
		m.AddReceivingMiddleware(s.extras.Middleware)
		return m
	})
	s.extras = &gosdk.Extras{Server: func() *mcp.Server { return s.mcp() }, Used: s.adds, Log: func() *slog.Logger { return s.log }}
	return s
}

// adds reports whether the program may have added something to go-sdk's server.
func (s *Server) adds() bool {
	o := &s.options
	return s.shared.Load() || o.CompletionHandler != nil || o.SubscribeHandler != nil || o.UnsubscribeHandler != nil ||
		o.InitializedHandler != nil || o.ProgressNotificationHandler != nil ||
		//lint:ignore SA1019 clients of the versions before 2026-07-28 have roots
		o.RootsListChangedHandler != nil
}

// fits says what of the contract has no tool, or the other way round.
func (s *Server) fits() error {
	for _, t := range s.contract.Tools {
		if s.tools[t.Name] == nil {
			return fmt.Errorf("the contract has a tool %q that the program lacks: run go generate and build again", t.Name)
		}
	}
	if len(s.tools) != len(s.contract.Tools) {
		return fmt.Errorf("the program has %d tools, its contract %d: run go generate and build again", len(s.tools), len(s.contract.Tools))
	}
	return nil
}

// Name returns the name of the server.
func (s *Server) Name() string { return s.contract.Name }

// Contract returns what the server publishes. It is not to be changed.
func (s *Server) Contract() *manifest.Server { return s.contract }

// Source returns the path of the file that called [NewServer], as the
// compiler recorded it: that of the generated code, in which an import path stands for the
// directory if the program was built with -trimpath.
func (s *Server) Source() string {
	frame, _ := runtime.CallersFrames(s.caller[:]).Next()
	return frame.File
}

// Flags returns the flags that the program adds to those of every server, to be
// defined before [Main].
func (s *Server) Flags() *pflag.FlagSet { return s.flags }

// SetCommand names what is typed to start the server where that is not its name
// alone, such as "bookworm mcp". Help and messages say so. See [MainFunc] for programs
// with commands.
func (s *Server) SetCommand(command string) { s.command = command }

// SetLog has the server log to w instead of standard error. It is called before
// [Server.Run].
func (s *Server) SetLog(w io.Writer) { s.logTo = w }

// OnStart has f called when the flags are parsed and before anything is served.
// An error keeps the server from starting. Its context ends with the server.
func (s *Server) OnStart(f func(context.Context) error) { s.starts = append(s.starts, f) }

// Without takes the tool of that name out of what is served, for tools that the
// user must first switch on. It is called from [Server.OnStart] or before.
func (s *Server) Without(name string) { s.without[name] = true }

// MCP returns go-sdk's server, to which resources and prompts may be added. Tools
// belong in the contract instead. Receiving middleware that is added to it sees the calls
// of all tools by MCP, which costs more than without. Calls by a command line (BIN call)
// and in process are not MCP's, and pass it by.
func (s *Server) MCP() *mcp.Server {
	s.shared.Store(true)
	return s.mcp()
}

// MCPOptions returns the options of go-sdk's server, where completions and the
// subscription to resources are switched on. It has no effect after the first call of
// [Server.MCP] or the start of the server.
func (s *Server) MCPOptions() *mcp.ServerOptions { return &s.options }

// version returns the version of the program's main module.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
