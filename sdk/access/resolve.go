package access

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"
)

// maxLinks is the maximum number of links in a path, as in Linux.
const maxLinks = 40

// A place is the result of resolving a path.
type place struct {
	given string // the path as it was given
	path  string // absolute, without links as far as it exists
	// key is compared with rules: path relative to the root or, outside the root, the given path.
	key     string
	real    string  // like key, but outside the root: path with the rule's Target replaced by its Path
	base    *base   // the directory from which path is opened; nil if access to path is denied
	missing int     // number of names at the end of path that do not exist
	link    bool    // the last given name is a link
	problem *reason // reason why path could not be resolved completely; nil if it was
}

// resolve determines where a path currently leads; enter verifies the result. resolve fails only for an
// invalid path. Other problems are recorded in the place, because only callers with access to the place
// may learn them.
func (f *FS) resolve(given string, follow bool) (place, error) {
	clean, why := lexical(given)
	if why != nil {
		return place{}, refuse(why, given)
	}
	w := walker{place: place{given: given, path: f.base.dir}, rest: segments(clean), exact: len(f.policy.FS) > 0}
	w.problem = w.walk(follow)
	p := w.place
	p.path = filepath.Join(append([]string{p.path}, w.rest...)...)
	if rel, inside := relative(f.base.dir, p.path); inside {
		p.key, p.base = filepath.ToSlash(rel), f.base
		p.real = p.key
	} else {
		p.key = clean
		p.base, p.real = f.mount(clean, p.path)
	}
	return p, nil
}

// mount returns the base of a path outside the root, and the value of place.real for it. The base is nil
// unless the rule that applies to the given path is an external rule whose target contains the path. A
// more specific rule that is not external revokes this permission (JP's behavior; see docs/access.md).
func (f *FS) mount(given, real string) (*base, string) {
	i := f.policy.rule(given, false)
	if i < 0 || !f.policy.FS[i].leavesRoot() {
		return nil, ""
	}
	rule := f.policy.FS[i]
	rel, under := relative(filepath.Clean(rule.Target), real)
	if !under {
		return nil, ""
	}
	return f.mounts[rule.Target], path.Join(rule.Path, filepath.ToSlash(rel))
}

// A walker resolves a place, one name at a time. Its path contains no links. It is a directory or, after the last
// name, possibly a file.
type walker struct {
	place
	rest   []string // the names that remain
	links  int
	linked int  // number of names, at the front of rest, that came from links
	exact  bool // names must be spelled as in the directory
}

// walk resolves the remaining names, or returns the reason why it cannot.
func (w *walker) walk(follow bool) *reason {
	for len(w.rest) > 0 {
		if runtime.GOOS == "windows" && slices.ContainsFunc(w.rest, hasIgnoredEnd) {
			return malformed
		}
		name, linked := w.rest[0], w.linked > 0
		w.linked = max(w.linked-1, 0)
		if name == ".." { // only links contain "..": normalize removes it from paths
			w.path, w.rest = filepath.Dir(w.path), w.rest[1:]
			continue
		}
		full := filepath.Join(w.path, name)
		info, err := os.Lstat(full)
		if err == nil && w.exact {
			name, err = nameOnDisk(w.path, name, info)
			full = filepath.Join(w.path, name)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist) && linked:
			return dangling
		case errors.Is(err, fs.ErrNotExist):
			w.missing = len(w.rest)
			return nil
		case err != nil:
			return nameReason(err)
		}
		w.rest = w.rest[1:]
		if info.Mode()&fs.ModeSymlink == 0 {
			w.path = full
			if !info.IsDir() && len(w.rest) > 0 {
				return notDirectory
			}
			continue
		}
		if len(w.rest) == 0 && !linked {
			w.link = true
			if !follow {
				w.path = full
				return nil
			}
		}
		if why := w.follow(full); why != nil {
			w.path = full
			return why
		}
	}
	return nil
}

// hasIgnoredEnd reports whether a name ends with dots or spaces. Windows removes them, so another name would reach
// the same file.
func hasIgnoredEnd(name string) bool {
	return name != ".." && strings.TrimRight(name, ". ") != name
}

