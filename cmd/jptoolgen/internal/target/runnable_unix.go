//go:build unix

package target

import "io/fs"

func runnable(info fs.FileInfo) bool { return info.Mode().IsRegular() && info.Mode()&0o111 != 0 }
