//go:build !unix

package target

import (
	"io/fs"
	"path/filepath"
	"strings"
)

func runnable(info fs.FileInfo) bool {
	return info.Mode().IsRegular() && strings.EqualFold(filepath.Ext(info.Name()), ".exe")
}
