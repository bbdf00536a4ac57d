package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/mod/semver"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/bundle"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
)

func bundleCommand() command {
	var t targetFlags
	var version, author, output string
	var platforms []string
	return command{
		name:  "bundle",
		usage: "jptoolgen bundle [flags] TARGET [-- ARGUMENTS]",
		help: `Pack a server into an MCP bundle (.mcpb), which desktop hosts install with one click.
Users can configure the options of the tools and the directory that the tools work in.
TARGET is a package, which is built for each platform, or a program for the current
platform.`,
		flags: func(flags *pflag.FlagSet) {
			flags.StringVar(&version, "release", "", "`version` of the bundle, e.g. 1.2.0")
			flags.StringVar(&author, "author", "", "`name` of the publisher")
			flags.StringVarP(&output, "output", "o", "", "`FILE` to write (default NAME.mcpb)")
			flags.StringSliceVar(&platforms, "platform", nil, "`OS/ARCH` to build for, at most one per OS; may be repeated (default: the current platform)")
			t.define(flags)
		},
		run: func(ctx context.Context, env Env, _ *pflag.FlagSet) error {
			version = strings.TrimPrefix(version, "v")
			switch {
			case author == "":
				return errors.New("--author NAME is required")
			case !isVersion(version):
				return errors.New("--release must be a full version, e.g. 1.2.0")
			}
			at, rest, err := t.parse(env, 0)
			if err != nil {
				return err
			}
			if at.Kind != target.Package && (at.Kind != target.Command || len(platforms) > 0) {
				return errors.New("the target of bundle must be a package; a program is accepted only without --platform")
			}
			surface, err := t.look(ctx, env, at, rest)
			if err != nil {
				return err
			}
			dir, err := os.MkdirTemp("", "jptoolgen-bundle-")
			if err != nil {
				return err
			}
			defer os.RemoveAll(dir) //nolint:errcheck // the system also cleans its temporary directory
			b := bundle.Bundle{Contract: surface.Contract, Version: version, Author: author, Args: programArguments(at)}
			b.Root = needsRoot(surface.Contract, b.Args)
			if b.Programs, err = programs(ctx, env, at, platforms, dir); err != nil {
				return err
			}
			return pack(env, b, cmp.Or(output, b.FileName()))
		},
	}
}

// isVersion reports whether a version has three numbers, such as 1.2.0-rc.1+5, but not 1.2.
func isVersion(version string) bool {
	v := "v" + version
	return semver.IsValid(v) && v == semver.Canonical(v)+semver.Build(v)
}

// programs returns the binaries of a target, keyed by platform.
func programs(ctx context.Context, env Env, t *target.Target, platforms []string, dir string) (map[bundle.Platform]string, error) {
	all := map[bundle.Platform]string{}
	if t.Kind == target.Command {
		here, err := bundle.PlatformOf(runtime.GOOS)
		if err != nil {
			return nil, err
		}
		all[here], err = exec.LookPath(t.Argv[0])
		return all, err
	}
	if len(platforms) == 0 {
		platforms = []string{runtime.GOOS + "/" + runtime.GOARCH}
	}
	for _, p := range platforms {
		goos, goarch, ok := strings.Cut(p, "/")
		if !ok || goarch == "" {
			return nil, fmt.Errorf("invalid --platform %q: must be OS/ARCH, e.g. darwin/arm64", p)
		}
		platform, err := bundle.PlatformOf(goos)
		if err != nil {
			return nil, fmt.Errorf("--platform %s: %w", p, err)
		}
		if all[platform] != "" {
			return nil, fmt.Errorf("--platform %s: a bundle can contain only one program for %s", p, goos)
		}
		program := filepath.Join(dir, string(platform))
		build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", program, ".")
		build.Dir, build.Stderr = t.Path, terminal.Cleaner{To: env.Stderr} // compiler errors quote source text, which may contain control characters
		build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch)
		fmt.Fprintf(env.Stderr, "building for %s\n", p)
		if err := build.Run(); err != nil {
			return nil, fmt.Errorf("building for %s: %w", p, err)
		}
		all[platform] = program
	}
	return all, nil
}

func pack(env Env, b bundle.Bundle, output string) error {
	var out bytes.Buffer
	skipped, err := b.Write(&out)
	if err != nil {
		return err
	}
	for _, name := range skipped {
		fmt.Fprintf(env.Stderr, "option %s is not in the settings of the bundle, because settings do not support its type, or because it has no default and must not be empty\n", name)
	}
	if _, err := files.Write(env.path(output), out.Bytes(), 0o666); err != nil {
		return err
	}
	fmt.Fprintln(env.Stdout, output)
	return nil
}
