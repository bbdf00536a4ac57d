// Package secret keeps secrets out of files.
//
// Instead of secrets, files contain references to environment variables, written as ${NAME}.
package secret

import (
	"errors"
	"fmt"
	"strings"

	"github.com/jptool/jptool/internal/lazyregexp"
)

var (
	// reference matches a reference to an environment variable.
	reference = lazyregexp.New(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)
	// confidential matches names of secrets. elsewhere matches names of variables that hold a file
	// name, which is not secret.
	confidential = lazyregexp.New(`(?i)auth|token|secret|passw|key|cookie|credential`)
	elsewhere    = lazyregexp.New(`(?i)[_-](file|path|dir)$`)
	// credential matches text that asks a person for a secret. Unlike confidential, it does not match "key" or
	// "author".
	credential = lazyregexp.New(`(?i)((password|passwd|passphrase|passcode|secret|token|credential|(api|private|access|recovery|license)[\s_-]?key)|(^|[^a-z])(pwd|pin|otp|cvv|cvc|cookie|authorization|(one[\s-]time|recovery|backup|verification)[\s_-]code|(recovery|seed)[\s_-]phrase))s?([^a-z]|$)`)
	// known matches secrets of well-known formats.
	known = lazyregexp.New(`^(sk|rk|pk)[-_]|^gh[opusr]_|^github_pat_|^glpat-|^xox[a-z]-|^AKIA[0-9A-Z]{12}|^AIza|^eyJ[\w-]+\.|-----BEGIN|^(?i:bearer|basic) \S|://[^/@\s]*:[^/@\s]+@`)
	// random matches a word that is as long as a key. Such a word looks like a key if digits and letters
	// alternate.
	random = lazyregexp.New(`^[A-Za-z0-9+_=-]{32,}$`)
	digits = lazyregexp.New(`[0-9].*[A-Za-z].*[0-9]`)
)

// Named reports whether the name of a variable, header or flag is typical for a secret.
func Named(name string) bool {
	return confidential().MatchString(name) && !elsewhere().MatchString(name)
}

// Wanted reports whether text, such as the name of a field or a question, asks a person for a secret.
func Wanted(text string) bool { return credential().MatchString(text) }

// Literal reports whether a value looks like a secret, regardless of its name.
func Literal(value string) bool {
	return known().MatchString(value) || random().MatchString(value) && digits().MatchString(value)
}

// Check returns an error if a value is a secret, judging by its name or its form, and is not a reference. It
// also returns an error for a $ outside of references. what is the kind of name, such as "header".
func Check(what, name, value string) error {
	rest := reference().ReplaceAllString(value, "")
	switch {
	case name == "" || strings.ContainsAny(name, "=: \t\r\n\x00"):
		return fmt.Errorf("invalid %s name %.40q", what, name)
	case strings.ContainsAny(value, "\r\n\x00"):
		return fmt.Errorf("%s %s: its value spans more than one line", what, name)
	case strings.Contains(rest, "$"):
		return fmt.Errorf("%s %s: its value contains a $ that is not part of ${NAME}; put the whole value into an environment variable", what, name)
	case Named(name) && rest == value && value != "" || Literal(rest):
		return fmt.Errorf("%s %s: its value looks like a secret, and secrets must not be written to a file; put it into an environment variable, and write '${NAME}' in single quotes", what, name)
	}
	return nil
}

// Names returns the names of the variables to which a value refers.
func Names(value string) []string {
	var names []string
	for _, match := range reference().FindAllStringSubmatch(value, -1) {
		names = append(names, match[1])
	}
	return names
}

// Refer replaces each reference in a value with the result of spell for the name of the variable.
func Refer(value string, spell func(name string) string) string {
	return reference().ReplaceAllStringFunc(value, func(ref string) string { return spell(ref[2 : len(ref)-1]) })
}

// maxExpanded is the maximum length of all values that replace references, because a few bytes can refer to a
// long value.
const maxExpanded = 1 << 20

// Expand replaces each reference with the value of its variable.
func Expand(value string, lookup func(string) (string, bool)) (string, error) {
	var missing string
	length := 0
	out := Refer(value, func(name string) string {
		v, ok := lookup(name)
		if !ok && missing == "" {
			missing = name
		}
		if length += len(v); length > maxExpanded {
			return ""
		}
		return v
	})
	if length > maxExpanded {
		return "", errors.New("is longer than 1 MiB after ${VARIABLE} expansion")
	}
	if missing != "" {
		return "", fmt.Errorf("requires ${%s}, which is not set in the environment", missing)
	}
	return out, nil
}

// Redact returns only the references in a value, because the rest must not be printed.
func Redact(value string) string {
	refs := reference().FindAllString(value, -1)
	if refs == nil {
		return "(hidden)"
	}
	return strings.Join(refs, " ")
}
