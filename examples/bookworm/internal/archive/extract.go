package archive

import (
	"context"
	"errors"
	"maps"
	"os"
	"path"
	"slices"
)

// Extract writes all files below root. It returns an error for links that lead outside root, and for files
// that already exist. After an error, the files written so far remain.
func (a *Archive) Extract(ctx context.Context, root *os.Root) error {
	made := ""
	for _, name := range slices.Sorted(maps.Keys(a.files)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if parent := path.Dir(name); parent != made {
			if err := root.MkdirAll(parent, 0o755); err != nil {
				return err
			}
			made = parent
		}
		if err := a.extract(root, name); err != nil {
			return err
		}
	}
	return nil
}

func (a *Archive) extract(root *os.Root, name string) error {
	data, err := a.ReadFile(name)
	if err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}
