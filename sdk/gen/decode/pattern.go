package decode

import (
	"regexp"
	"sync"
)

// maxPatterns is the maximum number of cached patterns. Programs have fewer; one that creates
// patterns at run time compiles them for each use.
const maxPatterns = 1024

var patterns struct {
	sync.RWMutex
	compiled map[string]*regexp.Regexp // nil if the pattern does not compile
}

// matches reports whether the pattern matches the text. A pattern that does not compile
// matches nothing, because it cannot be checked.
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
