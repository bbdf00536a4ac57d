package access

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/jptool/jptool/sdk/fault"
)

// encloses reports whether dir, a path without links, is inside p.Within.
func (p *Policy) encloses(dir string) bool {
	_, ok := relative(p.Within, dir)
	return ok || p.Within == ""
}

// Root returns the real path of root, with links resolved. root must be a directory inside within, unless
// within is "". Root returns a [fault.PermissionDenied] error if root is outside within, and a
// [fault.NotFound] error if it does not exist.
func Root(root, within string) (string, error) {
	dir, err := realPath(root)
	if err != nil {
		return "", fault.Wrap(err, fault.NotFound, "the root directory %q of the call does not exist", root)
	}
	if p := (&Policy{Within: within}); !p.encloses(dir) {
		return "", fault.New(fault.PermissionDenied, "the root directory %q of the call is outside the server's --root directory", root)
	}
	return dir, nil
}

// WorkingDir returns the working directory of the process if it can serve as a root. A host may start
// servers in the root of the file system, a home directory or a system directory, which the user never
// granted to a tool. In such a directory, WorkingDir returns a [fault.PermissionDenied] error that says
// how to set another root.
func WorkingDir() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fault.Wrap(err, fault.Unavailable, "the working directory cannot be read; start the server with --root DIR")
	}
	home, _ := os.UserHomeDir() // "" if the home directory is unknown
	if what := notRoot(dir, home); what != "" {
		return "", fault.New(fault.PermissionDenied, "this tool works with files, but the server runs in %q, %s; "+
			"start it with --root DIR", dir, what)
	}
	return dir, nil
}

// notRoot returns a description of a directory that cannot be a root, or "" if it can be one.
func notRoot(dir, home string) string {
	fold := runtime.GOOS == "windows" || runtime.GOOS == "darwin" // file systems usually ignore case
	dir = filepath.Clean(dir)
	parent := filepath.Dir(dir)
	among := func(path string, list ...string) bool {
		return slices.ContainsFunc(list, func(other string) bool {
			same := filepath.Clean(other) == path || fold && strings.EqualFold(filepath.Clean(other), path)
			return other != "" && same
		})
	}
	switch {
	case parent == dir:
		return "the root of the file system"
	case among(dir, home, "/root", "/home", "/Users", `C:\Users`) || among(parent, "/home", "/Users", `C:\Users`):
		return "a home directory"
	case among(dir, "/usr", "/usr/local", "/var", "/opt", "/srv", "/mnt", "/media"):
		return "a system directory"
	}
	for at := dir; at != filepath.Dir(at); at = filepath.Dir(at) {
		if among(at, "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc", "/run", "/sbin", "/sys",
			"/usr/bin", "/usr/lib", "/usr/libexec", "/usr/sbin", "/usr/share", "/System", "/Library", "/Applications",
			os.Getenv("SystemRoot"), os.Getenv("ProgramFiles"), os.Getenv("ProgramFiles(x86)"), os.Getenv("ProgramData")) {
			return "a system directory"
		}
	}
	return ""
}
