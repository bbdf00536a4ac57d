package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/examples/bookworm/internal/archive"
	"github.com/jptool/jptool/examples/bookworm/internal/index"
	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
)

const indexText = `Index the rustdoc documentation in SOURCE, a directory or a zip file from docs.rs. The index is a
SQLite file.`

// buildIndex implements the index command.
func buildIndex(ctx context.Context, args []string, c console) error {
	var (
		output, crate string
		force         bool
	)
	words, err := parse(c, args, "index", "SOURCE", indexText, func(f *pflag.FlagSet) {
		f.StringVarP(&output, "output", "o", "index.sqlite", "`file` to write")
		f.StringVar(&crate, "crate", "", "`name` of the crate, if SOURCE contains several")
		f.BoolVar(&force, "force", false, "replace the file if it exists")
	})
	if err != nil {
		return err
	}
	if len(words) != 1 {
		return usagef("expected one directory or zip file, got %d", len(words))
	}
	source, end, err := openSource(words[0])
	if err != nil {
		return err
	}
	defer end()
	if err := overwrite(ctx, c, output, force); err != nil {
		return err
	}
	begun := time.Now()
	err = index.Build(ctx, source, crate, output)
	if errors.Is(err, rustdoc.ErrNotFound) {
		return fmt.Errorf("%s: %w; if there are several crates, choose one with --crate", words[0], err)
	}
	if err != nil {
		return err
	}
	ix, err := index.Open(output)
	if err != nil {
		return err
	}
	defer ix.Close()
	fmt.Fprintf(c.err, "indexed %d items in %.2f s\n", ix.Len(), time.Since(begun).Seconds())
	fmt.Fprintln(c.out, output)
	return nil
}

// openSource opens a directory or a zip file. Links in a directory cannot lead outside it.
func openSource(path string) (source fs.FS, end func() error, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if info.IsDir() {
		root, err := os.OpenRoot(path)
		if err != nil {
			return nil, nil, err
		}
		return root.FS(), root.Close, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	a, err := archive.Open(f, info.Size(), archive.Standard())
	if err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return a, f.Close, nil
}
