package profile

import (
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// reference is a variable of the environment in a value.
var reference = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// confidential is what names of secrets have in them.
var confidential = regexp.MustCompile(`(?i)auth|token|secret|passw|key|cookie|credential`)

// checkValue refuses a value that is a secret by its name and stands there in the open, and a ${ that
// nothing will replace.
func checkValue(what, name, value string) error {
	switch {
	case name == "" || strings.ContainsAny(name, "=: \t\r\n\x00"):
		return fmt.Errorf("%s: %.40q is no name", what, name)
	case strings.ContainsAny(value, "\r\n\x00"):
		return fmt.Errorf("%s %s: its value has more than one line", what, name)
	case strings.Contains(reference.ReplaceAllString(value, ""), "$"):
		return fmt.Errorf("%s %s: its value has a $ that is no ${NAME}: put the whole value into a variable", what, name)
	case confidential.MatchString(name) && !reference.MatchString(value):
		return fmt.Errorf("%s %s: a secret is not kept in a profile: put it into a variable of the environment, and write '${NAME}', in single quotes", what, name)
	}
	return nil
}

// expand replaces each ${NAME} by the variable of that name.
func expand(value string, lookup func(string) (string, bool)) (string, error) {
	var missing string
	out := reference.ReplaceAllStringFunc(value, func(ref string) string {
		name := ref[2 : len(ref)-1]
		v, ok := lookup(name)
		if !ok && missing == "" {
			missing = name
		}
		return v
	})
	if missing != "" {
		return "", fmt.Errorf("needs ${%s}, which is not set in the environment", missing)
	}
	return out, nil
}

// Redact returns what may be shown of a value: the variables in it.
func Redact(value string) string {
	refs := reference.FindAllString(value, -1)
	if refs == nil {
		return "(hidden)"
	}
	return strings.Join(refs, " ")
}

// Shown returns a profile without what could be a secret: of the values of headers and of the environment
// the variables alone, and no values of a URL's query.
func (p *Profile) Shown() *Profile {
	bare := *p
	bare.Env, bare.Headers = redacted(p.Env), redacted(p.Headers)
	if u, err := url.Parse(p.Target); err == nil && strings.HasPrefix(u.Scheme, "http") && u.RawQuery != "" {
		u.RawQuery = "…"
		bare.Target = u.String()
	}
	return &bare
}

func redacted(values map[string]string) map[string]string {
	out := maps.Clone(values)
	for name, value := range out {
		out[name] = Redact(value)
	}
	return out
}

func sorted(values map[string]string) []string { return slices.Sorted(maps.Keys(values)) }

func join(base, dir string) string {
	if dir == "" || filepath.IsAbs(dir) {
		if dir == "" {
			return base
		}
		return dir
	}
	return filepath.Join(base, filepath.FromSlash(dir))
}
