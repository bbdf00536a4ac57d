package cli

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"os"
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/load"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/output"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/revision"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A side is one of the two contracts to compare, and its source.
type side struct {
	contract *manifest.Server
	// whole reports whether the contract includes questions, options and codes.
	whole bool
	// listed holds the tools as a server sent them, if the contract was built from them.
	listed []jsontext.Value
	// source reports whether the contract was generated from the source of a package, which does not list the
	// resources and prompts that the program adds.
	source bool
	// unnamed reports whether the name of the server is unknown.
	unnamed bool
	// path is the file of the contract, relative to the command's working directory, and text is its content. path is
	// "" for a contract that was not read from a file.
	path string
	text []byte
}

// sideOf returns the contract that a word names: a lock file, a git revision, the source of a package, or a
// server. more holds the arguments of the server's program. Before sideOf contacts a server, it calls the
// function fits with the kind of target.
func (f *targetFlags) sideOf(ctx context.Context, env Env, word string, more []string, fits func(...target.Kind) error) (side, error) {
	if word != "" && len(more) == 0 {
		at := env.path(word)
		info, err := os.Stat(at)
		switch {
		case err == nil && info.IsDir():
			if s, ok, err := sourceSide(ctx, env, at); ok || err != nil {
				return s, errors.Join(err, fits(target.Lock))
			}
		case err == nil && strings.HasSuffix(word, ".json"):
			s, err := fileSide(env, at)
			return s, errors.Join(err, fits(target.Lock))
		case err != nil:
			if file, ok := revision.Parse(word); ok {
				s, err := revisionSide(ctx, env, file)
				return s, errors.Join(err, fits(target.Lock))
			}
		}
	}
	t, err := f.namedTarget(env, word, more)
	if err == nil {
		err = fits(t.Kind)
	}
	if err != nil {
		return side{}, err
	}
	surface, err := f.opener(env).Surface(ctx, t)
	if err != nil {
		return side{}, err
	}
	env.note(surface.Notes...)
	return side{contract: surface.Contract, whole: surface.Whole, listed: surface.Listed, unnamed: surface.Unnamed}, nil
}

// fileSide reads a lock file.
func fileSide(env Env, at string) (side, error) {
	text, err := files.ReadText(at, output.MaxFileSize)
	if err != nil {
		return side{}, err
	}
	s, err := lockSide(env, text, at)
	s.path, s.text = diag.Rel(env.Dir, at), text
	return s, err
}

// revisionSide reads a contract from a git revision: a lock file, or the lock file in a directory
// if the path does not end in .json.
func revisionSide(ctx context.Context, env Env, file revision.File) (side, error) {
	if path.Ext(file.Path) != ".json" {
		if file.Path == "" {
			file.Path = "."
		}
		file.Path = strings.TrimSuffix(file.Path, "/") + "/" + lock.File
	}
	text, err := file.Read(ctx, env.Dir)
	if err != nil {
		return side{}, err
	}
	return lockSide(env, text, file.Revision+":"+file.Path)
}

// lockSide returns the contract in the text of a lock file, or of another document that describes a server. A contract
// that was generated from source has no digests.
func lockSide(env Env, text []byte, name string) (side, error) {
	s, err := target.Saved(text, name)
	if err != nil {
		return side{}, err
	}
	env.note(s.Notes...)
	return side{
		contract: s.Contract, whole: s.Whole, listed: s.Listed, unnamed: s.Unnamed,
		source: s.Whole && s.Contract.Hash == (manifest.Hash{}),
	}, nil
}

// sourceSide builds the contract of an annotated package from its source, without running the package. It
// reports whether the directory contains such a package.
func sourceSide(ctx context.Context, env Env, dir string) (side, bool, error) {
	fset := token.NewFileSet()
	list := diag.NewList(fset, env.Dir)
	packages, err := load.Packages(ctx, dir, []string{"."}, fset, list)
	if err != nil {
		return side{}, false, nil // not an annotated package; opening the target reports the error
	}
	for _, p := range packages {
		s := model.Build(p, list)
		if list.Len() > 0 {
			if err := diag.Print(env.Stderr, list.Sorted(), diag.Text, env.Dir); err != nil {
				return side{}, true, err
			}
			return side{}, true, fmt.Errorf("jptoolgen reported findings in %s; fix them first", diag.Rel(env.Dir, dir))
		}
		if s == nil {
			continue
		}
		contract, err := s.Contract()
		return side{contract: contract, whole: true, source: true}, true, err
	}
	return side{}, false, nil
}

// sideAndMore splits the words of a command line at the -- argument.
func sideAndMore(flags *pflag.FlagSet) (before, more []string) {
	before = flags.Args()
	if n := flags.ArgsLenAtDash(); n >= 0 {
		before, more = before[:n], before[n:]
	}
	return before, more
}

// oneSide returns the contract that a command line names.
func (f *targetFlags) oneSide(ctx context.Context, env Env) (side, error) {
	words, more := sideAndMore(f.flags)
	if len(words) > 1 {
		return side{}, unexpectedArgument(words[1:])
	}
	return f.sideOf(ctx, env, strings.Join(words, ""), more, f.fit)
}
