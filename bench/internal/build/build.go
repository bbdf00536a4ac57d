// Package build builds the measured servers.
package build

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/jptool/jptool/bench/internal/drive"
	"github.com/jptool/jptool/bench/internal/request"
	"github.com/jptool/jptool/bench/internal/source"
)

// A Subject is a measured server.
type Subject struct {
	Name string
	// Command returns the command that starts the server with the given number of tools.
	Command func(tools int) []string
	// Probed is the command that starts the binary with the probe and one tool, or nil if there is
	// none.
	Probed []string
	// HTTP returns the command that serves a generation of MCP over HTTP, or is nil if the server
	// does not support HTTP.
	HTTP func(request.Era) []string
	// Most is the documented maximum size of a message over HTTP, in bytes.
	Most int
	// Checks reports whether the server checks arguments and results completely.
	Checks bool
	// SessionsOnly reports whether the server supports only the generation of MCP with
	// sessions.
	SessionsOnly bool
}

// The names of the subjects that are used in ratios.
const (
	Jptool   = "jptool"
	Typed    = "go-sdk typed"
	Raw      = "go-sdk raw"
	Plain    = "mcp-go"
	Checked  = "mcp-go, checking"
	Baseline = "baseline" // a server without an SDK, for comparison
)

// Sizes are the numbers of tools of jptool's servers.
var Sizes = []int{1, 10, 100, 1000}

// A Workspace is a directory inside the module in which servers are built.
type Workspace struct {
	Dir string // absolute
	// Sizes are the numbers of tools to build jptool's server with; nil means all [Sizes].
	Sizes []int
	// GoOnly excludes the servers that are not written in Go.
	GoOnly bool
}

// Compiler builds jptoolgen.
func (s Workspace) Compiler(ctx context.Context) error {
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return err
	}
	return s.compile(ctx, "jptoolgen", "github.com/jptool/jptool/cmd/jptoolgen", false)
}

// Stress builds jptool's server with tools that wait, ask and crash, and returns its path. It uses the
// jptoolgen that [Workspace.Compiler] has built.
func (s Workspace) Stress(ctx context.Context) (string, error) {
	dir := filepath.Join(s.Dir, "stress")
	if err := source.Stress(dir); err != nil {
		return "", err
	}
	if err := Run(ctx, dir, s.Generator()); err != nil {
		return "", err
	}
	return s.bin("jptool-stress"), s.compile(ctx, "jptool-stress", dir, false)
}

// Cold builds the programs for cold calls: a plain scan of notes, and grizzly.
func (s Workspace) Cold(ctx context.Context) (scan, grizzly string, err error) {
	if err := s.compile(ctx, "scan", "github.com/jptool/jptool/bench/servers/scan", false); err != nil {
		return "", "", err
	}
	return s.bin("scan"), s.bin("grizzly"), s.compile(ctx, "grizzly", "github.com/jptool/jptool/examples/grizzly", false)
}

// Generator returns the path of jptoolgen.
func (s Workspace) Generator() string { return filepath.Join(s.Dir, "jptoolgen") }

// Package returns the directory of jptool's server with n tools.
func (s Workspace) Package(n int) string { return filepath.Join(s.Dir, "notes"+strconv.Itoa(n)) }

