package access

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// spelled returns the name under which dir lists the file that was found as name. The two differ if a file
// system ignores case or Unicode forms, or has short names. Rules are compared byte by byte, so another
// spelling would bypass them.
func spelled(dir, name string, info fs.FileInfo) (string, error) {
	if plain(name) {
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
	d, err := os.Open(dir)
	if err != nil {
		return "", err
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return "", err
	}
	found, ok := listed(names, name, func(candidate string) bool {
		other, err := os.Lstat(filepath.Join(dir, candidate))
		return err == nil && os.SameFile(info, other)
	})
	if !ok {
		return "", fs.ErrNotExist // it was removed in the meantime
	}
	return found, nil
}

// listed returns name if names contains it, else the first name of the same file, or false if there
// is none.
func listed(names []string, name string, same func(string) bool) (string, bool) {
	var alias string
	for _, candidate := range names {
		if candidate == name {
			return name, true
		}
		if alias == "" && same(candidate) {
			alias = candidate
		}
	}
	return alias, alias != ""
}

// plain reports whether other spellings of name can only differ in case: name is ASCII and not a short name
// of Windows.
func plain(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return r >= 0x80 || r == '~' })
}
