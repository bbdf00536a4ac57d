package access

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxLinks is the maximum number of links in a path, as in Linux.
const maxLinks = 40

// A place is the result of resolving a path.
type place struct {
	given string // the path as it was given
	path  string // absolute, without links, as far as it exists
	key   string // path that rules are compared with
	// inside reports whether path lies within the root. If so, key is relative to the root; otherwise it is the
	// given path.
	inside  bool
	missing int    // number of names at the end of path that do not exist
	link    bool   // the last given name is a link
	trouble reason // reason why path could not be resolved completely
}

// resolve determines where a path leads at this time; enter verifies it. resolve fails only for an invalid
// path. Any other problem is recorded in the place, because a caller without access to the place must not
// learn what is wrong with it.
func (f *FS) resolve(given string, follow bool) (place, error) {
	clean, why := lexical(given)
	if why != "" {
		return place{}, refuse(why, given)
	}
	w := walker{at: f.base.dir, exact: f.policy.restricted()}
	if clean != "" {
		w.rest = strings.Split(clean, "/")
	}
	w.walk(follow)

	p := place{given: given, missing: w.missing, link: w.link, trouble: w.trouble}
	p.path = filepath.Join(append([]string{w.at}, w.rest...)...)
	if p.key, p.inside = relative(f.base.dir, p.path); p.inside {
		p.key = filepath.ToSlash(p.key)
	} else {
		p.key = clean
	}
	return p, nil
}

// A walker is a path that is being resolved.
type walker struct {
	at    string   // a real directory, or at the end a file
	rest  []string // the names that remain
	links int
	// linked is the number of names, at the front of rest, that came from links.
	linked  int
	exact   bool // names must be spelled as in the directory
	missing int
	link    bool
	trouble reason
}

func (w *walker) walk(follow bool) {
	file := false
	for len(w.rest) > 0 {
		name, linked := w.rest[0], w.linked > 0
		if file {
			w.trouble = notDirectory
			return
		}
		if linked {
			w.linked--
		}
		if name == ".." { // only links contain "..": normalize removes it from paths
			w.at, w.rest = filepath.Dir(w.at), w.rest[1:]
			continue
		}
		full := filepath.Join(w.at, name)
		info, err := os.Lstat(full)
		if err == nil && w.exact {
			name, err = spelled(w.at, name, info)
			full = filepath.Join(w.at, name)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist) && linked:
			w.trouble = dangling
			return
		case errors.Is(err, fs.ErrNotExist):
			w.missing = len(w.rest)
			return
		case err != nil:
			w.trouble = troubleOf(err)
			return
		}
		w.rest = w.rest[1:]
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			if len(w.rest) == 0 && !linked {
				w.link = true
				if !follow {
					w.at = full
					return
				}
			}
			if !w.follow(full) {
				return
			}
		default:
			w.at, file = full, !info.IsDir()
		}
	}
}

// follow prepends the names in the target of the link at full to the remaining names. If the link
// cannot be followed, it records the trouble and returns false.
func (w *walker) follow(full string) bool {
	if w.links++; w.links > maxLinks {
		w.at, w.trouble = full, loop
		return false
	}
	target, err := os.Readlink(full)
	if err != nil {
		w.at, w.trouble = full, troubleOf(err)
		return false
	}
	if filepath.IsAbs(target) {
		w.at = filepath.VolumeName(target) + string(filepath.Separator)
		target = target[len(filepath.VolumeName(target)):]
	}
	var names []string
	for name := range strings.SplitSeq(filepath.ToSlash(target), "/") {
		if name != "" && name != "." {
			names = append(names, name)
		}
	}
	w.rest = append(names, w.rest...)
	w.linked += len(names)
	return true
}

func troubleOf(err error) reason {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return unreadable
	case errors.Is(err, syscall.ENOTDIR):
		return notDirectory
	case errors.Is(err, syscall.ELOOP):
		return loop
	case errors.Is(err, fs.ErrNotExist):
		return missing
	case errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.EINVAL):
		return malformed
	}
	return failed
}
