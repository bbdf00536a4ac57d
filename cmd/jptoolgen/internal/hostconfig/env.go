package hostconfig

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/secret"
	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A variable is an element of [Entry.Env]. References in its value have the form ${NAME}.
type variable struct{ name, value string }

func (e Entry) variables() []variable {
	all := make([]variable, len(e.Env))
	for i, v := range e.Env {
		all[i].name, all[i].value, _ = strings.Cut(v, "=")
	}
	return all
}

// isInherited reports whether the value is a reference to the variable of the same name.
func (v variable) isInherited() bool { return v.value == "${"+v.name+"}" }

// hasReferences reports whether the value contains references.
func (v variable) hasReferences() bool { return len(secret.Names(v.value)) > 0 }

// A secretOption is an option of the server that only an environment variable can set.
type secretOption struct {
	option, variable string
	required         bool
}

func (e Entry) secrets() []secretOption {
	var all []secretOption
	if e.Contract == nil || e.URL != "" {
		return nil
	}
	for _, t := range e.Contract.Calls() {
		for _, s := range manifest.Secrets(t.Options) {
			option := secretOption{t.Flag(s.Name), t.Variable(e.Contract.Name, s.Name), s.Required}
			if !slices.Contains(all, option) { // several calls may share the option
				all = append(all, option)
			}
		}
	}
	return all
}

// missing returns, for each required secret that the entry does not set, a reference to its environment
// variable.
func (e Entry) missing() []string {
	var all []string
	for _, s := range e.secrets() {
		if s.required && !e.sets(s.variable) {
			all = append(all, s.variable+"=${"+s.variable+"}")
		}
	}
	return all
}

func (e Entry) sets(name string) bool {
	return slices.ContainsFunc(e.variables(), func(v variable) bool { return v.name == name })
}

// isSecret reports whether a variable, or a variable that it refers to, is a secret.
func (e Entry) isSecret(variable, name string) bool {
	return secret.Named(variable) || secret.Named(name) ||
		slices.ContainsFunc(e.secrets(), func(s secretOption) bool { return s.variable == variable })
}

// canRefer reports whether the configuration of the host can refer to environment variables.
func (h Host) canRefer() bool {
	f, isJSON := h.kind.(jsonFormat)
	return !isJSON || f.reference != nil
}

// SecretRemarks returns notes about the secrets of the server that the configuration does not pass.
func (h Host) SecretRemarks(e Entry) []string {
	var all []string
	for _, s := range e.secrets() {
		switch {
		case e.sets(s.variable), s.required && h.canRefer():
		case e.As != "": // programs that JP starts inherit its environment
			all = append(all, fmt.Sprintf("option %s is a secret; set %s in the environment of JP", s.option, s.variable))
		case h.canRefer():
			all = append(all, fmt.Sprintf("option %s is a secret; to pass it, add --env %s", s.option, s.variable))
		default:
			all = append(all, fmt.Sprintf("option %s is a secret that comes from the environment variable %s. %s", s.option, s.variable, h.kind.(jsonFormat).instead))
		}
	}
	return all
}

// checkSecrets returns an error if the entry contains a literal secret.
func (e Entry) checkSecrets() error {
	for _, v := range e.variables() {
		if err := secret.Check("env", v.name, v.value); err != nil {
			return err
		}
		if e.isSecret(v.name, "") && v.value != "" && !v.hasReferences() {
			return fmt.Errorf("environment variable %s is a secret, and secrets must not be written to a file; use --env %[1]s, and set the variable in the environment of the host", v.name)
		}
	}
	if u, err := url.Parse(e.URL); err == nil {
		for name, values := range u.Query() {
			if slices.ContainsFunc(values, func(value string) bool { return isSecret(name, value) }) {
				return fmt.Errorf("the value of %q in the URL looks like a secret, and secrets must not be written to a file", name)
			}
		}
	}
	if len(e.Command) == 0 {
		return nil
	}
	if what, ok := secretArgument(e.Command[1:]); ok {
		return fmt.Errorf("%s looks like a secret, and secrets must not be written to a file; let the program read it from its environment, and use --env NAME", what)
	}
	return nil
}

// takesSecret matches flags that are followed by a secret in the next argument.
var takesSecret = lazyregexp.New(`(?i)(token|secret|password|passwd|key)$`)

// secretArgument describes the first argument that looks like a secret.
func secretArgument(args []string) (what string, found bool) {
	before := "" // the preceding flag; the argument may be its value
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
		if flag && !given && takesSecret().MatchString(name) {
			before = name
		}
	}
	return "", false
}

// isSecret reports whether a value looks like a literal secret.
func isSecret(name, value string) bool {
	return value != "" && !strings.Contains(value, "${") && (secret.Named(name) || secret.Literal(value))
}