// Make builds jptoolgen and all servers. It calls notice for each server that cannot be built on
// this machine.
func (s Workspace) Make(ctx context.Context, notice func(string)) ([]Subject, error) {
	if err := s.Compiler(ctx); err != nil {
		return nil, err
	}
	sizes := s.Sizes
	if sizes == nil {
		sizes = Sizes
	}
	for _, n := range sizes {
		if err := source.Write(s.Package(n), n); err != nil {
			return nil, err
		}
		if err := Run(ctx, s.Package(n), s.Generator()); err != nil {
			return nil, err
		}
		if err := s.compile(ctx, "jptool-"+strconv.Itoa(n), s.Package(n), false); err != nil {
			return nil, err
		}
	}
	if err := s.compile(ctx, "jptool-probed", s.Package(1), true); err != nil {
		return nil, err
	}
	for _, name := range []string{"gosdk", "mcpgo", "baseline"} {
		path := "github.com/jptool/jptool/bench/servers/" + name
		if err := s.compile(ctx, name, path, false); err != nil {
			return nil, err
		}
		if err := s.compile(ctx, name+"-probed", path, true); err != nil {
			return nil, err
		}
	}
	subjects := []Subject{
		{Name: Jptool, Checks: true, Probed: []string{s.bin("jptool-probed")}, HTTP: Address, Most: limits[Jptool],
			Command: func(n int) []string { return []string{s.bin("jptool-" + strconv.Itoa(n))} }},
		s.peer(Typed, true, eraFlags, "gosdk"),
		s.peer(Raw, false, eraFlags, "gosdk", "-raw"),
		s.peer(Plain, false, Address, "mcpgo"),
		s.peer(Checked, true, Address, "mcpgo", "-validate"),
		s.peer(Baseline, false, s.like, "baseline"),
	}
	if s.GoOnly {
		return subjects, nil
	}
	return append(subjects, s.buildForeign(ctx, notice)...), nil
}

func (s Workspace) bin(name string) string { return filepath.Join(s.Dir, "bin", name) }

// Address returns the flags of a server that has one handler for both generations.
func Address(request.Era) []string { return drive.Address }

// eraFlags returns the flags of a server that has a handler for each generation: go-sdk supports 2026-07-28 only
// without sessions.
func eraFlags(era request.Era) []string {
	if era == request.Requests {
		return append(slices.Clone(drive.Address), "-stateless")
	}
	return drive.Address
}

// like returns the flags that make the baseline respond to calls with the result in
// [Workspace.Answer].
func (s Workspace) like(era request.Era) []string {
	return append(slices.Clone(drive.Address), "-answer", s.Answer(era))
}

// Baseline returns the command of the baseline, a server without an SDK. It responds to calls over HTTP
// with the result in a file.
func (s Workspace) Baseline(file string) []string {
	return append([]string{s.bin("baseline"), "-answer", file}, drive.Address...)
}

// Answer returns the path of the file with the result that the baseline returns for calls over HTTP. The file must
// be written before the baseline is started.
func (s Workspace) Answer(era request.Era) string {
	return filepath.Join(s.Dir, "answer-"+string(era)+".json")
}

// Served returns the command that serves a generation of MCP over HTTP.
func (s Subject) Served(era request.Era) []string {
	return append(slices.Clone(s.Command(1)), s.HTTP(era)...)
}

// limits holds the maximum message sizes over HTTP in bytes. mcp-go documents none.
var limits = map[string]int{Jptool: 16 << 20, Typed: 4 << 20, Raw: 4 << 20, Plain: 16 << 20, Checked: 16 << 20}

func (s Workspace) peer(name string, checks bool, http func(request.Era) []string, binary string, flags ...string) Subject {
	return Subject{
		Name: name, Checks: checks, HTTP: http, Most: limits[name],
		Probed: append([]string{s.bin(binary + "-probed")}, flags...),
		Command: func(n int) []string {
			return append([]string{s.bin(binary), "-tools", strconv.Itoa(n)}, flags...)
		},
	}
}

// compile builds a package as for a release. A binary with the probe keeps its symbols.
func (s Workspace) compile(ctx context.Context, name, path string, probed bool) error {
	args := []string{"build", "-trimpath", "-o", s.bin(name)}
	if name == "jptoolgen" {
		args[3] = s.Generator()
	}
	if probed {
		args = append(args, "-tags", "probe")
	} else {
		args = append(args, "-ldflags", "-s -w")
	}
	// Build without cgo, because loading libc takes as long as the rest of a start.
	return run(ctx, filepath.Dir(s.Dir), []string{"CGO_ENABLED=0"}, "go", append(args, path)...)
}

// Run runs a command in dir. An error contains the output of the command.
func Run(ctx context.Context, dir, name string, args ...string) error {
	return run(ctx, dir, nil, name, args...)
}

func run(ctx context.Context, dir string, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, out[:min(len(out), 2000)])
	}
	return nil
}
