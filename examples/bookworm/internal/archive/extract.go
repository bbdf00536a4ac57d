package archive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
)

// ErrExists is a file that Extract would have had to overwrite.
var ErrExists = errors.New("it exists already")

// Extract writes the files into a folder that exists, and nowhere else: links in the
// folder that lead out of it are refused. A file that is there already is
// [ErrExists] unless overwrite is set. What was written before an error stays.
func (a *Archive) Extract(ctx context.Context, dir string, overwrite bool) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	names := make([]string, 0, len(a.files))
	for name := range a.files {
		names = append(names, name)
	}
	slices.Sort(names)
	flags := os.O_CREATE | os.O_WRONLY | os.O_EXCL
	if overwrite {
		flags = os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	}
	made := ""
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if parent := path.Dir(name); parent != made {
			if err := root.MkdirAll(parent, 0o755); err != nil {
				return err
			}
			made = parent
		}
		if err := a.extract(root, name, flags); err != nil {
			return err
		}
	}
	return nil
}

func (a *Archive) extract(root *os.Root, name string, flags int) error {
	data, err := a.ReadFile(name)
	if err != nil {
		return err
	}
	f, err := root.OpenFile(name, flags, 0o644)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s: %w", name, ErrExists)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}
