package access

import (
	"cmp"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"

	"github.com/jptool/jptool/sdk/fault"
)

// A Policy is the set of permissions that a user grants a tool. Its lists are independent: an empty list restricts
// nothing, and a list with rules denies whatever they do not grant (JP RFD 076, Configuration). A nil Policy
// restricts nothing. A Policy is safe for concurrent use as long as it is not changed.
type Policy struct {
	// Within is a directory that must contain the root and the targets of external rules. It is an absolute
	// path without links; "" means any directory.
	Within string

	FS  []FSRule
	Net []NetRule
	Env []EnvRule
}

// An FSRule grants capabilities on a path and everything below it. If several rules apply to a path, the one
// with the most path segments wins; if several have the same number, the last wins. Only the grants of that rule apply.
type FSRule struct {
	// Path is relative to the root; "" and "." are the root. It is compared byte by byte, without wildcards. On
	// Windows and macOS, the rule also denies paths in another letter case. A ".." in it is ignored, as in JP.
	Path string
	// External means that Path is a symbolic link that leads out of the root.
	External bool
	// Target is the absolute path, without links, that the user approved for an external Path. Without it, an
	// external rule does not allow leaving the root.
	Target string

	Read, Execute bool
	// Write is the default of Create, Update and Delete if they are nil.
	Write                  bool
	Create, Update, Delete *bool
}

// Grants reports whether the rule grants c. An unknown capability is never granted.
func (r FSRule) Grants(c Capability) bool {
	switch c {
	case Read:
		return r.Read
	case Create:
		return *cmp.Or(r.Create, &r.Write)
	case Update:
		return *cmp.Or(r.Update, &r.Write)
	case Delete:
		return *cmp.Or(r.Delete, &r.Write)
	case Execute:
		return r.Execute
	}
	return false
}

// Permits reports whether the rules grant c on path. It uses the path as written and does not read the file
// system. A path that is absolute or leads above the root is never permitted. To use a file, open it with an
// [FS], which resolves links.
func (p *Policy) Permits(c Capability, path string) bool {
	clean, why := normalize(path)
	return why == nil && p.permits(c, clean)
}

func (p *Policy) permits(c Capability, clean string) bool {
	if p == nil || len(p.FS) == 0 {
		return c.Valid()
	}
	_, granted := p.decide(c, clean)
	return granted
}

// ignoresCase is set on systems whose file systems usually ignore letter case. There, a rule also denies paths in
// another letter case, which may lead to the same file now or after they are created.
var ignoresCase = runtime.GOOS == "windows" || runtime.GOOS == "darwin"

// decide returns the index of the rule that grants or denies c on a path, or -1, and whether c is granted.
func (p *Policy) decide(c Capability, path string) (rule int, granted bool) {
	rule = p.rule(path, false)
	granted = rule >= 0 && p.FS[rule].Grants(c)
	if granted && ignoresCase {
		rule = p.rule(path, true)
		granted = p.FS[rule].Grants(c)
	}
	return rule, granted
}

// GrantingPaths returns the paths of the rules that grant c, in order; the root is ".". It omits rules that a
// later rule with the same path replaces. The result is empty for a policy that does not restrict files.
func (p *Policy) GrantingPaths(c Capability) []string {
	if p == nil {
		return []string{}
	}
	last := map[string]FSRule{}
	for _, rule := range p.FS {
		last[rule.Path] = rule
	}
	paths := []string{}
	for _, rule := range p.FS {
		if last[rule.Path].Grants(c) {
			paths = append(paths, cmp.Or(rule.Path, "."))
		}
		delete(last, rule.Path) // the zero rule grants nothing
	}
	return paths
}

// rule returns the index of the rule that applies to a path, or -1 if no rule applies.
func (p *Policy) rule(path string, fold bool) int {
	target, best, longest := segments(path), -1, -1
	for i, rule := range p.FS {
		own := segments(rule.Path)
		if len(own) >= longest && hasPrefix(target, own, fold) {
			best, longest = i, len(own)
		}
	}
	return best
}

// hasRuleBelow reports whether a rule applies to something below one of the paths, but not to the path itself.
// Such a rule has its own grants.
func (p *Policy) hasRuleBelow(paths ...string) bool {
	return slices.ContainsFunc(p.FS, func(r FSRule) bool {
		return slices.ContainsFunc(paths, func(path string) bool {
			own, dir := segments(r.Path), segments(path)
			return len(own) > len(dir) && hasPrefix(own, dir, ignoresCase)
		})
	})
}

// A Capability is an operation on files and directories that a rule grants (JP RFD 076, Capabilities).
type Capability string

// The capabilities that JP RFD 076 defines.
const (
	Read    Capability = "read"    // read files, list directories and see what exists
	Create  Capability = "create"  // create files and directories
	Update  Capability = "update"  // change existing files
	Delete  Capability = "delete"  // remove files and directories, or move them away
	Execute Capability = "execute" // run files as programs
)

// Valid reports whether c is one of the capabilities of this package.
func (c Capability) Valid() bool { return c == Read || c == Execute || c.changes() }

// UnmarshalText sets c from its text form. It returns an error if the capability is not [Capability.Valid].
func (c *Capability) UnmarshalText(text []byte) error {
	if read := Capability(text); read.Valid() {
		*c = read
		return nil
	}
	return fmt.Errorf("unknown capability %.40q", text)
}

func (c Capability) changes() bool { return c == Create || c == Update || c == Delete }

// An EnvRule allows or forbids reading environment variables.
type EnvRule struct {
	// Name is the name of a variable or, with a trailing "*", a prefix of names.
	Name string
	Read bool
}

// AllowsEnv reports whether the named variable may be read (JP RFD 076, Environment variable rules). If several
// rules match, the one with the longest name without its "*" wins. If several names are equally long, an exact
// name wins, otherwise the last one wins. Names are case-sensitive, except on Windows.
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
	best, longest, bestExact := -1, -1, false
	for i, rule := range p.Env {
		literal, prefix := strings.CutSuffix(rule.Name, "*")
		if fold {
			literal = strings.ToUpper(literal)
		}
		matches := name == literal || prefix && strings.HasPrefix(name, literal)
		if matches && (len(literal) > longest || len(literal) == longest && !(bestExact && prefix)) {
			best, longest, bestExact = i, len(literal), !prefix
		}
	}
	return best
}
