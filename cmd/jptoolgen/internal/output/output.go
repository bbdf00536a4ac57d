// Package output creates and compares the files that jptoolgen writes next to the source of a server.
package output

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/emit"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/internal/declared"
)

// A File is a file to be written.
type File struct {
	Path string
	Data []byte
}

// Files returns the files of all servers. It generates them concurrently.
func Files(servers ...*model.Server) ([]File, error) {
	made := make([][]File, len(servers))
	errs := make([]error, len(servers))
	var work sync.WaitGroup
	for i, s := range servers {
		work.Go(func() { made[i], errs[i] = filesOf(s) })
	}
	work.Wait()
	return slices.Concat(made...), errors.Join(errs...)
}

func filesOf(s *model.Server) ([]File, error) {
	c, err := s.Contract()
	if err != nil {
		return nil, err
	}
	var code, published []byte
	var work errgroup.Group
	work.Go(func() (err error) { code, err = emit.Generate(s, c); return err })
	work.Go(func() (err error) { published, err = lock.Text(c); return err })
	if err := work.Wait(); err != nil {
		return nil, err
	}
	return []File{
		{filepath.Join(s.Dir, declared.Code), declared.Seal(code, published, s.Declared)},
		{filepath.Join(s.Dir, lock.File), published},
	}, nil
}

// MaxFileSize is the maximum size of a file that is compared or changed, in bytes.
const MaxFileSize = 64 << 20

// Changed returns the files that differ from the files on disk in more than line endings, which git may change.
func Changed(made []File) ([]File, error) {
	var changes []File
	for _, f := range made {
		old, err := files.Read(f.Path, MaxFileSize)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, fmt.Errorf("comparing: %w", err)
		case bytes.Equal(bytes.ReplaceAll(old, []byte("\r\n"), []byte("\n")), f.Data):
			continue
		}
		changes = append(changes, f)
	}
	return changes, nil
}
