// Package lazyregexp compiles regular expressions at their first use, so they do not slow down the start of a
// program.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that compiles text when it is called for the first time, and then returns the same
// expression. The function panics if text is invalid. It can be called concurrently.
func New(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
