package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/examples/bookworm/internal/cache"
	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
	"github.com/jptool/jptool/examples/bookworm/internal/docsrs"
	"github.com/jptool/jptool/examples/bookworm/internal/library"
	versions "github.com/jptool/jptool/examples/bookworm/internal/version"
)

const downloadText = `Download the documentation for a crate to the cache and print the path of its archive,
or extract its files and print their directory.`

// download implements the download command.
func download(ctx context.Context, args []string, c console) error {
	var (
		s                      settings
		wanted, root           string
		extract, force, asText bool
	)
	words, err := parse(c, args, "download", "CRATE", downloadText, func(f *pflag.FlagSet) {
		f.StringVarP(&wanted, "version", "v", versions.Latest, "`version` or requirement, e.g. 1.2.3 or ^1")
		f.StringVarP(&root, "root", "r", "", "extract the files to NAME/VERSION in this `directory`")
		f.BoolVar(&extract, "extract", false, "extract the files, to NAME/VERSION in the working directory unless --root is given")
		f.BoolVar(&force, "force", false, "download again even if cached, and replace existing files")
		f.BoolVar(&asText, "plain", false, "print progress as lines even on a terminal")
		s.define(f)
	})
	if err != nil {
		return err
	}
	if len(words) != 1 {
		return usagef("expected one crate, got %d", len(words))
	}
	name := words[0]
	if err := crateuri.Name(name); err != nil {
		return &usageError{err.Error()}
	}
	want, err := versions.Parse(wanted)
	if err != nil {
		return usagef("--version: %v", err)
	}
	log, err := readLogging()
	if err == nil {
		err = log.start(c.err)
	}
	if err != nil {
		return err
	}
	l, err := s.open()
	if err != nil {
		return err
	}
	defer l.Close()
	num, err := resolve(ctx, c, l, name, want)
	if err != nil {
		return err
	}
	target := ""
	if extract || root != "" {
		target = filepath.Join(root, name, num)
		if err := overwrite(ctx, c, target, force); err != nil {
			return err
		}
	}
	screen := c.err
	if asText {
		screen = plainWriter{c.err}
	}
	show, end := progress(screen, name+" "+num)
	release, err := l.Fetch(ctx, name, num, library.Request{Anew: force && !l.Offline(), Progress: show})
	end()
	if errors.Is(err, docsrs.ErrNotFound) {
		return fmt.Errorf("docs.rs has no documentation for %s %s", name, num)
	}
	if err != nil {
		return err
	}
	if target == "" {
		fmt.Fprintln(c.out, release.Path())
		return nil
	}
	if err := writeOut(ctx, release, filepath.Clean(root), filepath.Join(name, num)); err != nil {
		return err
	}
	fmt.Fprintln(c.out, target)
	return nil
}

// A plainWriter hides from libraries that its writer is a terminal.
type plainWriter struct {
	w interface{ Write([]byte) (int, error) }
}

func (p plainWriter) Write(b []byte) (int, error) { return p.w.Write(b) }

// resolve returns the version to download. It prints a note if the version differs from what the user asked for.
func resolve(ctx context.Context, c console, l *library.Library, name string, want versions.Wanted) (string, error) {
	r, err := l.Resolve(ctx, name, want)
	if err != nil {
		return "", err
	}
	if r.Problem != library.NoProblem {
		fmt.Fprintf(c.err, "%s %s %s\n", name, r.Version, r.Problem)
	}
	return r.Version, nil
}

// writeOut writes the files of a release to a directory below root. The directory appears only after all files
// have been written.
func writeOut(ctx context.Context, release *cache.Release, root, folder string) error {
	if err := os.MkdirAll(root, 0o755); err != nil {
		return err
	}
	r, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer r.Close()
	a, err := release.Archive()
	if err != nil {
		return err
	}
	defer a.Close()
	folder = filepath.ToSlash(folder)
	part, old := folder+".part", folder+".old"
	for _, left := range []string{part, old} {
		if err := r.RemoveAll(left); err != nil {
			return err
		}
	}
	if err := r.MkdirAll(part, 0o755); err != nil {
		return err
	}
	into, err := r.OpenRoot(part)
	if err != nil {
		return err
	}
	err = errors.Join(a.Extract(ctx, into), into.Close())
	if err != nil {
		return errors.Join(err, r.RemoveAll(part))
	}
	if err := r.Rename(folder, old); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := r.Rename(part, folder); err != nil {
		return err
	}
	return r.RemoveAll(old)
}
