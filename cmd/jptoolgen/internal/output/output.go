// Package output is the files that jptoolgen writes beside the source of a server.
package output

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"

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

// Files returns the files of all servers, side by side.
func Files(servers ...*model.Server) ([]File, error) {
	made := make([]File, 2*len(servers))
	errs := make([]error, len(made))
	var work sync.WaitGroup
	for i, s := range servers {
		work.Go(func() {
			code, err := emit.Generate(s, lock.File)
			made[2*i], errs[2*i] = File{filepath.Join(s.Dir, declared.Code), code}, err
		})
		work.Go(func() {
			published, err := contract(s)
			made[2*i+1], errs[2*i+1] = File{filepath.Join(s.Dir, lock.File), published}, err
		})
	}
	work.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	for i, s := range servers {
		made[2*i].Data = declared.Seal(made[2*i].Data, made[2*i+1].Data, s.Declared)
	}
	return made, nil
}

func contract(s *model.Server) ([]byte, error) {
	c, err := s.Contract()
	if err != nil {
		return nil, err
	}
	return lock.Text(c)
}

// MostOfAFile bounds a file that is compared or changed, in bytes.
const MostOfAFile = 64 << 20

// Changed returns the files that differ from what is on disk.
func Changed(made []File) ([]File, error) {
	var changes []File
	for _, f := range made {
		old, err := files.Read(f.Path, MostOfAFile)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, fmt.Errorf("comparing: %w", err)
		case bytes.Equal(old, f.Data):
			continue
		}
		changes = append(changes, f)
	}
	return changes, nil
}
