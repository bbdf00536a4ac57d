package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/examples/bookworm/internal/cache"
)

const cleanText = `Removes what was downloaded: all of it, that of some crates (NAME or NAME@VERSION),
or what was not used for longest, with --keep. What another process downloads at the
moment stays.`

// clean implements the command clean.
func clean(_ context.Context, args []string, c console) error {
	var (
		s    settings
		keep = byteSize(-1)
	)
	words, err := parse(c, args, "clean", "[CRATE…]", cleanText, func(f *pflag.FlagSet) {
		f.Var(&keep, "keep", "keep what was used last, up to so many bytes, such as 1GiB")
		f.Lookup("keep").DefValue = ""
		s.define(f)
	})
	if err != nil {
		return err
	}
	if keep >= 0 && len(words) > 0 {
		return usagef("name crates or write --keep, not both")
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
			err = fmt.Errorf("nothing of %q is in the cache", word)
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
