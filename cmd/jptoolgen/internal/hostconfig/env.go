package hostconfig

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/secret"
)

// A variable is an element of [Entry.Env]. References in its value are ${NAME}.
type variable struct{ name, value string }

func (e Entry) variables() []variable {
	all := make([]variable, len(e.Env))
	for i, v := range e.Env {
		all[i].name, all[i].value, _ = strings.Cut(v, "=")
	}
	return all
}

// inherited reports whether the value is a reference to the variable of the same name.
func (v variable) inherited() bool { return v.value == "${"+v.name+"}" }

// refers reports whether the value contains references.
func (v variable) refers() bool { return len(secret.Names(v.value)) > 0 }

// checkSecrets returns an error if the entry contains a literal secret.
func (e Entry) checkSecrets() error {
	for _, v := range e.variables() {
		if err := secret.Check("env", v.name, v.value); err != nil {
			return err
		}
	}
	if u, err := url.Parse(e.URL); err == nil {
		for name, values := range u.Query() {
			if slices.ContainsFunc(values, func(value string) bool { return isSecret(name, value) }) {
				return fmt.Errorf("the value of %q in the URL looks like a secret, which must not be written to a file", name)
			}
		}
	}
	if len(e.Command) == 0 {
		return nil
	}
	if what, ok := secretArgument(e.Command[1:]); ok {
		return fmt.Errorf("%s looks like a secret, which must not be written to a file; let the program read it from its environment, and use --env NAME", what)
	}
	return nil
}

// takesSecret matches flags whose value, the next argument, is a secret.
var takesSecret = regexp.MustCompile(`(?i)(token|secret|password|passwd|key)$`)

// secretArgument describes the first argument that looks like a secret.
func secretArgument(args []string) (what string, found bool) {
	before := "" // the flag whose value the next argument may be
	for _, arg := range args {
		name, value, given := strings.Cut(arg, "=")
		flag := strings.HasPrefix(arg, "-")
		switch {
		case given && isSecret(strings.TrimLeft(name, "-"), value):
			return "the value of " + name, true
		case !flag && before != "" && isSecret(before, arg):
			return "the argument after " + before, true
		case !flag && isSecret("", arg):
			return "an argument", true
		}
		before = ""
		if flag && !given && takesSecret.MatchString(name) {
			before = name
		}
	}
	return "", false
}

// isSecret reports whether a value looks like a literal secret.
func isSecret(name, value string) bool {
	return value != "" && !strings.Contains(value, "${") && (secret.Named(name) || secret.Literal(value))
}
