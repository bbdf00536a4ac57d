// Package loglevel reads from the environment what to log.
package loglevel

import (
	"fmt"
	"os"
	"strings"
)

// FromEnv returns what the flag --log-level of a jptool server takes, by what a variable says: error,
// warn, info, which is the default, debug, trace or off, in any case. It may say several, as in
// "info,grizzly=debug", of which the last counts. The error tells what to write.
func FromEnv(variable string) (string, error) {
	directives := strings.Split(os.Getenv(variable), ",")
	_, last, found := strings.Cut(directives[len(directives)-1], "=")
	if !found {
		last = directives[len(directives)-1]
	}
	switch word := strings.ToLower(strings.TrimSpace(last)); word {
	case "":
		return "info", nil
	case "error", "warn", "info", "debug":
		return word, nil
	case "trace":
		return "debug", nil
	case "off":
		return "error+4", nil
	default:
		return "", fmt.Errorf("$%s: write error, warn, info, debug, trace or off, not %.40q", variable, word)
	}
}
