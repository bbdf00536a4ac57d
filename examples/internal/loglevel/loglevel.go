// Package loglevel reads the log level from an environment variable.
package loglevel

import (
	"fmt"
	"os"
	"strings"
)

// FromEnv returns the value for the --log-level flag of a jptool server: error, warn, info (default), debug,
// trace or off. Letter case does not matter. The variable may contain several levels, as in "info,grizzly=debug";
// the last level is used. The error for an invalid level lists the valid ones.
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
		return "", fmt.Errorf("$%s: invalid level %.40q (known: error, warn, info, debug, trace, off)", variable, word)
	}
}