// follow prepends the names in the target of the link at full to the remaining names, or returns the
// reason why it cannot.
func (w *walker) follow(full string) *reason {
	if w.links++; w.links > maxLinks {
		return loop
	}
	target, err := os.Readlink(full)
	if err != nil {
		return nameReason(err)
	}
	if filepath.IsAbs(target) {
		w.path = filepath.VolumeName(target) + string(filepath.Separator)
		target = target[len(filepath.VolumeName(target)):]
	}
	names := strings.Split(filepath.ToSlash(target), "/")
	names = slices.DeleteFunc(names, func(name string) bool { return name == "" || name == "." })
	w.rest = append(names, w.rest...)
	w.linked += len(names)
	return nil
}

// nameReason is like reasonOf, but for an error about a name or a link: some file systems report an
// invalid name with EINVAL.
func nameReason(err error) *reason {
	if errors.Is(err, syscall.EINVAL) {
		return malformed
	}
	return reasonOf(err)
}

// nameOnDisk returns the name under which dir lists the file that was found as name. The two differ if a
// file system ignores case or Unicode forms, or has short names. Rules are compared byte by byte, so
// another spelling would bypass them.
func nameOnDisk(dir, name string, info fs.FileInfo) (string, error) {
	// Spellings of ASCII names differ only in case, except for the short names of Windows.
	if !strings.ContainsFunc(name, func(r rune) bool { return r >= 0x80 || r == '~' }) {
		respelled := strings.ToUpper(name)
		if respelled == name {
			respelled = strings.ToLower(name)
		}
		if respelled == name {
			return name, nil
		}
		other, err := os.Lstat(filepath.Join(dir, respelled))
		if err != nil || !os.SameFile(info, other) {
			return name, nil // the file system is case-sensitive here, so this is the name
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name }) {
		return name, nil
	}
	for _, e := range entries {
		other, err := os.Lstat(filepath.Join(dir, e.Name()))
		if err == nil && os.SameFile(info, other) {
			return e.Name(), nil
		}
	}
	return "", fs.ErrNotExist // the file was removed in the meantime
}

// maxPath is the maximum length of a path in bytes. Linux cannot open longer paths.
const maxPath = 4096

// normalize removes "." and ".." from a path relative to the root, which itself becomes "". It does
// not read the file system, so a/../b is b whatever a is. For a path that is absolute or leads above
// the root, it returns the reason why access is denied.
func normalize(given string) (clean string, why *reason) {
	if strings.HasPrefix(given, "/") {
		return "", absolute
	}
	switch clean = path.Clean(given); {
	case clean == ".":
		return "", nil
	case clean == ".." || strings.HasPrefix(clean, "../"):
		return "", above
	}
	return clean, nil
}

// lexical is like normalize, but also checks that the file system can use the path.
func lexical(given string) (clean string, why *reason) {
	if len(given) > maxPath || strings.ContainsRune(given, 0) || !utf8.ValidString(given) {
		return "", malformed
	}
	clean, why = normalize(filepath.ToSlash(given))
	if why == nil && clean != "" && !filepath.IsLocal(clean) {
		why = absolute // only on Windows, where a name can be a drive, a stream or a device
	}
	return clean, why
}

// segments returns the parts of a path that JP compares: all except "", "." and "..".
func segments(path string) []string {
	return slices.DeleteFunc(strings.Split(path, "/"), func(s string) bool {
		return s == "" || s == "." || s == ".."
	})
}

func hasPrefix(path, prefix []string, fold bool) bool {
	return len(path) >= len(prefix) && slices.EqualFunc(path[:len(prefix)], prefix, func(a, b string) bool {
		return a == b || fold && strings.EqualFold(a, b)
	})
}

// relative returns path relative to dir, or false if path is not in dir. Both are clean and absolute.
func relative(dir, path string) (rel string, ok bool) {
	if path == dir {
		return "", true
	}
	if !strings.HasSuffix(dir, string(filepath.Separator)) {
		dir += string(filepath.Separator)
	}
	return strings.CutPrefix(path, dir)
}
