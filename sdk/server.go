package sdk

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"runtime"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/internal/face"
	"github.com/jptool/jptool/internal/uris"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/internal/streamable"
	"github.com/jptool/jptool/sdk/tasks"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// GeneratedV4 is referenced by generated code that needs this runtime or a later one.
const GeneratedV4 = true

// A Server is a set of tools, resources and prompts with their contract. The generated NewServer returns one, and
// [Main] runs it.
type Server struct {
	caller       [1]uintptr // the program counter in NewServer's caller
	contract     *manifest.Server
	broken       error // the reason why the contract cannot be served, or nil
	tools        map[string]*handler.Tool
	offered      map[string]*handler.Tool // the handlers of resources, templates and prompts; nil if there are none
	skills       fs.FS
	without      map[string]bool
	auth         func() (*Auth, error) // nil without Authenticate
	quota        func() Quota          // nil without Limit
	off          map[string]bool       // the toolsets that are off by default
	flags        *pflag.FlagSet
	variables    []manifest.Setting // that the program reads itself
	defaults     [][2]string        // flags and their values
	command      string             // the command that starts the server
	logTo        io.Writer          // nil for standard error
	starts       []func(context.Context) error
	stops        []func(context.Context)
	observer     handler.Observer
	routes       map[string]streamable.Route // by path
	taskStores   tasks.Openers
	extras       atomic.Pointer[engine.Extras]
	log          atomic.Pointer[slog.Logger] // the log of the transport that was opened last
	interceptors []tool.Interceptor
}

// NewServer returns a server for the handlers of tools, resources and prompts, and their contract. Do not modify the
// contract afterwards. Generated code calls NewServer. If the contract does not match the handlers, running the server
// fails.
func NewServer(contract *manifest.Server, handlers ...*handler.Tool) *Server {
	s := &Server{contract: contract, tools: make(map[string]*handler.Tool, len(handlers)), without: map[string]bool{}}
	runtime.Callers(2, s.caller[:])
	for _, t := range handlers {
		if t.Kind() == handler.Callable {
			s.tools[t.Name()] = t
			continue
		}
		if s.offered == nil {
			s.offered = map[string]*handler.Tool{}
		}
		s.offered[t.Name()] = t
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
	return s.checkOffered()
}

// AddSkills sets the files of the contract's skills, which are in a directory of files, and returns s. Generated code
// calls it.
func (s *Server) AddSkills(files fs.FS, dir string) *Server {
	if below, err := fs.Sub(files, dir); err != nil {
		s.broken = err
	} else {
		s.skills = below
	}
	return s
}

// checkOffered is like checkContract for resources, templates and prompts.
func (s *Server) checkOffered() error {
	count, missing := 0, func(kind handler.Kind, name string) error {
		if t := s.offered[name]; t == nil || t.Kind() != kind {
			return fmt.Errorf("the contract has a %s %q that the program does not have: run go generate and rebuild the program", kind, name)
		}
		return nil
	}
	for _, list := range [][]manifest.Resource{s.contract.Resources, s.contract.Templates} {
		for i := range list {
			if err := missing(handler.Resource, list[i].Name); err != nil {
				return err
			}
			if t := list[i].URITemplate; t != "" {
				if _, err := uris.Parse(t); err != nil {
					return err
				}
			}
			count++
		}
	}
	for i := range s.contract.Prompts {
		if err := missing(handler.Prompt, s.contract.Prompts[i].Name); err != nil {
			return err
		}
		count++
	}
	if len(s.offered) != count {
		return fmt.Errorf("the program has %d resources and prompts, but its contract has %d: run go generate and rebuild the program", len(s.offered), count)
	}
	return nil
}

// contracts yields the contract of each tool, and that of each resource and prompt as that of a tool.
func (s *Server) contracts(yield func(*manifest.Tool) bool) {
	for i := range s.contract.Tools {
		if !yield(&s.contract.Tools[i]) {
			return
		}
	}
	for _, list := range [][]manifest.Resource{s.contract.Resources, s.contract.Templates} {
		for i := range list {
			if !yield(list[i].AsTool()) {
				return
			}
		}
	}
	for i := range s.contract.Prompts {
		if !yield(s.contract.Prompts[i].AsTool()) {
			return
		}
	}
}

// handlerOf returns the handler of a tool, resource or prompt.
func (s *Server) handlerOf(name string) *handler.Tool { return cmp.Or(s.tools[name], s.offered[name]) }

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

// TaskStore adds a store for tasks, for addresses with a scheme, such as "file". It must be called before
// [Server.Run]. The packages of stores call it.
func (s *Server) TaskStore(scheme string, open tasks.Opener) {
	if s.taskStores == nil {
		s.taskStores = tasks.Openers{}
	}
	s.taskStores[scheme] = open
}

// OnStop registers a function that [Server.Run] calls after the server has served, for example to send what is
// buffered. All such functions together have one second, after which their context is canceled.
func (s *Server) OnStop(f func(context.Context)) { s.stops = append(s.stops, f) }

// stop calls the functions of [Server.OnStop], the last one first.
func (s *Server) stop() {
	if len(s.stops) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	for _, f := range slices.Backward(s.stops) {
		f(ctx)
	}
}

// Observe adds an observer of all requests and runs, over every transport. It must be called before the server
// serves. Observers are for telemetry; see packages sdk/otel and sdk/metrics.
func (s *Server) Observe(o handler.Observer) { s.observer = s.observer.And(o) }

// Without removes a tool, resource, template or prompt that the user must enable. It must be called in a function that is
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
