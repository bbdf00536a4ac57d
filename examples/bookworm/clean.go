package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/examples/bookworm/internal/cache"
)

const cleanText = `Remove downloaded documentation: all of it, only the named crates (NAME or NAME@VERSION),
or, with --keep, the least recently used crates. Documentation that another process is
downloading is not removed.`

// clean implements the clean command.
func clean(_ context.Context, args []string, c console) error {
	var (
		s    settings
		keep = byteSize(-1)
	)
	words, err := parse(c, args, "clean", "[CRATE…]", cleanText, func(f *pflag.FlagSet) {
		f.Var(&keep, "keep", "remove the least recently used documentation until at most this `size` remains, e.g. 1GiB")
		f.Lookup("keep").DefValue = ""
		s.define(f)
	})
	if err != nil {
		return err
	}
	if keep >= 0 && len(words) > 0 {
		return usagef("specify either crates or --keep, not both")
	}
	l, err := s.open()
	if err != nil {
		return err
	}
	defer l.Close()
	if keep >= 0 {
		removed, err := l.Cache().Shrink(int64(keep))
		report(c, removed)
		return err
	}
	if len(words) == 0 {
		words = []string{""}
	}
	var failed error
	for _, word := range words {
		removed, err := l.Cache().Remove(word)
		report(c, removed)
		if err == nil && len(removed) == 0 && word != "" {
			err = fmt.Errorf("%q is not in the cache", word)
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

func report(c console, removed []cache.Entry) {
	for _, e := range removed {
		fmt.Fprintf(c.out, "removed %s, %s\n", e.Name, size(e.Bytes))
	}
}
