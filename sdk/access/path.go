package access

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxPath bounds a path that is given, in bytes: longer than any that Linux opens.
const maxPath = 4096

// normalize makes a path that is given relative to the root without "." and "..",
// the root itself being "". No file is looked at, so that a/../b is b whatever a is.
// For a path that is absolute or leads above the root it returns why it is refused.
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

// lexical is normalize for a path that a file system is going to see.
func lexical(given string) (clean string, why reason) {
	if len(given) > maxPath || strings.ContainsRune(given, 0) || !utf8.ValidString(given) {
		return "", malformed
	}
	clean, why = normalize(filepath.ToSlash(given))
	if why == "" && clean != "" && !filepath.IsLocal(clean) {
		why = absolute // Drives, streams and devices are names on Windows, and there alone.
	}
	return clean, why
}

// segments returns the ordinary names in a path: what JP compares. A "..", a leading
// slash and a doubled one are none.
func segments(path string) []string {
	return slices.DeleteFunc(strings.Split(path, "/"), func(s string) bool {
		return s == "" || s == "." || s == ".."
	})
}

func hasPrefix(path, prefix []string) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}

// relative returns path, both being clean and absolute, as it is below dir.
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
