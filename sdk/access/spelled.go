package access

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// spelled returns the name under which dir lists the file that was found there as
// name. They differ where file systems fold case, Unicode forms or short names, and
// rules, which are compared byte by byte, would be passed by under another spelling.
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
			return name, nil // case counts here, so this is the name
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
		return "", fs.ErrNotExist // it went away meanwhile
	}
	return found, nil
}

// listed returns name if it is among names, else the first that is the same file.
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

// plain reports whether another spelling of name could differ in the case of its
// letters alone: it is ASCII, and no short name of Windows.
func plain(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return r >= 0x80 || r == '~' })
}
