package access

import (
	"io/fs"
	"runtime"
	"strings"

	"github.com/jptool/jptool/sdk/fault"
)

// An EnvRule allows or forbids reading environment variables.
type EnvRule struct {
	// Name is the name of a variable or, with a trailing "*", a prefix of names.
	Name string
	Read bool
}

// AllowsEnv reports whether the named variable may be read (JP RFD 076, Environment variable rules). If
// several rules match, the one with the longest name without its "*" wins. If several names are equally long,
// an exact name wins, otherwise the last one. Names are case-sensitive, except on Windows.
func (p *Policy) AllowsEnv(name string) bool {
	if name == "" || strings.ContainsAny(name, "=\x00") {
		return false
	}
	if p == nil || len(p.Env) == 0 {
		return true
	}
	i := p.envRule(name, runtime.GOOS == "windows")
	return i >= 0 && p.Env[i].Read
}

// CheckEnv is like [Policy.AllowsEnv], but returns a [fault.PermissionDenied] error that names the variable
// and the rule.
func (p *Policy) CheckEnv(name string) error {
	if p.AllowsEnv(name) {
		return nil
	}
	e := fault.Wrap(fs.ErrPermission, fault.PermissionDenied, "access denied: the environment variable %s is not granted", quote(name))
	e.Details = map[string]any{"reason": denied, "variable": show(name)}
	if p != nil {
		if i := p.envRule(name, runtime.GOOS == "windows"); i >= 0 {
			e.Details["rule"] = p.Env[i].Name
		}
	}
	return e
}

func (p *Policy) envRule(name string, fold bool) int {
	if fold {
		name = strings.ToUpper(name)
	}
	best, most, bestExact := -1, -1, false
	for i, rule := range p.Env {
		literal, prefix := strings.CutSuffix(rule.Name, "*")
		if fold {
			literal = strings.ToUpper(literal)
		}
		if prefix && !strings.HasPrefix(name, literal) || !prefix && name != literal {
			continue
		}
		if len(literal) < most || len(literal) == most && bestExact && prefix {
			continue
		}
		best, most, bestExact = i, len(literal), !prefix
	}
	return best
}
