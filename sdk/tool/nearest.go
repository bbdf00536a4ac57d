package tool

import "github.com/jptool/jptool/sdk/gen/decode"

// Nearest returns the most similar of several names, for an error that suggests it. Names that differ only in case,
// underscores, dashes, dots and spaces are the most similar; else a name may have one mistake per three characters,
// or another ending. It reports false if no name is similar.
func Nearest(name string, among []string) (string, bool) { return decode.Nearest(name, among) }
