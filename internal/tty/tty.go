// Package tty detects terminals.
package tty

import "os"

// Is reports whether f, a reader or writer, may be a terminal. It excludes the null device, which is also a
// character device.
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
