package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"path/filepath"
	"sync"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/emit"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/load"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
)

func generateCommand() command {
	var check bool
	format := diag.Text
	return command{
		usage: "jptoolgen [flags] [packages]",
		help: `Writes ` + load.Generated + ` and ` + lock.File + ` beside the source of each package that has a
//jp:server line. Packages are directories or import paths of the module; the
default is the current directory, and ./... is all below it.

Errors of Go in declarations are findings. Those in the body of a function or the value
of a variable do not change what is generated: they are left to the compiler.

Findings are printed on standard error as text, on standard output as json and
github. The exit status is 0 when all is well, 1 when there are findings or
--check finds a difference, and 2 for wrong usage and other trouble.`,
		flags: func(flags *pflag.FlagSet) {
			flags.BoolVar(&check, "check", false, "write nothing, and name each file that would change")
			flags.TextVar(&format, "format", diag.Text, "print findings as text, json or github")
		},
		run: func(ctx context.Context, env Env, flags *pflag.FlagSet) (int, error) {
			return generate(ctx, env, flags.Args(), check, format)
		},
	}
}

// generate is the compiler from one end to the other. If there are findings,
// nothing is written.
func generate(ctx context.Context, env Env, patterns []string, check bool, format diag.Format) (int, error) {
	fset := token.NewFileSet()
	list := diag.NewList(fset, env.Dir)
	packages, err := load.Packages(ctx, env.Dir, patterns, fset, list)
	if err != nil {
		return trouble, err
	}
	var servers []*model.Server
	for _, p := range packages {
		if s := model.Build(p, list); s != nil {
			servers = append(servers, s)
		}
	}
	model.Check(servers, list)
	if list.Len() > 0 {
		out := env.Stderr
		if format != diag.Text { // made for a program to read
			out = env.Stdout
		}
		return findings, diag.Print(out, list.Sorted(), format, env.Dir)
	}
	made, err := outputs(servers)
	if err != nil {
		return trouble, err
	}
	if check {
		return differ(env, made)
	}
	return well, write(made)
}

// mostOfAFile bounds a file that is compared or changed.
const mostOfAFile = 64 << 20

// A file is something to be written.
type file struct {
	path string
	data []byte
}

// outputs makes the files of all servers, side by side.
func outputs(servers []*model.Server) ([]file, error) {
	made := make([]file, 2*len(servers))
	errs := make([]error, len(made))
	var work sync.WaitGroup
	for i, s := range servers {
		work.Go(func() {
			code, err := emit.Generate(s, lock.File)
			made[2*i], errs[2*i] = file{filepath.Join(s.Dir, load.Generated), code}, err
		})
		work.Go(func() {
			published, err := contractText(s)
			made[2*i+1], errs[2*i+1] = file{filepath.Join(s.Dir, lock.File), published}, err
		})
	}
	work.Wait()
	return made, errors.Join(errs...)
}

func contractText(s *model.Server) ([]byte, error) {
	contract, err := s.Contract()
	if err != nil {
		return nil, err
	}
	return lock.Text(contract)
}

// changed returns the files that differ from what is on disk.
func changed(made []file) ([]file, error) {
	var changes []file
	for _, f := range made {
		old, err := files.Read(f.path, mostOfAFile)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, fmt.Errorf("comparing: %w", err)
		case bytes.Equal(old, f.data):
			continue
		}
		changes = append(changes, f)
	}
	return changes, nil
}

// differ names the files that would change.
func differ(env Env, made []file) (int, error) {
	changes, err := changed(made)
	if err != nil {
		return trouble, err
	}
	for _, f := range changes {
		fmt.Fprintf(env.Stderr, "%s would change; run \"go generate\"\n", diag.Rel(env.Dir, f.path))
	}
	if len(changes) > 0 {
		return findings, nil
	}
	return well, nil
}

// write writes the files that would change, and leaves the rest untouched.
func write(made []file) error {
	changes, err := changed(made)
	if err != nil {
		return err
	}
	for _, f := range changes {
		if _, err := files.Write(f.path, f.data, 0o666); err != nil {
			return err
		}
	}
	return nil
}
