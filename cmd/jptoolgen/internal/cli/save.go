package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"

	"github.com/gabriel-vasile/mimetype"
	"github.com/go-json-experiment/json"
	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/caller"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/internal/peer"
)

// A saveFlag is the --save flag, which saves the binary blocks of results. The zero value saves nothing.
type saveFlag struct {
	save string

	env   Env
	stem  string
	saved int
}

func (s *saveFlag) define(flags *pflag.FlagSet) {
	flags.StringVar(&s.save, "save", "", "save images, audio and binary resources of the result as new files in `DIR`")
}

// prepare sets the prefix of the file names.
func (s *saveFlag) prepare(env Env, name string) {
	s.env, s.stem = env, notInStem().ReplaceAllString(name, "_")
}

var notInStem = lazyregexp.New(`[^A-Za-z0-9_-]`)

// saveResult saves the binary blocks in the result of a call.
func (s *saveFlag) saveResult(out *caller.Outcome) error {
	var r peer.Result
	if s.save == "" || json.Unmarshal(out.Raw, &r) != nil {
		return nil // other results have no blocks
	}
	return s.blocks(r.Content)
}

// maxSaved is the maximum number of blocks that are saved from one result, so that a server cannot fill a directory.
const maxSaved = 1000

// blocks saves those blocks of a result that have binary data.
func (s *saveFlag) blocks(list []peer.Block) error {
	if s.save == "" {
		return nil
	}
	if len(list) > maxSaved {
		return fmt.Errorf("--save: the result has %d content blocks, but at most %d can be saved; use --format json", len(list), maxSaved)
	}
	for _, b := range list {
		if err := s.block(b); err != nil {
			return fmt.Errorf("--save: %w", err)
		}
	}
	return nil
}

// block saves a block with binary data as a new file.
func (s *saveFlag) block(b peer.Block) error {
	content, err := peer.Decode(b.Data)
	kind := b.MIMEType
	if b.Type == "resource" {
		content, err = b.Resource.Binary()
		kind = b.Resource.MIMEType
	}
	if len(content) == 0 {
		return err
	}
	root, err := files.Make(s.env.path(s.save), 0o777)
	if err != nil {
		return err
	}
	defer root.Close()
	// An existing file is never replaced.
	for range 10_000 {
		s.saved++
		name := fmt.Sprintf("%s-%d%s", s.stem, s.saved, extension(kind))
		err = files.Create(root, name, content, 0o666)
		if err == nil {
			s.env.note(fmt.Sprintf("saved %s, %d bytes, as %s", kind, len(content), name))
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return err
}

// extension returns the file extension of a media type, or ".bin" if the type is unknown. It does not use the
// system's table, which differs between machines.
func extension(kind string) string {
	if known := mimetype.Lookup(kind); known != nil {
		return cmp.Or(known.Extension(), ".bin")
	}
	return ".bin"
}
