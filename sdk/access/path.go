package access

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxPath is the maximum length of a path in bytes. Linux cannot open longer paths.
const maxPath = 4096

// normalize removes "." and ".." from a path relative to the root. The root itself becomes "". normalize
// does not read the file system, so a/../b is b whatever a is. If the path is absolute or leads above the
// root, it returns the reason for the refusal.
func normalize(given string) (clean string, why reason) {
	if strings.HasPrefix(given, "/") {
		return "", absolute
	}
	switch clean = path.Clean(given); {
	case clean == ".":
		return "", ""
	case clean == ".." || strings.HasPrefix(clean, "../"):
		return "", above
	}
	return clean, ""
}

// lexical is like normalize, but also checks that the file system can use the path.
func lexical(given string) (clean string, why reason) {
	if len(given) > maxPath || strings.ContainsRune(given, 0) || !utf8.ValidString(given) {
		return "", malformed
	}
	clean, why = normalize(filepath.ToSlash(given))
	if why == "" && clean != "" && !filepath.IsLocal(clean) {
		why = absolute // only on Windows: names can be drives, streams and devices
	}
	return clean, why
}

// segments returns the parts of a path that take part in JP's comparison. It leaves out "." and "..", and
// the empty parts next to leading, trailing and double slashes.
func segments(path string) []string {
	return slices.DeleteFunc(strings.Split(path, "/"), func(s string) bool {
		return s == "" || s == "." || s == ".."
	})
}

func hasPrefix(path, prefix []string) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}

// relative returns path relative to dir, or false if path is not below dir. Both must be clean and
// absolute.
func relative(dir, path string) (rel string, ok bool) {
	if path == dir {
		return "", true
	}
	if !strings.HasSuffix(dir, string(filepath.Separator)) {
		dir += string(filepath.Separator)
	}
	return strings.CutPrefix(path, dir)
}

func orDot(path string) string {
	if path == "" {
		return "."
	}
	return path
}
