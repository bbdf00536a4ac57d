package access

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxLinks bounds the links on the way to a file, as Linux does.
const maxLinks = 40

// A place is where a path leads.
type place struct {
	given string // the path as it was given
	path  string // absolute, without links, as far as it exists
	key   string // what rules are compared with
	// inside says that path lies within the root; key is relative to it then, and
	// else the path that was given.
	inside  bool
	missing int    // how many names at the end of path do not exist
	link    bool   // whether the last name that was given is that of a link
	trouble reason // why the way ends before the place is known
}

// resolve finds where a path leads now. That is a claim, which [FS.enter] checks. It
// fails only for a path that is wrong in itself: any other trouble is part of the
// place, since whoever may not know a place may not know what is wrong with it.
func (f *FS) resolve(given string, follow bool) (place, error) {
	clean, why := lexical(given)
	if why != "" {
		return place{}, refuse(why, given)
	}
	w := way{at: f.base.dir, exact: f.policy.restricted()}
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

// A way is a path on its way to its end.
type way struct {
	at    string   // a real directory, or at the end a file
	rest  []string // the names still to go
	links int
	// linked counts the names at the front of rest that came out of links.
	linked  int
	exact   bool // whether a name must be spelled as the directory spells it
	missing int
	link    bool
	trouble reason
}

func (w *way) walk(follow bool) {
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
		if name == ".." { // out of a link: normalize leaves none in a path
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

// follow puts what the link at full says in front of the rest of the way.
func (w *way) follow(full string) bool {
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
