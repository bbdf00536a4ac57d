package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"sync/atomic"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/dev"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/load"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/peer"
)

func devCommand() command {
	return command{
		name:  "dev",
		usage: "jptoolgen dev [flags] [DIR] [-- SERVER-ARGUMENTS]",
		help: `Serve a program over stdio, and rebuild it when its source changes.
DIR is the directory of the program, by default the current one. When Go source in its
module changes, dev generates code, and builds and restarts the program. The client keeps
its connection, and is notified that the list of tools has changed. If the source does
not build, the previous program keeps running.

While you work on a server, configure hosts to run this command instead of the server.`,
		run: func(ctx context.Context, env Env, flags *pflag.FlagSet) error {
			dirs, args := sideAndMore(flags)
			if len(dirs) > 1 {
				return errors.New("dev takes one directory; put the arguments of the server after --")
			}
			dir := env.Dir
			if len(dirs) == 1 {
				dir = env.path(dirs[0])
			}
			if info, err := os.Stat(dir); err != nil || !info.IsDir() {
				return fmt.Errorf("%s is not a directory; run jptoolgen dev DIR with the source directory of the program", dir)
			}
			return serveSource(ctx, env, dir, args)
		},
	}
}

func serveSource(ctx context.Context, env Env, dir string, args []string) error {
	root, _, err := load.Module(dir)
	if err != nil {
		return err
	}
	out, err := os.MkdirTemp("", "jptoolgen-dev-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(out) //nolint:errcheck // the system also cleans its temporary directory
	// The program's output may contain control characters, and so may compiler errors, which quote source text.
	env.Stderr = terminal.Cleaner{To: env.Stderr}
	log := slog.New(slog.NewTextHandler(env.Stderr, nil))
	changed, err := dev.Watch(ctx, root, log)
	if err != nil {
		return err
	}
	b := &builder{env: Env{Dir: root, Stdout: io.Discard, Stderr: env.Stderr}, dir: dir, out: out, args: args}
	p := dev.Proxy{Start: b.start, Changed: changed, In: env.Stdin, Out: env.Stdout, Log: log}
	return p.Run(ctx)
}

// A builder builds the current source and starts the program.
type builder struct {
	env      Env
	dir, out string
	args     []string
	count    atomic.Int64
}

func (b *builder) start(ctx context.Context) (*dev.Child, error) {
	if err := generate(ctx, b.env, []string{"./..."}, false, diag.Text); errors.Is(err, status(exitFindings)) {
		return nil, errors.New("jptoolgen reported findings; fix them, and save the file")
	} else if err != nil {
		return nil, err
	}
	program := target.Binary(b.out, "server"+strconv.FormatInt(b.count.Add(1), 10))
	build := exec.CommandContext(ctx, "go", "build", "-o", program, ".")
	build.Dir, build.Stdout, build.Stderr = b.dir, b.env.Stderr, b.env.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("go build: %w", err)
	}
	cmd := exec.CommandContext(ctx, program, b.args...)
	cmd.Stderr = b.env.Stderr
	end := peer.Isolate(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &dev.Child{In: in, Out: out, Kill: func() {
		end()
		_ = cmd.Wait()         // returns an error, because the process was killed
		_ = os.Remove(program) // if this fails, the program is removed with its directory
	}}, nil
}
