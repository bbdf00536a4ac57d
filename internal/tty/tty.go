// Package tty tells terminals from files.
package tty

import "os"

// Is reports whether f, a reader or writer, may be a terminal. The null device is a character device, too,
// and is excluded.
func Is(f any) bool {
	file, ok := f.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
