package decode

import (
	"regexp"
	"sync"
)

// maxPatterns bounds the patterns that stay compiled. Programs have fewer; one
// that makes patterns up as it runs pays for each use.
const maxPatterns = 1024

var patterns struct {
	sync.RWMutex
	compiled map[string]*regexp.Regexp // nil: does not compile
}

// matches reports whether the pattern matches in the text. One that does not
// compile refuses everything: a check that cannot be made is not a check passed.
func matches(pattern string, text []byte) (hint string, ok bool) {
	patterns.RLock()
	re, known := patterns.compiled[pattern]
	patterns.RUnlock()
	if !known {
		re, _ = regexp.Compile(pattern)
		patterns.Lock()
		if patterns.compiled == nil {
			patterns.compiled = make(map[string]*regexp.Regexp)
		}
		if len(patterns.compiled) < maxPatterns {
			patterns.compiled[pattern] = re
		}
		patterns.Unlock()
	}
	if re == nil {
		return "the tool's pattern is not a valid regular expression", false
	}
	return "", re.Match(text)
}
