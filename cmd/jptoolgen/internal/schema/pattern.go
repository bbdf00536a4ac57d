package schema

import (
	"regexp"
	"strings"
)

// PortablePattern returns "" if the regular expression re has the same meaning in package regexp and in
// JavaScript, which clients use for validation. Otherwise it returns what to write instead.
func PortablePattern(re string) (must string) {
	if _, err := regexp.Compile(re); err != nil {
		return "a regular expression of package regexp, without look-around or back-references"
	}
	for i := 0; i < len(re); i++ {
		switch rest := re[i:]; {
		case strings.HasPrefix(rest, "(?") && !strings.HasPrefix(rest, "(?:"):
			return "a regular expression without flags or names in its groups, which JavaScript does not support"
		case strings.HasPrefix(rest, "[[:"):
			return "a regular expression with ranges such as a-z, not [:alpha:], which JavaScript does not support"
		case rest[0] == '\\' && len(rest) > 1:
			if strings.IndexByte("AzCQEpPa", rest[1]) >= 0 {
				return "a regular expression without \\" + rest[1:2] + ", which JavaScript reads differently"
			}
			i++
		}
	}
	return ""
}
