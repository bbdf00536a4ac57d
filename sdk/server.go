package sdk

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/internal/face"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// GeneratedV4 is referenced by generated code that needs this runtime or a later one.
const GeneratedV4 = true

// A Server is a set of tools with their contract. The generated NewServer returns one, and
// [Main] runs it.
type Server struct {
	caller       [1]uintptr // the program counter in NewServer's caller
	contract     *manifest.Server
	broken       error // the reason why the contract cannot be served, or nil
	tools        map[string]*handler.Tool
	without      map[string]bool
	off          map[string]bool // the toolsets that are off by default
	flags        *pflag.FlagSet
	defaults     [][2]string // flags and their values
	command      string      // the command that starts the server
	logTo        io.Writer   // nil for standard error
	starts       []func(context.Context) error
	extras       atomic.Pointer[engine.Extras]
	log          atomic.Pointer[slog.Logger] // the log of the transport that was opened last
	interceptors []tool.Interceptor
}

// NewServer returns a server for tools and their contract. Do not modify the contract afterwards.
// Generated code calls NewServer. If the contract does not match the tools, running the server fails.
func NewServer(contract *manifest.Server, tools ...*handler.Tool) *Server {
	s := &Server{contract: contract, tools: make(map[string]*handler.Tool, len(tools)), without: map[string]bool{}}
	runtime.Callers(2, s.caller[:])
	for _, t := range tools {
		s.tools[t.Name()] = t
	}
	s.broken, s.off = s.checkContract(), face.Off(contract)
	s.command = s.contract.Name
	s.flags = pflag.NewFlagSet(s.contract.Name, pflag.ContinueOnError)
	s.flags.SortFlags = false
	s.log.Store(slog.Default())
	return s
}

// checkContract returns an error unless the contract and the tools match.
func (s *Server) checkContract() error {
	for _, t := range s.contract.Tools {
		if s.tools[t.Name] == nil {
			return fmt.Errorf("the contract has a tool %q that the program does not have: run go generate and rebuild the program", t.Name)
		}
	}
	if len(s.tools) != len(s.contract.Tools) {
		return fmt.Errorf("the program has %d tools, but its contract has %d: run go generate and rebuild the program", len(s.tools), len(s.contract.Tools))
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

// Flags returns the flag set to which a program adds its own flags, before it calls [Main].
func (s *Server) Flags() *pflag.FlagSet { return s.flags }

// SetDefault sets the default of a flag of the server, such as "log-level". It must be called
// before [Server.Run], which reports an unknown flag or an invalid value.
func (s *Server) SetDefault(flag, value string) {
	s.defaults = append(s.defaults, [2]string{flag, value})
}

// SetCommand sets the command that starts the server, such as "bookworm mcp" (see [MainFunc]), for help
// and messages. The default is the server's name.
func (s *Server) SetCommand(command string) { s.command = command }

// SetLog sets the destination of the log; the default is standard error. It must be called before
// [Server.Run].
func (s *Server) SetLog(w io.Writer) { s.logTo = w }

// OnStart registers a function that is called after the flags are parsed and before the server
// serves. If it returns an error, the server does not start. The context is canceled when the server ends.
func (s *Server) OnStart(f func(context.Context) error) { s.starts = append(s.starts, f) }

// Without removes a tool that the user must enable. It must be called in a function that is
// registered with [Server.OnStart], or earlier.
func (s *Server) Without(name string) { s.without[name] = true }

// Extend registers the result of create, which serves all requests except those for the contract's tools,
// and returns it. Later calls return the same result without calling create. The function log returns the
// log of the server. Only package gosdk calls Extend.
func (s *Server) Extend(create func(log func() *slog.Logger) engine.Extras) engine.Extras {
	if s.extras.Load() == nil {
		x := create(s.log.Load)
		s.extras.CompareAndSwap(nil, &x)
	}
	return *s.extras.Load()
}

// addedExtras returns what [Server.Extend] registered, or nil.
func (s *Server) addedExtras() engine.Extras {
	if x := s.extras.Load(); x != nil {
		return *x
	}
	return nil
}

// Version returns the version of the program's module, or "(devel)".
func (s *Server) Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
